/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of an explicit symmetric n×n matrix A, largest first.
 *
 * All, or a part: by way of a tridiagonal form, 4n³/3 flops (tridiagonal.c); its eigenpairs by divide and conquer
 * (divide.c), or, of a part, by LAPACK's relatively robust representations; their vectors taken back, 2n²k
 * (reflectors.c); residuals, 2n²k (symmetric.c). A few: block Lanczos on A without restarts (krylov.c), as long as that
 * is less work than reducing A; then nothing may have been missed, which is proven (inertia.c). Where they cannot be
 * found or proven so, the few are computed as a part. How the others lie beside a few is estimated (shape.c). */

#include "kernel/dense.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/divide.h"
#include "kernel/inertia.h"
#include "kernel/krylov.h"
#include "kernel/shape.h"
#include "kernel/symmetric.h"
#include "kernel/tridiagonal.h"

#include <math.h>
#include <string.h>

enum { FEW_FROM = 256, PART_FROM = 256 };
enum { PART_COLUMNS = 128 }; /* of work beside a part, at most */
enum { SEED = 1 };
static const double ROUND_OFF = 0x1p-53;
static const double LEAST = 0x1p-1074;     /* above 0 */
static const double LEAST_SQUARES = 1e-10; /* of all: what is left is more than rounding */
static const double ITERATED = 0.7;        /* of finding a few; the rest proves them */
static const double SKEWED = 1e-11;        /* rows that are less orthonormal than this are found in another way */

/* One by one, on one thread, 260 ns for an entry of a vector, after all values; beyond about an eighth, and of small
 * orders any number, all together are faster. */
bool scree__dense_is_part(int64_t n, int64_t k)
{
    return n >= PART_FROM && k <= n / 8;
}

bool scree__dense_is_few(int64_t n, int64_t k)
{
    return n >= FEW_FROM && scree__dense_is_part(n, k) && scree__krylov_fits(n, k);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* All: a copy that is reduced, and what divide and conquer takes. A part: the copy, and what reducing it takes, or
 * vectors and work of LAPACK's. A few may be followed by a part; proving them takes a copy as well. */
int64_t scree__dense_memory(int64_t n, int64_t k)
{
    const int64_t copy = 8 * n * n;
    const int64_t reducing = scree__tridiagonal_memory(n);
    if (!scree__dense_is_part(n, k))
        return copy + larger(reducing, scree__divide_memory(n));
    const int64_t some = copy + larger(reducing, 8 * (n * (k + PART_COLUMNS) + k * k));
    return scree__dense_is_few(n, k) ? larger(some, scree__krylov_memory(n)) : some;
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

static void reduced_clear(scree__tridiagonal *t)
{
    free(t->v);
    free(t->diagonal);
    free(t->beside);
    free(t->tau);
    *t = (scree__tridiagonal){0};
}

static scree_status reduce(const scree__symmetric *s, scree__tridiagonal *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    *t = (scree__tridiagonal){.n = s->n, .threads = s->threads, .watch = s->watch};
    t->v = scree__alloc_raw(s->n * s->n, sizeof *t->v);
    if (!t->v)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)s->n);
    SCREE_ALLOC(t->diagonal, s->n, error);
    SCREE_ALLOC(t->beside, s->n, error);
    SCREE_ALLOC(t->tau, s->n, error);
    scree__symmetric_copy(s, t->v);
    SCREE_TRY(scree__tridiagonal_reduce(t, error));
done:
    return status;
}

/* Where computed eigenvalues of T are an upper bound: their errors are a few √n u of the largest. */
static double bound_of_next(const scree__symmetric *s, double next, double first)
{
    return fmax(next, 0) + 8 * sqrt((double)s->n) * ROUND_OFF * first;
}

