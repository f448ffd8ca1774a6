/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows whose entries come in any order, some cells in several parts, as SciPy's arrays and Matrix Market files may have
 * them: what their own readers do is to add the parts. Rows that are in order cost one look at their columns. Others
 * are sorted by column and place, so that parts are added in the order in which they came, whatever the sort. */

#include "data/entry_order.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

typedef struct entry {
    int32_t column;
    int64_t place;
    double value;
} entry;

static int by_column(const void *a, const void *b)
{
    const entry *x = a;
    const entry *y = b;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static double value_at(const scree__loose_rows *rows, int64_t p)
{
    return rows->type == SCREE_F64   ? ((const double *)rows->values)[p]
           : rows->type == SCREE_F32 ? (double)((const float *)rows->values)[p]
                                     : (double)((const uint8_t *)rows->values)[p];
}

static void set_value(const scree__loose_rows *rows, int64_t p, double value)
{
    if (rows->type == SCREE_F64)
        ((double *)rows->values)[p] = value;
    else if (rows->type == SCREE_F32)
        ((float *)rows->values)[p] = (float)value;
    else
        ((uint8_t *)rows->values)[p] = (uint8_t)value;
}

static bool is_ascending(const int32_t *indices, int64_t first, int64_t end)
{
    for (int64_t p = first + 1; p < end; p++)
        if (indices[p] <= indices[p - 1])
            return false;
    return true;
}

bool scree__entries_are_settled(int64_t rows, const int64_t *starts, const int32_t *indices)
{
    for (int64_t i = 0; i < rows; i++)
        if (!is_ascending(indices, starts[i], starts[i + 1]))
            return false;
    return true;
}

/* A row to place to on; *kept: how many entries it has then. */
static scree_status settle_row(scree__loose_rows *rows, int64_t i, entry *entries, int64_t to, int64_t *kept,
                               scree_error *error)
{
    const int64_t first = rows->starts[i];
    const int64_t count = rows->starts[i + 1] - first;
    for (int64_t p = 0; p < count; p++)
        entries[p] = (entry){rows->indices[first + p], p, value_at(rows, first + p)};
    qsort(entries, (size_t)count, sizeof *entries, by_column);
    *kept = 0;
    for (int64_t p = 0; p < count; p++) {
        if (*kept > 0 && entries[p].column == rows->indices[to + *kept - 1]) {
            const double sum = value_at(rows, to + *kept - 1) + entries[p].value;
            if (rows->type == SCREE_U8 && sum > UINT8_MAX)
                return scree__fail(error, SCREE_ERR_VALUE,
                                   "%s: row %" PRId64 " has several entries in column %" PRId32
                                   " whose sum, %d, is no byte; store the values in a wider type",
                                   rows->file, rows->before + i + 1, entries[p].column + 1, (int)sum);
            set_value(rows, to + *kept - 1, sum);
            continue;
        }
        rows->indices[to + *kept] = entries[p].column;
        set_value(rows, to + *kept, entries[p].value);
        ++*kept;
    }
    return SCREE_OK;
}

/* Entries of a row that is in order, to another place. */
static void move_row(scree__loose_rows *rows, int64_t first, int64_t count, int64_t to)
{
    const size_t size = rows->type == SCREE_F64 ? 8 : rows->type == SCREE_F32 ? 4 : 1;
    if (to == first)
        return;
    memmove(rows->indices + to, rows->indices + first, (size_t)count * sizeof *rows->indices);
    memmove((char *)rows->values + (size_t)to * size, (const char *)rows->values + (size_t)first * size,
            (size_t)count * size);
}

scree_status scree__entries_settle(scree__loose_rows *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    entry *entries = NULL;
    int64_t room = 0;
    int64_t to = 0;
    for (int64_t i = 0; i < rows->rows; i++) {
        const int64_t first = rows->starts[i];
        int64_t count = rows->starts[i + 1] - first;
        if (is_ascending(rows->indices, first, first + count)) {
            move_row(rows, first, count, to);
        } else {
            if (count > room) {
                free(entries);
                entries = NULL;
                SCREE_ALLOC(entries, count + count / 2, error);
                room = count + count / 2;
            }
            SCREE_TRY(settle_row(rows, i, entries, to, &count, error));
        }
        rows->starts[i] = to;
        to += count;
    }
    rows->starts[rows->rows] = to;
done:
    free(entries);
    return status;
}
