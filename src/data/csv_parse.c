/* SPDX-License-Identifier: BSD-3-Clause */
/* A piece of whole records to rows of numbers and texts. A number is read where it stands and ends where it ends: cells
 * are not looked for first. Only when something else than a delimiter follows it is the cell taken apart: quotes, the
 * spellings of missing, a decimal comma, an error. Texts are unquoted and closed with a zero in place, so that nothing
 * is copied. Cost: that of reading the numbers. */

#include "data/csv.h"

#include "base/number.h"

#include <string.h>

typedef struct reader {
    scree__csv_piece *piece;
    const scree__csv_layout *layout;
    char *p;      /* where it stands */
    int64_t wrap; /* line breaks inside the cells of this record */
} reader;

/* Moves from the end of a number to the next cell: true. What follows is not the end of a cell: false. */
static inline bool leave_number(char **cursor, char delimiter, bool *last)
{
    char *p = *cursor;
    *last = false;
    if (*p == delimiter && delimiter != ' ') {
        *cursor = p + 1;
        return true;
    }
    while (*p == ' ')
        p++;
    bool spaced = p > *cursor;
    if (p[0] == '\r' && p[1] == '\n')
        p++;
    *last = *p == '\n';
    if (*last || *p == delimiter)
        *cursor = p + 1;
    else if (spaced && delimiter == ' ')
        *cursor = p;
    else
        return false;
    return true;
}

/* The usual cell: a number as it should be. False leaves everything as it was. */
static inline bool read_plain(reader *r, double *value, bool *last)
{
    char *p = r->p;
    while (*p == ' ')
        p++;
    const char *after = scree__parse_double(p, r->piece->end, value);
    if (!after)
        return false;
    p += after - p;
    if (!leave_number(&p, r->layout->delimiter, last))
        return false;
    r->p = p;
    return true;
}

/* Counts what is left of the record; fields were read. */
static int64_t count_fields(reader *r, int64_t fields, bool last)
{
    scree__csv_cell cell;
    for (; !last; last = cell.last, fields++) {
        scree__csv_cell_read(&cell, r->p, r->layout->delimiter);
        r->p = cell.next;
    }
    return fields;
}

static bool fail_ragged(reader *r, int64_t fields)
{
    r->piece->fault = SCREE__CSV_RAGGED;
    r->piece->fault_fields = fields;
    return false;
}

/* Text in the place of a number is often the text of another column: a ragged record is called that. */
static bool fail_number(reader *r, const scree__csv_cell *cell, int64_t field)
{
    scree__csv_piece *piece = r->piece;
    int64_t fields = count_fields(r, field + 1, cell->last);
    if (fields != r->layout->fields)
        return fail_ragged(r, fields);
    int64_t room = (int64_t)sizeof piece->fault_text;
    piece->fault = SCREE__CSV_NOT_A_NUMBER;
    piece->fault_field = field;
    if (cell->end - cell->begin < room) {
        scree__csv_cell_text(cell, piece->fault_text);
    } else {
        memcpy(piece->fault_text, cell->begin, (size_t)room - 4);
        memcpy(piece->fault_text + room - 4, "...", 4);
    }
    return false;
}

static bool fail_empty(reader *r, const scree__csv_cell *cell, int64_t field)
{
    fail_number(r, cell, field);
    if (r->piece->fault == SCREE__CSV_NOT_A_NUMBER)
        r->piece->fault = SCREE__CSV_NOT_EMPTY;
    return false;
}

/* Any other cell. */
static bool read_cell(reader *r, int64_t field, double *values, const char **text, bool *last)
{
    scree__csv_cell cell;
    scree__csv_field to = r->layout->field[field];
    scree__csv_cell_read(&cell, r->p, r->layout->delimiter);
    *last = cell.last;
    r->p = cell.next;
    r->wrap += cell.wrap;
    if (to.use == SCREE__CSV_VALUE &&
        scree__csv_cell_value(&cell, r->layout->decimal_comma, &values[to.place]) == SCREE__CSV_TEXT)
        return fail_number(r, &cell, field);
    if (to.use == SCREE__CSV_EMPTY && cell.end > cell.begin)
        return fail_empty(r, &cell, field);
    if (to.use == SCREE__CSV_CARRY) {
        scree__csv_cell_text(&cell, cell.begin);
        text[to.place] = cell.begin;
    }
    return true;
}

static bool read_record(reader *r, double *values, const char **text)
{
    const scree__csv_layout *layout = r->layout;
    bool last = false;
    for (int64_t i = 0; i < layout->fields; i++) {
        if (last)
            return fail_ragged(r, i);
        const scree__csv_field *to = &layout->field[i];
        if (to->use == SCREE__CSV_VALUE && !layout->decimal_comma && read_plain(r, &values[to->place], &last))
            continue;
        if (!read_cell(r, i, values, text, &last))
            return false;
    }
    return last || fail_ragged(r, count_fields(r, layout->fields, false));
}

void scree__csv_piece_parse(scree__csv_piece *piece, const scree__csv_layout *layout)
{
    reader r = {piece, layout, piece->begin, 0};
    int64_t line = 0;
    piece->rows = 0;
    piece->fault = SCREE__CSV_FINE;
    while (r.p < piece->end) {
        char *next;
        if (scree__csv_is_blank(r.p, &next)) {
            r.p = next;
            line++;
            continue;
        }
        r.wrap = 0;
        const char **text = piece->text + piece->rows * layout->text_count;
        if (!read_record(&r, piece->values + piece->rows * layout->cols, text)) {
            piece->fault_line = line;
            return;
        }
        line += 1 + r.wrap;
        piece->rows++;
    }
}
