/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market files as text: 'coordinate' ones with a line for row, column and value, counted from 1, and 'array'
 * ones with a value a line, column by column. Values are real or integer, or there are none in a pattern, whose entries
 * are 1; complex ones have no order. Of symmetric matrices one half is listed. One read through a window of a mebibyte.
 */

#include "data/mtx_text.h"

#include "base/memory.h"
#include "base/number.h"
#include "data/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WINDOW = SCREE__WINDOW(20), DECIMAL = 10, WORD = 32 };

static const char banner[] = "%%MatrixMarket";

/* The next line, without its break and ended by a zero; NULL in *line: there is none. */
static scree_status next_line(scree__mtx *l, char **line, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *end = memchr(l->text + l->at, '\n', (size_t)(l->held - l->at));
    if (!end && !l->ended) {
        int64_t got = 0;
        memmove(l->text, l->text + l->at, (size_t)(l->held - l->at));
        l->held -= l->at;
        l->at = 0;
        const int64_t wanted = WINDOW - l->held;
        SCREE_TRY(scree__bytes_read(l->bytes, l->text + l->held, wanted, &got, error));
        l->ended = got < wanted;
        l->held += got;
        l->seen = scree__bytes_budget(l->bytes)->seen;
        end = memchr(l->text, '\n', (size_t)l->held);
        if (!end && !l->ended)
            SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: line %" PRId64 " is longer than a mebibyte; check the file",
                       l->file, l->number + 1);
    }
    *line = end || l->at < l->held ? l->text + l->at : NULL;
    l->number += *line != NULL;
    end = end ? end : l->text + l->held;
    *end = 0;
    l->at = end - l->text < l->held ? end - l->text + 1 : l->held;
done:
    return status;
}

static const char *skip(const char *p)
{
    return p + strspn(p, " \t\r");
}

/* Steps over a whole number; NULL: there is none, or it is too large. */
static const char *read_whole(const char *p, int64_t *number)
{
    const char *begin = p = skip(p);
    for (*number = 0; *p >= '0' && *p <= '9'; p++) {
        if (*number > INT64_MAX / DECIMAL - 1)
            return NULL;
        *number = DECIMAL * *number + (*p - '0');
    }
    return p > begin ? p : NULL;
}

static bool is(const char *word, const char *wanted)
{
    return strcasecmp(word, wanted) == 0;
}

/* What the words of the banner mean: matrix coordinate real general. */
static scree_status take_words(scree__mtx *l, char word[4][WORD], scree_error *error)
{
    scree_status status = SCREE_OK;
    l->array = is(word[1], "array");
    l->pattern = is(word[2], "pattern");
    l->symmetry = is(word[3], "symmetric")        ? SCREE__MTX_SYMMETRIC
                  : is(word[3], "skew-symmetric") ? SCREE__MTX_SKEW
                                                  : SCREE__MTX_GENERAL;
    if (!is(word[0], "matrix") || (!l->array && !is(word[1], "coordinate")) || (l->array && l->pattern))
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: is a Matrix Market file of kind '%s %s %s', and only 'matrix coordinate' and 'matrix array' with "
            "values are read; write the file again",
            l->file, word[0], word[1], word[2]);
    if (!l->pattern && !is(word[2], "real") && !is(word[2], "double") && !is(word[2], "integer"))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: has cells of kind '%s', and only real, integer and pattern ones can be observations; write the "
                   "real and the imaginary part as columns of their own",
                   l->file, word[2]);
    if (l->symmetry == SCREE__MTX_GENERAL && !is(word[3], "general"))
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: is a matrix of the symmetry '%s', and only general, symmetric and skew-symmetric ones are read; "
            "save it as general",
            l->file, word[3]);
    if (l->array && l->symmetry != SCREE__MTX_GENERAL)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is a %s array, and only general ones are read; save it as general", l->file, word[3]);
done:
    return status;
}

static scree_status check_banner(scree__mtx *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    char word[4][WORD] = {{0}};
    SCREE_TRY(next_line(l, &line, error));
    if (!line || strncmp(line, banner, sizeof banner - 1) != 0 ||
        sscanf(line + sizeof banner - 1, "%31s %31s %31s %31s", word[0], word[1], word[2], word[3]) < 4)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not a Matrix Market file, its first line does not begin with %s and four words: check the "
                   "file or name its format",
                   l->file, banner);
    SCREE_TRY(take_words(l, word, error));
