/* SPDX-License-Identifier: BSD-3-Clause */
/* Matrix Market coordinate files: a banner, comments that begin with %, a line with the numbers of rows, columns and
 * cells, then a line a cell: row, column, value, counted from 1. What is not listed is missing, not zero. Real and
 * integer values of general matrices are read; patterns have no values, complex ones no order, and symmetric matrices
 * are no rows of observations. One read through a window of a mebibyte. */

#include "base/memory.h"
#include "base/number.h"
#include "data/formats.h"
#include "data/triplets.h"
#include "data/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { WINDOW = SCREE__WINDOW(20), DECIMAL = 10, WORD = 32 };

static const char banner[] = "%%MatrixMarket";

typedef struct lines {
    scree__bytes *bytes;
    const char *file;
    char *text; /* WINDOW, and a zero */
    int64_t at;
    int64_t held;
    int64_t number; /* of the line that was read last */
    int64_t seen;   /* bytes of the file */
    bool ended;
} lines;

/* The next line, without its break and ended by a zero; NULL in *line: there is none. */
static scree_status next_line(lines *l, char **line, scree_error *error)
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

static scree_status check_banner(lines *l, scree_error *error)
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
    if (strcasecmp(word[0], "matrix") != 0 || strcasecmp(word[1], "coordinate") != 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is a Matrix Market file of kind '%s %s', and only 'matrix coordinate' is read; save a dense "
                   "matrix as CSV or NPY",
                   l->file, word[0], word[1]);
    if (strcasecmp(word[2], "real") != 0 && strcasecmp(word[2], "double") != 0 && strcasecmp(word[2], "integer") != 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: has cells of kind '%s', and only real and integer ones can be observations; give each cell a "
                   "value",
                   l->file, word[2]);
    if (strcasecmp(word[3], "general") != 0)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: is a %s matrix, whose rows are not observations; save it as general if they are", l->file,
                   word[3]);
done:
    return status;
}

/* The next line that says something; NULL: there is none. */
static scree_status next_entry(lines *l, char **line, scree_error *error)
{
    scree_status status = SCREE_OK;
    do
        status = next_line(l, line, error);
    while (status == SCREE_OK && *line && (**line == '%' || *skip(*line) == 0));
    return status;
}

static scree_status read_sizes(lines *l, scree__triplets_whole *whole, int64_t *count, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    SCREE_TRY(next_entry(l, &line, error));
    const char *p = line ? read_whole(line, &whole->row_count) : NULL;
    p = p ? read_whole(p, &whole->col_count) : NULL;
    p = p ? read_whole(p, count) : NULL;
    if (!p || *skip(p) || whole->row_count < 1 || whole->col_count < 1 || whole->row_count >= INT32_MAX ||
        whole->col_count >= INT32_MAX)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64
                   " should say how many rows, columns and cells there are, each at least 1 and below 2147483647; "
                   "write the file again",
                   l->file, l->number);
    whole->triplets.budget = *scree__bytes_budget(l->bytes);
    SCREE_TRY(scree__triplets_expect(&whole->triplets, whole->row_count, whole->col_count, error));
done:
    return status;
}

/* One cell. */
static scree_status take_cell(const lines *l, const char *line, scree__triplets_whole *whole, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t row = 0;
    int64_t column = 0;
    double value = 0;
    const char *p = read_whole(line, &row);
    p = p ? read_whole(p, &column) : NULL;
    const char *number = p = p ? skip(p) : NULL;
    p = p ? scree__parse_double(p, p + strlen(p), &value) : NULL;
    if (!p || *skip(p))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " is '%.60s' where a row, a column and a value are expected; correct that line",
                   l->file, l->number, line);
    if (row < 1 || row > whole->row_count || column < 1 || column > whole->col_count)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: line %" PRId64 " has row %" PRId64 " and column %" PRId64 " of a matrix of %" PRId64
                   " rows and %" PRId64 " columns; correct that line",
                   l->file, l->number, row, column, whole->row_count, whole->col_count);
    if (scree__is_too_wide(scree__wide_cell(number, p, value, NULL)))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: line %" PRId64 ": %.60s is a whole number beyond 2^53, which double precision would round; "
                   "subtract a constant from column %" PRId64 " first",
                   l->file, l->number, number, column);
    if (value == value)
        SCREE_TRY(scree__triplets_add(&whole->triplets, row - 1, column - 1, value, error));
done:
    return status;
}

static scree_status take_cells(lines *l, scree__triplets_whole *whole, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    char *line = NULL;
    int64_t found = 0;
    for (;; found++) {
        SCREE_TRY(next_entry(l, &line, error));
        if (!line)
            break;
        whole->triplets.budget.seen = l->seen;
        SCREE_TRY(take_cell(l, line, whole, error));
    }
    if (found != count)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: announces %" PRId64 " cells and has %" PRId64 "; copy or write the file again", l->file, count,
                   found);
done:
    return status;
}

static bool mtx_matches(const unsigned char *head, int64_t size)
{
    return size >= (int64_t)sizeof banner - 1 && memcmp(head, banner, sizeof banner - 1) == 0;
}

static scree_status mtx_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    lines l = {.bytes = bytes, .file = scree__bytes_name(bytes)};
    scree__triplets_whole whole = {.triplets = {.file = l.file}};
    int64_t count = 0;
    SCREE_ALLOC(l.text, WINDOW + 1, error);
    SCREE_TRY(check_banner(&l, error));
    SCREE_TRY(read_sizes(&l, &whole, &count, error));
    SCREE_TRY(take_cells(&l, &whole, count, error));
    SCREE_TRY(scree__triplets_open(out, &whole, options, error));
    scree__bytes_close(bytes);
done:
    scree__triplets_whole_clear(&whole);
    free(l.text);
    return status;
}

static const char *const mtx_extensions[] = {"mtx", "mm", NULL};

const scree__reader scree__reader_mtx = {
    "mtx", mtx_extensions, mtx_matches, mtx_open, "Matrix Market, cells that are not listed missing",
    false, false,          NULL};
