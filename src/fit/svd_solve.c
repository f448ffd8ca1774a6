/* SPDX-License-Identifier: BSD-3-Clause */
/* From the triangle R of all centred rows to singular values and vectors, λ = σ²/N (10.47–10.49), whoever has folded
 * it. Columns are scaled within R. The one-sided Jacobi method (Drmač and Veselić 2008) keeps the digits of small ones;
 * 30 D³ flops. It is worth that where columns are short or in different units. Of others R itself is off by u‖R‖ in
 * each direction, and divide and conquer (dgesdd), which is off by as much, takes a fifth of the time. */

#include "fit/solve.h"

#include "base/memory.h"
#include "fit/course.h"
#include "kernel/blas.h"
#include "kernel/dependent.h"

#include <math.h>
#include <string.h>

static const double ROUND_OFF = 0x1p-53;
static const double UNEQUAL = 1e4; /* lengths of columns that are not 0 */

int64_t scree__triangle_memory(int64_t n)
{
    return 8 * (n > SCREE__TRIANGLE_FEW ? 8 : 4) * n * n;
}

/* Whether all columns of R are about as long. */
static bool is_even(const double *r, int64_t n)
{
    double least = HUGE_VAL;
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double length = 0;
        for (int64_t i = 0; i <= j; i++)
            length = hypot(length, r[j * n + i]);
        most = fmax(most, length);
        least = length > 0 ? fmin(least, length) : least;
    }
    return most <= UNEQUAL * least;
}

typedef struct triangle {
    double *r;
    int64_t n;
    double *sigma;
    double *left;
    double *right;
    double *rows; /* n×n, or NULL */
    int info;
} triangle;

/* By dgesdd: U comes in the place of R, and Vᵀ beside it. */
static void divide_and_conquer(triangle *t)
{
    const int64_t n = t->n;
    t->info = scree__dgesdd('O', n, n, t->r, n, t->sigma, NULL, n, t->rows, n);
    if (t->left)
        memcpy(t->left, t->r, (size_t)(n * n) * sizeof *t->left);
    for (int64_t j = 0; t->right && j < n; j++)
        for (int64_t i = 0; i < n; i++)
            t->right[j * n + i] = t->rows[i * n + j];
}

/* For scree__watch_while. */
static void decompose(void *context)
{
    triangle *t = context;
    scree__blas_enter();
    if (t->rows)
        divide_and_conquer(t);
    else
        t->info = scree__dgejsv(t->n, t->n, t->r, t->n, t->sigma, t->left, t->n, t->right, t->n);
    scree__blas_leave();
}

scree_status scree__triangle_svd(double *r, int64_t n, double *sigma, double *left, double *right, const scree_run *run,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__course *course = scree__course_of(run);
    const scree__watch watch = scree__course_part(course, "singular vectors", 0, 1);
    triangle t = {r, n, sigma, left, right, NULL, 0};
    if (n > SCREE__TRIANGLE_FEW && is_even(r, n))
        SCREE_ALLOC(t.rows, n * n, error);
    SCREE_TRY(scree__watch_while(&watch, course ? course->rest_seconds : 0, decompose, &t, error));
    if (t.info != 0)
        SCREE_TRY(scree__blas_fail(t.info, "the singular value decomposition", n, error));
done:
    free(t.rows);
    return status;
}

/* λ, k by share, the next eigenvalue, and the bounds. Singular values carry a backward error δ of about the unit
 * round-off times ‖C‖, growing like the square root of the number of sums (Higham and Mary 2019; eight standard
 * deviations). By Weyl each λ = σ²/N is off by at most 2σδ/√N + δ², and ‖Su - λu‖ ≤ (σ_1 + σ)δ/√N. */
