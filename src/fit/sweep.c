/* SPDX-License-Identifier: BSD-3-Clause */
/* One sweep is S times a block of vectors, S = CᵀC/divisor: 4NDb flops, and one read of the rows (kernel/product.c).
 *
 * Rows that lie in memory are multiplied where they lie. Others are read once a sweep, piece by piece, and kept where
 * there is memory for them: the same bits in any case. With fewer rows than columns, C Cᵀ on vectors of N entries does
 * the same at the price of shorter vectors (kernel/inplace.c); what it centres is kept where there is memory. Genotypes
 * are multiplied packed, and always so (packed_sweep.c). */

#include "fit/sweep_inner.h"

#include "base/memory.h"
#include "base/progress.h"
#include "fit/held.h"

#include <string.h>

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
    const int64_t ranges = job->team ? job->team->ranges.end - job->team->ranges.first : 1;
    return (scree__product_size){cut, job->cols, width, job->source->about.type, ops, job->threads, ranges};
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

int64_t scree__sweep_tree_memory(const scree__job *job, int64_t width)
{
    const int64_t image = job->cols * width;
    if (!job->team)
        return 0;
    const scree__product_size size = size_of(job, 0, width, &scree__ops_f32); /* of double there are as many or fewer */
    return 8 * (scree__team_tree_doubles(job->team, image) + scree__product_at_once(&size) * image);
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
                        .at_once = scree__product_at_once(&size),
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
scree_status scree__sweep_report(const scree__sweeps *all, scree_error *error)
{
    const scree_progress progress = {.stage = "fit", .pass = all->passes, .rows = all->rows, .rows_total = all->rows};
    return scree__progress_tell(all->job->options->run, progress, 0, error);
}

/* The sums of a pass, for a checkpoint. */
static void move(void *context, scree__snapshot *snapshot)
{
    scree__sweep *s = context;
    if (s->sparse)
        scree__sparse_product_move(s->sparse, snapshot);
    else
        scree__product_move(s->product, snapshot);
}

scree_status scree__sweep_visit(void *context, const scree__batch *batch, scree_error *error)
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
scree_status scree__sweep_use_kept(scree__sweep *s, scree_error *error)
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
    const scree__reading reading = {.pass = s->all->passes,
                                    .batch_rows = scree__sweep_rows(job, s->all->rows, s->width, s->ops),
                                    .visit = scree__sweep_visit,
                                    .context = s,
                                    .move = move,
                                    .inner = true};
    SCREE_TRY(scree__job_read(job, &reading, NULL, error));
    scree__product_finish(s->product);
    if (s->kept.room > 0 && s->kept.x.rows == s->all->rows)
        SCREE_TRY(scree__sweep_use_kept(s, error));
done:
    return status;
}

/* The first rows, or the next ones, of all that are to be kept. */
static scree_status keep_entries(scree__sweep *s, const scree__block *block, scree_error *error)
{
    const scree_source *source = s->all->job->source;
    if (s->all->kept.room == 0) {
        scree__memory_trim();
        scree__entries_expect(&s->all->kept, block, s->all->rows, source->entries);
    }
    return scree__entries_add(&s->all->kept, block, 0, block->rows, source->about.path, error);
}

scree_status scree__sweep_visit_entries(void *context, const scree__batch *batch, scree_error *error)
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
        SCREE_TRY(keep_entries(s, &block, error));
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
        SCREE_TRY(scree__sweep_report(s->all, error));
    } else {
        scree__entries_empty(&s->all->kept);
        const scree__reading reading = {.pass = s->all->passes,
                                        .batch_rows = scree__sweep_rows(job, s->all->rows, s->width, s->ops),
                                        .several = true,
                                        .visit = scree__sweep_visit_entries,
                                        .context = s,
                                        .move = move,
                                        .inner = true};
        SCREE_TRY(scree__job_read(job, &reading, NULL, error));
        if (s->all->kept.rows == s->all->rows)
            scree__memory_trim();
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
    return scree__sweep_report(s->all, error);
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

/* What a sweep has come to, for a checkpoint: once it is over, passes so far, and its image. */
typedef struct imaging {
    scree__sweeps *all;
    double *image;
    int64_t count;
    bool over;
} imaging;

static void move_image(void *context, scree__snapshot *s)
{
    imaging *i = context;
    scree__snapshot_same(s, i->count);
    scree__snapshot_flag(s, &i->over);
    if (!i->over)
        return;
    scree__snapshot_int(s, &i->all->passes, 0, INT32_MAX);
    scree__snapshot_doubles(s, i->image, i->count);
}

static scree_status run_apply(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = s->all->job;
    s->all->passes++;
    SCREE_TRY((job->team       ? scree__sweep_apply_together
               : s->packed     ? multiply_packed
               : s->sparse     ? sweep_entries
               : s->x.rows > 0 ? multiply
                               : pass)(s, q, b, image, error));
    for (int64_t i = 0; i < job->cols * b; i++)
        image[i] /= s->all->divisor;
done:
    return status;
}

static scree_status run_apply_rows(scree__sweep *s, const double *y, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    s->all->passes++;
    if (s->packed) {
        SCREE_TRY(scree__packed_sweep_both(s->packed, y, b, image, error));
    } else {
        scree__inplace_apply(s->inplace, y, b, image);
        SCREE_TRY(scree__sweep_report(s->all, error));
    }
    for (int64_t i = 0; i < s->all->rows * b; i++)
        image[i] /= s->all->divisor;
done:
    return status;
}

static scree_status run_columns(scree__sweep *s, const double *y, int64_t b, double *w, scree_error *error)
{
    s->all->passes++;
    if (s->packed)
        return scree__packed_sweep_columns(s->packed, y, b, w, error);
    scree__inplace_columns(s->inplace, y, b, w);
    return scree__sweep_report(s->all, error);
}

typedef scree_status (*sweeping)(scree__sweep *s, const double *q, int64_t b, double *image, scree_error *error);

/* A sweep as a stage of a checkpoint: one that is over is not made again. Its image replaces what its passes noted. */
static scree_status sweep_once(scree__sweep *s, sweeping run, const double *q, const imaging *to, int64_t b,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__checkpoint *checkpoint = s->all->job->checkpoint;
    imaging own = *to;
    const scree__stage stage = {.name = "sweep", .move = move_image, .context = &own};
    scree__reached reached;
    if (!checkpoint)
        return run(s, q, b, to->image, error);
    SCREE_TRY(scree__checkpoint_begin(checkpoint, &stage, &reached, error));
    if (reached == SCREE__OVER)
        goto done;
    status = run(s, q, b, to->image, error);
    own.over = status == SCREE_OK;
    SCREE_TRY(scree__checkpoint_end(checkpoint, status, error));
done:
    return status;
}

scree_status scree__sweep_apply(void *context, const double *q, int64_t b, double *image, scree_error *error)
{
    scree__sweep *s = context;
    const imaging to = {s->all, image, s->all->job->cols * b, false};
    return sweep_once(s, run_apply, q, &to, b, error);
}

scree_status scree__sweep_apply_rows(void *context, const double *y, int64_t b, double *image, scree_error *error)
{
    scree__sweep *s = context;
    const imaging to = {s->all, image, s->all->rows * b, false};
    return sweep_once(s, run_apply_rows, y, &to, b, error);
}

scree_status scree__sweep_columns(scree__sweep *s, const double *y, int64_t b, double *w, scree_error *error)
{
    const imaging to = {s->all, w, s->all->job->cols * b, false};
    return sweep_once(s, run_columns, y, &to, b, error);
}
