/* SPDX-License-Identifier: BSD-3-Clause */
/* Method covariance: S = (1/N) Σ (x-µ)(x-µ)ᵀ (10.1) in one pass, then its eigenvectors (10.2–10.6).
 *
 * N D² flops and one read of the data; D×D doubles of memory for each lane (moments.c) and one more for S. Eigenvalues
 * below the unit round-off times tr S are lost, where they are not those of columns in much smaller units (graded.c):
 * the svd method keeps them.
 *
 * Rows of bytes are summed in integers, several times as fast, and S is the exact one rounded once (integer.c). Sparse
 * rows are read twice, for their mean and for outer products of their entries (sparse_scatter.c), where that is less
 * work than products of all cells. */

#include "fit/method.h"

#include "base/threads.h"
#include "fit/solve.h"
#include "kernel/dense.h"
#include "kernel/graded.h"
#include "kernel/integer.h"
#include "kernel/moments.h"
#include "kernel/sparse_columns.h"
#include "kernel/sparse_scatter.h"

static const double ROUND_OFF = 0x1p-53;

/* One of the sums. */
typedef struct work {
    const scree__job *job;
    scree__moments *moments;
    scree__integer *integer;
    scree__sparse_columns *columns; /* of sparse rows, in a first pass, */
    scree__sparse_centring centring;
    scree__sparse_scatter *scatter; /* and in a second one */
} work;

/* Seconds of outer products of entries. */
static double entries_time(const scree__job *job)
{
    const double rows = (double)scree__job_rows(job);
    const double each = scree__job_entries(job) / (rows > 1 ? rows : 1);
    return scree__estimate_outer(job->rates, rows, each);
}

/* Whether these are less work than products of all cells; that must not depend on the machine. */
static bool is_sparse(const scree__job *job)
{
    scree__job reference = *job;
    reference.rates = &scree__rates_builtin;
    return job->source->sparse && (job->source->can & SCREE__CAN_REWIND) && job->reduce == &scree__reduce_local &&
           entries_time(&reference) < scree__estimate_scatter(&scree__rates_builtin, SCREE_F64,
                                                              (double)scree__job_rows(job), (double)job->cols);
}

static bool is_integer(const scree__job *job)
{
    return job->source->about.type == SCREE_U8 && !job->source->about.weighted && !is_sparse(job);
}

static const scree__ops *ops_of(const scree__job *job)
{
    return scree__job_ops(job, (double)scree__job_rows(job) * (double)job->cols * (double)job->cols);
}

static bool applicable(const scree__job *job, char *reason)
{
    return scree__job_has_squares(job, reason);
}

