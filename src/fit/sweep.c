/* SPDX-License-Identifier: BSD-3-Clause */
/* One sweep is S times a block of vectors, S = CᵀC/divisor: 4NDb flops, and one read of the rows (kernel/product.c).
 *
 * Rows that lie in memory are multiplied where they lie. Others are read once a sweep, piece by piece, and kept where
 * there is memory for them: the same bits in any case. With fewer rows than columns, C Cᵀ on vectors of N entries does
 * the same at the price of shorter vectors (kernel/inplace.c); what it centres is kept where there is memory. Genotypes
 * are multiplied packed, and always so (packed_sweep.c). */

#include "fit/sweep.h"

#include "base/memory.h"
#include "fit/held.h"
#include "fit/kept.h"
#include "fit/packed_sweep.h"
#include "kernel/inplace.h"
#include "kernel/product.h"
#include "kernel/sparse_product.h"

#include <string.h>

struct scree__sweep {
    scree__sweeps *all;
    const scree__ops *ops;
    int64_t width;
    scree__product *product;
    scree__inplace *inplace; /* only by rows */
    scree__rows x;           /* where they lie in memory */
    scree__kept kept;
    bool keeps;                    /* rows, as soon as some are seen */
    scree__sparse_product *sparse; /* of sparse rows, instead of all the others */
    scree__packed_sweep *packed;   /* of genotypes, instead */
    double *y;                     /* of these N×width: Cq */
    scree__team_tree *tree;        /* of the sweep at work, where several processes share the rows: */
    int64_t range;                 /* at work */
    const double *q;
    int64_t b;
};

void scree__sweeps_clear(scree__sweeps *sweeps)
{
    scree__entries_clear(&sweeps->kept);
    free(sweeps->starts);
}

static scree__sparse_size sparse_size(const scree__job *job, int64_t width, const scree__ops *ops)
{
    return (scree__sparse_size){job->cols, width, ops->type, job->threads};
}

bool scree__sweeps_by_rows(const scree__job *job, int64_t rows)
{
    if (scree__job_packed(job))
        return true;
    return scree__held_are_lent(job) && !job->team && 2 * rows <= job->cols && scree__inplace_suits(rows);
}

static scree__product_size size_of(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops)
{
    const int64_t cut = job->team ? scree__team_range_rows(job->team) : rows; /* what is summed in one go */
    return (scree__product_size){cut, job->cols, width, job->source->about.type, ops, job->threads};
}

int64_t scree__sweep_rows(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops)
{
    if (job->source->sparse) {
        const scree__sparse_size sparse = sparse_size(job, width, ops);
        return scree__sparse_product_rows(&sparse);
    }
    if (scree__job_packed(job))
        return 1;
    const scree__product_size size = size_of(job, rows, width, ops);
    return scree__product_rows(&size);
}

double scree__sweeps_chain(const scree__job *job, int64_t rows, const scree__ops *ops)
{
    if (job->source->sparse) { /* squares about 0 are at most four times those about the mean (sparse_rows.h) */
        const scree__sparse_size sparse = sparse_size(job, 1, ops);
        return 8 * scree__sparse_product_chain(&sparse, rows);
    }
    if (scree__job_packed(job))
        return scree__packed_sweep_chain(job, ops->type);
    const scree__product_size size = size_of(job, rows, 1, ops);
    const double chain = scree__product_chain(&size);
    const double by_rows = scree__sweeps_by_rows(job, rows) ? scree__inplace_chain(rows, job->cols, ops) : 0;
    return chain > by_rows ? chain : by_rows;
}

int64_t scree__sweep_memory(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops)
{
    if (job->source->sparse) {
        const scree__sparse_size sparse = sparse_size(job, width, ops);
        return scree__sparse_product_memory(&sparse);
    }
    if (scree__job_packed(job))
        return scree__packed_sweep_memory(job, width, ops->type) + rows * width * (int64_t)sizeof(double);
    const scree__product_size size = size_of(job, rows, width, ops);
    const int64_t by_rows =
        scree__sweeps_by_rows(job, rows) ? scree__inplace_memory(rows, job->cols, width, ops, job->threads) : 0;
    return scree__product_memory(&size) + by_rows;
}

static scree_status open_rows(scree__sweep *s, int64_t spare, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__sweeps *all = s->all;
    SCREE_TRY(scree__job_lend(all->job, all->rows, &s->x, error));
    if (!scree__sweeps_by_rows(all->job, all->rows))
        return status;
    const scree__inplace_rows rows = {.x = s->x,
                                      .shift = all->shift,
                                      .factor = all->factor,
                                      .keep = scree__inplace_kept(all->rows, s->x.cols, s->ops) <= spare};
    SCREE_TRY(scree__inplace_new(&s->inplace, &rows, s->width, s->ops, all->job->threads, error));
done:
    return status;
}

/* Bytes of all sparse rows that are kept as they come. */
static int64_t sparse_memory(const scree__job *job)
{
    return job->source->entries > 0 ? scree__entries_row_bytes(job->source) * scree__job_rows(job) : INT64_MAX;
}

