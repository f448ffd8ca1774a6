/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotations of loadings: the best of several starts, and promax, which needs none (Hendrickson and White 1964).
 *
 *     varimax     orthogonal, max Σ_k [Σ_j b⁴ - (Σ_j b²)²/d]         Kaiser 1958
 *     quartimax   orthogonal, max Σ b⁴
 *     oblimin     oblique,    min Σ_{k<l} [Σ_j b²b² - γ/d Σ_j b² Σ_j b²]
 *     promax      oblique, U = (BᵀB)⁻¹Bᵀ(B|B|^(p-1)) of the varimax loadings B, columns scaled to factors of variance 1
 *
 * With Kaiser's normalisation rows are divided by their lengths before, so that columns of little variance in common
 * count like others; a row that is nothing but rounding stays 0. Promax takes its powers of loadings that are not
 * normalised, as R's does. Criteria have local optima: each start but the first is a random orthogonal matrix, and it
 * must be better by more than rounding to be taken. Starts are followed until they can be compared, and the best of
 * them to the end. */

#include "kernel/rotation.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double BETTER = 1e-6; /* criterion, relative: else it is the same optimum */

void scree__small_product(bool trans, int64_t n, int64_t p, int64_t q, const double *a, const double *b, double *c)
{
    scree__dgemm(trans, false, n, p, q, 1.0, a, trans ? n : q, b, p, 0.0, c, p);
}

/* A row by row is Aᵀ to LAPACK: Aᵀ = U S Vᵀ, so that A⁻¹ = U S⁻¹ Vᵀ. */
scree_status scree__small_inverse(const double *a, int64_t n, double *inverse, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *work = NULL;
    SCREE_ALLOC(work, 3 * n * n + n, error);
    double *u = work + n * n;
    double *vt = u + n * n;
    double *sigma = vt + n * n;
    memcpy(work, a, (size_t)(n * n) * sizeof *a);
    const int info = scree__dgesdd('A', n, n, work, n, sigma, u, n, vt, n);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "a rotation", n, error));
    if (!(sigma[n - 1] > (double)n * DBL_EPSILON * sigma[0]))
        SCREE_FAIL(error, SCREE_ERR_NUMERIC,
                   "the rotation makes two factors the same, so that it has no inverse; rotate fewer components");
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t l = 0; l < n; l++)
                sum += u[i + l * n] / sigma[l] * vt[l + j * n];
            inverse[i * n + j] = sum;
        }
done:
    free(work);
    return status;
}

/* Rows of length 1, or all divided by the longest; a row that is but rounding stays out. */
static void normalise(const scree__rotate *r, double *a)
{
    double most = 0;
    for (int64_t j = 0; j < r->d; j++) {
        double sum = 0;
        for (int64_t l = 0; l < r->k; l++)
            sum += r->a[j * r->k + l] * r->a[j * r->k + l];
        a[j * r->k] = sqrt(sum);
        most = fmax(most, a[j * r->k]);
    }
    for (int64_t j = 0; j < r->d; j++) {
        const double length = a[j * r->k];
        const bool nothing = length <= 16 * DBL_EPSILON * most;
        for (int64_t l = 0; l < r->k; l++)
            a[j * r->k + l] = nothing ? 0 : r->a[j * r->k + l] / (r->kaiser ? length : most);
    }
}

/* A random orthogonal matrix: normals, made orthonormal column by column, twice over. */
static void random_start(uint64_t seed, int64_t start, int64_t k, double *m)
{
    scree__normals(seed, (uint64_t)start, 0, k * k, m);
    for (int64_t i = 0; i < k; i++) {
        double *row = m + i * k;
        for (int64_t before = 0; before < 2 * i; before++) {
            const double *other = m + before % i * k;
            double dot = 0;
            for (int64_t j = 0; j < k; j++)
                dot += row[j] * other[j];
            for (int64_t j = 0; j < k; j++)
                row[j] -= dot * other[j];
        }
        double sum = 0;
        for (int64_t j = 0; j < k; j++)
            sum += row[j] * row[j];
        for (int64_t j = 0; j < k; j++)
            row[j] /= sqrt(sum);
    }
}

static scree_status follow(const scree__rotate *r, const double *a, bool rough, double *m, double *value, bool *fine,
                           scree_error *error)
{
    return r->method == SCREE__OBLIMIN ? scree__oblimin(r, a, rough, m, value, fine, error)
                                       : scree__orthomax(r, a, rough, m, value, fine, error);
}

static scree_status search(const scree__rotate *r, const double *a, double *best, bool *converged, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = r->k;
    const int64_t starts = k > 1 ? r->starts : 0;
    double *m = NULL;
    double least = INFINITY;
    bool fine = false;
    SCREE_ALLOC(m, k * k, error);
    for (int64_t start = 0; start <= starts; start++) {
        double value = 0;
        if (start > 0)
            random_start(r->seed, start, k, m);
        for (int64_t i = 0; start == 0 && i < k * k; i++)
            m[i] = i % (k + 1) == 0;
        SCREE_TRY(follow(r, a, starts > 0, m, &value, &fine, error));
        if (start > 0 && !(value < least - BETTER * (fabs(least) + 1e-300)))
            continue;
        least = value;
        *converged = fine;
        memcpy(best, m, (size_t)(k * k) * sizeof *m);
    }
    if (starts > 0)
        SCREE_TRY(follow(r, a, false, best, &least, converged, error));
done:
    free(m);
    return status;
}

/* m: of varimax; becomes that of promax. */
static scree_status promote(const scree__rotate *r, double *m, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t k = r->k;
    double *b = NULL;
    double *small = NULL;
    SCREE_ALLOC(b, 2 * r->d * k, error);
    SCREE_ALLOC(small, 3 * k * k, error);
    double *q = b + r->d * k;
    double *u = small + k * k;
    double *inverse = u + k * k;
    scree__small_product(false, r->d, k, k, r->a, m, b);
    for (int64_t i = 0; i < r->d * k; i++)
        q[i] = b[i] * pow(fabs(b[i]), r->power - 1);
    scree__small_product(true, k, k, r->d, b, b, small);
    SCREE_TRY(scree__small_inverse(small, k, inverse, error));
    scree__small_product(true, k, k, r->d, b, q, small);
    scree__small_product(false, k, k, k, inverse, small, u);
    SCREE_TRY(scree__small_inverse(u, k, inverse, error)); /* (UᵀU)⁻¹ = U⁻¹U⁻ᵀ */
    for (int64_t j = 0; j < k; j++) {
        double variance = 0;
        for (int64_t l = 0; l < k; l++)
            variance += inverse[j * k + l] * inverse[j * k + l];
        for (int64_t i = 0; i < k; i++)
            u[i * k + j] *= sqrt(variance);
    }
    scree__small_product(false, k, k, k, m, u, small);
    memcpy(m, small, (size_t)(k * k) * sizeof *m);
done:
    free(b);
    free(small);
    return status;
}

scree_status scree__rotate_run(const scree__rotate *rotate, double *m, bool *converged, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *a = NULL;
    scree__blas_enter();
    SCREE_TRY(scree__blas_reserve(1, error));
    SCREE_ALLOC(a, rotate->d * rotate->k, error);
    normalise(rotate, a);
    SCREE_TRY(search(rotate, a, m, converged, error));
    if (rotate->method == SCREE__PROMAX && rotate->k > 1)
        SCREE_TRY(promote(rotate, m, error));
done:
    scree__blas_leave();
    free(a);
    return status;
}
