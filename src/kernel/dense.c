/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of an explicit symmetric n×n matrix A, largest first.
 *
 * All, or a good part of them: LAPACK's divide and conquer, about 9n³ flops. A few: block Lanczos on A, about 2n²b
 * flops a step, to round-off; narrow blocks need the fewest flops, and no more than 2n³ are spent. Then nothing may
 * have been missed, which is proven: if τI - A + UΘUᵀ has a Cholesky factor, every eigenvalue beside the k found lies
 * below τ (Sylvester's law of inertia; n³/3 flops). Where the proof fails, the whole spectrum is computed after all. */

#include "kernel/dense.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/cholesky.h"
#include "kernel/lanczos.h"

#include <math.h>
#include <string.h>

enum { ROW_TILE = 256, FEW_BLOCK = 8, FEW_BETWEEN = 5, FEW_FROM = 256 }; /* a look costs more than a step here */
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

/* A few that cannot be proven are followed by all: the larger of both. */
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

/* residuals_j = ‖A u_j - θ_j u_j‖. */
static scree_status residuals(dense *d, int64_t k, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *q = NULL;
    double *w = NULL;
    SCREE_ALLOC(q, d->n * k, error);
    SCREE_ALLOC(w, d->n * k, error);
    for (int64_t i = 0; i < d->n; i++)
        for (int64_t j = 0; j < k; j++)
            q[i * k + j] = result->vectors[j * d->n + i];
    SCREE_TRY(multiply(d, q, k, w, error));
    for (int64_t j = 0; j < k; j++) {
        double norm = 0; /* hypot: squares of very large or small numbers do not exist */
        for (int64_t i = 0; i < d->n; i++) {
            double r = w[i * k + j] - result->values[j] * q[i * k + j];
            norm = hypot(norm, r);
        }
        result->residuals[j] = norm;
    }
done:
    free(q);
    free(w);
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

typedef struct shifted {
    const dense *d;
    double tau;
    const double *scaled; /* k×n: √θ_j u_j */
    int64_t k;
    double *out;
} shifted;

/* Task: a band of rows of τI - A + UΘUᵀ. */
static void shift_band(void *context, int64_t index, int worker)
{
    shifted *s = context;
    const int64_t n = s->d->n;
    const int64_t first = index * ROW_TILE;
    const int64_t rows = n - first < ROW_TILE ? n - first : ROW_TILE;
    (void)worker;
    for (int64_t i = first; i < first + rows; i++) {
        for (int64_t j = 0; j < n; j++)
            s->out[i * n + j] = -s->d->a[i * n + j];
        s->out[i * n + i] += s->tau;
    }
    if (scree__dgemm(true, false, rows, n, s->k, 1, s->scaled + first, n, s->scaled, n, 1, s->out + first * n, n) != 0)
        s->out[first * (n + 1)] = -1; /* not positive definite then */
}

/* Whether every eigenvalue beside the k found lies below tau. work: n×n. */
static bool is_proven(const dense *d, int64_t k, const scree__dense_result *result, double tau, double *work)
{
    const int64_t n = d->n;
    double *scaled = scree__alloc_raw(k * n, sizeof *scaled);
    shifted s = {d, tau, scaled, k, work};
    if (!scaled)
        return false;
    for (int64_t j = 0; j < k; j++)
        for (int64_t i = 0; i < n; i++)
            scaled[j * n + i] = sqrt(result->values[j]) * result->vectors[j * n + i];
    scree__blas_enter();
    scree__parallel(d->threads, (n + ROW_TILE - 1) / ROW_TILE, shift_band, &s);
    scree__blas_leave();
    free(scaled);
    return scree__cholesky(work, n, d->threads);
}

/* What rounding may hide from a factorisation that succeeds: (n+1)u tr(τI - A + UΘUᵀ) in the factor (Rump 2006), and
 * (k+2)u ΣΘ in forming UΘUᵀ. */
static double doubt(const dense *d, int64_t k, const scree__dense_result *result, double tau)
{
    double trace = (double)d->n * tau;
    double kept = 0;
    for (int64_t i = 0; i < d->n; i++)
        trace -= d->a[i * (d->n + 1)];
    for (int64_t j = 0; j < k; j++)
        kept += result->values[j];
    return ROUND_OFF * ((double)(d->n + 1) * fmax(trace + kept, 0) + (double)(k + 2) * kept);
}

/* A few by Lanczos; *proven tells whether they can be trusted. */
static scree_status few(dense *d, int64_t k, scree__dense_result *result, bool *proven, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = d->n;
    double *work = NULL;
    scree__operator op = {n, multiply, d};
    scree__lanczos_options options = {.k = k,
                                      .block = FEW_BLOCK,
                                      .basis = scree__lanczos_basis(n, k, FEW_BLOCK),
                                      .tolerance = 1e-13,
                                      .most = n / FEW_BLOCK,
                                      .between = FEW_BETWEEN,
                                      .seed = 1,
                                      .threads = d->threads};
    scree__lanczos_result found = {
        .values = result->values, .vectors = result->vectors, .residuals = result->residuals};
    SCREE_ALLOC(work, n * n, error);
    SCREE_TRY(scree__lanczos(&op, &options, &found, error));
    SCREE_TRY(residuals(d, k, result, error));
    const double slack = 4 * (double)n * ROUND_OFF * found.values[0];
    double tau = found.next + 2 * found.next_residual + slack;
    *proven = found.converged && is_proven(d, k, result, tau, work);
    if (!*proven && found.converged) {
        tau = found.values[k - 1] + slack;
        *proven = is_proven(d, k, result, tau, work);
    }
    result->next = tau + doubt(d, k, result, tau);
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
        status = full(&d, k, share, result, error);
    return status;
}