scree_status scree__svd_settle(const scree__job *job, const double *sigma, int64_t n, double share, scree__solution *s,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const double divisor = scree__job_divisor(job, s->weight);
    const double delta = 8 * sqrt((double)(s->rows > job->cols ? s->rows : job->cols)) * ROUND_OFF * sqrt(s->total);
    const double first = sigma[0] / sqrt(divisor);
    double sum = 0;
    SCREE_ALLOC(s->errors, s->k, error);
    for (int64_t j = 0; j < s->k; j++) {
        const double root = sigma[j] / sqrt(divisor);
        s->values[j] = root * root;
        s->errors[j] = (2 * root + delta) * delta;
        s->residuals[j] = (first + root + delta) * delta;
        sum += s->values[j];
        if (share > 0 && sum >= share * s->total)
            s->k = j + 1;
    }
    SCREE_ALLOC(s->spectrum, n, error);
    for (int64_t j = 0; j < n; j++)
        s->spectrum[j] = sigma[j] / sqrt(divisor) * (sigma[j] / sqrt(divisor));
    s->spectrum_count = n;
    const double next = s->k < n ? sigma[s->k] / sqrt(divisor) + delta : 0;
    s->next = next * next;
    s->converged = true;
    s->graded = true;
done:
    return status;
}

/* Columns of R divided by the scale, once it is known from R itself: ‖R e_j‖² = N variance_j. */
static scree_status scale_triangle(const scree__job *job, double *r, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    double *variances = NULL;
    SCREE_ALLOC(variances, d, error);
    for (int64_t j = 0; j < d; j++) {
        for (int64_t i = 0; i <= j; i++)
            variances[j] += r[j * d + i] * r[j * d + i];
        variances[j] /= scree__job_divisor(job, s->weight);
    }
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    s->total = 0;
    for (int64_t j = 0; j < d; j++) {
        const double scale = s->scale ? s->scale[j] : 1;
        s->total += variances[j] / (scale * scale);
        for (int64_t i = 0; i <= j; i++)
            r[j * d + i] /= scale;
    }
done:
    free(variances);
    return status;
}

/* Where rows are not centred: R of one row more, √N µ, which plane rotations fold into the triangle. */
static void uncentre(const scree__job *job, const scree__solution *s, double *r, double *mean)
{
    const int64_t d = job->cols;
    if (!job->options->uncentred)
        return;
    for (int64_t j = 0; j < d; j++)
        mean[j] *= sqrt(s->weight);
    for (int64_t i = 0; i < d; i++) {
        const double length = hypot(r[i * d + i], mean[i]);
        const double cosine = length > 0 ? r[i * d + i] / length : 1;
        const double sine = length > 0 ? mean[i] / length : 0;
        for (int64_t j = i; j < d; j++) {
            const double above = r[j * d + i];
            r[j * d + i] = cosine * above + sine * mean[j];
            mean[j] = cosine * mean[j] - sine * above;
        }
    }
    memset(mean, 0, (size_t)d * sizeof *mean);
}

/* Relations between columns, from S = RᵀR/N. */
static scree_status relate(const scree__job *job, const double *r, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    double *covariance = NULL;
    if (d > SCREE__DEPENDENT_MOST)
        return SCREE_OK;
    SCREE_ALLOC(covariance, d * d, error);
    for (int64_t j = 0; j < d; j++)
        for (int64_t k = 0; k <= j; k++) {
            double sum = 0;
            for (int64_t i = 0; i <= k; i++)
                sum += r[j * d + i] * r[k * d + i];
            covariance[j * d + k] = covariance[k * d + j] = sum / scree__job_divisor(job, s->weight);
        }
    SCREE_TRY(scree__solution_relate(s, job, covariance, error));
done:
    free(covariance);
    return status;
}

scree_status scree__svd_solve(const scree__job *job, double *mean, double *r, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    double *sigma = NULL;
    double *right = NULL;
    int64_t k;
    uncentre(job, s, r, mean);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, job, k, error));
    memcpy(s->mean, mean, (size_t)d * sizeof *s->mean);
    SCREE_TRY(scale_triangle(job, r, s, error));
    SCREE_TRY(relate(job, r, s, error));
    SCREE_ALLOC(sigma, d, error);
    SCREE_ALLOC(right, d * d, error);
    SCREE_TRY(scree__triangle_svd(r, d, sigma, NULL, right, job->options->run, error));
    SCREE_TRY(scree__svd_settle(job, sigma, d, scree__solution_share(s, job), s, error));
    memcpy(s->vectors, right, (size_t)(s->k * d) * sizeof *right);
    scree__solution_set_apart(s, job);
done:
    free(sigma);
    free(right);
    return status;
}