scree_status scree__sweep_new(scree__sweep **out, scree__sweeps *sweeps, int64_t width, const scree__ops *ops,
                              int64_t spare, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = sweeps->job;
    const scree__product_size size = size_of(job, sweeps->rows, width, ops);
    scree__sweep *s = NULL;
    SCREE_ALLOC(s, 1, error);
    *s = (scree__sweep){.all = sweeps,
                        .ops = ops,
                        .width = width,
                        .kept = {.shift = sweeps->shift, .threads = job->threads},
                        .keeps = scree__kept_memory(sweeps->rows, job->cols, size.type, ops) <= spare};
    if (sweeps->sparse) {
        const scree__sparse_size sparse = sparse_size(job, width, ops);
        s->keeps = !(job->source->can & SCREE__IN_STEP) && sparse_memory(job) <= spare;
        SCREE_TRY(scree__sparse_product_new(&s->sparse, &sparse, sweeps->sparse, error));
        goto made;
    }
    if (scree__job_packed(job)) {
        SCREE_TRY(scree__packed_sweep_new(&s->packed, sweeps, width, ops->type, error));
        SCREE_ALLOC(s->y, sweeps->rows * width, error);
        goto made;
    }
    SCREE_TRY(scree__product_new(&s->product, &size, sweeps->shift, sweeps->factor, error));
    if (scree__held_are_lent(job) && (!job->team || sweeps->rows > 0))
        SCREE_TRY(open_rows(s, spare, error));
made:
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
    scree__sparse_product_free(s->sparse);
    scree__inplace_free(s->inplace);
    scree__packed_sweep_free(s->packed);
    free(s->y);
    scree__kept_clear(&s->kept);
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
    const scree__rows x = scree__batch_rows(batch);
    (void)error;
    if (s->keeps) {
        scree__kept_open(&s->kept, s->all->rows, &x, s->ops);
        s->keeps = false;
    }
    if (s->kept.room > 0)
        scree__kept_add(&s->kept, &x);
    scree__product_add(s->product, &x);
    return SCREE_OK;
}

/* From now on what is kept is multiplied, which may be centred already. */
static scree_status use_kept(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__product_size size = size_of(s->all->job, s->all->rows, s->width, s->ops);
    double *zeros = NULL;
    s->x = s->kept.x;
    if (!scree__kept_centred(size.type, s->ops))
        return status;
    scree__product_free(s->product);
    s->product = NULL;
    size.type = s->x.type;
    SCREE_ALLOC(zeros, size.cols, error);
    SCREE_TRY(scree__product_new(&s->product, &size, zeros, s->all->factor, error));
done:
    free(zeros);
    return status;
}

/* W = CᵀCQ piece by piece. */
static scree_status pass(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    scree__product_start(s->product, q, b, image);
    s->kept.x.rows = 0; /* what a sweep left that was broken off is no beginning of this one */
    SCREE_TRY(scree__job_pass(job, s->all->passes, 0, scree__sweep_rows(job, s->all->rows, s->width, s->ops), visit, s,
                              NULL, error));
    scree__product_finish(s->product);
    if (s->kept.room > 0 && s->kept.x.rows == s->all->rows)
        SCREE_TRY(use_kept(s, error));
done:
    return status;
}

static scree_status visit_entries(void *context, const scree__batch *batch, scree_error *error)
{
    scree__sweep *s = context;
    scree_status status = SCREE_OK;
    const scree__block block = {.data = batch->entries->value,
                                .type = batch->entries->type,
                                .rows = batch->rows,
                                .starts = batch->entries->starts,
                                .indices = batch->entries->indices,
                                .weights = batch->entries->weights};
    if (s->keeps)
        SCREE_TRY(scree__entries_add(&s->all->kept, &block, 0, batch->rows, s->all->job->source->about.path, error));
    scree__sparse_product_add(s->sparse, batch->entries);
done:
    return status;
}

/* W = CᵀCQ of sparse rows: those that were kept, or one pass. */
static scree_status sweep_entries(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    SCREE_TRY(scree__sparse_product_start(s->sparse, q, b, image, error));
    if (s->all->kept.rows == s->all->rows) {
        const scree__entries all = scree__entries_of(&s->all->kept, job->cols);
        scree__sparse_product_add(s->sparse, &all);
        SCREE_TRY(report(s->all, error));
    } else {
        scree__entries_empty(&s->all->kept);
        SCREE_TRY(scree__job_pass_several(job, s->all->passes, 0,
                                          scree__sweep_rows(job, s->all->rows, s->width, s->ops), visit_entries, s,
                                          NULL, error));
    }
    scree__sparse_product_finish(s->sparse);
done:
    return status;
}

/* The same for rows that are in memory. */
static scree_status multiply(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree__product_start(s->product, q, b, image);
    scree__product_add(s->product, &s->x);
    scree__product_finish(s->product);
    return report(s->all, error);
}

