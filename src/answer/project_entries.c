/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of sparse rows, from their entries alone:
 *
 *     z = Uᵀ((x - µ)/s) = Σ_p x_p u_{j(p)}/s_{j(p)} - Uᵀ(µ/s),      2M flops an entry instead of 2DM a row.
 *
 * The difference cancels where means are large beside the spread. It is formed where |µ/s|² is at most 10⁴ times the
 * total variance, so that two digits of sixteen are lost at most; else rows are spread out and centred cell by cell, as
 * are single rows with an entry that is missing. Each row is summed by one thread in the order of its entries: its code
 * does not depend on threads or blocks. */

#include "answer/project_entries.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "data/entries.h"
#include "kernel/rows.h"
#include "model/frame.h"
#include "model/kind.h"

#include <math.h>
#include <string.h>

enum { ROWS_AT_ONCE = 16 };
static const double MOST_LOST = 1e4; /* |µ/s|² over the total variance */

static bool is_near(const scree_model_view *view)
{
    double square = 0;
    for (int64_t j = 0; j < view->d; j++) {
        const double mean = view->mean[j] / (view->scale ? view->scale[j] : 1);
        square += mean * mean;
    }
    return square <= MOST_LOST * view->total_variance;
}

static void weigh(scree__entry_query *query)
{
    const scree_model_view *view = scree_model_get(query->model);
    for (int64_t j = 0; j < view->d; j++) {
        double *w = query->weights + j * view->m;
        for (int64_t k = 0; k < view->m; k++) {
            w[k] = view->components[k * view->d + j] / (view->scale ? view->scale[j] : 1);
            query->shift[k] += w[k] * view->mean[j];
        }
    }
}

scree_status scree__entry_query_open(scree__entry_query *query, bool *fits, const scree_model *model,
                                     scree_source *source, const int64_t *columns, const scree_run *run,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    *fits = source->sparse && model->kind == scree__kinds[0] && !view->mean_rest && is_near(view);
    if (!*fits)
        return SCREE_OK;
    query->model = model;
    query->log1p = view->log1p && !(view->normalize > 0); /* else rows are lent as logarithms */
    query->threads = run->threads;
    query->dense.source = source;
    query->dense.columns = (int64_t *)(uintptr_t)columns;
    SCREE_ALLOC(query->place, source->about.cols, error);
    SCREE_ALLOC(query->weights, view->d * view->m, error);
    SCREE_ALLOC(query->shift, view->m, error);
    for (int64_t j = 0; j < source->about.cols; j++)
        query->place[j] = columns || j >= view->d ? -1 : (int32_t)j;
    for (int64_t j = 0; columns && j < view->d; j++)
        query->place[columns[j]] = (int32_t)j;
    weigh(query);
done:
    return status;
}

typedef struct job {
    const scree__entry_query *query;
    const scree__block *block;
    scree__rows entries;
    double *out;
    bool *bad; /* rows: an entry is no number */
} job;

SCREE_CLONES static void add_column(double *to, const double *w, double x, int64_t m)
{
    for (int64_t k = 0; k < m; k++)
        to[k] += x * w[k];
}

static void answer_row(const job *all, int64_t i)
{
    const scree__entry_query *query = all->query;
    const int64_t m = scree_model_get(query->model)->m;
    double *to = all->out + i * m;
    for (int64_t k = 0; k < m; k++)
        to[k] = -query->shift[k];
    for (int64_t p = all->block->starts[i]; p < all->block->starts[i + 1]; p++) {
        const int32_t j = query->place[all->block->indices[p]];
        if (j < 0)
            continue;
        const double value = scree__rows_at(&all->entries, p);
        const double x = query->log1p ? scree__log1p(value) : value;
        if (!isfinite(x)) {
            all->bad[i] = true;
            return;
        }
        add_column(to, query->weights + j * m, x, m);
    }
}

static void answer_rows(void *context, int64_t group, int worker)
{
    const job *all = context;
    (void)worker;
    for (int64_t i = group * ROWS_AT_ONCE; i < (group + 1) * ROWS_AT_ONCE && i < all->block->rows; i++)
        answer_row(all, i);
}

/* A row of which an entry is no number, as any other source would lend it. */
static scree_status ask_dense(scree__entry_query *query, const scree__block *block, int64_t i, double *out,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *source = query->dense.source;
    scree__block row = scree__block_part(source, block, i, 1);
    if (!query->dense.chunks.memory)
        SCREE_TRY(scree__project_open(&query->dense.chunks, query->model, source->about.cols, 1, error));
    SCREE_TRY(scree__entries_spread(&row, source->about.cols, &query->spread, source->about.path, error));
    SCREE_TRY(scree__row_query_block(&query->dense, &row, out, 1, error));
done:
    return status;
}

scree_status scree__entry_query_map(void *context, const scree__block *block, double *out, int threads,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__entry_query *query = context;
    const int64_t m = scree_model_get(query->model)->m;
    job all = {query, block, {block->data, block->type, 1, 1, 1, NULL}, out, NULL};
    SCREE_ALLOC(all.bad, block->rows, error);
    scree__parallel(threads, (block->rows + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE, answer_rows, &all);
    for (int64_t i = 0; i < block->rows; i++)
        if (all.bad[i])
            SCREE_TRY(ask_dense(query, block, i, out + i * m, error));
done:
    free(all.bad);
    return status;
}

void scree__entry_query_close(scree__entry_query *query)
{
    scree__chunks_close(&query->dense.chunks);
    free(query->place);
    free(query->weights);
    free(query->shift);
    scree__buffer_free(&query->spread);
}
