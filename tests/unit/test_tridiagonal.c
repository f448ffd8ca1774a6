/* SPDX-License-Identifier: BSD-3-Clause */
/* A = Q T Qᵀ with Q orthogonal, at orders around those of panels, groups and pieces; matrices that are tridiagonal
 * already, of rank one, or with rows that are all but 0; the same bits for any number of threads. */

#include "support/checks.h"

#include "base/memory.h"
#include "base/random.h"
#include "kernel/blas.h"
#include "kernel/tridiagonal.h"

#include <string.h>

typedef struct reduced {
    scree__tridiagonal t;
    double *q; /* n×n: row j is Q e_j */
} reduced;

static reduced reduce(const double *a, int64_t n, int threads)
{
    scree_error error = SCREE_ERROR_INIT;
    reduced r = {.t = {.n = n, .threads = threads}};
    r.t.v = scree__alloc(n * n, sizeof(double));
    r.t.diagonal = scree__alloc(n, sizeof(double));
    r.t.beside = scree__alloc(n, sizeof(double));
    r.t.tau = scree__alloc(n, sizeof(double));
    r.q = scree__alloc(n * n, sizeof(double));
    assert_true(r.t.v && r.t.diagonal && r.t.beside && r.t.tau && r.q);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = i; j < n; j++)
            r.t.v[i * n + j] = a[i * n + j];
        r.q[i * n + i] = 1;
    }
    assert_true(scree__tridiagonal_memory(n) > 0);
    scree__blas_enter();
    EXPECT_OK(scree__tridiagonal_reduce(&r.t, &error), error);
    EXPECT_OK(scree__tridiagonal_restore(&r.t, r.q, n, &error), error);
    scree__blas_leave();
    return r;
}

static void clear(reduced *r)
{
    free(r->t.v);
    free(r->t.diagonal);
    free(r->t.beside);
    free(r->t.tau);
    free(r->q);
}

/* A q_j = b_j-1 q_j-1 + d_j q_j + b_j q_j+1, and QᵀQ = I, of some j. */
static void expect_similar(const double *a, const reduced *r)
{
    const int64_t n = r->t.n;
    const int64_t step = n > 200 ? 29 : 1;
    const double bound = 4e-15 * sqrt((double)n);
    for (int64_t j = 0; j < n; j += step) {
        const double *q = r->q + j * n;
        for (int64_t i = 0; i < n; i++) {
            double product = -r->t.diagonal[j] * q[i];
            double dot = 0;
            for (int64_t l = 0; l < n; l++) {
                product += a[i * n + l] * q[l];
                dot += r->q[i * n + l] * q[l];
            }
            if (j > 0)
                product -= r->t.beside[j - 1] * r->q[(j - 1) * n + i];
            if (j + 1 < n)
                product -= r->t.beside[j] * r->q[(j + 1) * n + i];
            EXPECT_NEAR(product, 0, bound);
            EXPECT_NEAR(dot, i == j ? 1 : 0, bound);
        }
    }
}

static void run(const double *a, int64_t n)
{
    reduced one = reduce(a, n, 1);
    expect_similar(a, &one);
    for (int threads = 2; threads <= 4; threads += 2) {
        reduced more = reduce(a, n, threads);
        assert_memory_equal(one.t.diagonal, more.t.diagonal, (size_t)n * sizeof(double));
        assert_memory_equal(one.t.beside, more.t.beside, (size_t)(n - 1) * sizeof(double));
        assert_memory_equal(one.q, more.q, (size_t)(n * n) * sizeof(double));
        clear(&more);
    }
    clear(&one);
}

/* Entries that add up to a norm of about 1. */
static double *random_matrix(int64_t n)
{
    double *a = scree__alloc(n * n, sizeof *a);
    assert_non_null(a);
    scree__normals(5, (uint64_t)n, 0, n * n, a);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++)
            a[i * n + j] = a[j * n + i] = a[j * n + i] / (2 * sqrt((double)n));
    return a;
}

static void test_orders(void **state)
{
    (void)state;
    static const int64_t orders[] = {1, 2, 3, 4, 32, 33, 34, 35, 64, 65, 66, 130, 700};
    for (int64_t i = 0; i < COUNT_OF(orders); i++) {
        double *a = random_matrix(orders[i]);
        run(a, orders[i]);
        free(a);
    }
}

static void test_nothing_to_do(void **state)
{
    (void)state;
    enum { N = 70 };
    double *a = scree__alloc(N * N, sizeof *a);
    assert_non_null(a);
    run(a, N);
    for (int64_t i = 0; i + 1 < N; i++)
        a[i * N + i + 1] = a[(i + 1) * N + i] = i % 7 == 0 ? 0 : 0.5;
    run(a, N);
    free(a);
}

static void test_rank_one(void **state)
{
    (void)state;
    enum { N = 70 };
    double *a = scree__alloc(N * N, sizeof *a);
    assert_non_null(a);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            a[i * N + j] = 1.0 / N;
    run(a, N);
    free(a);
}

/* Squares of entries that are all but 0 do not exist, and their direction must not be made of them. */
static void test_rows_that_vanish(void **state)
{
    (void)state;
    enum { N = 70 };
    static const double scales[] = {1e-150, 1e-158, 1e-161, 1e-170, 5e-324};
    for (int64_t s = 0; s < COUNT_OF(scales); s++) {
        double *a = random_matrix(N);
        for (int64_t i = 0; i < N; i++)
            for (int64_t j = 0; j < N; j++)
                a[i * N + j] *= i % 3 == 0 || j % 3 == 0 ? scales[s] : 1;
        run(a, N);
        free(a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_nothing_to_do),
        cmocka_unit_test(test_rank_one),
        cmocka_unit_test(test_rows_that_vanish),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
