/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns that vary most. Each batch of rows has for each column the number of its cells n, their mean m and the
 * sum of squares M about it, and batches are joined as Chan, Golub and LeVeque do:
 *
 *     d = m_b - m,   m += d n_b/(n + n_b),   M += M_b + d² n n_b/(n + n_b).
 *
 * Of sparse rows M_b = Σx² - (Σx)²/n_b, which loses no more digits than a column's mean is large beside its spread
 * within a batch. Batches are fixed rows, so that the choice does not depend on how rows are read. A weight counts a
 * row so often. O(entries + D for each batch). */

#include "fit/prepare.h"

#include "base/memory.h"
#include "data/pass.h"
#include "kernel/rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BATCH_ROWS = 256 };

/* Statistics of the columns, D each. */
typedef struct moments {
    int64_t cols;
    double *count;
    double *mean;
    double *spread; /* Σ (x - mean)² */
    double *sum;    /* of the batch, as the next two */
    double *square;
    double *seen;
    double *buffer;
} moments;

static void join(moments *m, int64_t j, double count, double mean, double spread)
{
    if (!(count > 0))
        return;
    const double all = m->count[j] + count;
    const double d = mean - m->mean[j];
    m->mean[j] += d * (count / all);
    m->spread[j] += spread + d * d * (m->count[j] * (count / all));
    m->count[j] = all;
}

static void add_entries(moments *m, const scree__entries *e)
{
    const scree__rows values = {e->value, e->type, 1, 1, 1, NULL};
    double rows = 0;
    for (int64_t i = 0; i < e->rows; i++) {
        const double w = e->weights ? e->weights[i] : 1;
        rows += w;
        for (int64_t p = e->starts[i]; p < e->starts[i + 1]; p++) {
            const double x = scree__rows_at(&values, p);
            m->sum[e->indices[p]] += w * x;
            m->square[e->indices[p]] += w * x * x;
        }
    }
    for (int64_t j = 0; j < m->cols; j++) {
        const double mean = m->sum[j] / rows;
        join(m, j, rows, mean, fmax(m->square[j] - mean * m->sum[j], 0));
    }
}

/* Cells about the first of each column, so that means cost no digits. */
static void add_cells(moments *m, const scree__rows *x)
{
    double *from = m->buffer + m->cols;
    for (int64_t i = 0; i < x->rows; i++) {
        const double w = x->weights ? x->weights[i] : 1;
        const double *row = scree__rows_load(x, i, m->buffer);
        for (int64_t j = 0; j < m->cols; j++) {
            if (isnan(row[j]))
                continue;
            if (m->seen[j] == 0)
                from[j] = row[j];
            const double d = row[j] - from[j];
            m->seen[j] += w;
            m->sum[j] += w * d;
            m->square[j] += w * d * d;
        }
    }
    for (int64_t j = 0; j < m->cols; j++) {
        const double mean = m->seen[j] > 0 ? m->sum[j] / m->seen[j] : 0;
        join(m, j, m->seen[j], from[j] + mean, fmax(m->square[j] - mean * m->sum[j], 0));
    }
}

static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    moments *m = context;
    const size_t bytes = (size_t)m->cols * sizeof(double);
    const scree__rows x = {batch->data, batch->type, batch->rows, batch->cols, batch->stride, batch->weights};
    (void)error;
    memset(m->sum, 0, bytes);
    memset(m->square, 0, bytes);
    memset(m->seen, 0, bytes);
    if (batch->entries)
        add_entries(m, batch->entries);
    else
        add_cells(m, &x);
    return SCREE_OK;
}

typedef struct ranked {
    double variance;
    int64_t column;
} ranked;

/* Those that vary most come first; of equal ones, the first. */
static int by_variance(const void *a, const void *b)
{
    const ranked *one = a;
    const ranked *two = b;
    if (one->variance != two->variance)
        return one->variance < two->variance ? 1 : -1;
    return (one->column > two->column) - (one->column < two->column);
}

static int by_column(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a;
    const int64_t two = *(const int64_t *)b;
    return (one > two) - (one < two);
}

static scree_status measure(moments *m, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = source->about.cols;
    m->cols = d;
    SCREE_ALLOC(m->count, d, error);
    SCREE_ALLOC(m->mean, d, error);
    SCREE_ALLOC(m->spread, d, error);
    SCREE_ALLOC(m->sum, d, error);
    SCREE_ALLOC(m->square, d, error);
    SCREE_ALLOC(m->seen, d, error);
    SCREE_ALLOC(m->buffer, 2 * d, error);
    const scree__pass pass = {.stage = "columns",
                              .pass = 1,
                              .passes = 0,
                              .batch_rows = BATCH_ROWS,
                              .run = run,
                              .takes_sparse = true,
                              .takes_origin = true,
                              .visit = look,
                              .context = m};
    SCREE_TRY(scree__pass_run(source, &pass, NULL, error));
done:
    return status;
}

static void clear(moments *m)
{
    free(m->count);
    free(m->mean);
    free(m->spread);
    free(m->sum);
    free(m->square);
    free(m->seen);
    free(m->buffer);
}

scree_status scree__top_variance(int64_t **index, int64_t count, scree_source *source, const scree_run *run,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    moments m = {0};
    ranked *order = NULL;
    int64_t *chosen = NULL;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and finding the columns that vary most takes a pass of its own; save the "
                   "rows to a file first",
                   source->about.path);
    SCREE_TRY(measure(&m, source, run, error));
    SCREE_ALLOC(order, m.cols, error);
    SCREE_ALLOC(chosen, count, error);
    for (int64_t j = 0; j < m.cols; j++)
        order[j] = (ranked){m.count[j] > 0 ? m.spread[j] / m.count[j] : 0, j};
    qsort(order, (size_t)m.cols, sizeof *order, by_variance);
    for (int64_t j = 0; j < count; j++)
        chosen[j] = order[j].column;
    qsort(chosen, (size_t)count, sizeof *chosen, by_column);
    *index = chosen;
    chosen = NULL;
done:
    clear(&m);
    free(order);
    free(chosen);
    return status;
}
