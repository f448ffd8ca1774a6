/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of matrices that have known ones, by the whole spectrum and by the iterative solver: values, vectors,
 * by a part of the spectrum; residuals, a bound on the next eigenvalue that holds, ties, shares, the same bits for any
 * number of threads. Matrices of rank 0 and 1, graded, with ties, of any scale, against Jacobi in long double. */

#include "support/checks.h"

#include "kernel/dense.h"
#include "support/matrices.h"

#include <string.h>

enum { MOST = 320 };

typedef struct found {
    scree__dense_result result;
    int64_t k;
} found;

static found eigen(const double *a, int64_t n, int64_t k, double share, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    found f = {.k = k};
    f.result.values = scree__alloc(k, sizeof(double));
    f.result.vectors = scree__alloc(k * n, sizeof(double));
    f.result.residuals = scree__alloc(k, sizeof(double));
    assert_true(scree__dense_memory(n, k) > 0);
    const scree__dense_options options = {.share = share, .threads = threads};
    EXPECT_OK(scree__dense_eigen(a, n, &f.k, &options, &f.result, &error), error);
    return f;
}

static void clear(found *f)
{
    free(f->result.values);
    free(f->result.vectors);
    free(f->result.residuals);
}

/* values: all n of them, descending. */
static void expect_pairs(const found *f, const double *values, int64_t n)
{
    for (int64_t j = 0; j < f->k; j++) {
        int64_t first = j;
        int64_t last = j;
        while (first > 0 && values[first - 1] == values[j])
            first--;
        while (last + 1 < n && values[last + 1] == values[j])
            last++;
        EXPECT_NEAR(f->result.values[j], values[j], 1e-13 * values[0]);
        EXPECT_NEAR(outside(f->result.vectors + j * n, n, first, last), 0, 1e-10);
        assert_true(f->result.residuals[j] <= 1e-12 * values[0]);
    }
    const double next = f->k < n ? values[f->k] : 0;
    if (!(f->result.next >= next && f->result.next <= next + 1e-6 * values[0]))
        fail_msg("the next eigenvalue is %.17g, its bound %.17g", next, f->result.next);
}

static void run(const double *values, int64_t n, int64_t k, bool full)
{
    double *a = matrix_with(values, n, n);
    found one = eigen(a, n, k, 0, 1);
    assert_int_equal(one.result.full, full);
    expect_pairs(&one, values, n);
    for (int threads = 2; threads <= 4; threads += 2) {
        found more = eigen(a, n, k, 0, threads);
        assert_memory_equal(one.result.values, more.result.values, (size_t)k * sizeof(double));
        assert_memory_equal(one.result.vectors, more.result.vectors, (size_t)(k * n) * sizeof(double));
        clear(&more);
    }
    clear(&one);
    free(a);
}

static void test_whole_spectrum(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 7, 60};
    double values[MOST];
    for (int64_t i = 0; i < COUNT_OF(sizes); i++) {
        for (int64_t j = 0; j < sizes[i]; j++)
            values[j] = 3 * pow(0.8, (double)j);
        run(values, sizes[i], sizes[i], true);
        run(values, sizes[i], 1, true);
    }
}

static void test_few(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = 5 * pow(0.9, (double)j);
    assert_true(scree__dense_is_few(MOST, 10));
    run(values, MOST, 10, false);
    run(values, MOST, 1, false);
}

/* Too many for the iterative solver, too few to ask for all. */
static void test_part(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < 260; j++)
        values[j] = 5 * pow(0.9, (double)j);
    assert_false(scree__dense_is_few(260, 33));
    assert_true(scree__dense_is_part(260, 32));
    assert_false(scree__dense_is_part(260, 33));
    assert_false(scree__dense_is_part(255, 1));
    run(values, 260, 32, false);
    run(values, 260, 33, true);
    run(values, 255, 1, true);
}

/* Evenly spaced: the iterative solver gives up, and what follows must not need the whole spectrum. */
static void test_few_of_flat(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = 2 - (double)j / MOST;
    assert_true(scree__dense_is_few(MOST, 30));
    run(values, MOST, 30, false);
}

