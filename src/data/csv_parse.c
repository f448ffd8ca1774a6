/* SPDX-License-Identifier: BSD-3-Clause */
/* A piece of whole records to rows of numbers and texts. An index says where delimiters and line breaks are, as if
 * there were no quotes. A line with as many as there are fields is read by it, runs of plain numbers at once; a cell
 * that is something else is taken apart: spaces, quotes, the spellings of missing, an error. Where such a cell does not
 * end where the index says, there are quotes around a delimiter, and the rest of the record is read cell by cell, as
 * are lines with other counts, and all when the delimiter is a space. Texts are unquoted and closed with a zero in
 * place, so that nothing is copied. Cost: that of reading the numbers. */

#include "data/csv.h"

#include "base/number.h"
#include "data/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    scree__csv_piece *piece;
    const scree__csv_layout *layout;
    char *p;      /* where it stands */
    int64_t wrap; /* line breaks inside the cells of this record */
    scree__csv_index *index;
    scree__cells_reader read;
    char point;
    const scree__cell_marks *marks; /* of the index, or NULL */
    char *text;                     /* what the index is of */
    int64_t end_at;                 /* in the index: the first end, and the first break, of the record */
    int64_t break_at;
    int64_t line; /* lines of the piece before the record */
    char *record; /* where the one begins that is read */
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

/* A number that may need more than a double, as it stands in the text. */
static __attribute__((noinline)) double look_at_whole(const reader *r, const char *text, const char *end, double value,
                                                      int64_t place)
{
    const scree__csv_layout *layout = r->layout;
    const double cell = scree__wide_cell(text, end, value, layout->counted ? &layout->origin[place] : NULL);
    r->piece->marked = r->piece->marked || scree__is_too_wide(cell);
    return cell;
}

/* The value of a number that was read from the text. */
static inline double value_of(const reader *r, const char *text, const char *end, double value, int64_t place)
{
    if (__builtin_expect(fabs(value) >= 0x1p53 || r->layout->counted, 0))
        return look_at_whole(r, text, end, value, place);
    return value;
}

