/* SPDX-License-Identifier: BSD-3-Clause */
/* What a text file of numbers leaves unsaid, from its first records:
 *   lines on top   those that the options skip, one that says sep=; as Excel writes it, comments, which begin with #,
 *                  unless the last of them can be the header of the record below, and titles (csv_survey.c)
 *   header         where columns of numbers begin with a text
 *   text columns   those with more texts than numbers; a lone text among numbers is an error, found later, and so are
 *                  many that are nearly numbers (csv_mixed.c)
 *   empty columns  those that have neither name nor cells
 * Cost: the sample is cut up once for each candidate. */

#include "data/csv_survey.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum {
    SAMPLE_BYTES = SCREE__CSV_SAMPLE_BYTES,
    FIELD_BYTES = 134, /* for each column, here, in the layout and in the origin */
    NAME_BYTES = 160,  /* for its name, here and in the source */
    MIXED = 4          /* texts to a number, at most, where the column may have been meant as numbers */
};

/* Of one column: the kind of its first cell, and what the others are. */
typedef struct tally {
    scree__csv_kind first;
    int64_t numbers;
    int64_t percents; /* of them */
    int64_t texts;
    int64_t marked;      /* of them: numbers by some decimal mark */
    int64_t filled;      /* cells that are not empty, the first included */
    int64_t line;        /* of the first of the texts */
    bool short_one;      /* a whole number below 1000 */
    const char *grouped; /* the first that may be thousands: 1.234 */
} tally;

static void tally_cell(tally *column, const scree__csv_guess *guess, const scree__csv_cell *cell, int64_t line,
                       bool first)
{
    double value;
    const scree__csv_kind kind = scree__csv_cell_value(cell, &guess->syntax, &value);
    const bool number = kind == SCREE__CSV_NUMBER || kind == SCREE__CSV_PERCENT;
    column->filled += cell->end > cell->begin;
    if (first) {
        column->first = number ? SCREE__CSV_NUMBER : kind;
        return;
    }
    column->numbers += number;
    column->percents += kind == SCREE__CSV_PERCENT;
    column->texts += kind == SCREE__CSV_TEXT;
    const scree__csv_shape shape = scree__csv_cell_shape(cell);
    column->marked += kind == SCREE__CSV_TEXT && shape != SCREE__CSV_BY_NONE;
    column->short_one =
        column->short_one || (kind == SCREE__CSV_NUMBER && shape == SCREE__CSV_BY_NONE && fabs(value) < 1000);
    if (!column->grouped && kind == SCREE__CSV_NUMBER && shape == SCREE__CSV_BY_EITHER)
        column->grouped = cell->begin;
    if (column->texts == 1 && column->line == 0)
        column->line = line;
}

/* line: of text[0]. Returns that of the first record. */
static int64_t tally_columns(tally *columns, const scree__csv_guess *guess, char *text, int64_t size, int64_t line)
{
    scree__csv_sample s = {.p = text, .end = text + size, .delimiter = guess->delimiter};
    int64_t first = line;
    for (const char *before = text; scree__csv_sample_next(&s); before = s.record) {
        line += scree__csv_count_lines(before, s.record);
        first = s.records == 1 ? line : first;
        scree__csv_cell cell = {.next = s.record};
        for (int64_t i = s.records == 1 && guess->row_names; !cell.last && i < guess->fields; i++) {
            scree__csv_cell_read(&cell, cell.next, guess->delimiter);
            tally_cell(&columns[i], guess, &cell, line, s.records == 1);
        }
    }
    return first;
}

/* Columns of numbers that begin with a text speak for a header, those that begin with a number against it. A lone
 * record is a header when it has texts and no number. */
static bool has_header(const tally *columns, int64_t fields, bool lone)
{
    int64_t texts = 0;
    int64_t numbers = 0;
    for (int64_t i = 0; i < fields; i++)
        if (lone || columns[i].numbers > columns[i].texts) {
            texts += columns[i].first == SCREE__CSV_TEXT;
            numbers += columns[i].first == SCREE__CSV_NUMBER;
        }
    return texts > 0 && (lone ? numbers == 0 : texts >= numbers);
}

static scree_status take(const scree__csv_guess *guess, int64_t fields, int64_t bytes, const char *file,
                         scree_error *error)
{
    char what[48];
    snprintf(what, sizeof what, "%lld columns", (long long)fields);
    return scree__budget_take(guess->budget, fields * bytes, file, what, error);
}

