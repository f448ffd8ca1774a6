/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of an explicit symmetric n×n matrix A, largest first.
 *
 * All, or a good part of them: LAPACK's divide and conquer, about 9n³ flops. A part: its relatively robust
 * representations, 4n³/3 flops for the tridiagonal form and 2n²k for the vectors. A few: block Lanczos on A, to
 * round-off; without restarts where the spectrum falls off (krylov.c), else, where a matrix is so large that reducing
 * it is slow, with restarts (lanczos.c), and no more than 2n³ flops are spent. Then nothing may have been missed, which
 * is proven (inertia.c). Where they cannot be found or proven so, the few are computed as a part. */

#include "kernel/dense.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/inertia.h"
#include "kernel/krylov.h"
#include "kernel/lanczos.h"

#include <math.h>
#include <string.h>

enum { ROW_TILE = 256, FEW_BLOCK = 8, FEW_FROM = 256 }; /* a look costs more than a step here */
enum { PART_COLUMNS = 96 };                                              /* of work that LAPACK asks for, at most */
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

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* All: a copy, LAPACK's two squares, residuals. A part: a copy, its vectors and their residuals, LAPACK's columns. A
 * few that cannot be proven are followed by a part, and proving takes a copy as well: the largest of what there may be.
 */
int64_t scree__dense_memory(int64_t n, int64_t k)
{
    if (!is_part(n, k))
        return 8 * (3 * n * n + 2 * n * k);
    const int64_t some = 8 * (n * n + 2 * n * (k + 1) + PART_COLUMNS * n);
    const int64_t first = scree__krylov_memory(n, k);
    const int64_t second = scree__lanczos_memory(n, scree__lanczos_basis(n, k, FEW_BLOCK), FEW_BLOCK);
    return scree__dense_is_few(n, k) ? larger(some, larger(first, second)) : some;
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
    const scree__krylov_matrix a = {d->a, d->n, d->threads};
    const double unit = result->values[0] > 0 ? result->values[0] : 1;
    double *w = scree__alloc_raw(d->n * k, sizeof *w);
    if (!w)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld eigenvectors of order %lld cannot be checked",
                   (long long)k, (long long)d->n);
    if (scree__krylov_multiply(&a, result->vectors, k, w) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)d->n);
    for (int64_t j = 0; j < k; j++) {
        double squares = 0;
        for (int64_t i = 0; i < d->n; i++) {
            const double r = (w[j * d->n + i] - result->values[j] * result->vectors[j * d->n + i]) / unit;
            squares += r * r;
        }
        result->residuals[j] = unit * sqrt(squares);
    }
done:
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

/* The k largest without proof; tau receives what the others should lie below. *found: false when they were not. */
static scree_status iterate(dense *d, int64_t k, scree__dense_result *result, double *tau, bool *found,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__krylov_matrix a = {d->a, d->n, d->threads};
    scree__krylov_result first = {.values = result->values, .vectors = result->vectors};
    SCREE_TRY(scree__krylov(&a, k, &first, error));
    *found = first.converged;
    *tau = first.next + 2 * first.next_residual;
    if (first.converged || d->n < SLOW_FROM)
        goto done;
    const scree__relative_goal goal = scree__goal_relative(1e-13);
    scree__operator op = {d->n, multiply, d};
    scree__lanczos_options options = {.k = k,
                                      .block = FEW_BLOCK,
                                      .basis = scree__lanczos_basis(d->n, k, FEW_BLOCK),
                                      .goal = &goal.goal,
                                      .max_steps = d->n / FEW_BLOCK,
                                      .seed = 1,
                                      .threads = d->threads};
    scree__lanczos_result second = {
        .values = result->values, .vectors = result->vectors, .residuals = result->residuals};
    SCREE_TRY(scree__lanczos(&op, &options, NULL, &second, error));
    *found = second.converged;
    *tau = second.next + 2 * second.next_residual;
done:
    return status;
}

/* A few by iteration; *proven tells whether they can be trusted. */
static scree_status few(dense *d, int64_t k, scree__dense_result *result, bool *proven, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *work = NULL;
    double tau;
    bool found;
    SCREE_TRY(iterate(d, k, result, &tau, &found, error));
    if (!found)
        goto done;
    SCREE_TRY(residuals(d, k, result, error));
    work = scree__alloc_raw(d->n * d->n, sizeof *work);
    if (!work)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)d->n);
    const scree__proof proof = {d->a, d->n, result->values, result->vectors, k, work, d->threads};
    const double slack = 4 * (double)d->n * ROUND_OFF * result->values[0];
    *proven = scree__others_below(&proof, tau + slack, &result->next) ||
              scree__others_below(&proof, result->values[k - 1] + slack, &result->next);
done:
    free(work);
    return status;
}

/* Products of n terms are off by nu|A||u|, and differences by what they are made of. In units of the largest diagonal
 * entry, which no entry of a positive semidefinite matrix exceeds. */
static double rounding(const double *a, int64_t n)
{
    double unit = 0;
    double squares = 0;
    for (int64_t i = 0; i < n; i++)
        unit = fmax(unit, a[i * n + i]);
    for (int64_t i = 0; unit > 0 && i < n * n; i++)
        squares += (a[i] / unit) * (a[i] / unit);
    return (double)(n + 4) * ROUND_OFF * unit * sqrt(squares);
}

scree_status scree__dense_eigen(const double *a, int64_t n, int64_t *k, double share, int threads,
                                scree__dense_result *result, scree_error *error)
{
    dense d = {.a = a, .n = n, .threads = threads};
    bool proven = false;
    scree_status status = SCREE_OK;
    result->full = false;
    result->rounding = rounding(a, n);
    if (!(share > 0) && scree__dense_is_few(n, *k))
        status = few(&d, *k, result, &proven, error);
    if (status == SCREE_OK && !proven)
        status = share > 0 || !is_part(n, *k) ? full(&d, k, share, result, error) : part(&d, *k, result, error);
    return status;
}
