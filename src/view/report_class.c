/* SPDX-License-Identifier: BSD-3-Clause */
/* Which text column holds the classes: the one that is named, else the first that is not the id and says the same in
 * two rows at least; a column that is different in every row names the rows and does not tell groups of them apart.
 *
 * The rows are read once: those that come before it is known are kept, with the numbers of their texts in every column.
 * A column is ruled out when it has had as many different texts as there may be classes, so at most that many rows
 * wait. */

#include "view/report_class.h"

#include <string.h>

static bool is_id(const scree__report *report, int64_t t)
{
    const char *id = report->options.id;
    return t == report->carried.id || (id && strcmp(report->carried.names[t], id) == 0);
}

static int64_t named(const scree__report *report)
{
    for (int64_t t = 0; report->options.label && t < report->carried.count; t++)
        if (strcmp(report->carried.names[t], report->options.label) == 0)
            return t;
    return report->carried.label;
}

scree_status scree__class_search_open(scree__class_search *search, scree__report *report, scree_error *error)
{
    scree_status status = SCREE_OK;
    *search = (scree__class_search){.report = report, .decided = true};
    report->class_text = named(report);
    if (report->class_text >= 0 || report->options.labels || report->carried.count == 0)
        return SCREE_OK;
    search->decided = false;
    SCREE_ALLOC(search->columns, report->carried.count, error);
    for (int64_t t = 0; t < report->carried.count; t++) {
        search->columns[t].seen.most = report->classes.most;
        search->columns[t].ruled_out = is_id(report, t);
    }
done:
    return status;
}

void scree__class_search_close(scree__class_search *search)
{
    for (int64_t t = 0; search->columns && t < search->report->carried.count; t++)
        scree__dictionary_clear(&search->columns[t].seen);
    free(search->columns);
    free(search->rows);
    free(search->numbers);
    *search = (scree__class_search){.decided = true};
}

static scree_status reserve(scree__class_search *search, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t width = search->report->carried.count, room = search->room ? 2 * search->room : 64;
    scree__report_row *rows = NULL;
    int64_t *numbers = NULL;
    if (search->count < search->room)
        return SCREE_OK;
    SCREE_ALLOC(rows, room, error);
    SCREE_ALLOC(numbers, room * width, error);
    if (search->count > 0) {
        memcpy(rows, search->rows, (size_t)search->count * sizeof *rows);
        memcpy(numbers, search->numbers, (size_t)(search->count * width) * sizeof *numbers);
    }
    free(search->rows);
    free(search->numbers);
    search->rows = rows;
    search->numbers = numbers;
    search->room = room;
    rows = NULL;
done:
    free(rows);
    return status;
}

/* The first column that repeats itself; those before it must be ruled out, unless all rows are known. */
static void decide(scree__class_search *search, bool ended)
{
    const int64_t count = search->report->carried.count;
    int64_t t = 0;
    while (t < count && (search->columns[t].ruled_out || (ended && !search->columns[t].repeats)))
        t++;
    if (t < count && !search->columns[t].repeats)
        return;
    search->decided = true;
    search->report->class_text = t < count ? t : -1;
}

/* A text that is new has the last number. */
static scree_status note_text(scree__class_column *column, const char *text, int64_t *number, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t before = column->seen.count;
    *number = -1;
    if (column->ruled_out)
        return SCREE_OK;
    SCREE_TRY(scree__dictionary_number(&column->seen, text, number, error));
    column->repeats = column->repeats || column->seen.count == before;
    column->ruled_out = !column->repeats && column->seen.count == column->seen.most;
done:
    return status;
}

/* The classes are those of the column that was found; rows that waited have their numbers already. */
static void settle(scree__class_search *search)
{
    const int64_t width = search->report->carried.count, column = search->report->class_text;
    for (int64_t i = 0; i < search->count; i++)
        search->rows[i].label = column >= 0 ? search->numbers[i * width + column] : -1;
    if (column < 0)
        return;
    search->report->classes = search->columns[column].seen;
    search->columns[column].seen = (scree__dictionary){0};
}

scree_status scree__class_search_note(scree__class_search *search, const scree__report_row *row,
                                      const char *const *texts, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t width = search->report->carried.count;
    SCREE_TRY(reserve(search, error));
    for (int64_t t = 0; t < width; t++)
        SCREE_TRY(note_text(&search->columns[t], texts[t], &search->numbers[search->count * width + t], error));
    search->rows[search->count++] = *row;
    decide(search, false);
    if (search->decided)
        settle(search);
done:
    return status;
}

void scree__class_search_end(scree__class_search *search)
{
    if (search->decided)
        return;
    decide(search, true);
    settle(search);
}

int64_t scree__report_commonest(const scree__report *report, const char *texts[SCREE__LABELS_SHOWN])
{
    int64_t last = INT64_MAX, after = -1, count = 0;
    while (count < SCREE__LABELS_SHOWN && count < report->classes.count) {
        int64_t best = -1;
        for (int64_t c = 0; c < report->classes.count; c++) {
            const int64_t size = report->class_sizes[c + 1];
            const bool is_left = size < last || (size == last && c > after);
            if (is_left && (best < 0 || size > report->class_sizes[best + 1]))
                best = c;
        }
        last = report->class_sizes[best + 1];
        after = best;
        texts[count++] = report->classes.text[best];
    }
    return report->classes.count > SCREE__LABELS_ALONE && report->classes.count == report->total ? 0 : count;
}