/* Lines that are longer than any sample are measured before they are cut up once for each candidate: no delimiter makes
 * more columns than it has places. */
static scree_status check_width(const scree__csv_guess *guess, const char *text, int64_t size, char delimiter,
                                const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *end = memchr(text, '\n', (size_t)size);
    const int64_t length = end ? end - text : size;
    int64_t most = 0;
    for (size_t i = 0; length > SAMPLE_BYTES && i < (delimiter ? 1 : SCREE__CSV_CANDIDATES); i++) {
        const int64_t fields =
            1 + scree__csv_count(text, text + length, delimiter ? delimiter : scree__csv_candidates[i]);
        most = fields > most ? fields : most;
    }
    SCREE_TRY(take(guess, most, FIELD_BYTES, file, error));
    scree__budget_give(guess->budget, most * FIELD_BYTES);
done:
    return status;
}

/* A column without a name is called after its number; that of the names of rows has none. */
static scree_status read_names(scree__csv_guess *guess, char *record, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_cell cell = {.next = record};
    SCREE_ALLOC(guess->names, guess->fields, error);
    for (int64_t i = 0; i < guess->fields; i++) {
        const bool absent = cell.last || (i == 0 && guess->row_names);
        if (!absent)
            scree__csv_cell_read(&cell, cell.next, guess->delimiter);
        SCREE_ALLOC(guess->names[i], absent ? 24 : cell.end - cell.begin + 24, error);
        if (absent && i == 0)
            snprintf(guess->names[i], 24, "row");
        else if (absent || scree__csv_cell_text(&cell, guess->names[i]) == 0)
            snprintf(guess->names[i], 24, i == 0 && guess->row_numbers ? "row" : "c%lld", (long long)(i + 1));
    }
done:
    return status;
}

static scree_status check_names(const scree__csv_guess *guess, const char *file, int64_t line, scree_error *error)
{
    for (int64_t i = 0; i < guess->fields; i++) {
        const char *at = guess->names[i];
        if (!scree__csv_is_utf8(&at, (int64_t)strlen(at)))
            return scree__csv_fail_encoding(at, file, line, i, error);
    }
    return SCREE_OK;
}

/* Names, kinds and where data begins; text is the sample, and first stands after its first record. */
static scree_status settle(scree__csv_guess *guess, const tally *columns, const scree__csv_wanted *wanted,
                           const char *text, const scree__csv_sample *first, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *data = guess->header ? first->p : first->record;
    guess->data_offset = data - text;
    guess->data_line = 1 + scree__csv_count_lines(text, data);
    if (guess->header)
        SCREE_TRY(read_names(guess, first->record, error));
    SCREE_ALLOC(guess->is_text, guess->fields, error);
    SCREE_ALLOC(guess->text_lines, guess->fields, error);
    SCREE_ALLOC(guess->is_percent, guess->fields, error);
    SCREE_ALLOC(guess->is_empty, guess->fields, error);
    SCREE_ALLOC(guess->is_mixed, guess->fields, error);
    bool at_end = true;
    for (int64_t i = guess->fields - 1; i >= 0 && guess->fields > 1; i--) {
        at_end = at_end && columns[i].filled == 0;
        guess->is_empty[i] = at_end || (guess->header && columns[i].filled == 0);
    }
    for (int64_t i = 0; i < guess->fields; i++) {
        int64_t texts = columns[i].texts + (!guess->header && columns[i].first == SCREE__CSV_TEXT);
        int64_t numbers = columns[i].numbers + (!guess->header && columns[i].first == SCREE__CSV_NUMBER);
        const int64_t named = i - guess->row_names;
        const bool known = wanted->header && named >= 0 && named < wanted->fields && wanted->is_wanted[named];
        const bool other = wanted->header && numbers == 0 && !guess->is_empty[i]; /* a name that is missing, mostly */
        const bool names_rows = i == 0 && (guess->row_names || guess->row_numbers);
        guess->is_text[i] = !known && (texts > numbers || other || names_rows);
        guess->is_mixed[i] = guess->is_text[i] && !names_rows &&
                             ((numbers > 0 && texts <= MIXED * numbers) ||
                              (columns[i].texts > 0 && columns[i].marked == columns[i].texts));
        guess->is_percent[i] = 2 * columns[i].percents > columns[i].numbers;
        guess->text_lines[i] = !guess->header && columns[i].first == SCREE__CSV_TEXT ? first->line : columns[i].line;
    }
done:
    return status;
}

