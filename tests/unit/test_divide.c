/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenpairs of tridiagonal matrices by divide and conquer: values that are known, residuals and orthogonality at
 * orders of one leaf, two and more; torn at zeros, many alike, values that are close; some of the vectors; the same
 * bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/divide.h"

#include <string.h>

typedef struct found {
    double *values;
    double *vectors;
} found;

static found solve(const double *diagonal, const double *beside, int64_t n, int64_t k, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    scree__divide d;
    found f = {scree__alloc(n, sizeof(double)), scree__alloc(k * n, sizeof(double))};
    assert_true(f.values && f.vectors && scree__divide_memory(n) > 8 * n * n);
    scree__blas_enter();
    EXPECT_OK(scree__divide_open(&d, diagonal, beside, n, threads, NULL, &error), error);
    for (int64_t j = 0; j < n; j++)
        f.values[j] = scree__divide_value(&d, j);
    EXPECT_OK(scree__divide_vectors(&d, k, f.vectors, NULL, &error), error);
    scree__divide_close(&d);
    scree__blas_leave();
    return f;
}

static void clear(found *f)
{
    free(f->values);
    free(f->vectors);
}

static void expect_pairs(const found *f, const double *diagonal, const double *beside, int64_t n, int64_t k)
{
    const int64_t step = n > 400 ? 17 : 1;
    const double bound = 1e-14 * (double)n / 100 + 1e-14;
    for (int64_t j = 0; j < k; j++) {
        const double *u = f->vectors + j * n;
        assert_true(j == 0 || f->values[j] <= f->values[j - 1]);
        for (int64_t i = 0; i < n; i++) {
            double r = (diagonal[i] - f->values[j]) * u[i];
            r += i > 0 ? beside[i - 1] * u[i - 1] : 0;
            r += i + 1 < n ? beside[i] * u[i + 1] : 0;
            EXPECT_NEAR(r, 0, 4 * bound);
        }
        for (int64_t l = 0; l <= j; l += step) {
            double dot = 0;
            for (int64_t i = 0; i < n; i++)
                dot += u[i] * f->vectors[l * n + i];
            EXPECT_NEAR(dot, l == j ? 1 : 0, bound);
        }
    }
}

static void run(const double *diagonal, const double *beside, int64_t n, int64_t k)
{
    found one = solve(diagonal, beside, n, k, 1);
    expect_pairs(&one, diagonal, beside, n, k);
    for (int threads = 2; threads <= 4; threads += 2) {
        found more = solve(diagonal, beside, n, k, threads);
        assert_memory_equal(one.values, more.values, (size_t)n * sizeof(double));
        assert_memory_equal(one.vectors, more.vectors, (size_t)(k * n) * sizeof(double));
        clear(&more);
    }
    clear(&one);
}

/* 2 on the diagonal, -1 beside: the values are 2 - 2cos(πj/(n+1)). */
/* Of a value: what dense.c says of them, the largest being 4. */
#define ERROR(n) (8 * sqrt((double)(n)) * 0x1p-53 * 4)

static void test_known(void **state)
{
    (void)state;
    static const int64_t orders[] = {1, 2, 3, 300, 301, 650};
    for (int64_t o = 0; o < COUNT_OF(orders); o++) {
        const int64_t n = orders[o];
        double diagonal[650];
        double beside[650];
        for (int64_t i = 0; i < n; i++) {
            diagonal[i] = 2;
            beside[i] = -1;
        }
        run(diagonal, beside, n, n);
        found f = solve(diagonal, beside, n, 1, 2);
        for (int64_t j = 0; j < n; j++)
            EXPECT_NEAR(f.values[j], 2 - 2 * cos(acos(-1) * (double)(n - j) / (double)(n + 1)), ERROR(n));
        clear(&f);
    }
}

/* However an order is torn: halves of halves are of two sizes. */
static void test_every_order(void **state)
{
    (void)state;
    static const int64_t large[] = {301, 603, 1203, 1205, 1211};
    enum { MOST = 1211 };
    double diagonal[MOST];
    double beside[MOST];
    for (int64_t i = 0; i < MOST; i++) {
        diagonal[i] = 2;
        beside[i] = -1;
    }
    for (int64_t o = 1; o <= 300 + COUNT_OF(large); o++) {
        const int64_t n = o <= 300 ? o : large[o - 301];
        found f = solve(diagonal, beside, n, 1, 1);
        expect_pairs(&f, diagonal, beside, n, 1);
        for (int64_t j = 0; j < n; j++)
            EXPECT_NEAR(f.values[j], 2 - 2 * cos(acos(-1) * (double)(n - j) / (double)(n + 1)), ERROR(n));
        clear(&f);
    }
}

static void test_part(void **state)
{
    (void)state;
    enum { N = 650 };
    double numbers[2 * N];
    scree__normals(8, 0, 0, 2 * N, numbers);
    run(numbers, numbers + N, N, 1);
    run(numbers, numbers + N, N, 129);
    run(numbers, numbers + N, N, N);
}

/* Nothing beside the diagonal, everywhere or at the tears; all alike. */
static void test_torn(void **state)
{
    (void)state;
    enum { N = 620 };
    double diagonal[N];
    double beside[N] = {0};
    for (int64_t i = 0; i < N; i++)
        diagonal[i] = 1;
    run(diagonal, beside, N, N);
    for (int64_t i = 0; i < N; i++)
        diagonal[i] = (double)(i % 5);
    run(diagonal, beside, N, N);
    for (int64_t i = 0; i < N; i++)
        beside[i] = i % 155 == 154 ? 0 : 1;
    run(diagonal, beside, N, N);
}

/* Wilkinson's matrices of order 21, glued by almost nothing: every value comes in crowds. */
static void test_glued(void **state)
{
    (void)state;
    enum { N = 630 };
    double diagonal[N];
    double beside[N];
    for (int64_t i = 0; i < N; i++) {
        diagonal[i] = fabs((double)(i % 21) - 10) / 10;
        beside[i] = i % 21 == 20 ? 1e-15 : 0.1;
    }
    run(diagonal, beside, N, N);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known), cmocka_unit_test(test_every_order), cmocka_unit_test(test_part),
        cmocka_unit_test(test_torn),  cmocka_unit_test(test_glued),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