/* More copies than the block is wide, and a cut through them. */
static void test_few_of_alike(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = j < 3 ? 9 : j < 60 ? 4 : 1;
    double *a = matrix_with(values, MOST, MOST);
    found f = eigen(a, MOST, 10, 0, 2);
    expect_pairs(&f, values, MOST);
    clear(&f);
    free(a);
}

static void test_share(void **state)
{
    (void)state;
    const double values[] = {4, 3, 2, 1};
    double *a = matrix_with(values, 4, 4);
    static const struct {
        double share;
        int64_t k;
    } cases[] = {{0.1, 1}, {0.39, 1}, {0.41, 2}, {0.69, 2}, {0.71, 3}, {0.89, 3}, {0.99, 4}};
    for (int64_t i = 0; i < COUNT_OF(cases); i++) {
        found f = eigen(a, 4, 4, cases[i].share, 1);
        assert_int_equal(f.k, cases[i].k);
        expect_pairs(&f, values, 4);
        clear(&f);
    }
    free(a);
}

static void test_spectrum_is_told(void **state)
{
    (void)state;
    const double values[] = {4, 3, 2, 0, 0};
    double *a = matrix_with(values, 5, 5);
    double spectrum[5];
    double first;
    double vector[5];
    double residual;
    int64_t k = 1;
    scree__dense_result result = {.values = &first, .vectors = vector, .residuals = &residual, .spectrum = spectrum};
    assert_int_equal(scree__dense_eigen(a, 5, &k, &(scree__dense_options){.threads = 1}, &result, NULL), SCREE_OK);
    for (int j = 0; j < 5; j++) {
        EXPECT_NEAR(spectrum[j], values[j], 1e-14);
        assert_true(spectrum[j] >= 0);
    }
    free(a);
}

/* Eigenvalues of a symmetric matrix by Jacobi's rotations in long double, descending. */
static void reference(const double *a, int64_t n, long double *values)
{
    long double *m = scree__alloc(n * n, sizeof *m);
    assert_non_null(m);
    for (int64_t i = 0; i < n * n; i++)
        m[i] = a[i];
    for (int sweep = 0; sweep < 60; sweep++)
        for (int64_t p = 0; p < n; p++)
            for (int64_t q = p + 1; q < n; q++) {
                if (m[p * n + q] == 0)
                    continue;
                const long double half = (m[q * n + q] - m[p * n + p]) / (2 * m[p * n + q]);
                const long double t = (half < 0 ? -1 : 1) / (fabsl(half) + hypotl(1, half));
                const long double c = 1 / hypotl(1, t);
                for (int64_t i = 0; i < n; i++) {
                    const long double x = m[i * n + p];
                    m[i * n + p] = c * (x - t * m[i * n + q]);
                    m[i * n + q] = c * (t * x + m[i * n + q]);
                }
                for (int64_t i = 0; i < n; i++) {
                    const long double x = m[p * n + i];
                    m[p * n + i] = c * (x - t * m[q * n + i]);
                    m[q * n + i] = c * (t * x + m[q * n + i]);
                }
            }
    for (int64_t j = 0; j < n; j++) {
        int64_t at = j;
        values[j] = m[j * n + j];
        for (; at > 0 && values[at - 1] < m[j * n + j]; at--)
            values[at] = values[at - 1];
        values[at] = m[j * n + j];
    }
    free(m);
}

/* True residuals below what is said of them, values near the reference, rows orthonormal. */
static void expect_bounds(const found *f, const double *a, int64_t n)
{
    long double values[40];
    reference(a, n, values);
    for (int64_t j = 0; j < f->k; j++) {
        const double *u = f->result.vectors + j * n;
        long double squares = 0;
        for (int64_t i = 0; i < n; i++) {
            long double r = -(long double)f->result.values[j] * u[i];
            for (int64_t l = 0; l < n; l++)
                r += (long double)a[i * n + l] * u[l];
            squares += r * r;
        }
        const double said = f->result.residuals[j] + f->result.rounding;
        if (!(sqrtl(squares) <= (long double)said && fabsl(f->result.values[j] - values[j]) <= (long double)said))
            fail_msg("order %d, pair %d: residual %.3Lg, value off by %.3Lg, bound %.3g", (int)n, (int)j,
                     sqrtl(squares), fabsl(f->result.values[j] - values[j]), said);
        for (int64_t l = 0; l <= j; l++) {
            double dot = 0;
            for (int64_t i = 0; i < n; i++)
                dot += u[i] * f->result.vectors[l * n + i];
            EXPECT_NEAR(dot, l == j ? 1 : 0, 1e-14 * (double)n);
        }
    }
    assert_true(f->k == n || f->result.next >= (double)values[f->k]);
}

