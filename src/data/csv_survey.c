/* SPDX-License-Identifier: BSD-3-Clause */
/* How the first records of a text file (at most 100, or a mebibyte) are cut into cells:
 *   delimiter      the one that cuts most records into as many cells as the first, and most cells into numbers
 *   decimal mark   what makes numbers of most cells that only one mark can explain; "1,234" alone leaves it open, and
 *                  "1.234" is a decimal point unless other cells have decimal commas and the delimiter is no comma
 *   titles         records above the table: shorter than those below it, which are all alike, with a text and hardly a
 *                  number; or, where a spreadsheet has filled them up with delimiters, with less than half of the
 *                  cells, above a header
 *   row numbers    whole numbers, all different, below a first cell without a name, as R and pandas write them
 *   short header   names of all columns but the first, which holds the names of rows, as R writes them; or of all but
 *                  the last, which is empty, since every line ends with a delimiter
 * Cost: the sample is cut up once for each candidate. */

#include "data/csv_survey.h"

#include <math.h>
#include <string.h>

enum { SAMPLE_RECORDS = SCREE__CSV_SAMPLE_RECORDS, SAMPLE_BYTES = SCREE__CSV_SAMPLE_BYTES, MOST_TITLES = 30 };

const char scree__csv_candidates[SCREE__CSV_CANDIDATES] = {',', '\t', ';', '|', ' '};

bool scree__csv_sample_next(scree__csv_sample *s)
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

/* What a record of the sample has. */
typedef struct record {
    int64_t fields;
    int64_t filled;
    int64_t texts;
    int64_t numbers;
    double first;     /* the number in the first cell */
    bool first_named; /* a text stands there, or something in quotes */
    bool first_empty;
    bool last_empty;
} record;

static void survey_cell(scree__csv_survey *found, record *r, const scree__csv_cell *cell)
{
    static const scree__csv_syntax plain = {0};
    double value = 0;
    scree__csv_kind kind = scree__csv_cell_value(cell, &plain, &value);
    const bool has_point = kind == SCREE__CSV_NUMBER && memchr(cell->begin, '.', (size_t)(cell->end - cell->begin));
    const scree__csv_shape written = kind == SCREE__CSV_TEXT || has_point ? scree__csv_cell_shape(cell) : 0;
    const scree__csv_shape shape = has_point ? SCREE__CSV_BY_NONE : written;
    const bool number = kind == SCREE__CSV_NUMBER || kind == SCREE__CSV_PERCENT || shape != SCREE__CSV_BY_NONE;
    found->cells++;
    found->numbers += number;
    found->points += has_point && written != SCREE__CSV_BY_EITHER;
    found->points_either += has_point && written == SCREE__CSV_BY_EITHER;
    found->by_comma += shape == SCREE__CSV_BY_COMMA;
    found->by_point += shape == SCREE__CSV_BY_POINT;
    if (shape == SCREE__CSV_BY_EITHER && found->by_either++ == 0)
        found->either = cell->begin;
    found->grouped_by_point +=
        shape == SCREE__CSV_BY_COMMA && memchr(cell->begin, '.', (size_t)(cell->end - cell->begin)) != NULL;
    if (r->fields++ == 0) {
        r->first = value;
        r->first_named = cell->quoted || (kind == SCREE__CSV_TEXT && !number);
        r->first_empty = cell->end - cell->begin == (cell->quoted ? 2 : 0);
    }
    r->filled += cell->end > cell->begin;
    r->texts += kind == SCREE__CSV_TEXT && !number;
    r->numbers += number;
    r->last_empty = cell->end == cell->begin;
}

/* A line above a table of so many columns. */
static bool is_title(const record *r, int64_t fields)
{
    return r->fields < fields && r->numbers <= 1 && (r->texts > 0 || r->filled == 0);
}

/* Titles that were filled up, of so many cells at most, above names alone, above a number: a text or nothing, and of
 * several cells a number, too. */
static int64_t padded_titles(const record *r, int64_t count, int64_t most)
{
    int64_t n = 0;
    while (n + 2 < count && n < MOST_TITLES && r[n].filled <= most && r[n].numbers <= (r[n].texts > 0) &&
           (r[n].filled == 0 || r[n].texts > 0))
        n++;
    const record *header = &r[n];
    return n > 0 && n + 1 < count && header->fields > 2 && header->filled > 1 && header->numbers == 0 &&
                   header[1].numbers > 0
               ? n
               : 0;
}

/* Do the first cells of the records count them, from 0 or 1? */
static bool counts_rows(const record *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (r[i].first_empty || r[i].numbers == 0 || r[i].first != r[0].first + (double)i)
            return false;
    return count > 1 && (r[0].first == 0 || r[0].first == 1);
}

/* Do the first cells of the records name them? */
static bool names_rows(const record *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!r[i].first_named)
            return counts_rows(r, count);
    return true;
}

/* Is there another whole number, from 0 on, in each? */
static bool numbers_rows(const record *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        if (r[i].first_empty || r[i].numbers == 0 || !(r[i].first >= 0) || r[i].first != floor(r[i].first))
            return false;
        for (int64_t j = 0; j < i; j++)
            if (r[j].first == r[i].first)
                return false;
    }
    return true;
}

