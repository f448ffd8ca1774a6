/* SPDX-License-Identifier: BSD-3-Clause */
/* How eigenvalues lie beside a few that are known: of diagonal matrices of 600, by products of their own and from a
 * search by Lanczos that has made them; sums are as told, second and third moments near the true ones for white noise,
 * values of two kinds, and values that fall off; zeros are left out; one value is told exactly. */

#include "support/checks.h"

#include "kernel/lanczos.h"
#include "support/calls.h"

enum { N = 600, K = 4, ZEROS = 200 };

typedef struct diagonal {
    double values[N];
} diagonal;

static scree_status apply(void *context, const double *q, int64_t b, double *w, scree_error *error)
{
    const diagonal *a = context;
    (void)error;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < b; j++)
            w[i * b + j] = a->values[i] * q[i * b + j];
    return SCREE_OK;
}

static double even(int64_t i)
{
    return 1 + 0.5 * (double)i / N;
}

static double two_kinds(int64_t i)
{
    return i % 3 == 0 ? 9 : 1;
}

static double falling(int64_t i)
{
    return 10 / (1 + 0.1 * (double)i);
}

static double half_zero(int64_t i)
{
    return i < N - ZEROS ? 1 + (double)(i % 5) : 0;
}

typedef double spectrum(int64_t i);
static spectrum *const spectra[] = {even, two_kinds, falling, half_zero};
enum { SPECTRA = sizeof spectra / sizeof spectra[0] };

static void fill(diagonal *a, spectrum *of)
{
    for (int64_t i = 0; i < N; i++)
        a->values[i] = i < K ? 1000 - 100 * (double)i : of(i);
}

/* The p-th moment of those beyond K. */
static double moment(const double *values, int64_t count, int p)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += pow(values[i], p);
    return sum;
}

static void expect_shape(const scree__shape_nodes *nodes, const diagonal *a, spectrum *of)
{
    static double values[N];
    const int64_t count = N - K - (of == half_zero ? ZEROS : 0);
    const scree__shape_sums sums = {N - K, count, moment(a->values + K, N - K, 1), 0, a->values[K - 1]};
    scree__shape_values(nodes, &sums, values);
    EXPECT_NEAR(moment(values, count, 1), sums.sum, 1e-9 * sums.sum);
    for (int p = 2; p <= 3; p++) {
        const double truth = moment(a->values + K, N - K, p);
        EXPECT_NEAR(moment(values, count, p), truth, 0.06 * p * truth);
    }
    for (int64_t i = 0; i + 1 < count; i++)
        assert_true(values[i] >= values[i + 1] && values[i + 1] >= 0);
}

static void by_products_of_their_own(void **state)
{
    (void)state;
    static double vectors[K * N];
    for (int64_t j = 0; j < K; j++)
        vectors[j * N + j] = 1;
    for (int s = 0; s < SPECTRA; s++) {
        scree_error error = SCREE_ERROR_INIT;
        diagonal a;
        scree__shape_nodes nodes;
        fill(&a, spectra[s]);
        const scree__operator op = {N, apply, &a};
        const scree__shape_from from = {.known = K, .vectors = vectors, .seed = 3, .steps = SCREE__SHAPE_STEPS};
        EXPECT_OK(scree__shape_measure(&nodes, &op, &from, &error), error);
        expect_shape(&nodes, &a, spectra[s]);
    }
}

static void from_a_search(void **state)
{
    (void)state;
    static double values[2 * K], vectors[2 * K * N], residuals[2 * K];
    const scree__relative_goal goal = scree__goal_relative(1e-10);
    for (int s = 0; s < SPECTRA; s++) {
        scree_error error = SCREE_ERROR_INIT;
        diagonal a;
        fill(&a, spectra[s]);
        const scree__operator op = {N, apply, &a};
        const scree__lanczos_options options = {.k = K,
                                                .extra = 2,
                                                .block = 16,
                                                .basis = 80,
                                                .max_steps = 500,
                                                .seed = 1,
                                                .threads = 2,
                                                .goal = &goal.goal};
        scree__lanczos_result result = {.values = values, .vectors = vectors, .residuals = residuals};
        EXPECT_OK(scree__lanczos(&op, &options, NULL, &result, &error), error);
        assert_true(result.converged);
        expect_shape(&result.others, &a, spectra[s]);
    }
}

static void squares_that_are_known(void **state)
{
    (void)state;
    static double values[N];
    scree_error error = SCREE_ERROR_INIT;
    diagonal a;
    scree__shape_nodes nodes;
    fill(&a, two_kinds);
    for (int64_t i = 0; i < K; i++)
        a.values[i] = two_kinds(i);
    const scree__operator op = {N, apply, &a};
    const scree__shape_from from = {.seed = 5, .steps = SCREE__SHAPE_STEPS};
    const scree__shape_sums sums = {N, N, moment(a.values, N, 1), moment(a.values, N, 2), 100};
    EXPECT_OK(scree__shape_measure(&nodes, &op, &from, &error), error);
    scree__shape_values(&nodes, &sums, values);
    EXPECT_NEAR(moment(values, N, 2), sums.squares, 1e-9 * sums.squares);
    EXPECT_NEAR(values[0], 9, 0.3);
    EXPECT_NEAR(values[N - 1], 1, 0.3);
}

/* None is larger than the last that is known, and the sum holds. */
static void none_is_larger(void **state)
{
    (void)state;
    static double values[N];
    scree__shape_nodes nodes = {3, {9, 4, 1}, {0.1, 0.2, 0.7}};
    const scree__shape_sums sums = {N, N, 2.0 * N, 0, 3};
    scree__shape_values(&nodes, &sums, values);
    EXPECT_NEAR(moment(values, N, 1), sums.sum, 1e-9 * sums.sum);
    for (int64_t i = 0; i < N; i++)
        assert_true(values[i] <= 3);
}

static void one_value(void **state)
{
    (void)state;
    static double values[N];
    scree_error error = SCREE_ERROR_INIT;
    diagonal a;
    scree__shape_nodes nodes;
    for (int64_t i = 0; i < N; i++)
        a.values[i] = 7;
    const scree__operator op = {N, apply, &a};
    const scree__shape_from from = {.seed = 5, .steps = SCREE__SHAPE_STEPS};
    const scree__shape_sums sums = {N, N, 7.0 * N, 49.0 * N, 7};
    EXPECT_OK(scree__shape_measure(&nodes, &op, &from, &error), error);
    scree__shape_values(&nodes, &sums, values);
    for (int64_t i = 0; i < N; i++)
        EXPECT_NEAR(values[i], 7, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_products_of_their_own),
        cmocka_unit_test(from_a_search),
        cmocka_unit_test(squares_that_are_known),
        cmocka_unit_test(none_is_larger),
        cmocka_unit_test(one_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
