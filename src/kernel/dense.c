/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of an explicit symmetric n×n matrix A, largest first.
 *
 * All, or a good part of them: LAPACK's divide and conquer, about 9n³ flops. A part: its relatively robust
 * representations, 4n³/3 flops for the tridiagonal form and 2n²k for the vectors. A few: block Lanczos on A, about 2n²b
 * flops a step, to round-off; narrow blocks need the fewest flops, and no more are spent than the tridiagonal form
 * would take. Then nothing may have been missed, which is proven (inertia.c). Where a spectrum is so flat that Lanczos
 * does not end, or the proof fails, the few are computed as a part. */

#include "kernel/dense.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/inertia.h"
#include "kernel/lanczos.h"

#include <math.h>
#include <string.h>

enum { ROW_TILE = 256, FEW_BLOCK = 8, FEW_BETWEEN = 5, FEW_FROM = 256 }; /* a look costs more than a step here */
enum { PART_FROM = 64, SLOW_FROM = 1500 }; /* from SLOW_FROM on a matrix leaves the cache, and so does reducing it */
static const double ROUND_OFF = 0x1p-53;

typedef struct dense {
    const double *a;
    int64_t n;
    int threads;
    /* The product at work. */
    const double *q;
    int64_t b;
    double *w;
    int info;
} dense;

bool scree__dense_is_few(int64_t n, int64_t k)
{
    return n >= FEW_FROM && k <= n / 8 && k + 3 * FEW_BLOCK <= n / 2;
}

/* Beyond a fourth the vectors cost more one by one than all together. */
static bool is_part(int64_t n, int64_t k)
{
    return n >= PART_FROM && k <= n / 4;
}

/* A few that cannot be proven are followed by a part, which takes less than all: the larger of both. */
int64_t scree__dense_memory(int64_t n, int64_t k)
{
    int64_t few = scree__lanczos_memory(n, scree__lanczos_basis(n, k, FEW_BLOCK), FEW_BLOCK) + 8 * n * (n + k);
    int64_t all = 8 * (3 * n * n + 2 * n * k);
    return scree__dense_is_few(n, k) && few > all ? few : all;
}

static void multiply_tile(void *context, int64_t index, int worker)
{
    dense *d = context;
    (void)worker;
    int64_t first = index * ROW_TILE;
    int64_t rows = d->n - first < ROW_TILE ? d->n - first : ROW_TILE;
    if (scree__dgemm(false, false, rows, d->b, d->n, 1, d->a + first * d->n, d->n, d->q, d->b, 0, d->w + first * d->b,
                     d->b) != 0)
        __atomic_store_n(&d->info, 1, __ATOMIC_RELAXED);
}

static scree_status multiply(void *context, const double *q, int64_t b, double *w, scree_error *error)
{
    dense *d = context;
    d->q = q;
    d->b = b;
    d->w = w;
    scree__blas_enter();
    scree__parallel(d->threads, (d->n + ROW_TILE - 1) / ROW_TILE, multiply_tile, d);
    scree__blas_leave();
    if (d->info != 0)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld",
                           (long long)d->n);
    return SCREE_OK;
}

/* residuals_j = ‖A u_j - θ_j u_j‖, summed in units of θ_1: squares of very large or small numbers do not exist. */
static scree_status residuals(dense *d, int64_t k, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double unit = result->values[0] > 0 ? result->values[0] : 1;
    double *q = scree__alloc_raw(2 * d->n * k, sizeof *q);
    double *w = q + d->n * k;
    if (!q)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld eigenvectors of order %lld cannot be checked",
                   (long long)k, (long long)d->n);
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j < k; j++)
            q[i * k + j] = result->vectors[j * d->n + i];
    SCREE_TRY(multiply(d, q, k, w, error));
    for (int64_t j = 0; j < k; j++)
        result->residuals[j] = 0;
    for (int64_t i = 0; i < d->n; i++) {
        for (int64_t j = 0; j < k; j++) {
            const double r = (w[i * k + j] - result->values[j] * q[i * k + j]) / unit;
            result->residuals[j] += r * r;
        }
    }
    for (int64_t j = 0; j < k; j++)
        result->residuals[j] = unit * sqrt(result->residuals[j]);
done:
    free(q);
    return status;
}

/* The fewest of the descending values that hold the share of their sum; at most k. */
static int64_t count_for_share(const double *values, int64_t n, int64_t k, double share)
{
    double total = 0;
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        total += fmax(values[i], 0);
    for (int64_t i = 0; i < k; i++) {
        sum += fmax(values[i], 0);
        if (sum >= share * total)
            return i + 1;
    }
    return k;
}

