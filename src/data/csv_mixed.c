/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of numbers that some cells would make text. A column with more texts than numbers is a label, but not where
 * at least a fifth of its cells are numbers and the texts are nearly numbers ("<0.5", "12 mg", "3.4*") or one or two
 * words over and over ("below"): then a person took them for numbers, and a message names the cells and says what can
 * be done. Nor is it a label where all of its texts are numbers by another decimal mark. It also says which cells
 * stopped the reading of a column of numbers. Here, too, lines of LIBSVM are told from text. */

#include "data/csv_survey.h"

#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "data/columns.h"

#include <stdio.h>
#include <string.h>

enum {
    WORDS = 2,        /* that are different from each other */
    MOST_COLUMNS = 16 /* that are looked at: each takes a walk through the sample */
};

void scree__csv_bad_add(scree__csv_bad *bad, const scree__csv_cell *cell, int64_t line)
{
    if (bad->count < SCREE__CSV_BAD_SHOWN) {
        char *text = bad->text[bad->count];
        const int64_t space = (int64_t)sizeof bad->text[0];
        bad->line[bad->count] = line;
        if (cell->end - cell->begin < space) {
            scree__csv_cell_text(cell, text);
        } else {
            memcpy(text, cell->begin, (size_t)space - 4);
            text[space - 4] = 0;
            scree__utf8_trim(text);
            memcpy(text + strlen(text), "...", 4);
        }
    }
    bad->count++;
}

static void append(char *to, size_t size, const char *format, const char *text, int64_t number)
{
    const size_t used = strlen(to);
    if (used < size)
        snprintf(to + used, size - used, format, text, (long long)number);
}

/* The words for --na that would make the cells missing: themselves, or '<*' for values below a limit. */
static void advise(char *to, size_t size, const scree__csv_bad *bad)
{
    const int64_t shown = bad->count < SCREE__CSV_BAD_SHOWN ? bad->count : SCREE__CSV_BAD_SHOWN;
    bool limits = true;
    bool odd = false; /* what a shell or the list would take apart */
    for (int64_t i = 0; i < shown; i++) {
        limits = limits && (bad->text[i][0] == '<' || bad->text[i][0] == '>') && bad->text[i][0] == bad->text[0][0];
        odd = odd || strpbrk(bad->text[i], "',\"") || strstr(bad->text[i], "...");
        for (const char *p = bad->text[i]; *p; p++)
            odd = odd || (unsigned char)*p < ' ' || *p == 0x7F;
    }
    to[0] = 0;
    if (limits)
        snprintf(to, size, " '%c*'", bad->text[0][0]);
    else if (!odd)
        for (int64_t i = 0; i < shown; i++) {
            bool again = false;
            for (int64_t j = 0; j < i; j++)
                again = again || strcmp(bad->text[i], bad->text[j]) == 0;
            if (!again)
                append(to, size, i == 0 ? " '%s" : ",%s", bad->text[i], 0);
        }
    if (!limits && !odd)
        append(to, size, "%s", "'", 0);
}

/* All that are shown are numbers by one decimal mark or the other. */
static bool are_marked(scree__csv_bad *bad, int64_t shown)
{
    bool marked = true;
    for (int64_t i = 0; i < shown; i++) {
        const scree__csv_cell cell = {.begin = bad->text[i], .end = bad->text[i] + strlen(bad->text[i])};
        marked = marked && scree__csv_cell_shape(&cell) != SCREE__CSV_BY_NONE;
    }
    return marked;
}