/* After the lines at text that begin with #; *last is the last of them, or NULL. */
static char *skip_comments(char *text, const char *end, char **last, int64_t *count)
{
    char *line;
    *last = NULL;
    *count = 0;
    while (text < end && *text == '#' && (line = memchr(text, '\n', (size_t)(end - text))) != NULL) {
        *last = text;
        text = line + 1;
        ++*count;
    }
    return text;
}

/* After the lines that the options skip, NULL: there are fewer. A line sep=; is skipped, too, and says *delimiter. */
static char *skip_lines(char *text, const char *end, int64_t count, char *delimiter)
{
    for (; count > 0; count--) {
        char *line = memchr(text, '\n', (size_t)(end - text));
        if (!line)
            return NULL;
        text = line + 1;
    }
    const int64_t quote = text < end && *text == '"';
    char *mark = text + quote + 4;
    if (end - text < 6 + quote || strncasecmp(text + quote, "sep=", 4) != 0 || strchr("\"\r\n", *mark))
        return text;
    char *after = mark + 1 + (quote && mark[1] == '"');
    after += after < end && *after == '\r';
    if (after >= end || *after != '\n')
        return text;
    *delimiter = *delimiter ? *delimiter : *mark;
    return after + 1;
}

/* Finds comments, delimiter and titles. Returns where the first record begins. */
static char *find_records(scree__csv_guess *guess, scree__csv_survey *found, char *text, char *end, char delimiter,
                          bool titles)
{
    char *last = NULL;
    char *body = skip_comments(text, end, &last, &guess->comments);
    bool unsettled = false;
    guess->delimiter = delimiter ? delimiter : scree__csv_best_delimiter(body, end - body, titles, &unsettled);
    *found = scree__csv_survey_make(body, end - body, guess->delimiter, titles);
    found->unsettled = found->unsettled || (unsettled && found->numbers == 0);
    if (last && found->fields > 1 && found->titles == 0 &&
        scree__csv_survey_make(last, body - last, guess->delimiter, false).fields == found->fields) {
        guess->comments--; /* #id,height,weight */
        *found = scree__csv_survey_make(last, end - last, guess->delimiter, false);
        return last;
    }
    if (found->titles > 0) {
        scree__csv_sample s = {.p = body, .end = end, .delimiter = guess->delimiter};
        while (s.records <= found->titles && scree__csv_sample_next(&s))
            ;
        guess->titles = scree__csv_count_lines(body, s.record);
        guess->title_bytes = s.record - body;
        body = s.record;
    }
    return body;
}

/* Where the caller knows the header, what else was found above the rows is nothing; *body: the first record. */
static scree_status know_header(scree__csv_guess *guess, scree__csv_survey *found, scree__csv_wanted *wanted,
                                char **body, const char *end, const scree_read_options *options, scree_error *error)
{
    char *first = *body - guess->title_bytes;
    const scree_status status = scree__csv_wanted_find(wanted, first, end - first, guess->delimiter, options, error);
    if (status != SCREE_OK || !wanted->header)
        return status;
    guess->titles = 0;
    found->titles = 0;
    found->unsettled = false;
    found->header_lacks_first = wanted->row_names;
    found->fields = wanted->fields + (wanted->row_names || found->header_lacks_last);
    *body = wanted->header;
    return SCREE_OK;
}

static scree_status check_records(const scree__csv_survey *found, const scree__csv_guess *guess, char *text,
                                  const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool none = found->records == 0;
    const bool lone = guess->header && found->records - found->titles == 1;
    if ((none || lone) && found->open)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the quote opened on line %lld is never closed; close it or remove it",
                   file, (long long)(1 + scree__csv_count_lines(text, found->open)));
    if (none)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: there is no row in it; give a file with rows of numbers", file);
done:
    return status;
}

static scree_status check_text(const char *text, int64_t size, const char *file, scree_error *error)
{
    if (memchr(text, 0, (size_t)(size < SAMPLE_BYTES ? size : SAMPLE_BYTES)))
        return scree__fail(
            error, SCREE_ERR_FORMAT,
            "%s: this is not text: it contains zero bytes; name its format or encoding, or save it as UTF-8", file);
    return scree__csv_refuse_libsvm(text, size, file, error);
}

