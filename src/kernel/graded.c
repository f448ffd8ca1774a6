/* SPDX-License-Identifier: BSD-3-Clause */
/* A covariance S = DHD, D the deviations of the columns, is known to relative precision column by column: an entry is
 * off by u d_i d_j. Its eigenvalues are then known to u/λ_min(H), relative, each, though the first may be 10²⁰ times
 * the last (Demmel and Veselić 1992). Reducing S to a tridiagonal form would leave errors of u λ_1 in all of them.
 * Instead
 *
 *     H = RᵀR (Cholesky, columns in the order of d, descending),   RD = QΣVᵀ by one-sided Jacobi,   S = VΣ²Vᵀ
 *
 * A pivot of H that is but rounding belongs to a column that the others determine: its row of R is 0. About n³/3 flops
 * and 30n³ on one thread, so that it is for few columns. */

#include "kernel/graded.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/tridiagonal.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 256 };               /* columns: up to here it is hardly slower */
static const double UNEQUAL = 1e8; /* variances, of columns that vary */
static const double NOTHING = 16;  /* times n u: a pivot as small is rounding */

bool scree__graded_is_worth(const double *a, int64_t n)
{
    double least = HUGE_VAL;
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        const double variance = a[i * n + i];
        most = fmax(most, variance);
        least = variance > 0 ? fmin(least, variance) : least;
    }
    return n <= MOST && most > UNEQUAL * least;
}

int64_t scree__graded_memory(int64_t n)
{
    return n <= MOST ? 8 * 6 * n * n : 0; /* H, R, V and their copies in LAPACK */
}

/* Indices in the order of their variances, descending; equal ones as they come. */
static void sort_columns(const double *a, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && a[order[at - 1] * n + order[at - 1]] < a[i * n + i]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* The least eigenvalue of h, which is lost. */
static scree_status find_least(double *h, int64_t n, double *least, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tridiagonal t = {.n = n, .v = h, .threads = 1};
    double *room = NULL;
    SCREE_ALLOC(room, 3 * n, error);
    t.diagonal = room;
    t.beside = room + n;
    t.tau = room + 2 * n;
    SCREE_TRY(scree__tridiagonal_reduce(&t, error));
    const int info = scree__dsterf(n, t.diagonal, t.beside);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", n, error));
    *least = fmax(t.diagonal[0], 0);
done:
    free(room);
    return status;
}

/* The upper triangle of H, in that order. */
static void divide(const double *a, int64_t n, const int64_t *order, const double *deviations, double *h)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            const double both = deviations[i] * deviations[j];
            h[i * n + j] = i == j ? 1 : both > 0 ? a[order[i] * n + order[j]] / both : 0;
        }
}

/* H becomes R. */
static void factor(double *h, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        double *row = h + i * n;
        const double pivot = row[i];
        if (!(pivot > NOTHING * (double)n * DBL_EPSILON)) {
            memset(row + i, 0, (size_t)(n - i) * sizeof *row);
            continue;
        }
        for (int64_t j = i; j < n; j++)
            row[j] /= sqrt(pivot);
        for (int64_t k = i + 1; k < n; k++)
            for (int64_t j = k; j < n; j++)
                h[k * n + j] -= row[k] * row[j];
    }
}

/* The singular values of RD, squared, and the vectors in the columns' own order. */
static scree_status decompose(const double *h, int64_t n, const int64_t *order, const double *deviations,
                              double *values, double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *r = NULL;
    double *right = NULL;
    SCREE_ALLOC(r, n * n, error);
    SCREE_ALLOC(right, n * n, error);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i <= j; i++)
            r[j * n + i] = h[i * n + j] * deviations[j];
    const int info = scree__dgejsv(n, n, r, n, values, NULL, n, right, n);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition", n, error));
    for (int64_t k = 0; k < n; k++) {
        values[k] *= values[k];
        for (int64_t i = 0; i < n; i++)
            vectors[k * n + order[i]] = right[k * n + i];
    }
done:
    free(r);
    free(right);
    return status;
}

scree_status scree__graded_eigen(const double *a, int64_t n, double *values, double *vectors, double *least,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *order = NULL;
    double *deviations = NULL;
    double *h = NULL;
    scree__blas_enter();
    SCREE_ALLOC(order, n, error);
    SCREE_ALLOC(deviations, n, error);
    SCREE_ALLOC(h, n * n, error);
    sort_columns(a, n, order);
    for (int64_t i = 0; i < n; i++)
        deviations[i] = sqrt(fmax(a[order[i] * n + order[i]], 0));
    divide(a, n, order, deviations, h);
    SCREE_TRY(find_least(h, n, least, error));
    divide(a, n, order, deviations, h);
    factor(h, n);
    SCREE_TRY(decompose(h, n, order, deviations, values, vectors, error));
done:
    scree__blas_leave();
    free(order);
    free(deviations);
    free(h);
    return status;
}
