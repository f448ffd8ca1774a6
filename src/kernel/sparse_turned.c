/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse rows as columns: a counting sort. Rows are loaded twice, to count the entries of each column and to put them
 * into place, in the order of the rows: the same numbers wherever the rows came from. */

#include "kernel/sparse_turned.h"

#include "base/memory.h"

#include <math.h>

static const int64_t ENTRY_BYTES = 2 * sizeof(int32_t) + sizeof(int64_t) + sizeof(double);
static const double HEAVY_ROOM = 4.0 / 3; /* entries that heavy columns gain, at most */

int64_t scree__sparse_turned_memory(int64_t rows, int64_t cols, double entries)
{
    return (int64_t)(HEAVY_ROOM * entries * (double)ENTRY_BYTES) + 16 * rows + 36 * cols;
}

void scree__sparse_turned_drop_rows(scree__sparse_turned *t)
{
    free(t->firsts);
    free(t->column);
    free(t->place);
    t->firsts = NULL;
    t->column = NULL;
    t->place = NULL;
}

void scree__sparse_turned_clear(scree__sparse_turned *t)
{
    scree__sparse_turned_drop_rows(t);
    free(t->starts);
    free(t->row);
    free(t->value);
    free(t->root);
    free(t->mean);
    *t = (scree__sparse_turned){0};
}

/* Entries of each row, and in starts[j+1] those of column j. */
static void count(scree__sparse_turned *t, const scree__entries *x, const scree__sparse_centring *c, double *value)
{
    for (int64_t i = 0; i < t->rows; i++) {
        int32_t *column = t->column + t->firsts[i];
        const int64_t entries = scree__sparse_load_f64(c, x, i, column, value);
        t->firsts[i + 1] = t->firsts[i] + entries;
        t->longest = entries > t->longest ? entries : t->longest;
        for (int64_t e = 0; e < entries; e++)
            t->starts[column[e] + 1]++;
    }
    for (int64_t j = 0; j < t->cols; j++)
        t->starts[j + 1] += t->starts[j];
}

/* next: where the next entry of each column goes. */
static void sort(scree__sparse_turned *t, const scree__entries *x, const scree__sparse_centring *c, double *value,
                 int64_t *next)
{
    for (int64_t j = 0; j < t->cols; j++)
        next[j] = t->starts[j];
    for (int64_t i = 0; i < t->rows; i++) {
        const int64_t first = t->firsts[i];
        const int64_t entries = scree__sparse_load_f64(c, x, i, t->column + first, value);
        for (int64_t e = 0; e < entries; e++) {
            const int32_t j = t->column[first + e];
            const int64_t place = next[j]++;
            t->row[place] = (int32_t)i;
            t->value[place] = value[e] * (c->factor ? c->factor[j] : 1) * t->root[i];
            t->place[first + e] = place;
            t->squares += t->value[place] * t->value[place];
        }
    }
}

scree_status scree__sparse_turned_init(scree__sparse_turned *t, const scree__entries *x,
                                       const scree__sparse_centring *c, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t room = x->starts[x->rows] - x->starts[0] + x->rows * c->heavy_count;
    double *value = NULL;
    int64_t *next = NULL;
    *t = (scree__sparse_turned){.rows = x->rows, .cols = x->cols, .threads = threads};
    SCREE_ALLOC(t->starts, t->cols + 1, error);
    SCREE_ALLOC(t->mean, t->cols, error);
    SCREE_ALLOC(t->firsts, t->rows + 1, error);
    SCREE_ALLOC(t->root, t->rows, error);
    SCREE_ALLOC(t->column, room + 1, error);
    SCREE_ALLOC(value, t->cols + 1, error);
    SCREE_ALLOC(next, t->cols, error);
    for (int64_t i = 0; i < t->rows; i++)
        t->root[i] = x->weights ? sqrt(x->weights[i]) : 1;
    for (int64_t j = 0; j < t->cols; j++)
        t->mean[j] = c->later[j] * (c->factor ? c->factor[j] : 1);
    count(t, x, c, value);
    SCREE_ALLOC(t->place, t->firsts[t->rows] + 1, error);
    SCREE_ALLOC(t->row, t->firsts[t->rows] + 1, error);
    SCREE_ALLOC(t->value, t->firsts[t->rows] + 1, error);
    sort(t, x, c, value, next);
done:
    free(value);
    free(next);
    if (status != SCREE_OK)
        scree__sparse_turned_clear(t);
    return status;
}