/* All eigenvalues, and the vectors of the k largest, or of as many as hold the share. */
static scree_status full(const scree__symmetric *s, const scree__tridiagonal *t, int64_t *k, double share,
                         scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = s->n;
    scree__divide divide = {0};
    double *values = NULL;
    SCREE_ALLOC(values, n, error);
    const scree__watch opening = scree__watch_part(&s->watch, 0, 0.5);
    SCREE_TRY(scree__divide_open(&divide, t->diagonal, t->beside, n, s->threads, &opening, error));
    for (int64_t j = 0; j < n; j++)
        values[j] = fmax(scree__divide_value(&divide, j) / s->scale, 0);
    if (share > 0)
        *k = count_for_share(values, n, *k, share);
    const scree__watch rest = scree__watch_part(&s->watch, 0.5, 1);
    SCREE_TRY(scree__divide_vectors(&divide, *k, result->vectors, &rest, error));
    memcpy(result->values, values, (size_t)*k * sizeof *values);
    result->full = true;
    result->next = *k < n ? bound_of_next(s, values[*k], values[0]) : 0;
    if (result->spectrum) {
        memcpy(result->spectrum, values, (size_t)n * sizeof *values);
        result->has_spectrum = true;
    }
done:
    scree__divide_close(&divide);
    free(values);
    return status;
}

/* The largest entry of |ZZᵀ - I| for rows z. */
static scree_status skewness(const double *z, int64_t k, int64_t n, double *skew, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *gram = NULL;
    *skew = 0;
    SCREE_ALLOC(gram, k * k, error);
    if (scree__dsyrk(false, k, n, 1, z, n, 0, gram, k) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)n);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = i; j < k; j++)
            *skew = fmax(*skew, fabs(gram[i * k + j] - (i == j ? 1 : 0)));
done:
    free(gram);
    return status;
}

/* Of k + 1 ascending pairs the k largest; the first is the bound of the next. */
static void take_part(const scree__symmetric *s, int64_t k, const double *values, const double *vectors,
                      scree__dense_result *result)
{
    for (int64_t j = 0; j < k; j++) {
        result->values[j] = fmax(values[k - j] / s->scale, 0);
        memcpy(result->vectors + j * s->n, vectors + (k - j) * s->n, (size_t)s->n * sizeof *vectors);
    }
    result->next = bound_of_next(s, values[0] / s->scale, result->values[0]);
}

/* All eigenvalues, without vectors: O(n²). */
static scree_status values_alone(const scree__symmetric *s, const scree__tridiagonal *t, scree__dense_result *result,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = s->n;
    double *numbers = NULL;
    if (!result->spectrum)
        return SCREE_OK;
    SCREE_ALLOC(numbers, 2 * n, error);
    memcpy(numbers, t->diagonal, (size_t)n * sizeof *numbers);
    memcpy(numbers + n, t->beside, (size_t)n * sizeof *numbers);
    result->has_spectrum = scree__dsterf(n, numbers, numbers + n) == 0;
    for (int64_t j = 0; j < n; j++)
        result->spectrum[j] = fmax(numbers[n - 1 - j] / s->scale, 0);
done:
    free(numbers);
    return status;
}

/* A part of the spectrum, and one value more for the bound of the next. *found: false where LAPACK could not, or where
 * its vectors are skewed. */
static scree_status part(const scree__symmetric *s, const scree__tridiagonal *t, int64_t k, scree__dense_result *result,
                         bool *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = s->n;
    double *vectors = scree__alloc_raw((k + 1) * n, sizeof *vectors);
    double *numbers = NULL; /* w, and T, which LAPACK destroys */
    double skew;
    SCREE_ALLOC(numbers, 3 * n, error);
    if (!vectors)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    memcpy(numbers + n, t->diagonal, (size_t)n * sizeof *numbers);
    memcpy(numbers + 2 * n, t->beside, (size_t)n * sizeof *numbers);
    const int info = scree__dstemr(n, numbers + n, numbers + 2 * n, k + 1, numbers, vectors, n);
    if (info == SCREE__BLAS_NO_MEMORY)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", n, error));
    *found = info == 0;
    if (!*found)
        goto done;
    take_part(s, k, numbers, vectors, result);
    SCREE_TRY(skewness(result->vectors, k, n, &skew, error));
    *found = skew < SKEWED;
done:
    free(vectors);
    free(numbers);
    return status;
}

