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

#include "base/memory.h"
#include "base/threads.h"
#include "fit/reduce.h"
#include "fit/solve.h"
#include "kernel/dense.h"
#include "kernel/graded.h"
#include "kernel/integer.h"
#include "kernel/moments.h"
#include "kernel/sparse_columns.h"
#include "kernel/sparse_scatter.h"

#include <string.h>

static const double ROUND_OFF = 0x1p-53;
static const double WORTH_WAKING = 1e7; /* multiplications, some 300 µs of one thread */

/* One of the sums. */
typedef struct work {
    const scree__job *job;
    scree__moments *moments;
    scree__integer *integer;
    scree__sparse_columns *columns; /* of sparse rows, in a first pass, */
    scree__sparse_centring centring;
    scree__sparse_scatter *scatter; /* and in a second one */
    scree__parcel_shape shape;      /* of what ranges of rows come to, where several processes share them: */
    scree__team_tree *tree;
    double *mean; /* D each */
    double *rest;
    int64_t rows; /* of the range at work */
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
    return job->source->sparse && (job->source->can & SCREE__CAN_REWIND) && !job->team &&
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

/* Summing rows is worth waking others for sooner than what comes after it: it is one loop, and waits for nobody. */
static int summing_threads(const scree__job *job)
{
    const double products = (double)scree__job_rows(job) * (double)job->cols * (double)job->cols;
    return products < WORTH_WAKING || job->allowed < job->threads ? job->threads : job->allowed;
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
                                           : scree__moments_memory(job->cols, false, ops, summing_threads(job));
    const int64_t computed = job->share > 0 ? job->cols : k; /* all are computed where a share decides */
    const int64_t dense = scree__dense_memory(job->cols, computed);
    const int64_t graded = scree__graded_memory(job->cols);
    entry->memory = sums +
                    (is_sparse(job) ? scree__pass_memory_sparse : scree__pass_memory)(job->source, batch_rows(job)) +
                    (dense > graded ? dense : graded) + 16 * k * job->cols +
                    scree__solution_spare_memory(job, scree__job_rows(job), k) +
                    (job->team ? 8 * scree__team_tree_doubles(job->team, job->cols * job->cols) : 0);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    w->rows += x.rows;
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

/* Scatter and mean of all rows. */
static scree_status gather(work *w, scree__solution *s, scree__scattered *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    int64_t k;
    const scree__reading reading = {.pass = 1,
                                    .passes = 1,
                                    .batch_rows = batch_rows(job),
                                    .several = !w->integer,
                                    .visit = visit,
                                    .context = w,
                                    .move = move};
    SCREE_TRY(scree__job_read(job, &reading, &s->rows, error));
    if (w->integer)
        SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    if (w->integer)
        scree__integer_finish(w->integer, s->rows - job->options->ddof, &f->mean, &f->scatter);
    else
        scree__moments_finish(w->moments, &s->rows, &f->mean, &f->scatter);
    s->weight = w->integer ? (double)s->rows : scree__moments_weight(w->moments);
    f->divisor = w->integer ? 1 : scree__job_divisor(job, s->weight); /* integers are divided before they are rounded */
    f->rounding = w->integer ? ROUND_OFF : scree__moments_rounding(w->moments);
done:
    return status;
}

/* What the integers of a range come to. */
static void tally_integers(work *w, double *mean, scree__tally *tally)
{
    double *lent = NULL;
    double *scatter = NULL;
    const int64_t d = w->shape.cols;
    scree__integer_finish(w->integer, 1, &lent, &scatter);
    memcpy(mean, lent, (size_t)d * sizeof *mean);
    for (int64_t j = 0; j < d; j++)
        tally->lost += 2 * ROUND_OFF * scatter[j * d + j];
    tally->matrix = scatter;
}

/* A range has ended; one without rows comes to nothing. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree__tally tally = {.rows = w->rows, .weight = (double)w->rows, .mean = w->mean, .rest = w->rest};
    double *parcel = w->rows > 0 ? scree__team_tree_room(w->tree) : NULL;
    if (w->rows > 0 && !parcel)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a scatter of %lld columns is too large",
                   (long long)w->shape.cols);
    if (w->rows > 0 && w->integer)
        tally_integers(w, w->mean, &tally);
    else if (w->rows > 0)
        scree__moments_end(w->moments, w->mean, w->rest, &tally);
    if (w->rows > 0)
        scree__parcel_fill_upper(&w->shape, &tally, parcel);
    if (w->moments && w->rows > 0)
        scree__moments_restart(w->moments);
    scree__integer_free(w->integer);
    w->integer = NULL;
    if (!w->moments)
        SCREE_TRY(scree__integer_new(&w->integer, w->shape.cols, w->job->threads, NULL, error));
    w->rows = 0;
    SCREE_TRY(scree__team_tree_add(w->tree, error));
done:
    return status;
}

/* The same by several processes. */
static scree_status gather_together(work *w, scree__solution *s, scree__scattered *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const int64_t d = job->cols;
    scree_source *part = NULL;
    scree__job mine;
    double *parcel = NULL;
    const scree__range_visits visits = {.visit = visit, .ended = ended, .context = w, .several = !w->integer};
    w->shape = (scree__parcel_shape){d, d * d, job->threads};
    SCREE_ALLOC(w->mean, d, error);
    SCREE_ALLOC(w->rest, d, error);
    SCREE_TRY(scree__team_tree_new(&w->tree, job->team, scree__parcel_doubles(&w->shape), scree__parcel_join_scatters,
                                   &w->shape, error));
    status = scree__job_share(&mine, &part, job, error);
    w->job = &mine;
    if (status == SCREE_OK)
        status = scree__job_pass_ranges(&mine, 1, 1, batch_rows(job), &visits, NULL, error);
    w->job = job;
    SCREE_TRY(scree__team_tree_finish(w->tree, status, job->gap, &parcel, error));
    scree__parcel_mirror(&w->shape, parcel);
    const scree__tally all = scree__parcel_tally(&w->shape, parcel);
    s->rows = all.rows;
    s->weight = all.weight;
    f->mean = scree__parcel_mean(&w->shape, parcel);
    f->scatter = scree__parcel_matrix(&w->shape, parcel);
    f->divisor = scree__job_divisor(job, s->weight);
    double trace = 0;
    for (int64_t j = 0; j < d; j++)
        trace += f->scatter[j * d + j];
    f->rounding = trace > 0 ? all.lost / trace : 0;
done:
    scree_source_free(part);
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
        SCREE_TRY(scree__moments_new(&w.moments, job->cols, false, ops_of(job), summing_threads(job), error));
    if (w.moments && job->team)
        scree__moments_expect(w.moments, scree__team_range_rows(job->team));
    if (!w.scatter)
        SCREE_TRY((job->team ? gather_together : gather)(&w, s, &f, error));
    f.in_float = !is_integer(job) && !is_sparse(job) && ops_of(job)->type == SCREE_F32;
    SCREE_TRY(scree__covariance_solve(job, &f, s, error));
done:
    scree__moments_free(w.moments);
    scree__integer_free(w.integer);
    scree__sparse_columns_free(w.columns);
    scree__sparse_scatter_free(w.scatter);
    scree__sparse_centring_clear(&w.centring);
    scree__team_tree_free(w.tree);
    free(w.mean);
    free(w.rest);
    return status;
}

const scree__method scree__method_covariance = {
    .name = "covariance",
    .text = "eigenvectors of the covariance; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__TAKES_UNCENTRED,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
