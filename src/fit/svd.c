/* SPDX-License-Identifier: BSD-3-Clause */
/* Method svd (10.47–10.49): singular values of the centred data itself, λ = σ²/N; nothing is squared, so that small
 * ones keep their digits.
 *
 * N ≥ D: one pass of streaming QR (tsqr.c, 2ND² flops), then the SVD of the triangle R. N < D: QR of the D×N matrix Cᵀ
 * in memory, then the SVD of its triangle. The triangle goes to the one-sided Jacobi method (Drmač and Veselić 2008),
 * which finds tiny singular values to high relative accuracy where the columns, or rows, are only badly scaled. */

#include "fit/method.h"

#include "base/memory.h"
#include "fit/resident.h"
#include "kernel/blas.h"
#include "kernel/dependent.h"
#include "kernel/tsqr.h"

#include <math.h>
#include <string.h>

static const double ROUND_OFF = 0x1p-53;

static bool is_wide(const scree__job *job)
{
    return job->rows >= 0 && job->rows < job->cols;
}

static bool applicable(const scree__job *job, char *reason)
{
    return is_wide(job) || scree__job_has_squares(job, reason);
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const int64_t rows = scree__job_rows(job);
    const double n = (double)rows;
    const double d = (double)job->cols;
    const int64_t side = is_wide(job) ? rows : job->cols;
    const double small = (double)side;
    const int64_t triangle = 8 * 4 * side * side;
    entry->passes = 1;
    entry->flops = 2 * n * d * small + 30 * small * small * small;
    effort->alone += scree__estimate_jacobi(job->rates, small);
    if (is_wide(job)) {
        const double k = (double)scree__job_components(job, rows);
        scree__estimate_keeping(job->rates, effort, n, d, false);
        effort->alone += scree__estimate_qr(job->rates, (2 * n + 4 * k) * d * small, small);
    } else {
        effort->passing +=
            scree__estimate_centring(job->rates, n, d) + scree__estimate_qr(job->rates, 2 * n * d * small, small);
    }
    if (is_wide(job))
        entry->memory = scree__resident_memory(job, &scree__ops_f64) + triangle;
    else
        entry->memory = scree__tsqr_memory(job->cols, job->threads) +
                        scree__pass_memory(job->source, scree__tsqr_rows(job->cols)) + triangle;
    const int64_t kept = scree__job_components(job, rows);
    entry->memory += 8 * 2 * job->cols * kept + scree__solution_spare_memory(job, rows, kept);
}

/* σ and right (or left) singular vectors of the n×n triangle; both column-major. r is overwritten. */
static scree_status triangle_svd(double *r, int64_t n, double *sigma, double *left, double *right, scree_error *error)
{
    scree__blas_enter();
    int info = scree__dgejsv(n, n, r, n, sigma, left, n, right, n);
    scree__blas_leave();
    if (info != 0)
        return scree__blas_fail(info, "the singular value decomposition", n, error);
    return SCREE_OK;
}

/* λ, k by share, the next eigenvalue, and the bounds. Singular values carry a backward error δ of about the unit
 * round-off times ‖C‖, growing like the square root of the number of sums (Higham and Mary 2019; eight standard
 * deviations). By Weyl each λ = σ²/N is off by at most 2σδ/√N + δ², and ‖Su - λu‖ ≤ (σ_1 + σ)δ/√N. */
static scree_status settle(const scree__job *job, const double *sigma, int64_t n, scree__solution *s,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const double divisor = scree__job_divisor(job, s->weight);
    const double delta = 8 * sqrt((double)(s->rows > job->cols ? s->rows : job->cols)) * ROUND_OFF * sqrt(s->total);
    const double first = sigma[0] / sqrt(divisor);
    const double share = is_wide(job) ? job->share : scree__solution_share(s, job);
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
    s->passes = 1;
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

typedef struct work {
    const scree__job *job;
    scree__tsqr *tsqr;
} work;

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    scree_status status = scree__tsqr_add(w->tsqr, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

static scree_status run_tall(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    work w = {.job = job};
    double *mean;
    double *r;
    double *sigma = NULL;
    double *right = NULL;
    int64_t k;
    SCREE_TRY(scree__tsqr_new(&w.tsqr, d, job->threads, error));
    SCREE_TRY(scree__job_pass(job, 1, 1, scree__tsqr_rows(d), visit, &w, NULL, error));
    SCREE_TRY(scree__tsqr_finish(w.tsqr, &s->rows, &mean, &r, error));
    s->weight = scree__tsqr_weight(w.tsqr);
    uncentre(job, s, r, mean);
    SCREE_TRY(scree__job_settle(job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, job, k, error));
    memcpy(s->mean, mean, (size_t)d * sizeof *mean);
    SCREE_TRY(scale_triangle(job, r, s, error));
    SCREE_TRY(relate(job, r, s, error));
    SCREE_ALLOC(sigma, d, error);
    SCREE_ALLOC(right, d * d, error);
    SCREE_TRY(triangle_svd(r, d, sigma, NULL, right, error));
    SCREE_TRY(settle(job, sigma, d, s, error));
    memcpy(s->vectors, right, (size_t)(s->k * d) * sizeof *right);
    scree__solution_set_apart(s, job);
done:
    scree__tsqr_free(w.tsqr);
    free(sigma);
    free(right);
    return status;
}

/* N < D: the rows of C are the columns of a D×N column-major matrix. */
static scree_status run_wide(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    scree__resident x = {0};
    double *tau = NULL;
    double *r = NULL;
    double *sigma = NULL;
    double *left = NULL;
    SCREE_TRY(scree__resident_load(&x, job, &scree__ops_f64, s, error));
    double *c = (double *)(void *)x.data;
    const int64_t n = s->rows;
    if (n > d) { /* there were more rows than the estimate said */
        scree__resident_clear(&x);
        x = (scree__resident){0};
        scree__solution_clear(s);
        *s = (scree__solution){0};
        SCREE_TRY(run_tall(job, s, error));
        s->passes++;
        goto done;
    }
    SCREE_ALLOC(tau, n, error);
    SCREE_ALLOC(r, n * n, error);
    SCREE_ALLOC(sigma, n, error);
    SCREE_ALLOC(left, n * n, error);
    scree__blas_enter();
    int info = scree__dgeqrf(d, n, c, d, tau);
    for (int64_t j = 0; j < n; j++)
        memcpy(r + j * n, c + j * d, (size_t)(j + 1) * sizeof *r);
    if (info == 0)
        status = triangle_svd(r, n, sigma, left, NULL, error);
    else
        status = scree__blas_fail(info, "the QR factorisation of a matrix", n, error);
    if (status == SCREE_OK)
        status = settle(job, sigma, n, s, error);
    if (status == SCREE_OK) {
        for (int64_t j = 0; j < s->k; j++)
            memcpy(s->vectors + j * d, left + j * n, (size_t)n * sizeof *left);
        info = scree__dormqr('L', 'N', d, s->k, n, c, d, tau, s->vectors, d);
    }
    scree__blas_leave();
    if (status == SCREE_OK && info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition of a matrix", n, error));
done:
    scree__resident_clear(&x);
    free(tau);
    free(r);
    free(sigma);
    free(left);
    return status;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    return is_wide(job) ? run_wide(job, s, error) : run_tall(job, s, error);
}

const scree__method scree__method_svd = {
    .name = "svd",
    .text = "singular values of the rows themselves, which keep the digits of small eigenvalues; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__TAKES_UNCENTRED,
    .cluster = SCREE__CLUSTER_TRIANGLES,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
