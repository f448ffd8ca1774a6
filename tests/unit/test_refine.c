/* SPDX-License-Identifier: BSD-3-Clause */
/* Refining: what a slightly wrong operator found becomes right to the tolerance, the residuals told are no less than
 * the true ones, a missed eigenvector is found or the outcome is not called converged, and an operator that is too
 * wrong is not believed. */

#include "support/checks.h"

#include "base/memory.h"
#include "support/matrices.h"

#include <string.h>

enum { N = 120, K = 4, EXTRA = 2 };

static const double spectrum[] = {9, 8, 7, 6, 3, 2, 1.5, 1.2, 1, 0.5, 0.2};

typedef struct outcome {
    scree_status status;
    bool converged;
    int64_t exact; /* applications of S, and of the other */
    int64_t cheap;
    double values[K];
    double told[K];
    double true_residuals[K];
    double next;
} outcome;

/* Symmetric noise of about the size. */
static double *disturbed(const double *a, double size)
{
    double *b = scree__alloc(N * N, sizeof *b);
    assert_non_null(b);
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++) {
            const int64_t low = i < j ? i : j;
            const int64_t high = i < j ? j : i;
            b[i * N + j] = a[i * N + j] + size / N * (double)((low * 37 + high * 91) % 17 - 8);
        }
    return b;
}

static void true_residuals(const double *a, const scree__lanczos_result *result, double *residuals)
{
    for (int64_t j = 0; j < K; j++) {
        const double *u = result->vectors + j * N;
        double sum = 0;
        for (int64_t i = 0; i < N; i++) {
            double r = -result->values[j] * u[i];
            for (int64_t l = 0; l < N; l++)
                r += a[i * N + l] * u[l];
            sum += r * r;
        }
        residuals[j] = sqrt(sum);
    }
}

/* Starts from eigenvectors number[0..K+EXTRA-1], each off by blur; the cheaper operator is off by size. */
static outcome refined(const int64_t *number, double blur, double size, double tolerance, int64_t fail_at)
{
    scree_error error = SCREE_ERROR_INIT;
    double *a = matrix_with(spectrum, COUNT_OF(spectrum), N);
    double *b = disturbed(a, size);
    matrix_operator exact = {.a = a, .n = N, .fail_at = fail_at};
    matrix_operator cheap = {.a = b, .n = N};
    const scree__operator op = {N, matrix_apply, &exact};
    const scree__operator near = {N, matrix_apply, &cheap};
    const scree__relative_goal goal = scree__goal_relative(tolerance);
    const scree__lanczos_options options = {
        .k = K, .extra = EXTRA, .block = 8, .basis = 80, .goal = &goal.goal, .seed = 3, .threads = 2};
    const scree__refine_options how = {&options, &near, 1e-12, 4};
    double values[K + EXTRA];
    double vectors[(K + EXTRA) * N];
    double residuals[K + EXTRA];
    outcome o = {0};
    for (int64_t j = 0; j < K + EXTRA; j++)
        for (int64_t i = 0; i < N; i++) {
            vectors[j * N + i] = cos(blur) * reflection(N, number[j], i) + sin(blur) * reflection(N, 40 + j, i);
        }
    scree__lanczos_result result = {.values = values, .vectors = vectors, .residuals = residuals};
    o.status = scree__refine(&op, &how, &result, &error);
    if (o.status == SCREE_OK) {
        o.converged = result.converged;
        o.next = result.next;
        memcpy(o.values, values, sizeof o.values);
        memcpy(o.told, residuals, sizeof o.told);
        true_residuals(a, &result, o.true_residuals);
        assert_int_equal(result.applies, exact.applies + cheap.applies);
    }
    o.exact = exact.applies;
    o.cheap = cheap.applies;
    free(a);
    free(b);
    return o;
}

static void expect_right(const outcome *o, double tolerance)
{
    assert_true(o->converged);
    for (int j = 0; j < K; j++) {
        assert_true(o->told[j] <= tolerance * o->values[j]);
        assert_true(o->true_residuals[j] <= o->told[j] + 1e-13);
        EXPECT_NEAR(o->values[j], spectrum[j], o->true_residuals[j] + 1e-13);
    }
    assert_true(o->next <= 3 + 1e-9);
}

static void test_wrong_ones_become_right(void **state)
{
    (void)state;
    static const int64_t number[] = {0, 1, 2, 3, 4, 5};
    const outcome o = refined(number, 1e-5, 1e-7, 1e-9, 0);
    expect_right(&o, 1e-9);
    assert_true(o.next > 2.9);
    assert_true(o.exact <= 3);
}

static void test_right_ones_stay(void **state)
{
    (void)state;
    static const int64_t number[] = {0, 1, 2, 3, 4, 5};
    const outcome o = refined(number, 0, 1e-7, 1e-9, 0);
    expect_right(&o, 1e-9);
    assert_int_equal(o.exact, 1);
    assert_int_equal(o.cheap, 1);
}

/* The third is missing from what was found: never are 6 and 3 sold as third and fourth. */
static void test_missed(void **state)
{
    (void)state;
    static const int64_t number[] = {0, 1, 3, 4, 5, 6};
    const outcome o = refined(number, 1e-6, 1e-8, 1e-6, 0);
    if (o.converged)
        expect_right(&o, 1e-6);
    else
        assert_true(o.values[2] > 6.5);
}

/* An operator that is wrong by a part of the gap: what it says is not called converged. */
static void test_too_wrong(void **state)
{
    (void)state;
    static const int64_t number[] = {0, 1, 2, 3, 4, 5};
    const outcome o = refined(number, 0.3, 0.5, 1e-9, 0);
    for (int j = 0; j < K; j++)
        assert_true(o.true_residuals[j] <= o.told[j] + 1e-13);
    assert_false(o.converged);
}

static void test_errors_pass_through(void **state)
{
    (void)state;
    static const int64_t number[] = {0, 1, 2, 3, 4, 5};
    assert_int_equal(refined(number, 0, 1e-7, 1e-9, 1).status, SCREE_ERR_IO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong_ones_become_right),
        cmocka_unit_test(test_right_ones_stay),
        cmocka_unit_test(test_missed),
        cmocka_unit_test(test_too_wrong),
        cmocka_unit_test(test_errors_pass_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
