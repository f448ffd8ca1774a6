/* SPDX-License-Identifier: BSD-3-Clause */
/* One sweep is S times a block of vectors, S = CᵀC/divisor: 4NDb flops.
 *
 * Rows that lie in memory are multiplied where they lie (kernel/inplace.c), and nothing of them is copied. Others are
 * read once a sweep, batch by batch (kernel/product.c), and kept, packed, where there is memory for them. With fewer
 * rows than columns, C Cᵀ on vectors of N entries does the same at the price of shorter vectors. */

#include "fit/sweep.h"

#include "base/memory.h"
#include "kernel/inplace.h"
#include "kernel/product.h"

struct scree__sweep {
    scree__sweeps *all;
    const scree__ops *ops;
    scree__product *product; /* one of these two */
    scree__inplace *inplace;
    double *between; /* the larger of N and D × width: what is between two products */
};

/* Rows with weights are scaled as they are packed. */
static bool lies_in_memory(const scree__job *job)
{
    return (job->source->can & SCREE__IN_MEMORY) != 0 && !job->source->cells && !job->source->about.weighted;
}

bool scree__sweeps_by_rows(const scree__job *job, int64_t rows)
{
    return lies_in_memory(job) && job->reduce == &scree__reduce_local && 2 * rows <= job->cols;
}

double scree__sweeps_chain(const scree__job *job, int64_t rows, const scree__ops *ops)
{
    return lies_in_memory(job) ? scree__inplace_chain(rows, job->cols, ops)
                               : scree__product_chain(job->cols, rows, ops);
}

static int64_t between_of(const scree__job *job, int64_t rows)
{
    return rows > job->cols || !scree__sweeps_by_rows(job, rows) ? rows : job->cols;
}

int64_t scree__sweep_memory(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops)
{
    if (lies_in_memory(job))
        return scree__inplace_memory(rows, job->cols, width, ops, job->threads) + 8 * width * between_of(job, rows);
    return scree__product_memory(job->cols, width, ops, job->threads);
}

/* All rows as one block, which a source in memory lends for good. */
static scree_status find_rows(const scree__sweeps *all, scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = all->job->source;
    const int64_t usual = source->block_rows;
    scree__block block = {0};
    SCREE_TRY(scree__source_restart(source, error));
    source->block_rows = all->rows;
    status = scree__source_next(source, &block, error);
    source->block_rows = usual;
    if (status == SCREE_OK && block.rows != all->rows)
        SCREE_FAIL(error, SCREE_ERR_LIMIT, "%s: %lld rows were expected, and there are %lld", source->about.path,
                   (long long)all->rows, (long long)block.rows);
    *x = (scree__rows){block.data, block.type, block.rows, source->about.cols, block.stride, NULL};
done:
    return status;
}

static scree_status open_rows(scree__sweep *s, int64_t width, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sweeps *all = s->all;
    scree__inplace_rows rows = {.shift = all->shift, .factor = all->factor};
    SCREE_TRY(find_rows(all, &rows.x, error));
    SCREE_TRY(scree__inplace_new(&s->inplace, &rows, width, s->ops, all->job->threads, error));
    s->between = scree__alloc_raw(between_of(all->job, all->rows) * width, sizeof *s->between);
    if (!s->between)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld columns are not to be had", (long long)width);
done:
    return status;
}

scree_status scree__sweep_new(scree__sweep **out, scree__sweeps *sweeps, int64_t width, const scree__ops *ops,
                              int64_t spare, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = sweeps->job;
    scree__sweep *s = NULL;
    SCREE_ALLOC(s, 1, error);
    *s = (scree__sweep){.all = sweeps, .ops = ops};
    if (lies_in_memory(job)) {
        SCREE_TRY(open_rows(s, width, error));
    } else {
        SCREE_TRY(
            scree__product_new(&s->product, job->cols, width, ops, job->threads, sweeps->shift, sweeps->factor, error));
        if (sweeps->rows * job->cols * ops->size <= spare)
            scree__product_keep(s->product, sweeps->rows);
    }
    *out = s;
    s = NULL;
done:
    scree__sweep_free(s);
    return status;
}

void scree__sweep_free(scree__sweep *s)
{
    if (!s)
        return;
    scree__product_free(s->product);
    scree__inplace_free(s->inplace);
    free(s->between);
    free(s);
}

/* A sweep over rows in memory is told like a pass, so that it can be cancelled. */
static scree_status report(const scree__sweeps *all, scree_error *error)
{
    const scree_run *run = all->job->options->run;
    const scree_progress progress = {
        .size = sizeof progress, .stage = "fit", .pass = all->passes, .rows = all->rows, .rows_total = all->rows};
    if (run->progress && run->progress(run->progress_context, &progress) != 0)
        return scree__fail(error, SCREE_ERR_CANCELLED, "cancelled");
    return SCREE_OK;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    scree__sweep *s = context;
    scree__rows x = scree__batch_rows(batch);
    return scree__product_add(s->product, &x, error);
}

/* W = CᵀCQ by batches. */
static scree_status pass(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    const scree__job *job = s->all->job;
    scree__product_start(s->product, q, b, image);
    if (!scree__product_has_all(s->product))
        return scree__job_pass(job, s->all->passes, 0, scree__product_rows(job->cols, s->ops), visit, s, NULL, error);
    scree_status status = scree__product_repeat(s->product, error);
    return status == SCREE_OK ? report(s->all, error) : status;
}

scree_status scree__sweep_apply(void *context, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sweep *s = context;
    const scree__job *job = s->all->job;
    s->all->passes++;
    if (s->inplace) {
        SCREE_TRY(scree__inplace_forward(s->inplace, q, b, s->between, error));
        SCREE_TRY(scree__inplace_backward(s->inplace, s->between, b, image, error));
        SCREE_TRY(report(s->all, error));
    } else {
        SCREE_TRY(pass(s, q, b, image, error));
    }
    SCREE_TRY(job->reduce->sum(job->reduce->context, image, job->cols * b, error));
    for (int64_t i = 0; i < job->cols * b; i++)
        image[i] /= s->all->divisor;
done:
    return status;
}

scree_status scree__sweep_apply_rows(void *context, const double *y, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sweep *s = context;
    s->all->passes++;
    SCREE_TRY(scree__inplace_backward(s->inplace, y, b, s->between, error));
    SCREE_TRY(scree__inplace_forward(s->inplace, s->between, b, image, error));
    SCREE_TRY(report(s->all, error));
    for (int64_t i = 0; i < s->all->rows * b; i++)
        image[i] /= s->all->divisor;
done:
    return status;
}

scree_status scree__sweep_columns(scree__sweep *s, const double *y, int64_t b, double *w, scree_error *error)
{
    s->all->passes++;
    return scree__inplace_backward(s->inplace, y, b, w, error);
}
