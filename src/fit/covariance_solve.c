/* SPDX-License-Identifier: BSD-3-Clause */
/* From the scatter of all rows to the eigenpairs of S, whoever has summed it: S is divided out, of the scaled columns,
 * and its eigenvectors are found by dense.c, or, of columns in very different units, by graded.c. D³ flops or less. */

#include "fit/solve.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/course.h"
#include "fit/stopping.h"
#include "kernel/dense.h"
#include "kernel/graded.h"

#include <math.h>
#include <string.h>

enum { TOP_FROM = 80 }; /* columns; of fewer, all to their own digits take no longer than a few */
static const double ROUND_OFF = 0x1p-53;
static const double TINY = 0x1p-1072; /* entries, sums of squares and products, may have underflown by as much */
static const double TOP = 1e-6;       /* of the first eigenvalue: rounding is beyond nine digits from here on */

typedef struct dividing {
    const scree__scattered *f;
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
static double to_covariance(const scree__scattered *f, int64_t d, const double *scale, int threads)
{
    double trace = 0;
    dividing all = {f, scale, d};
    if (f->divisor != 1 || scale)
        scree__parallel(scree__threads_for(threads, (double)(d * d)), d, divide_row, &all);
    for (int64_t i = 0; i < d; i++)
        trace += f->scatter[i * d + i];
    return trace;
}

static scree_status column_scale(const scree__job *job, const scree__scattered *f, scree__solution *s,
                                 scree_error *error)
{
    s->in_float = f->in_float;
    double *variances = s->vectors; /* not in use yet, and at least D long */
    for (int64_t j = 0; j < job->cols; j++)
        variances[j] = f->scatter[j * job->cols + j] / f->divisor;
    return scree__solution_scale(s, job, variances, error);
}

/* Where rows are not centred: the scatter about 0 is that about the mean and Nµµᵀ. */
static void uncentre(const scree__job *job, const scree__solution *s, scree__scattered *f)
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
static scree_status solve(const scree__job *job, const scree__scattered *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__course *course = scree__course_of(job->options->run);
    const scree__stopping stopping = scree__stopping_of(job, s, 1);
    const scree__dense_options options = {.share = scree__solution_share(s, job),
                                          .goal = scree__stopping_dense(&stopping, job->cols),
                                          .threads = job->threads,
                                          .watch = scree__course_part(course, "eigenvectors", 0, 1)};
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
static scree_status solve_graded(const scree__job *job, const scree__scattered *f, scree__solution *s,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    const double share = scree__solution_share(s, job);
    double sum = 0;
    scree__graded_result found = {.values = s->spectrum};
    found.vectors = scree__alloc_raw(d * d, sizeof *found.vectors);
    if (!found.vectors)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld eigenvectors cannot be kept", (long long)d);
    SCREE_ALLOC(s->errors, s->k, error);
    SCREE_TRY(scree__graded_eigen(f->scatter, d, job->threads, &found, error));
    const double relative = (double)d * (f->rounding + 16 * ROUND_OFF) / found.least + found.skew;
    s->rounding = (f->rounding + (double)(d + 16) * ROUND_OFF) * s->total + found.left; /* Cholesky and rotations */
    for (int64_t j = 0; j < s->k; j++) {
        s->values[j] = s->spectrum[j];
        s->errors[j] = fmin(relative * s->values[j], s->rounding) + (double)d * TINY;
        s->residuals[j] = 0;
        sum += s->values[j];
        if (share > 0 && sum >= share * s->total)
            s->k = j + 1;
    }
    memcpy(s->vectors, found.vectors, (size_t)(s->k * d) * sizeof *found.vectors);
    s->next = s->k < d ? s->spectrum[s->k] + fmin(relative * s->spectrum[s->k], s->rounding) : 0;
    s->spectrum_count = d;
    s->graded = true;
done:
    free(found.vectors);
    return status;
}

/* Whether components of columns in very different units may do without: a few, of columns as large as any. */
static bool is_top(const scree__job *job, const scree__scattered *f, const scree__solution *s)
{
    const int64_t d = job->cols;
    double most = 0;
    int64_t large = 0;
    if (d < TOP_FROM || s->k > d / 4 || scree__solution_share(s, job) > 0)
        return false;
    for (int64_t j = 0; j < d; j++)
        most = fmax(most, f->scatter[j * (d + 1)]);
    for (int64_t j = 0; j < d; j++)
        large += f->scatter[j * (d + 1)] >= TOP * most;
    return large > s->k;
}

/* Whether each of them, and the sum of all others, is large beside what rounding has hidden. */
static bool is_clear(const scree__solution *s)
{
    double rest = s->total;
    for (int64_t j = 0; j < s->k; j++)
        rest -= s->values[j];
    return fmin(s->values[s->k - 1], rest) >= TOP * s->values[0];
}

/* Of columns in very different units: the ordinary way, where that leaves what was asked for nine digits or more. */
static scree_status solve_uneven(const scree__job *job, const scree__scattered *f, scree__solution *s,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    bool clear = false;
    if (is_top(job, f, s)) {
        SCREE_TRY(solve(job, f, s, error));
        clear = is_clear(s);
    }
    if (!clear)
        SCREE_TRY(solve_graded(job, f, s, error));
done:
    return status;
}

scree_status scree__covariance_solve(const scree__job *job, scree__scattered *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t k;
    uncentre(job, s, f);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, job, k, error));
    memcpy(s->mean, f->mean, (size_t)job->cols * sizeof *s->mean);
    SCREE_TRY(column_scale(job, f, s, error));
    s->total = to_covariance(f, job->cols, s->scale, job->threads);
    if (s->scale)
        f->rounding += 2 * ROUND_OFF; /* a product, a quotient */
    SCREE_TRY(scree__solution_relate(s, job, f->scatter, error));
    SCREE_ALLOC(s->spectrum, job->cols, error);
    SCREE_TRY((scree__graded_is_worth(f->scatter, job->cols) ? solve_uneven : solve)(job, f, s, error));
    s->converged = true;
    scree__solution_set_apart(s, job);
done:
    return status;
}
