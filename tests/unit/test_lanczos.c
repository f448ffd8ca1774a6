/* SPDX-License-Identifier: BSD-3-Clause */
/* Block Lanczos on matrices with known eigenpairs: large and small bases (many restarts), ties, operators of low rank
 * and the zero operator, residuals that are true, steps that run out, failures that pass through. */

#include "support/checks.h"

#include "support/calls.h"
#include "support/matrices.h"

#include <string.h>

enum { N = 90, K = 5, BLOCK = 8 };

typedef struct run {
    double values[N];
    double vectors[N * N];
    double residuals[N];
    scree__lanczos_result result;
} run;

static scree_status lanczos(run *r, matrix_operator *m, scree__lanczos_options options, scree_error *error)
{
    const scree__operator op = {m->n, matrix_apply, m};
    const scree__relative_goal goal = scree__goal_relative(1e-12);
    options.goal = &goal.goal;
    r->result = (scree__lanczos_result){.values = r->values, .vectors = r->vectors, .residuals = r->residuals};
    return scree__lanczos(&op, &options, NULL, &r->result, error);
}

static const scree__lanczos_options usual = {
    .k = K, .block = BLOCK, .basis = 2 * K + 6 * BLOCK, .max_steps = 500, .seed = 1, .threads = 2};

static double true_residual(const matrix_operator *m, const double *u, double value)
{
    double sum = 0;
    for (int64_t i = 0; i < m->n; i++) {
        double image = -value * u[i];
        for (int64_t j = 0; j < m->n; j++)
            image += m->a[i * m->n + j] * u[j];
        sum += image * image;
    }
    return sqrt(sum);
}

/* values: the largest of them are single, and well apart. */
static void expect_pairs(const run *r, const matrix_operator *m, const double *values, double tolerance)
{
    for (int64_t j = 0; j < K; j++) {
        const double *u = r->vectors + j * N;
        EXPECT_NEAR(r->values[j], values[j], tolerance * values[0] + 1e-14);
        EXPECT_NEAR(true_residual(m, u, r->values[j]), r->residuals[j], 1e-13 * values[0] + 1e-15);
        for (int64_t i = 0; i <= j; i++) {
            double dot = 0;
            for (int64_t l = 0; l < N; l++)
                dot += u[l] * r->vectors[i * N + l];
            EXPECT_NEAR(dot, i == j ? 1 : 0, 1e-13);
        }
    }
}

static void run_values(const double *values, int64_t count, int64_t basis)
{
    static run r;
    scree_error error = SCREE_ERROR_INIT;
    double *a = matrix_with(values, count, N);
    matrix_operator m = {.a = a, .n = N};
    scree__lanczos_options options = usual;
    options.basis = basis;
    EXPECT_OK(lanczos(&r, &m, options, &error), error);
    assert_true(r.result.converged);
    assert_int_equal(r.result.applies, m.applies);
    expect_pairs(&r, &m, values, 1e-12);
    free(a);
}

static void test_decaying(void **state)
{
    (void)state;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 7 * pow(0.9, (double)j);
    run_values(values, N, scree__lanczos_basis(N, K, BLOCK));
    run_values(values, N, K + 3 * BLOCK); /* the smallest basis: restart upon restart */
}

static void test_slowly_decaying(void **state)
{
    (void)state;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 1 / sqrt((double)(1 + j));
    run_values(values, N, K + 3 * BLOCK);
}

static void test_low_rank(void **state)
{
    (void)state;
    static const double values[N] = {4, 3, 2, 1, 0.5, 0.25};
    for (int64_t rank = 0; rank <= 6; rank++) {
        double some[N] = {0};
        memcpy(some, values, (size_t)rank * sizeof *some);
        run_values(some, N, scree__lanczos_basis(N, K, BLOCK));
    }
}

static void test_ties(void **state)
{
    (void)state;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = j < 3 ? 2 : j < 7 ? 1 : 0.1;
    run_values(values, N, scree__lanczos_basis(N, K, BLOCK));
}

static void test_next_is_told(void **state)
{
    (void)state;
    static run r;
    static const double values[] = {9, 8, 7, 6, 5, 2, 1};
    double *a = matrix_with(values, 7, N);
    matrix_operator m = {.a = a, .n = N};
    assert_int_equal(lanczos(&r, &m, usual, NULL), SCREE_OK);
    EXPECT_NEAR(r.result.next, 2, 1e-10 + r.result.next_residual);
    free(a);
}

static void test_same_bits(void **state)
{
    (void)state;
    static run one;
    static run more;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = pow(0.8, (double)j);
    double *a = matrix_with(values, N, N);
    matrix_operator m = {.a = a, .n = N};
    scree__lanczos_options options = usual;
    options.threads = 1;
    assert_int_equal(lanczos(&one, &m, options, NULL), SCREE_OK);
    for (options.threads = 2; options.threads <= 4; options.threads++) {
        assert_int_equal(lanczos(&more, &m, options, NULL), SCREE_OK);
        assert_memory_equal(one.values, more.values, sizeof one.values);
        assert_memory_equal(one.vectors, more.vectors, sizeof one.vectors);
    }
    free(a);
}

/* Not converging is no error, and what is returned is what is claimed of it. */
static void test_steps_run_out(void **state)
{
    (void)state;
    static run r;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 1 / sqrt((double)(1 + j));
    double *a = matrix_with(values, N, N);
    matrix_operator m = {.a = a, .n = N};
    scree__lanczos_options options = usual;
    options.max_steps = 2;
    assert_int_equal(lanczos(&r, &m, options, NULL), SCREE_OK);
    assert_false(r.result.converged);
    assert_int_equal(m.applies, 2);
    for (int64_t j = 0; j < K; j++)
        EXPECT_NEAR(true_residual(&m, r.vectors + j * N, r.values[j]), r.residuals[j], 1e-13);
    free(a);
}

/* A spectrum on which it is slow, and another way that is short: it gives way, and not before it has tried. */
static void test_gives_way(void **state)
{
    (void)state;
    static run r;
    double values[N];
    for (int64_t j = 0; j < N; j++)
        values[j] = 1 - 1e-3 * (double)j;
    double *a = matrix_with(values, N, N);
    scree__lanczos_options options = usual;
    options.basis = K + 3 * BLOCK;
    for (int hurried = 0; hurried < 2; hurried++) {
        matrix_operator m = {.a = a, .n = N};
        options.worth = hurried ? 10 * BLOCK : 0;
        assert_int_equal(lanczos(&r, &m, options, NULL), SCREE_OK);
        assert_int_equal(r.result.gave_way, hurried);
        assert_int_equal(r.result.converged, !hurried);
        assert_true(!hurried || (m.applies >= 5 && m.applies <= 20));
    }
    free(a);
}

static void test_failure_passes_through(void **state)
{
    (void)state;
    static run r;
    static const double values[] = {2, 1};
    double *a = matrix_with(values, 2, N);
    for (int64_t fail_at = 1; fail_at < 3; fail_at++) {
        scree_error error = SCREE_ERROR_INIT;
        matrix_operator m = {.a = a, .n = N, .fail_at = fail_at};
        assert_int_equal(lanczos(&r, &m, usual, &error), SCREE_ERR_IO);
        assert_string_equal(error.text, "the disk is gone");
    }
    free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decaying),
        cmocka_unit_test(test_slowly_decaying),
        cmocka_unit_test(test_low_rank),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_next_is_told),
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_steps_run_out),
        cmocka_unit_test(test_gives_way),
        cmocka_unit_test(test_failure_passes_through),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
