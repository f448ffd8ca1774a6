/* SPDX-License-Identifier: BSD-3-Clause */
/* From a sketch B of wide rows (kernel/sketch.c) to components: λ = σ²/N of B, of which the scatter S is off by a
 * positive semidefinite E of norm ε at most. So every eigenvalue lies between λ and λ + ε/N, and η gains ε/N: the
 * bounds on angles follow as ever (accuracy.c). Variances are exact. 2 D h² flops for h rows of B. */

#include "fit/solve.h"

#include "kernel/sketch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Where rows are not centred: B of one row more, √N µ. There is room for it. */
static void uncentre(const scree__job *job, const scree__solution *s, scree__sketched *f)
{
    const int64_t d = job->cols;
    if (!job->options->uncentred)
        return;
    for (int64_t j = 0; j < d; j++) {
        const double x = f->mean[j] * sqrt(s->weight);
        f->b[f->height * d + j] = x;
        f->squares[j] += x * x;
    }
    f->height++;
    memset(f->mean, 0, (size_t)d * sizeof *f->mean);
}

/* Columns of B, and the squares, divided by the scale; of what was cut the norm grows by the smallest. */
static scree_status scale_columns(const scree__job *job, scree__sketched *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    const double divisor = scree__job_divisor(job, s->weight);
    double least = HUGE_VAL;
    double *variances = NULL;
    SCREE_ALLOC(variances, d, error);
    for (int64_t j = 0; j < d; j++)
        variances[j] = f->squares[j] / divisor;
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    s->total = 0;
    for (int64_t j = 0; j < d; j++) {
        const double scale = s->scale ? s->scale[j] : 1;
        least = fmin(least, scale);
        f->squares[j] /= scale * scale;
        s->total += f->squares[j] / divisor;
        for (int64_t i = 0; i < f->height; i++)
            f->b[i * d + j] /= scale;
    }
    f->cut /= least * least;
done:
    free(variances);
    return status;
}

/* Only so many components as B has rows: fewer than were asked for are none. */
static scree_status limit(const scree__job *job, scree__solution *s, int64_t height, scree_error *error)
{
    if (s->k <= height)
        return SCREE_OK;
    if (!job->k_is_flexible)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %" PRId64 " components were asked for, but it keeps %" PRId64
                           " directions; ask for at most as many, or keep more by a larger rank",
                           job->source->about.path, s->k, height);
    s->spare = 0;
    s->k = height;
    return SCREE_OK;
}

/* What was cut may be part of the share. */
static scree_status check_share(const scree__job *job, const scree__solution *s, const double *sigma, int64_t height,
                                scree_error *error)
{
    double sum = 0;
    for (int64_t i = 0; i < height; i++)
        sum += sigma[i] * sigma[i] / scree__job_divisor(job, s->weight);
    if (!(sum < job->share * s->total * (1 - 1e-9)))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "%s: a share of %g was asked for, but what it keeps has %.3g of the variance; ask for less, or "
                       "keep more by a larger rank",
                       job->source->about.path, job->share, sum / s->total);
}

scree_status scree__sketch_solve(const scree__job *job, scree__sketched *f, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    double *sigma = NULL;
    int64_t k;
    uncentre(job, s, f);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    if (f->height < 1)
        SCREE_TRY(scree__job_constant(job, error));
    SCREE_TRY(scree__solution_alloc(s, job, k, error));
    memcpy(s->mean, f->mean, (size_t)d * sizeof *s->mean);
    SCREE_TRY(scale_columns(job, f, s, error));
    SCREE_TRY(limit(job, s, f->height, error));
    SCREE_ALLOC(sigma, f->height, error);
    const double lost = scree__sketch_lost(f->b, f->height, d, f->squares, f->cut) / scree__job_divisor(job, s->weight);
    SCREE_TRY(scree__sketch_svd(f->b, f->height, d, sigma, error));
    SCREE_TRY(check_share(job, s, sigma, f->height, error));
    SCREE_TRY(scree__svd_settle(job, sigma, f->height, job->share, s, error));
    memcpy(s->vectors, f->b, (size_t)(s->k * d) * sizeof *s->vectors);
    for (int64_t j = 0; j < s->k; j++)
        s->errors[j] += lost;
    s->rounding += lost;
    if (lost > 0) { /* small eigenvalues are not known, and the others not to all digits */
        s->spectrum_count = 0;
        s->graded = false;
    }
done:
    free(sigma);
    return status;
}