done:
    return status;
}

/* The next line that says something; NULL: there is none. */
static scree_status next_entry(scree__mtx *l, char **line, scree_error *error)
{
    scree_status status = SCREE_OK;
    do
        status = next_line(l, line, error);
    while (status == SCREE_OK && *line && (**line == '%' || *skip(*line) == 0));
    return status;
}

static scree_status read_sizes(scree__mtx *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    SCREE_TRY(next_entry(l, &line, error));
    const char *p = line ? read_whole(line, &l->rows) : NULL;
    p = p ? read_whole(p, &l->cols) : NULL;
    p = p && !l->array ? read_whole(p, &l->count) : p;
    if (!p || *skip(p) || l->rows < 1 || l->cols < 1 || l->rows >= INT32_MAX || l->cols >= INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " should say how many rows%s columns%s there are, each at least 1 and below "
                   "2147483647; write the file again",
                   l->file, l->number, l->array ? " and" : ",", l->array ? "" : " and cells");
    if (l->symmetry != SCREE__MTX_GENERAL && l->rows != l->cols)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " has %" PRId64 " rows and %" PRId64
                   " columns, and a symmetric matrix has as many of both; write the file again",
                   l->file, l->number, l->rows, l->cols);
    if (l->array)
        l->count = l->rows * l->cols;
done:
    return status;
}

scree_status scree__mtx_begin(scree__mtx *l, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(l->text, WINDOW + 1, error);
    SCREE_TRY(check_banner(l, error));
    SCREE_TRY(read_sizes(l, error));
done:
    return status;
}

/* The value at p, to the end of the line. */
static scree_status take_value(const scree__mtx *l, const char *line, const char *p, scree__mtx_entry *entry,
                               scree_error *error)
{
    const char *number = p = p ? skip(p) : NULL;
    p = p ? scree__parse_double(p, p + strlen(p), &entry->value) : NULL;
    if (!p || *skip(p))
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %" PRId64 " is '%.60s' where %s expected; correct that line", l->file, l->number,
                           line, l->array ? "a value is" : "a row, a column and a value are");
    if (scree__is_too_wide(scree__wide_cell(number, p, entry->value, NULL)))
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: line %" PRId64 ": %.60s is a whole number beyond 2^53, which double precision would "
                           "round; subtract a constant from column %" PRId64 " first",
                           l->file, l->number, number, entry->column + l->array);
    return SCREE_OK;
}

/* One entry of a coordinate file. */
static scree_status take_entry(const scree__mtx *l, const char *line, scree__mtx_entry *entry, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *p = read_whole(line, &entry->row);
    p = p ? read_whole(p, &entry->column) : NULL;
    entry->value = 1;
    if (l->pattern && (!p || *skip(p)))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " is '%.60s' where a row and a column are expected; correct that line", l->file,
                   l->number, line);
    if (!l->pattern)
        SCREE_TRY(take_value(l, line, p, entry, error));
    if (entry->row < 1 || entry->row > l->rows || entry->column < 1 || entry->column > l->cols)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " has row %" PRId64 " and column %" PRId64 " of a matrix of %" PRId64
                   " rows and %" PRId64 " columns; correct that line",
                   l->file, l->number, entry->row, entry->column, l->rows, l->cols);
    entry->row--;
    entry->column--;
done:
    return status;
}

scree_status scree__mtx_next(scree__mtx *l, scree__mtx_entry *entry, bool *there, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    SCREE_TRY(next_entry(l, &line, error));
    *there = line != NULL;
    if (line && l->array) {
        entry->column = l->found / l->rows;
        entry->row = l->found % l->rows;
        SCREE_TRY(take_value(l, line, line, entry, error));
    } else if (line) {
        SCREE_TRY(take_entry(l, line, entry, error));
    }
    l->found += line != NULL;
    if ((!line || l->array) && (line ? l->found > l->count : l->found != l->count))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: announces %" PRId64 " cells and has %s%" PRId64 "; copy or write the file again", l->file,
                   l->count, line ? "at least " : "", l->found);
done:
    return status;
}

void scree__mtx_end(scree__mtx *l)
{
    free(l->text);
    l->text = NULL;
}
