/* SPDX-License-Identifier: BSD-3-Clause */
/* A covariance S = DHD, D the deviations of the columns, is known to relative precision column by column: an entry is
 * off by u d_i d_j. Its eigenvalues are then known to u/λ_min(H), relative, each, though the first may be 10²⁰ times
 * the last (Demmel and Veselić 1992). Reducing S to a tridiagonal form would leave errors of u λ_1 in all of them.
 * Instead
 *
 *     H = RᵀR (Cholesky, columns in the order of d, descending),   RD = QΣVᵀ,   S = VΣ²Vᵀ
 *
 * whose right-hand side keeps the digits of each (staircase.c; where that finds nothing, Jacobi's method). Columns that
 * the others determine go last, and give no row of R: none of their pivots is more than rounding once all others are
 * eliminated. Vectors that complete a basis stand for them. About 2n³/3 flops beside the staircase. */

#include "kernel/graded.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/cholesky.h"
#include "kernel/least.h"
#include "kernel/staircase.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST = 256 };               /* columns: up to here it is hardly slower */
enum { HEIGHT = 400 };             /* binary exponent that the largest deviation gets: squares of all exist */
static const double UNEQUAL = 1e8; /* variances, of columns that vary */
static const double NOTHING = 16;  /* times n u: a pivot as small is rounding */

typedef struct grading {
    const double *a;
    int64_t n;
    int threads;
    int64_t *order;     /* n: columns by deviation, descending */
    double *deviations; /* n, in that order, times a power of two: */
    int exponent;
    double *rows;    /* RD, m×n, with room for n×n */
    double *room;    /* 3n² */
    double *sigma;   /* n */
    int64_t *places; /* n: rows by σ, descending */
    int64_t m;
} grading;

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
    return n <= MOST ? 8 * 5 * n * n + scree__staircase_memory(n) : 0;
}

