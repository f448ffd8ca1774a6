/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails of ratios of quadratic forms: against the beta distribution, which two values are, and one with zeros; against
 * counted draws; at the edges and around the mean; and the table against the tail. */

#include "support/checks.h"

#include "base/random.h"
#include "base/special.h"
#include "model/ratio_tail.h"

#include <float.h>

/* X = low + (high - low) beta(a/2, b/2): the saddlepoint is within 15 % of it wherever it is. */
static void two_values_are_a_beta(void **state)
{
    (void)state;
    static const double counts[][2] = {{1, 1}, {1, 3}, {3, 20}, {20, 3}, {7, 400}, {300, 300}};
    for (int64_t k = 0; k < COUNT_OF(counts); k++) {
        const double values[2] = {5, 2};
        const scree__ratio ratio = {values, counts[k], 2, 0};
        for (int step = 1; step < 100; step++) {
            const double t = 0.01 * step;
            const double found = scree__ratio_log_tail(&ratio, 2 + 3 * t);
            const double wanted = scree__log_beta_tail(counts[k][0] / 2, counts[k][1] / 2, t, 1 - t);
            const bool few = counts[k][0] + counts[k][1] < 3;
            EXPECT_NEAR(found, wanted, few ? 0.25 : 0.15);
        }
    }
}

static void one_value_is_exact(void **state)
{
    (void)state;
    const double value = 3, count = 5;
    const scree__ratio ratio = {&value, &count, 1, 12};
    assert_true(scree__ratio_varies(&ratio));
    for (int step = 0; step < 14; step++) {
        const double t = 0.02 + 0.07 * step;
        EXPECT_NEAR(scree__ratio_log_tail(&ratio, 3 * t), scree__log_beta_tail(2.5, 6, t, 1 - t), 1e-12);
    }
    const scree__ratio still = {&value, &count, 1, 0};
    assert_false(scree__ratio_varies(&still));
}

static void edges_are_certain(void **state)
{
    (void)state;
    const double values[3] = {5, 3, 1}, counts[3] = {1, 1, 1};
    const scree__ratio ratio = {values, counts, 3, 0};
    EXPECT_NEAR(scree__ratio_log_tail(&ratio, 1), 0, 0);
    EXPECT_NEAR(scree__ratio_log_tail(&ratio, 0), 0, 0);
    assert_true(scree__ratio_log_tail(&ratio, 5) == -HUGE_VAL);
    assert_true(scree__ratio_log_tail(&ratio, 7) == -HUGE_VAL);
    assert_true(isfinite(scree__ratio_log_tail(&ratio, 5 * (1 - 1e-9))));
    assert_true(scree__ratio_log_tail(&ratio, 1 + 1e-9) <= 0);
}

/* Nothing jumps where x passes the mean. */
static void smooth_at_the_mean(void **state)
{
    (void)state;
    const double values[4] = {8, 4, 2, 1}, counts[4] = {1, 2, 3, 4};
    const scree__ratio ratio = {values, counts, 4, 6};
    const double mean = (8 + 8 + 6 + 4) / 16.0;
    double before = scree__ratio_log_tail(&ratio, mean - 0.01);
    for (int i = -999; i <= 1000; i++) {
        const double now = scree__ratio_log_tail(&ratio, mean + 0.00001 * i);
        assert_true(now < before + 3e-4 && now > before - 3e-4);
        before = now;
    }
}

/* Shares of draws beyond x, within 10 % and three standard errors. */
static void equals_what_is_drawn(void **state)
{
    (void)state;
    enum { DRAWS = 200000, TERMS = 6, ZEROS = 2 };
    const double values[TERMS] = {5, 3, 2, 1, 1, 0.5}, counts[TERMS] = {1, 1, 1, 1, 1, 1};
    const scree__ratio ratio = {values, counts, TERMS, ZEROS};
    const double at[] = {1.0, 1.6, 2.2, 2.8, 3.4};
    double beyond[COUNT_OF(at)] = {0};
    for (int64_t i = 0; i < DRAWS; i++) {
        double z[TERMS + ZEROS], above = 0, below = 0;
        scree__normals(11, 0, i * (TERMS + ZEROS), TERMS + ZEROS, z);
        for (int j = 0; j < TERMS + ZEROS; j++) {
            above += j < TERMS ? values[j] * z[j] * z[j] : 0;
            below += z[j] * z[j];
        }
        for (int64_t k = 0; k < COUNT_OF(at); k++)
            beyond[k] += above / below >= at[k];
    }
    for (int64_t k = 0; k < COUNT_OF(at); k++) {
        const double share = beyond[k] / DRAWS;
        const double found = exp(scree__ratio_log_tail(&ratio, at[k]));
        EXPECT_NEAR(found, share, 0.1 * share + 3 * sqrt(share / DRAWS));
    }
}

static void the_table_follows(void **state)
{
    (void)state;
    double values[30], counts[30];
    scree_error error = SCREE_ERROR_INIT;
    scree__ratio_table table;
    for (int j = 0; j < 30; j++) {
        values[j] = 4 - 0.1 * j;
        counts[j] = 1 + j % 3;
    }
    const scree__ratio ratio = {values, counts, 30, 40};
    EXPECT_OK(scree__ratio_table_make(&table, &ratio, &error), error);
    for (int step = 0; step < 1000; step++) {
        const double x = 0.2 + 0.0037 * step;
        EXPECT_NEAR(scree__ratio_table_log(&table, x), scree__ratio_log_tail(&ratio, x), 2e-4);
    }
    assert_true(scree__ratio_table_log(&table, 4.5) == -HUGE_VAL);
    scree__ratio_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_values_are_a_beta), cmocka_unit_test(one_value_is_exact),
                                       cmocka_unit_test(edges_are_certain),     cmocka_unit_test(smooth_at_the_mean),
                                       cmocka_unit_test(equals_what_is_drawn),  cmocka_unit_test(the_table_follows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