scree_status scree__csv_bad_fail(const scree__csv_bad *bad, const char *file, const char *column, bool percent,
                                 scree_error *error)
{
    char others[256] = "";
    char words[192];
    const int64_t shown = bad->count < SCREE__CSV_BAD_SHOWN ? bad->count : SCREE__CSV_BAD_SHOWN;
    const char *first = bad->text[0];
    const size_t length = strlen(first);
    const char *what = percent                                  ? "has no per cent sign, as others in the column have"
                       : length > 1 && first[length - 1] == '%' ? "is a percentage in a column of plain numbers"
                       : first[0] == '<' || first[0] == '>'     ? "is a limit, not a number"
                                                                : "is not a number";
    for (int64_t i = 1; i < shown; i++) {
        append(others, sizeof others,
               i == 1               ? ", nor is '%s'"
               : i + 1 < bad->count ? ", '%s'"
                                    : " and '%s'",
               bad->text[i], 0);
        append(others, sizeof others, " in line%.0s %lld", "", bad->line[i]);
    }
    if (bad->count > shown)
        append(others, sizeof others, ", and %.0s%lld more", "", bad->count - shown);
    scree__csv_bad copy = *bad; /* numbers are looked at in place */
    if (!percent && first[length - (length > 0)] != '%' && are_marked(&copy, shown))
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: line %lld, %s: '%s' %s with the decimal mark of the others%s; say which mark is right, "
                           "with --decimal , or --decimal ., correct the cell%s, or make the column a label",
                           file, (long long)bad->line[0], column, first, what, others, bad->count == 1 ? "" : "s");
    advise(words, sizeof words, bad);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: line %lld, %s: '%s' %s%s; correct the cell%s, take %s as missing with --na%s, or make the "
                       "column a label",
                       file, (long long)bad->line[0], column, first, what, others, bad->count == 1 ? "" : "s",
                       bad->count == 1 ? "it" : "them", words);
}

/* Begins as a number does, but for a sign, and has a digit. */
static bool is_nearly_number(const char *begin, const char *end)
{
    static const char signs[] = "<>~=+-.$";
    while (begin < end && (strchr(signs, *begin) || *begin == ' '))
        begin++;
    return begin < end && *begin >= '0' && *begin <= '9';
}

/* What the sample has in one column. */
typedef struct column {
    scree__csv_bad bad;
    int64_t numbers;
    int64_t nearly;
    int64_t marked; /* numbers by another decimal mark */
    int64_t words;  /* different texts, as far as they are counted */
    const char *word[WORDS];
    int64_t length[WORDS];
} column;

static void add_text(column *c, const scree__csv_cell *cell, int64_t line)
{
    char *begin = NULL;
    char *end = NULL;
    scree__csv_cell_bare(cell, &begin, &end);
    scree__csv_bad_add(&c->bad, cell, line);
    c->nearly += is_nearly_number(begin, end);
    c->marked += scree__csv_cell_shape(cell) != SCREE__CSV_BY_NONE;
    for (int64_t i = 0; i < c->words && i < WORDS; i++)
        if (c->length[i] == end - begin && memcmp(c->word[i], begin, (size_t)(end - begin)) == 0)
            return;
    if (c->words < WORDS) {
        c->word[c->words] = begin;
        c->length[c->words] = end - begin;
    }
    c->words++;
}

static void read_column(column *c, const scree__csv_guess *guess, char *text, int64_t size, int64_t index)
{
    scree__csv_sample s = {
        .p = text + guess->data_offset, .end = text + size, .delimiter = guess->delimiter, .line = guess->data_line};
    const char *before = s.p;
    for (; scree__csv_sample_next(&s); before = s.record) {
        double value = 0;
        scree__csv_cell cell = {.next = s.record};
        int64_t i = -1;
        s.line += scree__csv_count_lines(before, s.record);
        for (; i < index && !cell.last; i++)
            scree__csv_cell_read(&cell, cell.next, guess->delimiter);
        if (i < index)
            continue;
        const scree__csv_kind kind = scree__csv_cell_value(&cell, &guess->syntax, &value);
        c->numbers += kind == SCREE__CSV_NUMBER || kind == SCREE__CSV_PERCENT;
        if (kind == SCREE__CSV_TEXT)
            add_text(c, &cell, s.line);
    }
}

