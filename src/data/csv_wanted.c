/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that the caller knows to be numbers, by their names: of a live pipe, whose layout is settled by its first
 * row, a bad first row would else make labels of them, or move all names by one. Where the first record has all of the
 * names it is the header, whatever stands below it. Then names of rows, as R writes them, are believed only where the
 * record below is longer by one and has a text under such a name. Cost: the names are sorted, and each cell of the
 * record is looked up. */

#include "data/csv_survey.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Which names are looked for, and were found. */
typedef struct search {
    const char **names; /* sorted, each once */
    bool *found;
    int64_t count;
    int64_t left;
    char *cell; /* the text of one; as long as the record */
} search;

static scree_status begin(search *s, const scree__csv_sample *record, const scree_read_options *options,
                          scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(s->names, options->numeric_count, error);
    SCREE_ALLOC(s->found, options->numeric_count, error);
    SCREE_ALLOC(s->cell, record->p - record->record + 1, error);
    memcpy(s->names, options->numeric, (size_t)options->numeric_count * sizeof *s->names);
    qsort(s->names, (size_t)options->numeric_count, sizeof *s->names, by_text);
    for (int64_t i = 0; i < options->numeric_count; i++)
        if (i == 0 || strcmp(s->names[i], s->names[s->count - 1]) != 0)
            s->names[s->count++] = s->names[i];
    s->left = s->count;
done:
    return status;
}

/* Is the cell one of the names? */
static bool look_up(search *s, const scree__csv_cell *cell)
{
    const char *text = s->cell;
    scree__csv_cell_text(cell, s->cell);
    const char **name = bsearch(&text, s->names, (size_t)s->count, sizeof *s->names, by_text);
    if (name && !s->found[name - s->names]) {
        s->found[name - s->names] = true;
        s->left--;
    }
    return name != NULL;
}

/* The record after the header begins with a text, and has so many cells. */
static bool names_row(scree__csv_sample *s, int64_t fields)
{
    static const scree__csv_syntax plain = {0};
    scree__csv_cell cell = {.last = true};
    int64_t count = 0;
    double value = 0;
    if (!scree__csv_sample_next(s))
        return false;
    for (cell.next = s->record, cell.last = false; !cell.last; count++) {
        scree__csv_cell_read(&cell, cell.next, s->delimiter);
        if (count == 0 && (scree__csv_cell_value(&cell, &plain, &value) != SCREE__CSV_TEXT ||
                           scree__csv_cell_shape(&cell) != SCREE__CSV_BY_NONE))
            return false;
    }
    return count == fields;
}

scree_status scree__csv_wanted_find(scree__csv_wanted *wanted, char *text, int64_t size, char delimiter,
                                    const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    search s = {.count = 0};
    scree__csv_sample sample = {.p = text, .end = text + size, .delimiter = delimiter};
    if (options->numeric_count < 1 || options->header == 0 || !scree__csv_sample_next(&sample))
        return SCREE_OK;
    scree__csv_cell cell = {.next = sample.record};
    for (; !cell.last; wanted->fields++)
        scree__csv_cell_read(&cell, cell.next, delimiter);
    SCREE_TRY(begin(&s, &sample, options, error));
    SCREE_ALLOC(wanted->is_wanted, wanted->fields + 1, error);
    cell = (scree__csv_cell){.next = sample.record};
    for (int64_t i = 0; !cell.last; i++) {
        scree__csv_cell_read(&cell, cell.next, delimiter);
        wanted->is_wanted[i] = look_up(&s, &cell);
    }
    wanted->header = s.left == 0 ? sample.record : NULL;
    wanted->row_names = wanted->header && wanted->is_wanted[0] && names_row(&sample, wanted->fields + 1);
done:
    free(s.names);
    free(s.found);
    free(s.cell);
    return status;
}
