/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a pipe has to come before its layout is settled: comments and blank lines, a header, and one row. When
 * rows arrive must not decide what they are, so nothing behind the first row is looked at; and the first row must be
 * answered before there is a second, so a first line that is no header is enough. It is one when it has more texts than
 * numbers by the delimiter that finds most numbers in it, as names of columns have, and rows with a label have not;
 * what is known from the options is not asked. Cost: the first line is cut up once for each delimiter. */

#include "data/csv_survey.h"

#include <string.h>
#include <strings.h>

/* Numbers of a record as the delimiter cuts it; *texts: cells that are neither numbers nor missing. */
static int64_t count_numbers(char *record, char delimiter, int64_t *texts)
{
    static const scree__csv_syntax plain = {0};
    int64_t numbers = 0;
    scree__csv_cell cell = {.next = record};
    *texts = 0;
    while (!cell.last) {
        double value = 0;
        scree__csv_cell_read(&cell, cell.next, delimiter);
        const scree__csv_kind kind = scree__csv_cell_value(&cell, &plain, &value);
        const bool number = kind == SCREE__CSV_NUMBER || kind == SCREE__CSV_PERCENT ||
                            (kind == SCREE__CSV_TEXT && scree__csv_cell_shape(&cell) != SCREE__CSV_BY_NONE);
        numbers += number;
        *texts += kind == SCREE__CSV_TEXT && !number;
    }
    return numbers;
}

/* A record that is not whole by a delimiter, for its quotes, is not cut by it. */
static bool looks_like_header(char *record, const char *end, char delimiter)
{
    int64_t most = -1;
    bool header = false;
    for (int i = 0; i < (delimiter ? 1 : SCREE__CSV_CANDIDATES); i++) {
        const char cut = delimiter ? delimiter : scree__csv_candidates[i];
        char *open = NULL;
        int64_t texts = 0;
        if (!scree__csv_record_end(record, end, cut, &open))
            continue;
        const int64_t numbers = count_numbers(record, cut, &texts);
        if (numbers > most) {
            most = numbers;
            header = texts > numbers;
        }
    }
    return header;
}

/* After the lines that are no records: blank ones, comments, and the line by which a spreadsheet names its delimiter.
 */
static char *skip_lines(char *p, char *end)
{
    char *next = NULL;
    while (p < end && (next = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        char *after = p;
        if (*p != '#' && strncasecmp(p, "sep=", 4) != 0 && !scree__csv_is_blank(p, &after))
            break;
        p = next + 1;
    }
    return p;
}

int64_t scree__csv_first_rows(char *text, int64_t size, const scree_read_options *options)
{
    char *end = text + size;
    char *open = NULL;
    const char delimiter = options->delimiter ? options->delimiter : ',';
    char *top = text;
    for (int64_t i = 0; i < options->skip && top; i++) {
        char *line = memchr(top, '\n', (size_t)(end - top));
        top = line ? line + 1 : NULL;
    }
    if (!top)
        return -1;
    char *first = skip_lines(top, end);
    char *after = scree__csv_record_end(first, end, delimiter, &open);
    if (!after)
        return -1;
    if (options->header == 0 || (options->header < 0 && !looks_like_header(first, end, options->delimiter)))
        return after - text;
    after = scree__csv_record_end(skip_lines(after, end), end, delimiter, &open);
    return after ? after - text : -1;
}
