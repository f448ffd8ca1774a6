/* SPDX-License-Identifier: BSD-3-Clause */
/* Where an iteration may stop: what a residual within the goal proves is a tenth of the sampling error, components that
 * the data cannot tell apart are not resolved, and other goals are as they say. */

#include "support/checks.h"

#include "fit/stopping.h"

enum { ROWS = 5000, KNOWN = 6, K = 5 };

static void test_components_apart(void **state)
{
    (void)state;
    static const double values[KNOWN] = {100, 50, 20, 10, 5, 2};
    double allowed[K];
    const scree__sampling_goal g = scree__goal_sampling(ROWS, 200);
    g.goal.allow(&g.goal, values, KNOWN, K, allowed);
    for (int j = 0; j < K; j++) {
        const double below = values[j] - values[j + 1];
        const double gap = j > 0 ? fmin(values[j - 1] - values[j], below) : below;
        const double r = allowed[j];
        double direction = 0;
        for (int i = 0; i < KNOWN; i++)
            if (i != j)
                direction += values[i] * values[j] / pow(values[i] - values[j], 2);
        assert_true(r * r / gap <= 0.1 * values[j] * sqrt(2.0 / ROWS));
        assert_true(r / gap <= 0.1 * sqrt((direction + 13 / values[j]) / ROWS));
        assert_true(r > 1e-5 * values[j]); /* and not more than it takes */
    }
}

static void test_bulk(void **state)
{
    (void)state;
    static const double values[KNOWN] = {100, 2.05, 2.04, 2.03, 2.02, 2.01};
    double allowed[K];
    const scree__sampling_goal g = scree__goal_sampling(ROWS, 1000);
    g.goal.allow(&g.goal, values, KNOWN, K, allowed);
    for (int j = 1; j < K; j++)
        EXPECT_NEAR(allowed[j], 0.3 * values[j] * sqrt(2.0 / ROWS), 1e-12);
}

/* A component after which nothing is known may be one of a bulk. */
static void test_last_known(void **state)
{
    (void)state;
    static const double values[] = {9, 1};
    double allowed[2];
    const scree__sampling_goal g = scree__goal_sampling(ROWS, 12);
    g.goal.allow(&g.goal, values, 2, 2, allowed);
    EXPECT_NEAR(allowed[1], 0.3 * sqrt(2.0 / ROWS), 1e-12);
}

static void test_zeros(void **state)
{
    (void)state;
    static const double values[KNOWN] = {4, 0, 0, 0, 0, 0};
    double allowed[K];
    const scree__sampling_goal g = scree__goal_sampling(ROWS, 4);
    g.goal.allow(&g.goal, values, KNOWN, K, allowed);
    for (int j = 0; j < K; j++)
        assert_true(allowed[j] > 0 && isfinite(allowed[j]));
}

static void test_other_goals(void **state)
{
    (void)state;
    static const double values[] = {8, 1e-20};
    double allowed[2];
    const scree__relative_goal g = scree__goal_relative(1e-6);
    const scree__loose_goal loose = scree__goal_loosened(&g.goal, 0.5, 1e-5);
    g.goal.allow(&g.goal, values, 2, 2, allowed);
    EXPECT_NEAR(allowed[0], 8e-6, 1e-20);
    EXPECT_NEAR(allowed[1], 64 * 0x1p-53 * 8, 1e-20);
    loose.goal.allow(&loose.goal, values, 2, 2, allowed);
    EXPECT_NEAR(allowed[0], 8e-5, 1e-18);
    EXPECT_NEAR(allowed[1], 32 * 0x1p-53 * 8, 1e-20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_components_apart), cmocka_unit_test(test_bulk),
        cmocka_unit_test(test_last_known),       cmocka_unit_test(test_zeros),
        cmocka_unit_test(test_other_goals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
