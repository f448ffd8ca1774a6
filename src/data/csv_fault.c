/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said of records that cannot be read: the line, the column, what stands there, and what to do. Cells that are
 * no numbers are mostly several, of one column: the first few are named, and all of the window are counted. */

#include "data/csv_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of a piece that are no numbers, at its lines of the file, besides those that were found before. */
static void add_wrong(scree__csv_bad *wrong, const scree__csv_piece *piece, int64_t line)
{
    const int64_t before = wrong->count;
    for (int64_t i = 0; i < piece->wrong.count && before + i < SCREE__CSV_BAD_SHOWN && i < SCREE__CSV_BAD_SHOWN; i++) {
        memcpy(wrong->text[before + i], piece->wrong.text[i], sizeof wrong->text[0]);
        wrong->line[before + i] = line + piece->wrong.line[i];
    }
    wrong->count += piece->wrong.count;
}

/* The cells of a column that are no numbers: of a piece of the window, and of those behind it. */
static scree_status report_wrong(const scree__csv_source *csv, const scree__csv_piece *piece, scree_error *error)
{
    const int64_t field = piece->fault_field;
    const scree__csv_field *to = &csv->layout.field[field];
    int64_t line = csv->window.line;
    scree__csv_bad wrong = {0};
    char column[256];
    add_wrong(&wrong, piece, line);
    for (int64_t i = 0, found = 0; i < csv->piece_count; i++) {
        const scree__csv_piece *other = &csv->pieces[i];
        if (found && other->fault == SCREE__CSV_NOT_A_NUMBER && other->fault_field == field)
            add_wrong(&wrong, other, line);
        found = found || other == piece;
        line += found ? other->lines : 0;
    }
    if (csv->base.about.columns)
        snprintf(column, sizeof column, "column '%.200s'", csv->base.about.columns[to->place]);
    else
        snprintf(column, sizeof column, "column %lld", (long long)(field + 1));
    return scree__csv_bad_fail(&wrong, csv->base.about.path, column, to->percent, error);
}

scree_status scree__csv_fault_report(const scree__csv_source *csv, const scree__csv_piece *piece, int64_t line,
                                     scree_error *error)
{
    const char *file = csv->base.about.path;
    int64_t field = piece->fault_field;
    if (piece->fault == SCREE__CSV_NO_MEMORY)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the rows that cannot be used", file);
    if (piece->fault == SCREE__CSV_RAGGED)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: line %lld has %lld field%s where %lld are expected; correct that line", file,
                           (long long)line, (long long)piece->fault_fields, piece->fault_fields == 1 ? "" : "s",
                           (long long)csv->layout.fields);
    if (piece->fault == SCREE__CSV_NOT_EMPTY)
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: line %lld, column %lld: '%s' stands in a column that has no name and is empty above; "
                           "name the column, or empty the cell",
                           file, (long long)line, (long long)(field + 1), piece->wrong.text[0]);
    if (piece->fault == SCREE__CSV_NOT_UTF8)
        return scree__csv_fail_encoding(&piece->fault_byte, file, line, field, error);
    return report_wrong(csv, piece, error);
}

scree_status scree__csv_quote_report(const scree__csv_source *csv, scree_error *error)
{
    const scree__csv_window *window = &csv->window;
    char *begin = window->raw + window->begin;
    char *quote = NULL;
    scree__csv_record_end(begin, window->raw + window->held, csv->layout.delimiter, &quote);
    const int64_t line = window->line + scree__csv_count_lines(begin, quote ? quote : begin);
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: the quote opened on line %lld is never closed; close it or remove it", csv->base.about.path,
                       (long long)line);
}

void scree__csv_faults_tell(const scree__csv_source *csv, scree__csv_piece *piece)
{
    for (int64_t i = 0; i < piece->bad_count; i++) {
        scree_error error = SCREE_ERROR_INIT;
        if (i < SCREE__CSV_NAMED)
            scree__csv_fault_report(csv, &piece->named[i], csv->window.line + piece->named[i].fault_line, &error);
        scree__faults_add(csv->base.faults, i < SCREE__CSV_NAMED ? error.text : NULL);
    }
    free(piece->named);
    piece->named = NULL;
}
