/* SPDX-License-Identifier: BSD-3-Clause */
/* The covariance of rows as they come, beside the chains, for as long as nothing is missing: when nothing is in the
 * end, the model is the closed form (10.78, 10.79) and no estimate. N D² flops; D×D doubles for each lane of the sums.
 */

#include "fit/online.h"

#include "base/memory.h"
#include "kernel/dense.h"
#include "kernel/moments.h"

#include <string.h>

struct scree__online_exact {
    const scree__job *job;
    scree__moments *moments;
};

int64_t scree__online_exact_rows(const scree__job *job)
{
    return scree__moments_rows(job->cols, false, &scree__ops_f64);
}

scree_status scree__online_exact_new(scree__online_exact **out, const scree__job *job, int64_t memory,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__online_exact *exact = NULL;
    char reason[256];
    if (!scree__job_has_squares(job, reason))
        return SCREE_OK;
    const int64_t wanted = scree__moments_memory(job->cols, false, &scree__ops_f64, job->threads) +
                           scree__dense_memory(job->cols, scree__job_components(job, job->cols));
    if (wanted > memory)
        return SCREE_OK;
    SCREE_ALLOC(exact, 1, error);
    exact->job = job;
    SCREE_TRY(scree__moments_new(&exact->moments, job->cols, false, &scree__ops_f64, job->threads, error));
    *out = exact;
    exact = NULL;
done:
    scree__online_exact_free(exact);
    return status;
}

scree_status scree__online_exact_add(scree__online_exact *exact, const scree__batch *batch, bool *added,
                                     scree_error *error)
{
    const scree__rows x = scree__batch_rows(batch);
    const scree_status status = scree__moments_add(exact->moments, &x, error);
    *added = status == SCREE_OK;
    return status == SCREE_ERR_MEMORY ? status : SCREE_OK;
}

scree_status scree__online_exact_finish(scree__online_exact *exact, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = exact->job;
    const int64_t d = job->cols;
    double *mean = NULL;
    double *scatter = NULL;
    int64_t k = 0;
    scree__moments_finish(exact->moments, &s->rows, &mean, &scatter);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc(s, job, k, error));
    memcpy(s->mean, mean, (size_t)d * sizeof *mean);
    s->weight = (double)s->rows;
    const double divisor = scree__job_divisor(job, s->weight);
    for (int64_t i = 0; i < d * d; i++)
        scatter[i] /= divisor;
    for (int64_t j = 0; j < d; j++)
        s->vectors[j] = scatter[j * (d + 1)]; /* not in use yet, and at least D long */
    SCREE_TRY(scree__solution_scale(s, job, s->vectors, error));
    s->total = 0;
    for (int64_t j = 0; j < d; j++)
        s->total += scatter[j * (d + 1)];
    s->rounding = scree__moments_rounding(exact->moments) * s->total;
    const scree__dense_options options = {.share = job->share, .threads = job->threads};
    scree__dense_result result = {.values = s->values, .vectors = s->vectors, .residuals = s->residuals};
    SCREE_TRY(scree__dense_eigen(scatter, d, &s->k, &options, &result, error));
    s->next = result.next;
    s->passes = 1;
    s->converged = true;
done:
    return status;
}

void scree__online_exact_free(scree__online_exact *exact)
{
    if (exact)
        scree__moments_free(exact->moments);
    free(exact);
}