/* The same by LAPACK's bisection and inverse iteration, on one thread: where all else has failed. */
static scree_status one_by_one(const scree__symmetric *s, int64_t k, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = s->n;
    double *a = scree__alloc_raw(n * n, sizeof *a);
    double *vectors = scree__alloc_raw((k + 1) * n, sizeof *vectors);
    double *values = NULL;
    SCREE_ALLOC(values, n, error);
    if (!a || !vectors)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    scree__symmetric_copy(s, a);
    const int info = scree__dsyevr(n, a, n, k + 1, values, vectors, n);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the eigendecomposition of a matrix", n, error));
    take_part(s, k, values, vectors, result);
done:
    free(a);
    free(vectors);
    free(values);
    return status;
}

/* What is watched, in n³ flops at the rate of products: half of reducing A goes at that of memory. */
typedef struct course {
    double reduced;
    double found;
    double restored;
    double checked;
} course;

static course course_of(const scree__symmetric *s, int64_t k, bool all, bool check)
{
    const double share = (double)k / (double)s->n;
    course c = {.reduced = 3.5};
    c.found = c.reduced + (all ? 0.7 + 1.3 * share : 0.2);
    c.restored = c.found + 2 * share;
    c.checked = c.restored + (check ? 2 * share : 0);
    return c;
}

/* By reducing the matrix to a tridiagonal one. */
static scree_status direct(scree__symmetric *s, int64_t *k, double share, scree__dense_result *result,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tridiagonal t = {0};
    bool found = true;
    const scree__watch whole = s->watch;
    const bool all = share > 0 || !scree__dense_is_part(s->n, *k);
    const course c = course_of(s, *k, all, result->residuals);
    s->watch = scree__watch_part(&whole, 0, c.reduced / c.checked);
    SCREE_TRY(reduce(s, &t, error));
    s->watch = scree__watch_part(&whole, c.reduced / c.checked, c.found / c.checked);
    if (all)
        SCREE_TRY(full(s, &t, k, share, result, error));
    else {
        SCREE_TRY(values_alone(s, &t, result, error));
        SCREE_TRY(part(s, &t, *k, result, &found, error));
    }
    t.watch = scree__watch_part(&whole, c.found / c.checked, c.restored / c.checked);
    if (found)
        SCREE_TRY(scree__tridiagonal_restore(&t, result->vectors, *k, error));
    reduced_clear(&t);
    if (!found)
        SCREE_TRY(one_by_one(s, *k, result, error));
    s->watch = scree__watch_part(&whole, c.restored / c.checked, 1);
    if (result->residuals)
        SCREE_TRY(scree__symmetric_residuals(s, *k, result->values, result->vectors, result->residuals, error));
done:
    reduced_clear(&t);
    return status;
}

/* Proves that the others lie below what iterating says of the next, or below the last of the few and what that may be
 * off by. Deflating by vectors that are not exact proves it as well: the eigenvalues of A less any matrix of rank k
 * bound all but k of those of A. */
static scree_status prove(const scree__symmetric *s, const scree__krylov_result *found, int64_t k,
                          scree__dense_result *result, bool *proven, scree_error *error)
{
    const double slack = 4 * (double)s->n * ROUND_OFF * result->values[0];
    const double next = found->next + 2 * found->next_residual + slack;
    double last = 0;
    double *work = scree__alloc_raw(s->n * s->n, sizeof *work);
    if (!work)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large",
                           (long long)s->n);
    const scree__proof proof = {s->a, s->n, result->values, result->vectors, k, work, s->threads};
    for (int64_t j = 0; j < k; j++)
        last = fmax(last, 2 * result->residuals[j]);
    last += result->values[k - 1] + slack;
    *proven = (next < last && scree__others_below(&proof, next, &result->next)) ||
              scree__others_below(&proof, last, &result->next);
    free(work);
    return SCREE_OK;
}

/* For scree__operator: vectors, which are columns, times the matrix, scaled. */
static scree_status apply(void *context, const double *q, int64_t b, double *image, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__symmetric *s = context;
    const scree__krylov_matrix a = {s->a, s->n, s->threads};
    double *rows = scree__alloc_raw(2 * b * s->n, sizeof *rows);
    if (!rows)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld vectors of %lld entries cannot be kept",
                   (long long)(2 * b), (long long)s->n);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < b; j++)
            rows[j * s->n + i] = q[i * b + j];
    if (scree__krylov_multiply(&a, rows, b, rows + b * s->n) != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)s->n);
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < b; j++)
            image[i * b + j] = rows[(b + j) * s->n + i] * s->scale;
