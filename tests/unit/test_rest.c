/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues that are not kept: sums survive, values descend, and a guess has the mean and the spread it was told. */

#include "support/checks.h"

#include "model/rest.h"

typedef struct moments {
    double count;
    double sum;
    double squares;
} moments;

static moments moments_of(const scree__rest *rest)
{
    moments m = {0};
    assert_in_range(rest->bins, 1, SCREE__REST_BINS);
    for (int64_t i = 0; i < rest->bins; i++) {
        assert_true(rest->counts[i] > 0 && (i == 0 || rest->values[i] <= rest->values[i - 1]));
        m.count += rest->counts[i];
        m.sum += rest->counts[i] * rest->values[i];
        m.squares += rest->counts[i] * rest->values[i] * rest->values[i];
    }
    return m;
}

static void gathering_keeps_sums(void **state)
{
    (void)state;
    static const int64_t sizes[] = {1, 2, 16, 17, 63, 64, 65, 66, 100, 999, 5000};
    static double values[5000];
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t k = 0; k < COUNT_OF(sizes); k++) {
        scree__rest rest = {0};
        double sum = 0, squares = 0;
        for (int64_t i = 0; i < sizes[k]; i++) {
            values[i] = 3 * exp(-(double)i / 700);
            sum += values[i];
            squares += values[i] * values[i];
        }
        EXPECT_OK(scree__rest_gather(&rest, values, NULL, sizes[k], &error), error);
        const moments m = moments_of(&rest);
        EXPECT_NEAR(m.count, sizes[k], 1e-9);
        EXPECT_NEAR(m.sum, sum, 1e-9 * sum);
        EXPECT_NEAR(m.squares, squares, 1e-2 * squares);
        EXPECT_NEAR(rest.values[0], values[0], 0);
        assert_true(sizes[k] > SCREE__REST_BINS || rest.bins == sizes[k]);
        scree__rest_clear(&rest);
    }
}

static void equal_values_still_descend(void **state)
{
    (void)state;
    static double values[1000];
    scree_error error = SCREE_ERROR_INIT;
    scree__rest rest = {0};
    for (int i = 0; i < 1000; i++)
        values[i] = 0.1;
    EXPECT_OK(scree__rest_gather(&rest, values, NULL, 1000, &error), error);
    moments_of(&rest);
    scree__rest_clear(&rest);
}

static void guesses_have_mean_and_spread(void **state)
{
    (void)state;
    static const double spreads[] = {0.01, 0.1, 0.5, 0.9, 1.5};
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t k = 0; k < COUNT_OF(spreads); k++) {
        scree__rest rest = {0};
        const scree__rest_sums sums = {
            .count = 97, .sum = 200, .squares = 97 * 4.2512 * (1 + spreads[k]), .most = 1e9, .ratio = 0.3};
        EXPECT_OK(scree__rest_guess(&rest, &sums, &error), error);
        const moments m = moments_of(&rest);
        EXPECT_NEAR(m.count, 97, 1e-9);
        EXPECT_NEAR(m.sum, 200, 1e-9);
        EXPECT_NEAR(m.squares / (97 * 4.2512) - 1, spreads[k], (spreads[k] > 1 ? 0.25 : 0.15) * spreads[k] + 1e-4);
        scree__rest_clear(&rest);
    }
}

static void white_noise_where_nothing_is_known(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__rest rest = {0};
    const scree__rest_sums sums = {.count = 50, .sum = 50, .squares = NAN, .most = 1e9, .ratio = 0.25};
    EXPECT_OK(scree__rest_guess(&rest, &sums, &error), error);
    EXPECT_NEAR(moments_of(&rest).squares / 50, 1.25, 0.01);
    EXPECT_NEAR(rest.values[0], 2.25, 0.15); /* the edge, (1 + ½)² */
    scree__rest_clear(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gathering_keeps_sums), cmocka_unit_test(equal_values_still_descend),
        cmocka_unit_test(guesses_have_mean_and_spread), cmocka_unit_test(white_noise_where_nothing_is_known)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