/* Indices in the order of numbers that are apart from each other, descending; equal ones as they come. */
static void sort_down(const double *numbers, int64_t apart, int64_t n, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0 && numbers[order[at - 1] * apart] < numbers[i * apart]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void find_deviations(grading *g)
{
    int exponent;
    sort_down(g->a, g->n + 1, g->n, g->order);
    frexp(sqrt(fmax(g->a[g->order[0] * (g->n + 1)], 0)), &exponent);
    g->exponent = exponent - HEIGHT;
    for (int64_t i = 0; i < g->n; i++)
        g->deviations[i] = ldexp(sqrt(fmax(g->a[g->order[i] * (g->n + 1)], 0)), -g->exponent);
}

/* The upper triangle of H, in that order. */
static void divide(const grading *g, double *h)
{
    const int64_t n = g->n;
    const double unit = ldexp(1, -g->exponent);
    for (int64_t i = 0; i < n; i++) {
        const double *row = g->a + g->order[i] * n;
        const double factor = g->deviations[i] > 0 ? unit / g->deviations[i] : 0;
        h[i * n + i] = 1;
        for (int64_t j = i + 1; j < n; j++)
            h[i * n + j] = g->deviations[j] > 0 ? row[g->order[j]] * unit * factor / g->deviations[j] : 0;
    }
}

static bool is_rounding(const grading *g, double pivot)
{
    return !(pivot > NOTHING * (double)g->n * DBL_EPSILON);
}

/* H becomes R where all pivots count. */
static bool factor(const grading *g, double *h)
{
    if (!scree__cholesky(h, g->n, g->threads))
        return false;
    for (int64_t i = 0; i < g->n; i++)
        if (is_rounding(g, h[i * (g->n + 1)] * h[i * (g->n + 1)]))
            return false;
    return true;
}

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Columns i < j of H, whose first i rows are of R, change places. */
static void swap_columns(grading *g, double *h, int64_t i, int64_t j)
{
    const int64_t n = g->n;
    const int64_t column = g->order[i];
    g->order[i] = g->order[j];
    g->order[j] = column;
    exchange(&g->deviations[i], &g->deviations[j]);
    exchange(&h[i * (n + 1)], &h[j * (n + 1)]);
    for (int64_t k = 0; k < i; k++)
        exchange(&h[k * n + i], &h[k * n + j]);
    for (int64_t k = i + 1; k < j; k++)
        exchange(&h[i * n + k], &h[k * n + j]);
    for (int64_t k = j + 1; k < n; k++)
        exchange(&h[i * n + k], &h[j * n + k]);
}

/* From column i on, the first whose pivot counts; n: there is none. */
static int64_t find_pivot(const grading *g, const double *h, int64_t i)
{
    while (i < g->n && is_rounding(g, h[i * (g->n + 1)]))
        i++;
    return i;
}

/* H becomes R, whose last rows are zeros: columns whose pivots do not count go behind all others, as their products
 * with later ones may be as large as the root of a pivot. The norm of what is left of S then. */
static double factor_dependent(grading *g, double *h)
{
    const int64_t n = g->n;
    double left = 0;
    int64_t rank = 0;
    for (int64_t p; (p = find_pivot(g, h, rank)) < n; rank++) {
        if (p > rank)
            swap_columns(g, h, rank, p);
        double *row = h + rank * n;
        const double root = sqrt(row[rank]);
        for (int64_t j = rank; j < n; j++)
            row[j] /= root;
        for (int64_t k = rank + 1; k < n; k++)
            for (int64_t j = k; j < n; j++)
                h[k * n + j] -= row[k] * row[j];
    }
    for (int64_t i = rank; i < n; i++)
        for (int64_t j = i; j < n; j++) {
            const double entry = ldexp(h[i * n + j] * g->deviations[i], g->exponent) * g->deviations[j];
            left = hypot(left, (i == j ? 1 : M_SQRT2) * ldexp(entry, g->exponent));
            h[i * n + j] = 0;
        }
    return left;
}

/* RD, without rows of zeros, those of constant columns among them. */
static void fill_rows(grading *g, const double *r)
{
    const int64_t n = g->n;
    for (int64_t i = 0; i < n; i++) {
        if (!(r[i * (n + 1)] > 0 && g->deviations[i] > 0))
            continue;
        double *row = g->rows + g->m++ * n;
        memset(row, 0, (size_t)i * sizeof *row);
        for (int64_t j = i; j < n; j++)
            row[j] = r[i * n + j] * g->deviations[j];
    }
}

static void factor_columns(grading *g, scree__graded_result *result)
{
    const int64_t n = g->n;
    double *h = g->room;
    double *r = g->room + n * n;
    result->least = 0;
    result->left = 0;
    divide(g, h);
    memcpy(r, h, (size_t)(n * n) * sizeof *r);
    if (factor(g, r))
        scree__least_eigenvalue(h, r, n, g->threads, g->rows, &result->least);
    else {
        memcpy(r, h, (size_t)(n * n) * sizeof *r);
        result->left = factor_dependent(g, r);
    }
    fill_rows(g, r);
}

/* Rows become unit vectors: by the staircase, or by Jacobi's method on columns of (RD)ᵀ. */
static scree_status decompose(grading *g, double *skew, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__staircase stairs = {.rows = g->rows,
                               .m = g->m,
                               .n = g->n,
                               .threads = g->threads,
                               .sigma = g->sigma,
                               .upper = true,
                               .room = g->room};
    double *left = g->room;
    SCREE_TRY(scree__staircase_climb(&stairs, error));
    *skew = stairs.skew;
    if (stairs.found)
        goto done;
    *skew = 0;
    const int info = scree__dgejsv(g->n, g->m, g->rows, g->n, g->sigma, left, g->n, NULL, g->m);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the singular value decomposition", g->n, error));
    for (int64_t i = 0; i < g->m; i++)
        for (int64_t j = 0; j < g->n; j++)
            g->rows[i * g->n + j] = left[i * g->n + j] * g->sigma[i];
done:
    return status;
}

/* The vectors from m on, beside those before, which are orthonormal. */
static scree_status complete(const grading *g, double *vectors, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = g->n;
    const int64_t m = g->m;
    double *q = NULL;
    double *tau = NULL;
    if (m == n)
        return SCREE_OK;
    SCREE_ALLOC(q, n * n, error);
    SCREE_ALLOC(tau, n, error);
    memcpy(q, vectors, (size_t)(m * n) * sizeof *q);
    int info = scree__dgeqrf(n, m, q, n, tau);
    info = scree__blas_first(info, info != 0 ? 0 : scree__dorgqr(n, n, m, q, n, tau));
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the QR factorisation of a matrix", n, error));
    memcpy(vectors + m * n, q + m * n, (size_t)((n - m) * n) * sizeof *q);
done:
    free(q);
    free(tau);
    return status;
}

/* In the order of the values, and of the columns as they came. */
static void take(const grading *g, scree__graded_result *result)
{
    const int64_t n = g->n;
    sort_down(g->sigma, 1, g->m, g->places);
    for (int64_t k = 0; k < n; k++) {
        const int64_t place = g->places[k < g->m ? k : 0];
        const double sigma = k < g->m ? ldexp(g->sigma[place], g->exponent) : 0;
        result->values[k] = sigma * sigma;
        for (int64_t i = 0; k < g->m && i < n; i++)
            result->vectors[k * n + g->order[i]] = g->rows[place * n + i] / g->sigma[place];
    }
}

scree_status scree__graded_eigen(const double *a, int64_t n, int threads, scree__graded_result *result,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    grading g = {.a = a, .n = n, .threads = threads};
    scree__blas_enter();
    SCREE_ALLOC(g.order, n, error);
    SCREE_ALLOC(g.deviations, n, error);
    g.rows = scree__alloc_raw(4 * n * n, sizeof *g.rows);
    if (!g.rows)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    g.room = g.rows + n * n;
    SCREE_ALLOC(g.sigma, n, error);
    SCREE_ALLOC(g.places, n, error);
    find_deviations(&g);
    factor_columns(&g, result);
    SCREE_TRY(decompose(&g, &result->skew, error));
    take(&g, result);
    SCREE_TRY(complete(&g, result->vectors, error));
done:
    scree__blas_leave();
    free(g.order);
    free(g.deviations);
    free(g.rows);
    free(g.sigma);
    free(g.places);
    return status;
}