/* The same of genotypes, which is two reads. */
static scree_status multiply_packed(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__packed_sweep_rows(s->packed, q, b, s->y, error));
    s->all->passes++;
    SCREE_TRY(scree__packed_sweep_columns(s->packed, s->y, b, image, error));
done:
    return status;
}

/* ---- by several processes: W of each range by itself, and a tree that adds them up ---- */

static scree_status begin_range(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *image = scree__team_tree_place(s->tree);
    if (!image)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld vectors of %lld columns do not fit", (long long)s->b,
                   (long long)s->all->job->cols);
    if (s->sparse)
        SCREE_TRY(scree__sparse_product_start(s->sparse, s->q, s->b, image, error));
    else
        scree__product_start(s->product, s->q, s->b, image);
done:
    return status;
}

static scree_status end_range(scree__sweep *s, scree_error *error)
{
    if (s->sparse)
        scree__sparse_product_finish(s->sparse);
    else
        scree__product_finish(s->product);
    s->range++;
    return scree__team_tree_add(s->tree, error);
}

/* A range has ended in a pass; the next one, if there is one, begins. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sweep *s = context;
    const scree__ranges *ranges = &s->all->job->team->ranges;
    SCREE_TRY(end_range(s, error));
    if (ranges->first + s->range < ranges->end)
        SCREE_TRY(begin_range(s, error));
done:
    return status;
}

/* Rows in memory, range by range. */
static scree_status multiply_ranges(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &s->all->job->team->ranges;
    while (ranges->first + s->range < ranges->end) {
        const int64_t first = s->all->starts[s->range];
        const int64_t rows = s->all->starts[s->range + 1] - first;
        SCREE_TRY(begin_range(s, error));
        if (s->sparse && rows > 0) {
            scree__entries x = scree__entries_of(&s->all->kept, s->all->job->cols);
            x.starts += first;
            x.weights = x.weights ? x.weights + first : NULL;
            x.rows = rows;
            scree__sparse_product_add(s->sparse, &x);
        } else if (rows > 0) {
            const scree__rows x = scree__rows_slice(&s->x, first, rows);
            scree__product_add(s->product, &x);
        }
        SCREE_TRY(end_range(s, error));
    }
    SCREE_TRY(report(s->all, error));
done:
    return status;
}

static scree_status pass_ranges(scree__sweep *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    const scree__ranges *ranges = &job->team->ranges;
    const scree__range_visits visits = {
        .visit = s->sparse ? visit_entries : visit, .ended = ended, .context = s, .several = s->sparse != NULL};
    s->kept.x.rows = 0;
    if (s->sparse)
        scree__entries_empty(&s->all->kept);
    if (ranges->first < ranges->end)
        SCREE_TRY(begin_range(s, error));
    SCREE_TRY(scree__job_pass_ranges(job, s->all->passes, 0, scree__sweep_rows(job, s->all->rows, s->width, s->ops),
                                     &visits, NULL, error));
    if (!s->sparse && s->kept.room > 0 && s->kept.x.rows == s->all->rows)
        SCREE_TRY(use_kept(s, error));
done:
    return status;
}

static scree_status apply_together(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    const bool is_kept = s->sparse ? s->all->kept.rows > 0 && s->all->kept.rows == s->all->rows : s->x.rows > 0;
    double *all = NULL;
    s->q = q;
    s->b = b;
    s->range = 0;
    SCREE_TRY(scree__team_tree_new(&s->tree, job->team, job->cols * b, NULL, NULL, error));
    status = (is_kept ? multiply_ranges : pass_ranges)(s, error);
    SCREE_TRY(scree__team_tree_finish(s->tree, status, job->gap, &all, error));
    memcpy(image, all, (size_t)(job->cols * b) * sizeof *image);
done:
    scree__team_tree_free(s->tree);
    s->tree = NULL;
    return status;
}

scree_status scree__sweep_apply(void *context, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sweep *s = context;
    const scree__job *job = s->all->job;
    s->all->passes++;
    SCREE_TRY((job->team       ? apply_together
               : s->packed     ? multiply_packed
               : s->sparse     ? sweep_entries
               : s->x.rows > 0 ? multiply
                               : pass)(s, q, b, image, error));
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
    if (s->packed) {
        SCREE_TRY(scree__packed_sweep_both(s->packed, y, b, image, error));
    } else {
        scree__inplace_apply(s->inplace, y, b, image);
        SCREE_TRY(report(s->all, error));
    }
    for (int64_t i = 0; i < s->all->rows * b; i++)
        image[i] /= s->all->divisor;
done:
    return status;
}

scree_status scree__sweep_columns(scree__sweep *s, const double *y, int64_t b, double *w, scree_error *error)
{
    s->all->passes++;
    if (s->packed)
        return scree__packed_sweep_columns(s->packed, y, b, w, error);
    scree__inplace_columns(s->inplace, y, b, w);
    return report(s->all, error);
}
