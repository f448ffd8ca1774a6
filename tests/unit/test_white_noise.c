/* SPDX-License-Identifier: BSD-3-Clause */
/* What white noise does to eigenvalues, and back. */

#include "model/white_noise.h"

#include "support/checks.h"

static const double LEVEL = 2;

static double grown(double alpha, double gamma)
{
    return alpha * (1 + gamma * LEVEL / (alpha - LEVEL));
}

/* Components above the threshold come back, those below are put there. */
static void test_growth_is_undone(void **state)
{
    (void)state;
    for (int i = 0; i < 7; i++) {
        const double gamma = 0.05 * pow(3, i);
        const double threshold = LEVEL * (1 + sqrt(gamma));
        for (int j = 0; j < 7; j++) {
            const double alpha = 1.1 * pow(3, j) * threshold;
            EXPECT_NEAR(scree__without_noise(grown(alpha, gamma), LEVEL, gamma), alpha, 1e-9 * alpha);
        }
        EXPECT_NEAR(scree__without_noise(LEVEL, LEVEL, gamma), threshold, 1e-12 * threshold);
    }
}

/* The level that made the eigenvalues is found again: from what is left alone it would be too small. */
static void test_level(void **state)
{
    (void)state;
    const double n = 100;
    const double directions = 37;
    double values[3];
    double left = LEVEL * directions;
    for (int i = 0; i < 3; i++) {
        values[i] = grown(20.0 * (3 - i), directions / n);
        left -= values[i] - 20.0 * (3 - i);
    }
    const scree__noise_beside beside = {values, 3, left, directions, n};
    assert_true(left / directions < 0.98 * LEVEL);
    EXPECT_NEAR(scree__noise_level(&beside, 0, 50), LEVEL, 1e-6);
    EXPECT_NEAR(scree__noise_level(&beside, LEVEL, 2), LEVEL, 1e-6);
}

static void test_largest(void **state)
{
    (void)state;
    double centre;
    double scale;
    scree__noise_largest(100.5, 25.5, &centre, &scale);
    EXPECT_NEAR(centre, 225, 1e-10);
    EXPECT_NEAR(scale, 15 * cbrt(0.3), 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growth_is_undone),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