/* mark: what may be anything in the cell, comma or point. */
static scree_status fail_mark(const char *mark, const char *cell, const char *text, const char *file,
                              scree_error *error)
{
    const char *end = cell + strcspn(cell + 1, *cell == '"' ? "\"\n" : "; \t|\r\n") + 1;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: line %lld: the %s in %.*s may be a decimal %s or group thousands; say which, with "
                       "--decimal , or --decimal .",
                       file, (long long)(1 + scree__csv_count_lines(text, cell)), mark,
                       (int)(end - cell) + (*end == '"'), cell, mark);
}

/* Fails where a column has numbers such as 12.345 among others such as 987, separated as where commas are decimal, and
 * nothing says what a point is. */
static scree_status check_points(const scree__csv_guess *guess, const tally *columns, const scree__csv_survey *found,
                                 const char *text, const scree_read_options *options, const char *file,
                                 scree_error *error)
{
    if (options->decimal || guess->syntax.decimal_comma || (guess->delimiter != ';' && guess->delimiter != '\t') ||
        scree__csv_survey_points(found, guess->delimiter) > 0)
        return SCREE_OK;
    for (int64_t i = 0; i < guess->fields; i++)
        if (columns[i].grouped && columns[i].short_one)
            return fail_mark("point", columns[i].grouped, text, file, error);
    return SCREE_OK;
}

/* Fails where a comma may be anything. */
static scree_status find_marks(scree__csv_guess *guess, const scree__csv_survey *found, const char *text,
                               const scree_read_options *options, const char *file, scree_error *error)
{
    if (options->decimal && options->decimal != '.' && options->decimal != ',')
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the decimal mark is a point or a comma; give one of them",
                           file);
    if (scree__csv_survey_marks(found, guess->delimiter, options->decimal, &guess->syntax))
        return SCREE_OK;
    return fail_mark("comma", found->either, text, file, error);
}

scree_status scree__csv_guess_make(scree__csv_guess *guess, char *text, int64_t size, const scree_read_options *options,
                                   const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    tally *columns = NULL;
    scree__csv_survey found = {0};
    scree__csv_wanted wanted = {0};
    char delimiter = options->delimiter;
    char *top = skip_lines(text, text + size, options->skip, &delimiter);
    if (!top)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: has fewer than the %lld lines that are to be skipped; skip fewer",
                   file, (long long)options->skip);
    SCREE_TRY(check_text(top, text + size - top, file, error));
    SCREE_TRY(check_width(guess, top, text + size - top, delimiter, file, error));
    char *body = find_records(guess, &found, top, text + size, delimiter, options->skip == 0);
    SCREE_TRY(know_header(guess, &found, &wanted, &body, text + size, options, error));
    const int64_t left = text + size - body;
    SCREE_TRY(check_records(&found, guess, text, file, error));
    guess->unsettled = found.unsettled;
    guess->fields = found.fields;
    guess->row_names = found.header_lacks_first && options->header != 0;
    guess->row_numbers = found.header_leaves_first && options->header != 0 && !options->columns;
    SCREE_TRY(find_marks(guess, &found, text, options, file, error));
    SCREE_TRY(take(guess, guess->fields, FIELD_BYTES, file, error));
    SCREE_ALLOC(columns, guess->fields, error);
    const int64_t line = tally_columns(columns, guess, body, left, 1 + scree__csv_count_lines(text, body));
    SCREE_TRY(check_points(guess, columns, &found, text, options, file, error));
    const bool lone = found.records - found.titles == 1;
    guess->header = options->header < 0 && !wanted.header ? guess->row_names || has_header(columns, guess->fields, lone)
                                                          : options->header != 0;
    SCREE_TRY(check_records(&found, guess, text, file, error));
    if (guess->header)
        SCREE_TRY(take(guess, guess->fields, NAME_BYTES, file, error));
    guess->only_header = guess->header && lone;
    scree__csv_sample first = {.p = body, .end = text + size, .delimiter = guess->delimiter, .line = line};
    scree__csv_sample_next(&first);
    SCREE_TRY(settle(guess, columns, &wanted, text, &first, error));
    if (guess->header)
        SCREE_TRY(check_names(guess, file, line, error));
    SCREE_TRY(scree__csv_mixed_check(guess, text, size, options, file, error));
done:
    free(wanted.is_wanted);
    free(columns);
    return status;
}

void scree__csv_guess_clear(scree__csv_guess *guess)
{
    scree__strings_free(guess->names, guess->fields);
    free(guess->is_text);
    free(guess->text_lines);
    free(guess->is_percent);
    free(guess->is_empty);
    free(guess->is_mixed);
    memset(guess, 0, sizeof *guess);
}