static double *nasty(int kind, int64_t n, double scale)
{
    double *a = scree__alloc(n * n, sizeof *a);
    assert_non_null(a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const double hilbert = 1 / (double)(i + j + 1);
            const double ties = i == j ? 1 + (double)(i % 2) : 0;
            const double graded = pow(10, -(double)(i + j) * 4);
            const double split = i / 3 == j / 3 ? hilbert : 0;
            const double rank_one = (double)((i + 1) * (j + 1)) / (double)(n * n);
            const double kinds[] = {0, rank_one, hilbert, ties, graded + (i == j ? 1e-300 : 0), split};
            a[i * n + j] = scale * kinds[kind];
        }
    return a;
}

static void test_nasty(void **state)
{
    (void)state;
    static const double scales[] = {1, 1e300, 1e-300, 1e-320};
    static const int64_t sizes[] = {1, 2, 3, 40};
    for (int kind = 0; kind < 6; kind++)
        for (int64_t s = 0; s < COUNT_OF(scales); s++)
            for (int64_t i = 0; i < COUNT_OF(sizes); i++) {
                double *a = nasty(kind, sizes[i], scales[s]);
                found f = eigen(a, sizes[i], sizes[i], 0, 2);
                expect_bounds(&f, a, sizes[i]);
                clear(&f);
                found one = eigen(a, sizes[i], 1, 0, 2);
                expect_bounds(&one, a, sizes[i]);
                clear(&one);
                free(a);
            }
}

static void test_not_a_number(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (int64_t i = 0; i < COUNT_OF(bad); i++) {
        double a[] = {1, bad[i], bad[i], 1};
        double numbers[8];
        int64_t k = 2;
        scree__dense_result result = {.values = numbers, .vectors = numbers + 2, .residuals = numbers + 6};
        assert_int_equal(scree__dense_eigen(a, 2, &k, &(scree__dense_options){.threads = 1}, &result, &error),
                         SCREE_ERR_NUMERIC);
    }
}

/* Where iterating may stop early, what is said still holds: values within their residuals, nothing missed. */
static void test_tolerance(void **state)
{
    (void)state;
    double values[MOST];
    for (int64_t j = 0; j < MOST; j++)
        values[j] = j < 3 ? 40 - 9 * (double)j : 2 - 1.5 * sqrt((double)(j - 3) / MOST);
    double *a = matrix_with(values, MOST, MOST);
    double work[2] = {0};
    for (int64_t k = 3; k <= 9; k += 6) {
        found exact = eigen(a, MOST, k, 0, 2);
        const scree__relative_goal goal = scree__goal_relative(0.03);
        const scree__dense_options options = {.goal = &goal.goal, .threads = 2};
        scree_error error = SCREE_ERROR_INIT;
        found f = eigen(a, MOST, k, 0, 2);
        EXPECT_OK(scree__dense_eigen(a, MOST, &f.k, &options, &f.result, &error), error);
        for (int64_t j = 0; j < k; j++) {
            EXPECT_NEAR(f.result.values[j], values[j], f.result.residuals[j] + f.result.rounding);
            assert_true(f.result.residuals[j] <= 0.03 * f.result.values[j]);
            work[0] += exact.result.residuals[j];
            work[1] += f.result.residuals[j];
        }
        if (!(f.result.next >= values[k] && f.result.next <= 1.5 * values[k]))
            fail_msg("the next eigenvalue is %.17g, its bound %.17g", values[k], f.result.next);
        clear(&exact);
        clear(&f);
    }
    assert_true(work[1] > 1e3 * work[0]); /* it did stop early */
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nasty),     cmocka_unit_test(test_not_a_number),
        cmocka_unit_test(test_tolerance), cmocka_unit_test(test_whole_spectrum),
        cmocka_unit_test(test_few),       cmocka_unit_test(test_few_of_alike),
        cmocka_unit_test(test_share),     cmocka_unit_test(test_spectrum_is_told),
        cmocka_unit_test(test_part),      cmocka_unit_test(test_few_of_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
