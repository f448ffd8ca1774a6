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
#include "fit/stopping.h"
#include "kernel/dense.h"
#include "kernel/graded.h"
#include "kernel/integer.h"
#include "kernel/moments.h"
#include "kernel/sparse_columns.h"
#include "kernel/sparse_scatter.h"

#include <math.h>
#include <string.h>

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

/* What the pass has found. */
typedef struct found {
    double *mean;
    double *scatter;
    double divisor;  /* that still divides scatter */
    double rounding; /* of S, over its trace */
} found;

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
    return job->source->sparse && (job->source->can & SCREE__CAN_REWIND) &&
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

typedef struct dividing {
    const found *f;
    const double *scale;
    int64_t d;
} dividing;

/* Task: a row of the scatter becomes one of S, of the scaled columns. */
static void divide_row(void *context, int64_t i, int worker)
{
    const dividing *all = context;
    double *row = all->f->scatter + i * all->d;
    (void)worker;
    for (int64_t j = 0; j < all->d; j++)
        row[j] /= all->scale ? all->f->divisor * all->scale[i] * all->scale[j] : all->f->divisor;
}

/* scatter (D×D) becomes S of the scaled columns; its trace. */
static double to_covariance(const found *f, int64_t d, const double *scale, int threads)
{
    double trace = 0;
    dividing all = {f, scale, d};
    if (f->divisor != 1 || scale)
        scree__parallel(scree__threads_for(threads, (double)(d * d)), d, divide_row, &all);
    for (int64_t i = 0; i < d; i++)
        trace += f->scatter[i * d + i];
    return trace;
}

static scree_status column_scale(const scree__job *job, const found *f, scree__solution *s, scree_error *error)
{
    s->in_float = !is_integer(job) && !is_sparse(job) && ops_of(job)->type == SCREE_F32;
    double *variances = s->vectors; /* not in use yet, and at least D long */
    for (int64_t j = 0; j < job->cols; j++)
        variances[j] = f->scatter[j * job->cols + j] / f->divisor;
    return scree__solution_scale(s, job, variances, error);
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

/* Scatter and mean of sparse rows, in two passes. */
static scree_status gather_sparse(work *w, scree__solution *s, found *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job = *w->job;
    scree__sparse_found columns;
    job.takes_sparse = true;
    SCREE_TRY(scree__sparse_columns_new(&w->columns, job.cols, job.threads, error));
    SCREE_TRY(scree__job_pass_several(&job, 1, 2, scree__sparse_columns_rows(job.cols), visit_columns, w, NULL, error));
    scree__sparse_columns_finish(w->columns, &columns);
    SCREE_TRY(scree__sparse_centring_init(&w->centring, job.cols, columns.mean, columns.present, columns.weight, NULL,
                                          error));
    SCREE_TRY(scree__sparse_scatter_new(&w->scatter, &w->centring, job.threads, error));
    SCREE_TRY(scree__job_pass_several(&job, 2, 2, SCREE__SPARSE_SCATTER_ROWS, visit_entries, w, NULL, error));
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
static scree_status gather(work *w, scree__solution *s, found *f, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const bool exact = w->integer && job->reduce == &scree__reduce_local;
    scree__counted counted;
    int64_t k;
    SCREE_TRY((w->integer ? scree__job_pass : scree__job_pass_several)(job, 1, 1, batch_rows(job), visit, w, &s->rows,
                                                                       error));
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

/* Where rows are not centred: the scatter about 0 is that about the mean and Nµµᵀ. */
static void uncentre(const scree__job *job, const scree__solution *s, found *f)
{
    const int64_t d = job->cols;
    const double share = s->weight * f->divisor / scree__job_divisor(job, s->weight);
    if (!job->options->uncentred)
        return;
    for (int64_t i = 0; i < d; i++)
        for (int64_t j = 0; j < d; j++)
            f->scatter[i * d + j] += share * f->mean[i] * f->mean[j];
    memset(f->mean, 0, (size_t)d * sizeof *f->mean);
    f->rounding += 4 * ROUND_OFF;
}

/* Few eigenvectors of S, or all. */
static scree_status solve(const scree__job *job, const found *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__stopping stopping = scree__stopping_of(job, s, 1);
    const scree__dense_options options = {.share = scree__solution_share(s, job),
                                          .goal = scree__stopping_dense(&stopping, job->cols),
                                          .threads = job->threads};
    scree__dense_result result = {
        .values = s->values, .vectors = s->vectors, .residuals = s->residuals, .spectrum = s->spectrum};
    SCREE_TRY(scree__dense_eigen(f->scatter, job->cols, &s->k, &options, &result, error));
    s->next = result.next;
    s->spectrum_count = result.has_spectrum ? job->cols : 0;
    s->squares = result.squares;
    s->rounding = f->rounding * s->total + result.rounding;
    if (result.early)
        s->stop_rule = stopping.rule;
done:
    return status;
}

/* The same of columns in very different units. What S is off by, and the solver, is relative to each column. */
static scree_status solve_graded(const scree__job *job, const found *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    const double share = scree__solution_share(s, job);
    double *vectors = NULL;
    double least;
    double sum = 0;
    SCREE_ALLOC(vectors, d * d, error);
    SCREE_ALLOC(s->errors, s->k, error);
    SCREE_TRY(scree__graded_eigen(f->scatter, d, s->spectrum, vectors, &least, error));
    const double relative = (double)d * (f->rounding + 16 * ROUND_OFF) / least;
    s->rounding = (f->rounding + (double)(d + 16) * ROUND_OFF) * s->total; /* Cholesky and Jacobi, as in dense.c */
    for (int64_t j = 0; j < s->k; j++) {
        s->values[j] = s->spectrum[j];
        s->errors[j] = fmin(relative * s->values[j], s->rounding);
        s->residuals[j] = 0;
        sum += s->values[j];
        if (share > 0 && sum >= share * s->total)
            s->k = j + 1;
    }
    memcpy(s->vectors, vectors, (size_t)(s->k * d) * sizeof *vectors);
    s->next = s->k < d ? s->spectrum[s->k] + fmin(relative * s->spectrum[s->k], s->rounding) : 0;
    s->spectrum_count = d;
    s->graded = true;
done:
    free(vectors);
    return status;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job};
    found f;
    int64_t k;
    s->passes = 1;
    if (is_sparse(job))
        SCREE_TRY(gather_sparse(&w, s, &f, error));
    else if (is_integer(job))
        SCREE_TRY(scree__integer_new(&w.integer, job->cols, job->threads, NULL, error));
    else
        SCREE_TRY(scree__moments_new(&w.moments, job->cols, false, ops_of(job), job->threads, error));
    if (!w.scatter)
        SCREE_TRY(gather(&w, s, &f, error));
    uncentre(job, s, &f);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, job, k, error));
    memcpy(s->mean, f.mean, (size_t)job->cols * sizeof *s->mean);
    SCREE_TRY(column_scale(job, &f, s, error));
    s->total = to_covariance(&f, job->cols, s->scale, job->threads);
    if (s->scale)
        f.rounding += 2 * ROUND_OFF; /* a product, a quotient */
    SCREE_TRY(scree__solution_relate(s, job, f.scatter, error));
    SCREE_ALLOC(s->spectrum, job->cols, error);
    SCREE_TRY((scree__graded_is_worth(f.scatter, job->cols) ? solve_graded : solve)(job, &f, s, error));
    s->converged = true;
    scree__solution_set_apart(s, job);
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