static scree_status full(dense *d, int64_t *k, double share, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = d->n;
    double *a = NULL;
    double *w = NULL;
    double *descending = NULL;
    SCREE_ALLOC(a, n * n, error);
    SCREE_ALLOC(w, n, error);
    SCREE_ALLOC(descending, n, error);
    memcpy(a, d->a, (size_t)(n * n) * sizeof *a);
    scree__blas_enter();
    int info = scree__dsyevd(n, a, n, w);
    scree__blas_leave();
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the eigendecomposition of a matrix of order %lld failed", (long long)n);
    for (int64_t i = 0; i < n; i++)
        descending[i] = fmax(w[n - 1 - i], 0);
    if (share > 0)
        *k = count_for_share(descending, n, *k, share);
    for (int64_t j = 0; j < *k; j++) {
        result->values[j] = descending[j];
        memcpy(result->vectors + j * n, a + (n - 1 - j) * n, (size_t)n * sizeof *a);
    }
    result->full = true;
    result->next = *k < n ? descending[*k] + 8 * sqrt((double)n) * ROUND_OFF * descending[0] : 0;
    if (result->spectrum)
        memcpy(result->spectrum, descending, (size_t)n * sizeof *w);
    SCREE_TRY(residuals(d, *k, result, error));
done:
    free(a);
    free(w);
    free(descending);
    return status;
}

/* A part of the spectrum, and one value more for the bound of the next. */
static scree_status part(dense *d, int64_t k, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = d->n;
    double *a = scree__alloc_raw(n * n, sizeof *a);
    double *vectors = scree__alloc_raw((k + 1) * n, sizeof *vectors);
    double *w = NULL;
    SCREE_ALLOC(w, n, error);
    if (!a || !vectors)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    memcpy(a, d->a, (size_t)(n * n) * sizeof *a);
    scree__blas_enter();
    int info = scree__dsyevr(n, a, n, k + 1, w, vectors, n);
    scree__blas_leave();
    if (info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the eigendecomposition of a matrix of order %lld failed", (long long)n);
    for (int64_t j = 0; j < k; j++) {
        result->values[j] = fmax(w[k - j], 0);
        memcpy(result->vectors + j * n, vectors + (k - j) * n, (size_t)n * sizeof *vectors);
    }
    result->next = fmax(w[0], 0) + 8 * sqrt((double)n) * ROUND_OFF * result->values[0];
    SCREE_TRY(residuals(d, k, result, error));
done:
    free(a);
    free(vectors);
    free(w);
    return status;
}

/* A few by Lanczos; *proven tells whether they can be trusted. */
static scree_status few(dense *d, int64_t k, scree__dense_result *result, bool *proven, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = d->n;
    double *work = scree__alloc_raw(n * n, sizeof *work);
    scree__operator op = {n, multiply, d};
    scree__lanczos_options options = {.k = k,
                                      .block = FEW_BLOCK,
                                      .basis = scree__lanczos_basis(n, k, FEW_BLOCK),
                                      .tolerance = 1e-13,
                                      .most = n / FEW_BLOCK / (n < SLOW_FROM ? 2 : 1),
                                      .between = FEW_BETWEEN,
                                      .seed = 1,
                                      .threads = d->threads};
    scree__lanczos_result found = {
        .values = result->values, .vectors = result->vectors, .residuals = result->residuals};
    scree__proof proof = {d->a, n, result->values, result->vectors, k, work, d->threads};
    if (!work)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    SCREE_TRY(scree__lanczos(&op, &options, &found, error));
    *proven = false;
    if (!found.converged)
        goto done;
    SCREE_TRY(residuals(d, k, result, error));
    const double slack = 4 * (double)n * ROUND_OFF * found.values[0];
    double tau = found.next + 2 * found.next_residual + slack;
    *proven = scree__others_below(&proof, tau, &result->next);
    if (!*proven) {
        tau = found.values[k - 1] + slack;
        *proven = scree__others_below(&proof, tau, &result->next);
    }
done:
    free(work);
    return status;
}

scree_status scree__dense_eigen(const double *a, int64_t n, int64_t *k, double share, int threads,
                                scree__dense_result *result, scree_error *error)
{
    dense d = {.a = a, .n = n, .threads = threads};
    bool proven = false;
    scree_status status = SCREE_OK;
    result->full = false;
    if (!(share > 0) && scree__dense_is_few(n, *k))
        status = few(&d, *k, result, &proven, error);
    if (status == SCREE_OK && !proven)
        status = share > 0 || !is_part(n, *k) ? full(&d, k, share, result, error) : part(&d, *k, result, error);
    return status;
}