done:
    free(rows);
    return status;
}

/* The others beside a few, about. */
static scree_status estimate(scree__symmetric *s, int64_t k, scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double all = s->norm * s->norm;
    const scree__operator op = {s->n, apply, s};
    const scree__shape_from from = {.known = k, .vectors = result->vectors, .seed = SEED, .steps = SCREE__SHAPE_STEPS};
    scree__shape_sums sums = {(double)(s->n - k), s->n - k, 0, all, result->values[k - 1] * s->scale};
    scree__shape_nodes nodes;
    int64_t varying = 0;
    for (int64_t i = 0; i < s->n; i++) {
        sums.sum += s->a[i * s->n + i] * s->scale;
        varying += s->a[i * s->n + i] > 0;
    }
    sums.count = varying - k; /* a row of zeros has the eigenvalue 0 */
    for (int64_t j = 0; j < k; j++) {
        const double value = result->values[j] * s->scale;
        sums.sum -= value;
        sums.squares -= value * value;
    }
    if (!(sums.squares > LEAST_SQUARES * all)) /* nothing but rounding */
        sums.squares = 0;
    if (!result->spectrum || !(sums.sum > 0) || sums.count < 1)
        return SCREE_OK;
    memset(result->spectrum + k, 0, (size_t)(s->n - k) * sizeof *result->spectrum);
    SCREE_TRY(scree__shape_measure(&nodes, &op, &from, error));
    scree__shape_values(&nodes, &sums, result->spectrum + k);
    for (int64_t j = 0; j < s->n; j++)
        result->spectrum[j] = j < k ? result->values[j] : result->spectrum[j] / s->scale;
    result->has_spectrum = true;
done:
    return status;
}

/* A few by iteration; *proven tells whether they can be trusted. */
static scree_status few(scree__symmetric *s, int64_t k, const scree__goal *goal, scree__dense_result *result,
                        bool *proven, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__krylov_matrix a = {s->a, s->n, s->threads};
    scree__krylov_result found = {.values = result->values, .vectors = result->vectors};
    const scree__watch whole = s->watch;
    s->watch = scree__watch_part(&whole, 0, ITERATED);
    SCREE_TRY(scree__krylov(&a, k, goal, &s->watch, &found, error));
    s->watch = scree__watch_part(&whole, ITERATED, 1);
    if (!found.converged)
        goto done;
    SCREE_TRY(scree__symmetric_residuals(s, k, result->values, result->vectors, result->residuals, error));
    SCREE_TRY(prove(s, &found, k, result, proven, error));
    if (*proven)
        SCREE_TRY(estimate(s, k, result, error));
done:
    return status;
}

/* Products of n terms are off by nu|A||u|, and differences by what they are made of; each of n² products by what is too
 * small to be told from 0. */
static double rounding(const scree__symmetric *s)
{
    const double n = (double)s->n;
    return (n + 4) * ROUND_OFF * s->norm / s->scale + 4 * n * sqrt(n) * LEAST;
}

scree_status scree__dense_eigen(const double *a, int64_t n, int64_t *k, const scree__dense_options *options,
                                scree__dense_result *result, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__symmetric s = {.a = a, .n = n, .threads = options->threads, .watch = options->watch};
    bool proven = false;
    scree__blas_enter();
    result->full = false;
    result->early = false;
    result->has_spectrum = false;
    SCREE_TRY(scree__symmetric_survey(&s, error));
    result->squares = s.norm / s.scale * (s.norm / s.scale);
    result->rounding = rounding(&s);
    if (!(options->share > 0) && result->residuals && scree__dense_is_few(n, *k))
        SCREE_TRY(few(&s, *k, options->goal, result, &proven, error));
    result->early = proven && options->goal;
    if (!proven)
        SCREE_TRY(direct(&s, k, options->share, result, error));
done:
    scree__blas_leave();
    return status;
}
