/* SPDX-License-Identifier: BSD-3-Clause */
/* What a text file of numbers leaves unsaid, from its first records (at most 100, or a mebibyte):
 *   delimiter      the one that cuts most records into as many cells as the first, and most cells into numbers
 *   decimal comma  where cells are numbers with a comma rather than with a point
 *   header         where columns of numbers begin with a text
 *   comments       lines in front that begin with #, unless the last of them can be the header of the record below
 *   text columns   those with more texts than numbers; a lone text among numbers is an error, found later
 * Cost: the sample is cut up once for each candidate. */

#include "data/csv.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum {
    SAMPLE_RECORDS = 100,
    SAMPLE_BYTES = 1 << 20,
    FIELD_BYTES = 100, /* for each column, here, in the layout and in the origin */
    NAME_BYTES = 160   /* for its name, here and in the source */
};

static const char candidates[] = {',', '\t', ';', '|', ' '};

/* The sample as it is cut by one delimiter. */
typedef struct sample {
    char *p;
    char *end;
    char delimiter;
    char *record;    /* the last one that was read */
    char *open;      /* the quote that is not closed in the one after, or NULL */
    int64_t records; /* read so far */
    int64_t bytes;
    int64_t line; /* of the record, where that is known */
} sample;

/* Steps to the next record that is not blank; false at the end of the sample. */
static bool next_record(sample *s)
{
    char *next = s->p;
    while (s->p < s->end && memchr(s->p, '\n', (size_t)(s->end - s->p)) && scree__csv_is_blank(s->p, &next))
        s->p = next;
    if (s->p == s->end || s->records >= SAMPLE_RECORDS || (s->bytes > SAMPLE_BYTES && s->records >= 2))
        return false;
    next = scree__csv_record_end(s->p, s->end, s->delimiter, &s->open);
    if (!next)
        return false;
    s->record = s->p;
    s->bytes += next - s->p;
    s->records++;
    s->p = next;
    return true;
}

/* What speaks for a delimiter. */
typedef struct survey {
    int64_t records;
    int64_t fields; /* of the first record */
    int64_t agree;  /* records with as many */
    int64_t cells;
    int64_t numbers;
    int64_t points; /* numbers that have one */
    char *open;     /* a quote that is not closed, after these records */
    int64_t commas; /* cells that are numbers with a decimal comma only */
} survey;

static void survey_cell(survey *found, const scree__csv_cell *cell, char delimiter)
{
    double value;
    scree__csv_kind kind = scree__csv_cell_value(cell, false, &value);
    bool comma =
        kind == SCREE__CSV_TEXT && delimiter != ',' && scree__csv_cell_value(cell, true, &value) == SCREE__CSV_NUMBER;
    found->cells++;
    found->numbers += kind == SCREE__CSV_NUMBER || comma;
    found->commas += comma;
    found->points += kind == SCREE__CSV_NUMBER && memchr(cell->begin, '.', (size_t)(cell->end - cell->begin)) != NULL;
}

static survey survey_delimiter(char *text, int64_t size, char delimiter)
{
    survey found = {0};
    sample s = {.p = text, .end = text + size, .delimiter = delimiter};
    while (next_record(&s)) {
        scree__csv_cell cell = {.next = s.record};
        int64_t fields = 0;
        for (; !cell.last; fields++) {
            scree__csv_cell_read(&cell, cell.next, delimiter);
            survey_cell(&found, &cell, delimiter);
        }
        if (s.records == 1)
            found.fields = fields;
        found.agree += fields == found.fields;
    }
    found.records = s.records;
    found.open = s.open;
    return found;
}

static double score(const survey *found)
{
    if (found->fields < 2)
        return 0;
    return (double)found->agree / (double)found->records * (1 + (double)found->numbers / (double)found->cells);
}

/* In doubt the first candidate, and the comma when there is one column only. */
static char best_delimiter(char *text, int64_t size)
{
    char best = ',';
    double most = 0;
    for (size_t i = 0; i < sizeof candidates; i++) {
        if (!memchr(text, candidates[i], (size_t)size))
            continue;
        survey found = survey_delimiter(text, size, candidates[i]);
        if (score(&found) > most) {
            most = score(&found);
            best = candidates[i];
        }
    }
    return best;
}

/* Of one column: the kind of its first cell, and how many of the others are what. */
typedef struct tally {
    scree__csv_kind first;
    int64_t numbers;
    int64_t texts;
    int64_t filled; /* cells that are not empty, the first included */
    int64_t line;   /* of the first of the texts */
} tally;

