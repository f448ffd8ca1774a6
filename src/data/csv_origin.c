/* SPDX-License-Identifier: BSD-3-Clause */
/* From where the whole numbers of a column are counted (wide.h), found in the first records: near its first number
 * there, where that is whole and beyond 2^52. Such columns are read cell by cell. Cost: that of a record, mostly. */

#include "data/csv.h"

#include "base/memory.h"
#include "data/wide.h"

#include <math.h>

enum { RECORDS = 100, BYTES = 1 << 20 };

/* The first numbers of the columns. */
typedef struct search {
    scree__csv_layout *layout;
    scree__whole *origin; /* cols */
    bool *known;          /* cols: a number was seen */
    int64_t left;         /* columns of which none was */
    bool any;             /* an origin that is not 0 */
} search;

static void take_cell(search *s, const scree__csv_cell *cell, int64_t place)
{
    char *begin = NULL;
    char *end = NULL;
    double value = 0;
    if (s->known[place] || scree__csv_cell_value(cell, &s->layout->syntax, &value) != SCREE__CSV_NUMBER || isnan(value))
        return;
    scree__csv_cell_bare(cell, &begin, &end);
    if (!scree__csv_is_plain(begin, end, s->layout->syntax.decimal_comma, &value))
        return;
    s->known[place] = true;
    s->left--;
    s->any = scree__wide_origin(&s->origin[place], begin, end) || s->any;
}

static void take_record(search *s, char *p)
{
    const scree__csv_layout *layout = s->layout;
    scree__csv_cell cell = {.last = false};
    for (int64_t i = 0; i < layout->fields && !cell.last; i++) {
        scree__csv_cell_read(&cell, p, layout->delimiter);
        if (layout->field[i].use == SCREE__CSV_VALUE)
            take_cell(s, &cell, layout->field[i].place);
        p = cell.next;
    }
}

scree_status scree__csv_origin_find(scree__csv_layout *layout, char *text, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    search s = {.layout = layout, .left = layout->cols};
    const char *first = text;
    const char *end = text + size;
    char *open = NULL;
    SCREE_ALLOC(s.origin, layout->cols, error);
    SCREE_ALLOC(s.known, layout->cols, error);
    for (int i = 0; i < RECORDS && s.left > 0 && text - first < BYTES; i++) {
        char *next = scree__csv_record_end(text, end, layout->delimiter, &open);
        if (!next)
            break;
        take_record(&s, text);
        text = next;
    }
    if (!s.any)
        goto done;
    SCREE_ALLOC(layout->shift, layout->cols, error);
    for (int64_t j = 0; j < layout->cols; j++)
        layout->shift[j] = scree__double_of_whole(s.origin[j].magnitude, s.origin[j].negative);
    layout->origin = s.origin;
    s.origin = NULL;
    scree__csv_find_runs(layout);
done:
    free(s.origin);
    free(s.known);
    return status;
}