/* The usual cell: a number as it should be. False leaves everything as it was, but for the value. */
static inline bool read_plain(reader *r, int64_t place, double *values, bool *last)
{
    char *p = r->p;
    double value = 0;
    while (*p == ' ')
        p++;
    const char *text = p;
    const char *after = scree__parse_double(p, r->piece->end, &value);
    if (!after)
        return false;
    p += after - p;
    if (!leave_number(&p, r->layout->delimiter, last))
        return false;
    values[place] = value_of(r, text, after, value, place);
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
        r->wrap += cell.wrap;
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
static bool fail_cell(reader *r, const scree__csv_cell *cell, int64_t field, scree__csv_fault fault)
{
    scree__csv_piece *piece = r->piece;
    scree__csv_bad bad = {0};
    scree__csv_bad_add(&bad, cell, r->line);
    int64_t fields = count_fields(r, field + 1, cell->last);
    if (fields != r->layout->fields)
        return fail_ragged(r, fields);
    piece->fault = fault;
    piece->fault_field = field;
    piece->wrong = bad;
    return false;
}

static bool fail_empty(reader *r, const scree__csv_cell *cell, int64_t field)
{
    return fail_cell(r, cell, field, SCREE__CSV_NOT_EMPTY);
}

/* The record at r->p, of which only the field is looked at. */
static void look_for_more(reader *r, int64_t field)
{
    const scree__csv_layout *layout = r->layout;
    scree__csv_cell cell = {.last = false};
    char *p = r->p;
    double value = 0;
    r->wrap = 0;
    for (int64_t i = 0; !cell.last; i++) {
        scree__csv_cell_read(&cell, p, layout->delimiter);
        r->wrap += cell.wrap;
        p = cell.next;
        if (i != field)
            continue;
        const scree__csv_kind kind = scree__csv_cell_value(&cell, &layout->syntax, &value);
        if (kind == SCREE__CSV_TEXT)
            scree__csv_bad_add(&r->piece->wrong, &cell, r->line);
    }
    r->p = p;
}

/* A cell that is no number is mostly not the only one: the rest of the piece is searched for others in its column. */
static void find_others(reader *r)
{
    scree__csv_piece *piece = r->piece;
    char *next = NULL;
    while (r->p < piece->end) {
        if (*r->p <= ' ' && scree__csv_is_blank(r->p, &next)) {
            r->p = next;
            r->line++;
            continue;
        }
        look_for_more(r, piece->fault_field);
        r->line += 1 + r->wrap;
    }
}

static bool fail_encoding(reader *r, const scree__csv_cell *cell, const char *at, int64_t field)
{
    count_fields(r, field + 1, cell->last);
    r->piece->fault = SCREE__CSV_NOT_UTF8;
    r->piece->fault_field = field;
    r->piece->fault_byte = *at;
    return false;
}

/* False: it is a text. */
static bool read_value(reader *r, const scree__csv_cell *cell, double *values, const scree__csv_field *to)
{
    char *begin = NULL;
    char *end = NULL;
    double *value = &values[to->place];
    const scree__csv_syntax *syntax = &r->layout->syntax;
    const scree__csv_kind kind = scree__csv_cell_value(cell, syntax, value);
    if (kind == SCREE__CSV_MISSING) {
        if (cell->end > cell->begin)
            r->piece->missing[scree__csv_cell_word(cell, syntax)]++;
        return true;
    }
    if (kind != (to->percent ? SCREE__CSV_PERCENT : SCREE__CSV_NUMBER))
        return false;
    if (fabs(*value) < 0x1p53 && !r->layout->counted)
        return true;
    scree__csv_cell_bare(cell, &begin, &end);
    double plain = 0;
    if (!scree__csv_is_plain(begin, end, syntax->decimal_comma, &plain)) /* the text of such a number is looked at */
        return false;
    *value = value_of(r, begin, end, *value, to->place);
    return true;
}

/* Numbers of the record that the options call missing. */
static void take_missing(reader *r, double *values)
{
    const scree__csv_layout *layout = r->layout;
    for (int64_t j = 0; j < layout->cols; j++) {
        const int word =
            scree__csv_na_number(layout->syntax.na, values[j] + (layout->counted ? layout->shift[j] : 0.0));
        if (word >= 0) {
            values[j] = (double)NAN;
            r->piece->missing[word]++;
        }
    }
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
    if (to.use == SCREE__CSV_VALUE && !read_value(r, &cell, values, &to))
        return fail_cell(r, &cell, field, SCREE__CSV_NOT_A_NUMBER);
    if (to.use == SCREE__CSV_EMPTY && cell.end > cell.begin)
        return fail_empty(r, &cell, field);
    if (to.use == SCREE__CSV_CARRY) {
        const char *at = text[to.place] = cell.begin;
        if (!scree__csv_is_utf8(&at, scree__csv_cell_text(&cell, cell.begin)))
            return fail_encoding(r, &cell, at, field);
    }
    return true;
}

/* A number without any airs may stand there. */
static bool is_plain(const scree__csv_layout *layout, const scree__csv_field *to)
{
    return to->use == SCREE__CSV_VALUE && !layout->syntax.decimal_comma && !to->percent;
}

/* The fields from the given one on, cell by cell; last: the one before was the last of its record. */
static bool read_fields(reader *r, int64_t field, bool last, double *values, const char **text)
{
    const scree__csv_layout *layout = r->layout;
    for (int64_t i = field; i < layout->fields; i++) {
        if (last)
            return fail_ragged(r, i);
        const scree__csv_field *to = &layout->field[i];
        if (is_plain(layout, to) && read_plain(r, to->place, values, &last))
            continue;
        if (!read_cell(r, i, values, text, &last))
            return false;
    }
    return last || fail_ragged(r, count_fields(r, layout->fields, false));
}

/* The cell of a field, by itself; *strayed: it did not end where the index says, and the record was read to its end. */
static bool look_closer(reader *r, int64_t field, double *values, const char **text, bool *strayed)
{
    const scree__csv_layout *layout = r->layout;
    const scree__csv_field *to = &layout->field[field];
    const char *next = r->text + r->index->ends[r->end_at + field] + 1;
    bool last = false;
    bool fine = is_plain(layout, to) && read_plain(r, to->place, values, &last);
    fine = fine || read_cell(r, field, values, text, &last);
    *strayed = r->p != next + (last && next[-1] == '\r');
    return fine && (!*strayed || read_fields(r, field + 1, last, values, text));
}

/* The record at r->p, which has as many ends as fields. */
static bool read_indexed(reader *r, double *values, const char **text)
{
    const uint32_t *ends = r->index->ends + r->end_at;
    const scree__csv_layout *layout = r->layout;
    bool strayed = false;
    for (int64_t i = 0, some = 0; i < layout->fields; i += some) {
        const scree__csv_field *to = &layout->field[i];
        some = 0;
        if (to->run > 0) {
            const scree__cells cells = {r->text,  ends + i, to->run,      (uint32_t)(r->p - r->text),
                                        r->point, r->marks, r->end_at + i};
            some = r->read(&cells, values + to->place);
            r->p = some > 0 ? r->text + ends[i + some - 1] + 1 : r->p;
        }
        if (to->run > 0 && some == to->run)
            continue;
        if (!look_closer(r, i + some, values, text, &strayed))
            return false;
        if (strayed)
            return true;
        some++;
    }
    r->end_at += layout->fields;
    r->break_at++;
    return true;
}

/* To the record at r->p, in the index. */
static void find_in_index(reader *r)
{
    const scree__csv_index *index = r->index;
    const int64_t at = r->p - r->text;
    while (r->end_at < index->end_count && index->ends[r->end_at] < at)
        r->end_at++;
    while (r->break_at < index->break_count && index->breaks[r->break_at] < at)
        r->break_at++;
}

/* By the index where that is possible; not in the first bytes of a piece, before which another may be at work. */
static bool read_record(reader *r, double *values, const char **text)
{
    scree__csv_index *index = r->index;
    const int64_t last = r->end_at + r->layout->fields - 1;
    if (last >= index->end_count || r->break_at == index->break_count ||
        index->ends[last] != index->breaks[r->break_at] || r->p - r->piece->begin < SCREE__CELLS_BEFORE)
        return read_fields(r, 0, false, values, text);
    char *line = r->text + index->ends[last];
    const bool crlf = line > r->p && line[-1] == '\r';
    index->ends[last] -= crlf;
    const bool fine = read_indexed(r, values, text);
    index->ends[last] += crlf;
    if (fine && r->p == line) /* before the \n of \r\n */
        r->p++;
    return fine;
}

/* Texts before the cell at fault are those of the record, by which one knows it; a record with another number of fields
 * has none that can be told. */
static void blank_texts(const reader *r, const char **text)
{
    const scree__csv_layout *layout = r->layout;
    const int64_t kept = r->piece->fault == SCREE__CSV_RAGGED ? 0 : r->piece->fault_field;
    for (int64_t i = kept; i < layout->fields; i++)
        if (layout->field[i].use == SCREE__CSV_CARRY)
            text[layout->field[i].place] = "";
}

/* The record that is at fault becomes a row that means nothing, where that is wanted; false: it is the end. */
static bool pass_over(reader *r, int64_t line)
{
    scree__csv_piece *piece = r->piece;
    const scree__csv_layout *layout = r->layout;
    piece->fault_line = line;
    if (!piece->bad)
        return false;
    if (!piece->named)
        piece->named = calloc(SCREE__CSV_NAMED, sizeof *piece->named);
    if (!piece->named)
        piece->fault = SCREE__CSV_NO_MEMORY;
    if (!piece->named)
        return false;
    if (piece->bad_count < SCREE__CSV_NAMED)
        piece->named[piece->bad_count] = *piece;
    piece->bad_count++;
    piece->bad[piece->rows] = 1;
    for (int64_t j = 0; j < layout->cols; j++)
        piece->values[piece->rows * layout->cols + j] = (double)NAN;
    blank_texts(r, piece->text + piece->rows * layout->text_count);
    return true;
}

/* How many lines the record at fault takes; its last break may be a zero, as ends of texts are. */
static int64_t leave_fault(reader *r)
{
    r->piece->fault = SCREE__CSV_FINE;
    return 1 + scree__csv_count_lines(r->record, r->p - 1);
}

/* The lines that the index covers. */
static bool read_lines(reader *r)
{
    scree__csv_piece *piece = r->piece;
    const scree__csv_layout *layout = r->layout;
    const bool takes_missing = layout->syntax.na && layout->syntax.na->numbers > 0;
    while (r->break_at < r->index->break_count || r->p == r->text) {
        char *next;
        if (r->p == piece->end)
            break;
        if (*r->p <= ' ' && scree__csv_is_blank(r->p, &next)) {
            r->p = next;
            r->line++;
        } else {
            r->wrap = 0;
            double *values = piece->values + piece->rows * layout->cols;
            r->record = r->p;
            if (!read_record(r, values, piece->text + piece->rows * layout->text_count) && !pass_over(r, r->line))
                return false;
            if (piece->fault == SCREE__CSV_FINE && takes_missing)
                take_missing(r, values);
            r->line += piece->fault == SCREE__CSV_FINE ? 1 + r->wrap : leave_fault(r);
            piece->rows++;
        }
        find_in_index(r);
    }
    return true;
}

void scree__csv_piece_parse(scree__csv_piece *piece, const scree__csv_layout *layout, scree__csv_index *index)
{
    reader r = {.piece = piece, .layout = layout, .p = piece->begin, .index = index};
    r.read = scree__cells_reader_best();
    r.point = layout->syntax.decimal_comma ? ',' : '.';
    piece->rows = 0;
    piece->marked = false;
    piece->bad_count = 0;
    piece->fault = SCREE__CSV_FINE;
    while (r.p < piece->end) {
        r.text = r.p;
        r.end_at = r.break_at = 0;
        index->end_count = index->break_count = 0;
        if (layout->delimiter != ' ')
            scree__csv_index_make(index, r.p, piece->end - r.p, layout->delimiter, r.point);
        r.marks = index->marked ? &index->marks : NULL;
        if (!read_lines(&r)) {
            if (piece->fault == SCREE__CSV_NOT_A_NUMBER) {
                r.line += 1 + r.wrap;
                find_others(&r);
            }
            return;
        }
    }
}