/* As R and pandas write the numbers of rows: nothing above them, and names above all other columns. */
static bool leaves_first(const record *r, int64_t count)
{
    return count > 2 && r[0].fields > 2 && r[0].first_empty && r[0].numbers == 0 && r[0].filled >= r[0].fields - 1 &&
           numbers_rows(r + 1, count - 1);
}

static bool end_empty(const record *r, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!r[i].last_empty)
            return false;
    return true;
}

/* Finds what stands above the table, or is odd about its header. */
static void survey_top(scree__csv_survey *found, const record *r, int64_t count, bool titles)
{
    int64_t begin = count - 1;
    const int64_t fields = r[count - 1].fields;
    found->fields = r[0].fields;
    while (begin > 0 && r[begin - 1].fields == fields)
        begin--;
    if (begin == 0) {
        found->titles = titles ? padded_titles(r, count, (fields - 1) / 2) : 0;
        if (titles && found->titles == 0)
            found->titles = padded_titles(r, count, 1); /* a header that names few columns */
        found->header_leaves_first = leaves_first(r + found->titles, count - found->titles);
        return;
    }
    if (begin == 1 && r[0].fields == fields - 1 && r[0].filled == r[0].fields && r[0].numbers == 0 &&
        r[count - 1].numbers > 0) {
        found->header_lacks_last = fields > 2 && end_empty(r + 1, count - 1);
        found->header_lacks_first = !found->header_lacks_last && names_rows(r + 1, count - 1);
        if (found->header_lacks_first || found->header_lacks_last) {
            found->fields = fields;
            return;
        }
    }
    bool all = titles && fields > 1 && begin <= MOST_TITLES;
    for (int64_t i = 0; i < begin; i++)
        all = all && is_title(&r[i], fields);
    found->unsettled = all && count - begin < 2; /* a header, of which no row is known, or another title */
    if (!all || r[count - 1].numbers == 0)
        return;
    found->titles = begin;
    found->fields = fields;
}

scree__csv_survey scree__csv_survey_make(char *text, int64_t size, char delimiter, bool titles)
{
    scree__csv_survey found = {0};
    record records[SAMPLE_RECORDS] = {{0}};
    scree__csv_sample s = {.p = text, .end = text + size, .delimiter = delimiter};
    while (scree__csv_sample_next(&s)) {
        scree__csv_cell cell = {.next = s.record};
        while (!cell.last) {
            scree__csv_cell_read(&cell, cell.next, delimiter);
            survey_cell(&found, &records[s.records - 1], &cell);
        }
    }
    found.records = s.records;
    found.open = s.open;
    while (found.records > 1 && records[found.records - 1].filled == 0)
        found.records--; /* of the end, perhaps */
    if (found.records > 0)
        survey_top(&found, records, found.records, titles);
    const bool lacks = found.header_lacks_first || found.header_lacks_last;
    for (int64_t i = found.titles; i < found.records; i++)
        found.agree += records[i].fields + (lacks && i == 0) == found.fields;
    return found;
}

static double score(const scree__csv_survey *found)
{
    const double doubt = found->titles > 0 || found->header_lacks_first ? 0.9 : 1;
    if (found->fields < 2)
        return 0;
    return doubt * (double)found->agree / (double)(found->records - found->titles) *
           (1 + (double)found->numbers / (double)found->cells);
}

/* In doubt the first candidate, and the comma when there is one column only. */
char scree__csv_best_delimiter(char *text, int64_t size, bool titles, bool *unsettled)
{
    char best = ',';
    double most = 0;
    *unsettled = false;
    for (size_t i = 0; i < SCREE__CSV_CANDIDATES; i++) {
        if (!memchr(text, scree__csv_candidates[i], (size_t)size))
            continue;
        scree__csv_survey found = scree__csv_survey_make(text, size, scree__csv_candidates[i], titles);
        *unsettled = *unsettled || found.unsettled;
        if (score(&found) > most) {
            most = score(&found);
            best = scree__csv_candidates[i];
        }
    }
    return best;
}

/* Who separates by commas writes decimal points. */
int64_t scree__csv_survey_points(const scree__csv_survey *found, char delimiter)
{
    return found->points + found->by_point + (delimiter == ',' ? found->points_either : 0);
}

/* Numbers that only one mark can explain decide. */
bool scree__csv_survey_marks(const scree__csv_survey *found, char delimiter, char wanted, scree__csv_syntax *syntax)
{
    const int64_t point = scree__csv_survey_points(found, delimiter);
    const bool by_points = found->grouped_by_point > 0 || (found->points_either > 0 && point == 0);
    syntax->decimal_comma = wanted ? wanted == ',' : found->by_comma > point;
    if (syntax->decimal_comma)
        syntax->thousands = wanted || by_points ? '.' : 0;
    else
        syntax->thousands = wanted || found->by_point + found->by_either > 0 ? ',' : 0;
    return wanted || syntax->decimal_comma || found->by_either == 0 || point > 0;
}
