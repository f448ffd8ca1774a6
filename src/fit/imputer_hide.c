/* SPDX-License-Identifier: BSD-3-Clause */
/* Which cells are held out: such that they look like the gaps. Rows are taken in random order; each is given another
 * row with gaps, a donor, and of the cells that it has and the donor has not, at most
 *
 *     max(⌈n/5⌉, n - n of the donor),      n the observed cells of the row,
 *
 * are taken out, at random, until a tenth of all cells is. A row keeps one cell at least, a column half of its cells,
 * and three. So blocks of gaps are held out as blocks, and single cells as single cells. O(N D). */

#include "fit/imputer.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHARE = 10, ROW_SHARE = 5, COLUMN_KEEPS = 3 };
static const uint64_t STREAM = 0x68696465;

typedef struct hiding {
    const scree__imputer_table *table;
    uint64_t seed;
    uint64_t stream;
    uint64_t drawn;  /* random numbers so far */
    int64_t *order;  /* N: rows, shuffled */
    int64_t *donors; /* N: rows with gaps */
    int64_t donor_count;
    int64_t *seen;      /* N: observed cells */
    int64_t *may;       /* D: cells that a column may still lose */
    int64_t *candidate; /* D */
    int64_t total;      /* observed cells */
} hiding;

/* 0 .. n-1. */
static int64_t draw(hiding *h, int64_t n)
{
    uint32_t word[4];
    scree__philox(h->seed, h->stream, h->drawn++, word);
    const uint64_t wide = (uint64_t)word[0] << 32 | word[1];
    return (int64_t)((unsigned __int128)wide * (uint64_t)n >> 64);
}

static scree_status hiding_open(hiding *h, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__imputer_table *t = h->table;
    SCREE_ALLOC(h->order, t->rows, error);
    SCREE_ALLOC(h->donors, t->rows, error);
    SCREE_ALLOC(h->seen, t->rows, error);
    SCREE_ALLOC(h->may, t->cols, error);
    SCREE_ALLOC(h->candidate, t->cols, error);
    for (int64_t i = 0; i < t->rows; i++) {
        for (int64_t j = 0; j < t->cols; j++) {
            const bool there = !isnan(t->x[i * t->cols + j]);
            h->seen[i] += there;
            h->may[j] += there;
        }
        h->total += h->seen[i];
        if (h->seen[i] < t->cols)
            h->donors[h->donor_count++] = i;
        h->order[i] = i;
    }
    for (int64_t j = 0; j < t->cols; j++) {
        const int64_t most = h->may[j] - COLUMN_KEEPS;
        h->may[j] = h->may[j] / 2 < most ? h->may[j] / 2 : most;
    }
    for (int64_t i = t->rows - 1; i > 0; i--) {
        const int64_t k = draw(h, i + 1);
        const int64_t kept = h->order[i];
        h->order[i] = h->order[k];
        h->order[k] = kept;
    }
done:
    return status;
}

static void hiding_close(hiding *h)
{
    free(h->order);
    free(h->donors);
    free(h->seen);
    free(h->may);
    free(h->candidate);
}

/* The cells of one row. */
static void hide_in(hiding *h, int64_t row, scree__imputer_held *held)
{
    const int64_t d = h->table->cols;
    const int64_t donor = h->donors[draw(h, h->donor_count)];
    const double *x = h->table->x + row * d;
    const double *other = h->table->x + donor * d;
    const int64_t fifth = (h->seen[row] + ROW_SHARE - 1) / ROW_SHARE;
    const int64_t fewer = h->seen[row] - h->seen[donor];
    int64_t left = fifth > fewer ? fifth : fewer;
    int64_t count = 0;
    for (int64_t j = 0; j < d; j++)
        if (!isnan(x[j]) && isnan(other[j]) && h->may[j] > 0)
            h->candidate[count++] = j;
    if (left > h->seen[row] - 1)
        left = h->seen[row] - 1;
    for (; count > 0 && left > 0; left--) {
        const int64_t k = draw(h, count);
        const int64_t j = h->candidate[k];
        h->candidate[k] = h->candidate[--count];
        h->may[j]--;
        held->cell[held->count++] = row * d + j;
    }
}

static int compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

scree_status scree__imputer_hide(scree__imputer_held *held, const scree__imputer_table *table, uint64_t seed,
                                 int64_t round, scree_error *error)
{
    scree_status status = SCREE_OK;
    hiding h = {.table = table, .seed = seed, .stream = STREAM + (uint64_t)round};
    *held = (scree__imputer_held){0};
    SCREE_TRY(hiding_open(&h, error));
    SCREE_ALLOC(held->cell, h.total / SHARE + table->cols, error);
    for (int64_t i = 0; h.donor_count > 0 && i < table->rows && held->count < h.total / SHARE; i++)
        hide_in(&h, h.order[i], held);
    qsort(held->cell, (size_t)held->count, sizeof *held->cell, compare);
    SCREE_ALLOC(held->value, held->count, error);
    SCREE_ALLOC(held->expected, held->count * SCREE__IMPUTER_FITS, error);
    SCREE_ALLOC(held->variance, held->count * SCREE__IMPUTER_FITS, error);
    for (int64_t i = 0; i < held->count; i++) {
        held->value[i] = table->x[held->cell[i]];
        table->x[held->cell[i]] = NAN;
    }
done:
    hiding_close(&h);
    return status;
}

void scree__imputer_restore(const scree__imputer_held *held, const scree__imputer_table *table)
{
    for (int64_t i = 0; i < held->count; i++)
        table->x[held->cell[i]] = held->value[i];
}

void scree__imputer_held_clear(scree__imputer_held *held)
{
    free(held->cell);
    free(held->value);
    free(held->expected);
    free(held->variance);
    *held = (scree__imputer_held){0};
}
