/* SPDX-License-Identifier: BSD-3-Clause */
/* Method covariance: S = (1/N) Σ (x-µ)(x-µ)ᵀ (10.1) in one pass, then its eigenvectors (10.2–10.6).
 *
 * N D² flops and one read of the data; D×D doubles of memory for each lane (moments.c) and one more for S. Eigenvalues
 * below the unit round-off times tr S are lost in S itself: the svd method keeps them. */

#include "fit/job.h"

#include "kernel/dense.h"
#include "kernel/moments.h"

#include <math.h>

typedef struct work {
    const scree__job *job;
    scree__moments *moments;
} work;

static const scree__ops *ops_of(const scree__job *job)
{
    return scree__job_ops(job, (double)scree__job_rows(job) * (double)job->cols * (double)job->cols);
}

static bool applicable(const scree__job *job, char *reason)
{
    return scree__job_has_squares(job, reason);
}

static void cost(const scree__job *job, scree_plan_entry *entry)
{
    const scree__ops *ops = ops_of(job);
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    const int64_t k = scree__job_components(job, scree__job_rows(job));
    const double kd = (double)k;
    bool few = !(job->share > 0) && scree__dense_is_few(job->cols, k);
    entry->passes = 1;
    const double solving = few ? 2 * d * d * 15 * kd + d * d * d / 3 : 9 * d * d * d;
    entry->flops = n * d * d + solving;
    entry->seconds = scree__job_seconds(ops, n * d * d) + scree__job_seconds(&scree__ops_f64, solving);
    entry->memory = scree__moments_memory(job->cols, false, ops, job->threads) +
                    scree__pass_memory(job->source, scree__moments_rows(job->cols, false, ops)) +
                    scree__dense_memory(job->cols, k) + 16 * k * job->cols;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    scree_status status = scree__moments_add(w->moments, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

/* scatter (D×D) becomes S of the scaled columns; its trace. */
static double to_covariance(double *scatter, int64_t d, double divisor, const double *scale)
{
    double trace = 0;
    for (int64_t i = 0; i < d; i++) {
        for (int64_t j = 0; j < d; j++)
            scatter[i * d + j] /= scale ? divisor * scale[i] * scale[j] : divisor;
        trace += scatter[i * d + i];
    }
    return trace;
}

static scree_status column_scale(const scree__job *job, const double *scatter, scree__solution *s, scree_error *error)
{
    double *variances = s->vectors; /* not in use yet, and at least D long */
    for (int64_t j = 0; j < job->cols; j++)
        variances[j] = scatter[j * job->cols + j] / scree__job_divisor(job, s->rows);
    return scree__solution_scale(s, job, variances, error);
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ops *ops = ops_of(job);
    work w = {.job = job};
    double *mean;
    double *scatter;
    int64_t k;
    SCREE_TRY(scree__moments_new(&w.moments, job->cols, false, ops, job->threads, error));
    SCREE_TRY(scree__job_pass(job, 1, 1, scree__moments_rows(job->cols, false, ops), visit, &w, NULL, error));
    scree__moments_finish(w.moments, &s->rows, &mean, &scatter);
    SCREE_TRY(scree__reduce_moments(job->reduce, &s->rows, mean, scatter, job->cols, false, error));
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc(s, job, k, error));
    for (int64_t j = 0; j < job->cols; j++)
        s->mean[j] = mean[j];
    SCREE_TRY(column_scale(job, scatter, s, error));
    s->total = to_covariance(scatter, job->cols, scree__job_divisor(job, s->rows), s->scale);
    s->rounding = scree__moments_rounding(w.moments) * s->total;
    scree__dense_result found = {.values = s->values, .vectors = s->vectors, .residuals = s->residuals};
    SCREE_TRY(scree__dense_eigen(scatter, job->cols, &s->k, job->share, job->threads, &found, error));
    s->next = found.next;
    s->passes = 1;
    s->converged = true;
done:
    scree__moments_free(w.moments);
    return status;
}

const scree__method scree__method_covariance = {"covariance", applicable, cost, run};