/* Whether the column is the one of that name. A name that is none is found out later. */
static bool is_one(const char *name, const scree__csv_guess *guess, int64_t index, const char *file)
{
    int64_t found = -1;
    return name && scree__columns_find(&found, name, guess->names, guess->fields, file, NULL) == SCREE_OK &&
           found == index;
}

/* Whether the column is in the list, of which a wrong one is found out later, too. */
static scree_status find_among(bool *among, const char *list, const scree__csv_guess *guess, int64_t index,
                               const char *file, scree_error *error)
{
    bool *listed = NULL;
    scree_status status = scree__columns_exclude(&listed, list, guess->names, guess->fields, file, error);
    *among = listed && listed[index];
    free(listed);
    return status == SCREE_ERR_MEMORY ? status : SCREE_OK;
}

/* Whether the options say what becomes of the column. */
static scree_status find_settled(bool *settled, const scree__csv_guess *guess, int64_t index,
                                 const scree_read_options *options, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool excluded = false;
    bool chosen = false;
    SCREE_TRY(find_among(&excluded, options->exclude, guess, index, file, error));
    SCREE_TRY(find_among(&chosen, options->columns, guess, index, file, error));
    *settled = excluded || (options->columns && !chosen) || is_one(options->label, guess, index, file) ||
               is_one(options->id, guess, index, file);
done:
    return status;
}

scree_status scree__csv_mixed_check(const scree__csv_guess *guess, char *text, int64_t size,
                                    const scree_read_options *options, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    int looked = 0;
    for (int64_t i = guess->row_names; i < guess->fields && looked < MOST_COLUMNS; i++) {
        column c = {.numbers = 0};
        char name[256];
        if (!guess->is_mixed[i])
            continue;
        looked++;
        read_column(&c, guess, text, size, i);
        const bool other = c.marked == c.bad.count;
        bool settled = c.bad.count == 0 || (!other && (c.numbers == 0 || (c.nearly < c.bad.count && c.words > WORDS)));
        if (!settled)
            SCREE_TRY(find_settled(&settled, guess, i, options, file, error));
        if (!settled && options->on_error != SCREE_STOP) /* of numbers, as it would be in a pipe */
            guess->is_text[i] = false;
        if (!guess->is_text[i] || settled)
            continue;
        if (guess->names)
            snprintf(name, sizeof name, "column '%.200s'", guess->names[i]);
        else
            snprintf(name, sizeof name, "column %lld", (long long)(i + 1));
        SCREE_TRY(scree__csv_bad_fail(&c.bad, file, name, false, error));
    }
done:
    return status;
}

/* After digits and what else a number has; p itself where there are none. */
static const char *skip_number(const char *p, const char *end)
{
    double value = 0;
    const char *after = scree__parse_double(p, end, &value);
    return after ? after : p;
}

/* "+1 3:0.5 7:1.25": a number, then places that rise and values, at least two: "1 12:30" may be a time. */
static bool is_libsvm(const char *p, const char *end)
{
    const char *after = skip_number(p, end);
    double last = -1;
    int64_t pairs = 0;
    if (after == p)
        return false;
    for (p = after; p < end && *p == ' '; pairs++) {
        double place = 0;
        while (p < end && *p == ' ')
            p++;
        if (p == end)
            return pairs > 1;
        for (; p < end && *p >= '0' && *p <= '9'; p++)
            place = 10 * place + (*p - '0');
        if (p == end || *p != ':' || place <= last || (after = skip_number(p + 1, end)) == p + 1)
            return false;
        last = place;
        p = after;
    }
    return pairs > 1 && p == end;
}

scree_status scree__csv_refuse_libsvm(const char *text, int64_t size, const char *file, scree_error *error)
{
    const char *line = memchr(text, '\n', (size_t)size);
    const char *end = line ? line : text + size;
    if (end > text && end[-1] == '\r')
        end--;
    if (!is_libsvm(text, end))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is in the format of LIBSVM, which is not read: in Python, "
                       "X, y = sklearn.datasets.load_svmlight_file(FILE), then numpy.save('data.npy', X.toarray())",
                       file);
}