static int64_t batch_rows(const scree__job *job)
{
    return is_sparse(job)    ? SCREE__SPARSE_SCATTER_ROWS
           : is_integer(job) ? scree__integer_rows(job->cols, job->threads)
                             : scree__moments_rows(job->cols, false, ops_of(job));
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const scree__ops *ops = ops_of(job);
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    const int64_t k = scree__job_components(job, scree__job_rows(job));
    entry->passes = is_sparse(job) ? 2 : 1;
    effort->passing += is_sparse(job)
                           ? entries_time(job)
                           : scree__estimate_scatter(job->rates, is_integer(job) ? SCREE_U8 : ops->type, n, d);
    entry->flops = n * d * d + scree__estimate_dense(job->rates, effort, job->cols, k, job->share > 0);
    const int64_t sums = is_sparse(job)    ? scree__sparse_scatter_memory(job->cols, scree__job_entries(job) / n)
                         : is_integer(job) ? scree__integer_memory(job->cols, job->threads)
                                           : scree__moments_memory(job->cols, false, ops, job->threads);
    const int64_t computed = job->share > 0 ? job->cols : k; /* all are computed where a share decides */
    const int64_t dense = scree__dense_memory(job->cols, computed);
    const int64_t graded = scree__graded_memory(job->cols);
    entry->memory = sums +
                    (is_sparse(job) ? scree__pass_memory_sparse : scree__pass_memory)(job->source, batch_rows(job)) +
                    (dense > graded ? dense : graded) + 16 * k * job->cols +
                    scree__solution_spare_memory(job, scree__job_rows(job), k);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    if (w->integer) {
        scree__integer_add(w->integer, &x);
        return SCREE_OK;
    }
    scree_status status = scree__moments_add(w->moments, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

static scree_status visit_columns(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    return scree__sparse_columns_add(w->columns, batch->entries) ? SCREE_OK : scree__job_bad_cell(w->job, batch, error);
}

static scree_status visit_entries(void *context, const scree__batch *batch, scree_error *error)
{
    return scree__sparse_scatter_add(((work *)context)->scatter, batch->entries, error);
}

/* Each of the sums, for a checkpoint. */
static void move(void *context, scree__snapshot *snapshot)
{
    work *w = context;
    if (w->integer)
        scree__integer_move(w->integer, snapshot);
    else
        scree__moments_move(w->moments, snapshot);
}

static void move_columns(void *context, scree__snapshot *snapshot)
{
    scree__sparse_columns_move(((work *)context)->columns, snapshot);
}

static void move_entries(void *context, scree__snapshot *snapshot)
{
    scree__sparse_scatter_move(((work *)context)->scatter, snapshot);
}

/* Scatter and mean of sparse rows, in two passes. */
static scree_status gather_sparse(work *w, scree__solution *s, scree__scattered *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job = *w->job;
    scree__sparse_found columns;
    const scree__reading first = {.pass = 1,
                                  .passes = 2,
                                  .batch_rows = scree__sparse_columns_rows(job.cols),
                                  .several = true,
                                  .visit = visit_columns,
                                  .context = w,
                                  .move = move_columns};
    const scree__reading second = {.pass = 2,
                                   .passes = 2,
                                   .batch_rows = SCREE__SPARSE_SCATTER_ROWS,
                                   .several = true,
                                   .visit = visit_entries,
                                   .context = w,
                                   .move = move_entries};
    job.takes_sparse = true;
    SCREE_TRY(scree__sparse_columns_new(&w->columns, job.cols, job.threads, error));
    SCREE_TRY(scree__job_read(&job, &first, NULL, error));
    scree__sparse_columns_finish(w->columns, &columns);
    SCREE_TRY(scree__sparse_centring_init(&w->centring, job.cols, columns.mean, columns.rest, columns.squares,
                                          columns.weight, NULL, error));
    SCREE_TRY(scree__sparse_scatter_new(&w->scatter, &w->centring, job.threads, error));
    SCREE_TRY(scree__job_read(&job, &second, NULL, error));
    scree__sparse_scatter_finish(w->scatter, columns.weight, &f->scatter);
    for (int64_t j = 0; j < job.cols; j++)
        f->scatter[j * job.cols + j] = columns.squares[j]; /* exactly 0 where a column is constant */
    f->mean = columns.mean;
    s->rows = columns.rows;
    s->weight = columns.weight;
    f->divisor = scree__job_divisor(&job, s->weight);
    f->rounding = scree__sparse_scatter_rounding(s->rows);
    s->passes = 2;
done:
    return status;
}

/* Scatter and mean of all rows. A process that is alone has the integers of S itself: nothing is left to divide by. */
static scree_status gather(work *w, scree__solution *s, scree__scattered *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const bool exact = w->integer && job->reduce == &scree__reduce_local;
    scree__counted counted;
    int64_t k;
    const scree__reading reading = {.pass = 1,
                                    .passes = 1,
                                    .batch_rows = batch_rows(job),
                                    .several = !w->integer,
                                    .visit = visit,
                                    .context = w,
                                    .move = move};
    SCREE_TRY(scree__job_read(job, &reading, &s->rows, error));
    if (exact)
        SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    if (w->integer)
        scree__integer_finish(w->integer, exact ? s->rows - job->options->ddof : 1, &f->mean, &f->scatter);
    else
        scree__moments_finish(w->moments, &s->rows, &f->mean, &f->scatter);
    counted = (scree__counted){s->rows, w->integer ? (double)s->rows : scree__moments_weight(w->moments)};
    SCREE_TRY(scree__reduce_moments(job->reduce, &counted, f->mean, f->scatter, job->cols, false, error));
    s->rows = counted.rows;
    s->weight = counted.weight;
    f->divisor = exact ? 1 : scree__job_divisor(job, s->weight);
    f->rounding = w->integer ? (exact ? 1 : 8) * ROUND_OFF : scree__moments_rounding(w->moments);
done:
    return status;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job};
    scree__scattered f = {0};
    s->passes = 1;
    if (is_sparse(job))
        SCREE_TRY(gather_sparse(&w, s, &f, error));
    else if (is_integer(job))
        SCREE_TRY(scree__integer_new(&w.integer, job->cols, job->threads, NULL, error));
    else
        SCREE_TRY(scree__moments_new(&w.moments, job->cols, false, ops_of(job), job->threads, error));
    if (!w.scatter)
        SCREE_TRY(gather(&w, s, &f, error));
    f.in_float = !is_integer(job) && !is_sparse(job) && ops_of(job)->type == SCREE_F32;
    SCREE_TRY(scree__covariance_solve(job, &f, s, error));
done:
    scree__moments_free(w.moments);
    scree__integer_free(w.integer);
    scree__sparse_columns_free(w.columns);
    scree__sparse_scatter_free(w.scatter);
    scree__sparse_centring_clear(&w.centring);
    return status;
}

const scree__method scree__method_covariance = {
    .name = "covariance",
    .text = "eigenvectors of the covariance; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__TAKES_UNCENTRED,
    .cluster = SCREE__CLUSTER_SUMS,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