/* line: of text[0]. Returns that of the first record. */
static int64_t tally_columns(tally *columns, const scree__csv_guess *guess, char *text, int64_t size, int64_t line)
{
    sample s = {.p = text, .end = text + size, .delimiter = guess->delimiter};
    int64_t first = line;
    for (const char *before = text; next_record(&s); before = s.record) {
        line += scree__csv_count_lines(before, s.record);
        first = s.records == 1 ? line : first;
        scree__csv_cell cell = {.next = s.record};
        for (int64_t i = 0; !cell.last && i < guess->fields; i++) {
            double value;
            scree__csv_cell_read(&cell, cell.next, guess->delimiter);
            scree__csv_kind kind = scree__csv_cell_value(&cell, guess->decimal_comma, &value);
            columns[i].filled += cell.end > cell.begin;
            if (s.records == 1)
                columns[i].first = kind;
            columns[i].numbers += s.records > 1 && kind == SCREE__CSV_NUMBER;
            columns[i].texts += s.records > 1 && kind == SCREE__CSV_TEXT;
            if (columns[i].texts == 1 && columns[i].line == 0)
                columns[i].line = line;
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
    for (size_t i = 0; length > SAMPLE_BYTES && i < (delimiter ? 1 : sizeof candidates); i++) {
        const int64_t fields = 1 + scree__csv_count(text, text + length, delimiter ? delimiter : candidates[i]);
        most = fields > most ? fields : most;
    }
    SCREE_TRY(take(guess, most, FIELD_BYTES, file, error));
    scree__budget_give(guess->budget, most * FIELD_BYTES);
done:
    return status;
}

/* A column without a name is called after its number. */
static scree_status read_names(scree__csv_guess *guess, char *record, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_cell cell = {.next = record};
    SCREE_ALLOC(guess->names, guess->fields, error);
    for (int64_t i = 0; i < guess->fields; i++) {
        scree__csv_cell_read(&cell, cell.next, guess->delimiter);
        SCREE_ALLOC(guess->names[i], cell.end - cell.begin + 24, error);
        if (scree__csv_cell_text(&cell, guess->names[i]) == 0)
            snprintf(guess->names[i], 24, "c%lld", (long long)(i + 1));
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
static scree_status settle(scree__csv_guess *guess, const tally *columns, const char *text, const sample *first,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *data = guess->header ? first->p : first->record;
    guess->data_offset = data - text;
    guess->data_line = 1 + scree__csv_count_lines(text, data);
    if (guess->header)
        SCREE_TRY(read_names(guess, first->record, error));
    SCREE_ALLOC(guess->is_text, guess->fields, error);
    SCREE_ALLOC(guess->text_lines, guess->fields, error);
    for (int64_t i = 0; i < guess->fields; i++) {
        int64_t texts = columns[i].texts + (!guess->header && columns[i].first == SCREE__CSV_TEXT);
        int64_t numbers = columns[i].numbers + (!guess->header && columns[i].first == SCREE__CSV_NUMBER);
        guess->is_text[i] = texts > numbers;
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

/* Finds comments and delimiter. Returns where the first record begins. */
static char *find_records(scree__csv_guess *guess, char *text, char *end, char delimiter)
{
    char *last = NULL;
    char *body = skip_comments(text, end, &last, &guess->comments);
    guess->delimiter = delimiter ? delimiter : best_delimiter(body, end - body);
    const int64_t fields = survey_delimiter(body, end - body, guess->delimiter).fields;
    if (last && fields > 1 && survey_delimiter(last, body - last, guess->delimiter).fields == fields) {
        guess->comments--; /* #id,height,weight */
        return last;
    }
    return body;
}

static scree_status check_records(const survey *found, const scree__csv_guess *guess, char *text, const char *file,
                                  scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool none = found->records == 0;
    const bool lone = guess->header && found->records == 1;
    if ((none || lone) && found->open)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: the quote opened on line %lld is never closed; close it or remove it",
                   file, (long long)(1 + scree__csv_count_lines(text, found->open)));
    if (none)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: there is no row in it; give a file with rows of numbers", file);
done:
    return status;
}

scree_status scree__csv_guess_make(scree__csv_guess *guess, char *text, int64_t size, const scree_read_options *options,
                                   const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    tally *columns = NULL;
    if (memchr(text, 0, (size_t)(size < SAMPLE_BYTES ? size : SAMPLE_BYTES)))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: this is not text: it contains zero bytes; name its format or encoding, or save it as UTF-8",
                   file);
    SCREE_TRY(check_width(guess, text, size, options->delimiter, file, error));
    char *body = find_records(guess, text, text + size, options->delimiter);
    const int64_t left = text + size - body;
    survey found = survey_delimiter(body, left, guess->delimiter);
    SCREE_TRY(check_records(&found, guess, text, file, error));
    guess->fields = found.fields;
    guess->decimal_comma = found.commas > found.points;
    SCREE_TRY(take(guess, guess->fields, FIELD_BYTES, file, error));
    SCREE_ALLOC(columns, guess->fields, error);
    const int64_t line = tally_columns(columns, guess, body, left, 1 + scree__csv_count_lines(text, body));
    const bool lone = found.records == 1;
    guess->header = options->header < 0 ? has_header(columns, guess->fields, lone) : options->header > 0;
    SCREE_TRY(check_records(&found, guess, text, file, error));
    if (guess->header)
        SCREE_TRY(take(guess, guess->fields, NAME_BYTES, file, error));
    guess->only_header = guess->header && lone;
    guess->empty_end = guess->fields > 1 && columns[guess->fields - 1].filled == 0;
    sample first = {.p = body, .end = text + size, .delimiter = guess->delimiter, .line = line};
    next_record(&first);
    SCREE_TRY(settle(guess, columns, text, &first, error));
    if (guess->header)
        SCREE_TRY(check_names(guess, file, line, error));
done:
    free(columns);
    return status;
}

void scree__csv_guess_clear(scree__csv_guess *guess)
{
    scree__strings_free(guess->names, guess->fields);
    free(guess->is_text);
    free(guess->text_lines);
    memset(guess, 0, sizeof *guess);
}
