/* SPDX-License-Identifier: BSD-3-Clause */
/* M = Σ(x-µ)(x-µ)ᵀ of sparse rows: with V and m of sparse_rows.h, M = VᵀV - N m mᵀ, since a column of V sums to Nm.
 * Each row adds the outer product of its e entries: e²/2 products, against D²/2 of a dense row.
 *
 * Threads share the rows of M, in strips of columns, and each goes through all rows in their order: every number of M
 * is a sum in the order of the rows, the same bits for any number of threads and rows at a time. What light columns
 * lose when N m mᵀ is subtracted is two bits at most, for µ² is at most three variances there. */

#include "kernel/sparse_scatter.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>

enum { STRIP = 64, MIRROR = 64, LOAD = 64 };

struct scree__sparse_scatter {
    const scree__sparse_centring *centring;
    int threads;
    double *m;       /* D×D */
    int64_t *starts; /* of the entries below, row by row with room for heavy ones */
    int64_t *ends;
    int32_t *index;
    double *value;
    int64_t row_room;
    int64_t room;
    const scree__entries *x;
};

int64_t scree__sparse_scatter_memory(int64_t cols, double entries)
{
    return 8 * cols * cols + (int64_t)((2 * entries + 2) * 12 * SCREE__SPARSE_SCATTER_ROWS);
}

scree_status scree__sparse_scatter_new(scree__sparse_scatter **out, const scree__sparse_centring *centring, int threads,
                                       scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sparse_scatter *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->centring = centring;
    s->threads = threads;
    SCREE_ALLOC(s->m, centring->cols * centring->cols, error);
    *out = s;
    s = NULL;
done:
    scree__sparse_scatter_free(s);
    return status;
}

void scree__sparse_scatter_free(scree__sparse_scatter *s)
{
    if (!s)
        return;
    free(s->m);
    free(s->starts);
    free(s->ends);
    free(s->index);
    free(s->value);
    free(s);
}

/* Room for the rows of V. */
static scree_status reserve(scree__sparse_scatter *s, const scree__entries *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t entries = x->starts[x->rows] - x->starts[0] + x->rows * s->centring->heavy_count;
    if (x->rows > s->row_room) {
        free(s->starts);
        free(s->ends);
        s->starts = s->ends = NULL;
        s->row_room = 0;
        SCREE_ALLOC(s->starts, x->rows, error);
        SCREE_ALLOC(s->ends, x->rows, error);
        s->row_room = x->rows;
    }
    if (entries > s->room) {
        free(s->index);
        free(s->value);
        s->index = NULL;
        s->value = NULL;
        s->room = 0;
        SCREE_ALLOC(s->index, entries, error);
        SCREE_ALLOC(s->value, entries, error);
        s->room = entries;
    }
done:
    return status;
}

/* Task: some rows of V. */
static void load(void *context, int64_t index, int worker)
{
    const scree__sparse_scatter *s = context;
    const scree__entries *x = s->x;
    (void)worker;
    for (int64_t i = index * LOAD; i < (index + 1) * LOAD && i < x->rows; i++) {
        s->starts[i] = x->starts[i] - x->starts[0] + i * s->centring->heavy_count;
        s->ends[i] =
            s->starts[i] + scree__sparse_load_f64(s->centring, x, i, s->index + s->starts[i], s->value + s->starts[i]);
    }
}

/* The first of the entries from first to end whose column is not below the one given. */
static int64_t from_column(const int32_t *index, int64_t first, int64_t end, int64_t column)
{
    while (first < end) {
        const int64_t middle = first + (end - first) / 2;
        if (index[middle] < column)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Task: a strip of rows of M, its upper triangle. */
static void add_strip(void *context, int64_t strip, int worker)
{
    const scree__sparse_scatter *s = context;
    const int64_t cols = s->centring->cols;
    (void)worker;
    for (int64_t i = 0; i < s->x->rows; i++) {
        const double weight = s->x->weights ? s->x->weights[i] : 1;
        const int64_t end = s->ends[i];
        for (int64_t a = from_column(s->index, s->starts[i], end, strip * STRIP);
             a < end && s->index[a] < (strip + 1) * STRIP; a++) {
            double *row = s->m + s->index[a] * cols;
            const double value = weight * s->value[a];
            for (int64_t b = a; b < end; b++)
                row[s->index[b]] += value * s->value[b];
        }
    }
}

scree_status scree__sparse_scatter_add(scree__sparse_scatter *s, const scree__entries *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(reserve(s, x, error));
    s->x = x;
    scree__parallel(s->threads, (x->rows + LOAD - 1) / LOAD, load, s);
    scree__parallel(s->threads, (s->centring->cols + STRIP - 1) / STRIP, add_strip, s);
done:
    return status;
}

void scree__sparse_scatter_finish(scree__sparse_scatter *s, double weight, double **out)
{
    const int64_t cols = s->centring->cols;
    const double *later = s->centring->later;
    for (int64_t i = 0; i < cols; i++)
        for (int64_t j = i; j < cols && later[i] != 0; j++)
            s->m[i * cols + j] -= weight * later[i] * later[j];
    for (int64_t i = 0; i < cols; i += MIRROR)
        for (int64_t j = i; j < cols; j += MIRROR)
            for (int64_t a = i; a < i + MIRROR && a < cols; a++)
                for (int64_t b = j > a ? j : a + 1; b < j + MIRROR && b < cols; b++)
                    s->m[b * cols + a] = s->m[a * cols + b];
    *out = s->m;
}

/* A sum of as many products as rows, each of a squared size at most four times that about the mean. */
double scree__sparse_scatter_rounding(int64_t rows)
{
    return 8 * ((double)rows + 4) * 0x1p-53;
}

void scree__sparse_scatter_move(scree__sparse_scatter *w, scree__snapshot *s)
{
    scree__snapshot_same(s, w->centring->cols);
    scree__snapshot_doubles(s, w->m, w->centring->cols * w->centring->cols);
}
