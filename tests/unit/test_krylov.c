/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos without restarts on matrices with known eigenpairs: found where the spectrum falls off, with residuals
 * and a next value that are true; given up where it is flat or has lost rank; the same bits for any number of threads;
 * products against plain loops. */

#include "support/checks.h"

#include "kernel/krylov.h"
#include "support/matrices.h"

#include <string.h>

enum { N = 400, K = 12 };

typedef struct found {
    scree__krylov_result result;
    double values[K];
    double vectors[K * N];
} found;

static void find(const double *a, int threads, found *f)
{
    scree_error error = SCREE_ERROR_INIT;
    const scree__krylov_matrix matrix = {a, N, threads};
    f->result = (scree__krylov_result){.values = f->values, .vectors = f->vectors};
    assert_true(scree__krylov_memory(N) > 8 * N * K);
    EXPECT_OK(scree__krylov(&matrix, K, NULL, NULL, &f->result, &error), error);
}

static void test_falling(void **state)
{
    (void)state;
    static found one;
    static found more;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 7 * pow((double)(j + 1), -1.5);
    double *a = matrix_with(values, N, N);
    find(a, 1, &one);
    assert_true(one.result.converged);
    for (int64_t j = 0; j < K; j++) {
        EXPECT_NEAR(one.values[j], values[j], 1e-13 * values[0]);
        EXPECT_NEAR(outside(one.vectors + j * N, N, j, j), 0, 1e-11);
    }
    EXPECT_NEAR(one.result.next, values[K], one.result.next_residual + 1e-13);
    for (int threads = 2; threads <= 4; threads++) {
        find(a, threads, &more);
        assert_memory_equal(one.values, more.values, sizeof one.values);
        assert_memory_equal(one.vectors, more.vectors, sizeof one.vectors);
    }
    free(a);
}

static void test_flat_is_given_up(void **state)
{
    (void)state;
    static found f;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 1 + 0.01 * cos(3.1416 * (double)j / N);
    double *a = matrix_with(values, N, N);
    find(a, 2, &f);
    assert_false(f.result.converged);
    free(a);
}

static void test_lost_rank_is_given_up(void **state)
{
    (void)state;
    static found f;
    const double values[] = {3, 2, 1};
    double *a = matrix_with(values, 3, N);
    find(a, 2, &f);
    assert_false(f.result.converged);
    free(a);
}

static void test_product(void **state)
{
    (void)state;
    static double w[3 * N];
    static double q[3 * N];
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = (double)(N - j);
    for (int64_t i = 0; i < 3 * (int64_t)N; i++)
        q[i] = sin((double)i);
    double *a = matrix_with(values, N, N);
    const scree__krylov_matrix matrix = {a, N, 2};
    assert_int_equal(scree__krylov_multiply(&matrix, q, 3, w), 0);
    for (int64_t i = 0; i < 3; i++) {
        for (int64_t j = 0; j < N; j += 7) {
            double sum = 0;
            for (int64_t l = 0; l < N; l++)
                sum += q[i * N + l] * a[l * N + j];
            EXPECT_NEAR(w[i * N + j], sum, 1e-10);
        }
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falling),
        cmocka_unit_test(test_flat_is_given_up),
        cmocka_unit_test(test_lost_rank_is_given_up),
        cmocka_unit_test(test_product),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
