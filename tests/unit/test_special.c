/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails, densities and quantiles against values at 50 digits (tests/golden/make_special.py), on both sides of the
 * middle and far into the tails; and what must hold at the ends. */

#include "support/checks.h"

#include "base/special.h"
#include "golden/special_values.h"

/* An error in ln p is a relative error of p. ln p itself can be known to rounding only; and so can x, which shapes of a
 * million turn into some 1e-12. */
static void expect_log(double found, double wanted, const char *what, const double *arguments)
{
    const double bound = 2e-14 * fmax(1, fabs(wanted)) + 3e-18 * (arguments[0] + arguments[1]);
    if (!(fabs(found - wanted) <= bound))
        fail_msg("%s (%g, %g, %.17g): ln is %.17g, not %.17g: off by %g", what, arguments[0], arguments[1],
                 arguments[2], found, wanted, found - wanted);
}

/* Where a tail is nearly one, its logarithm is a small number of its own. */
static void expect_log_tail(double found, double wanted, const char *what, const double *arguments)
{
    expect_log(found, wanted, what, arguments);
    if (wanted > -1e-3 && !(fabs(found - wanted) <= 1e-10 * fabs(wanted) + 1e-300))
        fail_msg("%s (%g, %g, %.17g): ln of nearly one is %.17g, not %.17g", what, arguments[0], arguments[1],
                 arguments[2], found, wanted);
}

static void gamma_tails_and_densities(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(golden_gamma); i++) {
        const double *g = golden_gamma[i];
        const double arguments[3] = {g[0], 0, g[1]};
        expect_log_tail(scree__log_gamma_tail(g[0], g[1]), g[2], "gamma tail", arguments);
        expect_log(scree__log_gamma_density(g[0], g[1]), g[3], "gamma density", arguments);
    }
}

static void beta_tails_and_densities(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(golden_beta); i++) {
        const double *g = golden_beta[i];
        expect_log_tail(scree__log_beta_tail(g[0], g[1], g[2], 1 - g[2]), g[3], "beta tail", g);
        expect_log(scree__log_beta_density(g[0], g[1], g[2], 1 - g[2]), g[4], "beta density", g);
    }
}

static void normal_quantiles(void **state)
{
    (void)state;
    for (int64_t i = 0; i < COUNT_OF(golden_quantiles); i++)
        EXPECT_NEAR(scree__normal_quantile(golden_quantiles[i][0]), golden_quantiles[i][1],
                    4e-15 * (1 + fabs(golden_quantiles[i][1])));
}

static void ends_of_the_line(void **state)
{
    (void)state;
    assert_true(scree__log_gamma_tail(2.5, 0) == 0);
    assert_true(scree__log_gamma_tail(2.5, -1) == 0);
    assert_true(scree__log_gamma_tail(2.5, HUGE_VAL) == -HUGE_VAL);
    assert_true(scree__log_beta_tail(2, 3, 0, 1) == 0);
    assert_true(scree__log_beta_tail(2, 3, 1, 0) == -HUGE_VAL);
    assert_true(scree__log_beta_tail(2, 3, 1 + 1e-16, -1e-16) == -HUGE_VAL);
    assert_true(scree__log_gamma_density(2, 0) == -HUGE_VAL);
    assert_true(scree__log_beta_density(2, 3, 0, 1) == -HUGE_VAL);
    assert_true(scree__log_beta_density(2, 3, 1, 0) == -HUGE_VAL);
}

/* A tail only falls, also where the series gives way to the fraction. */
static void tails_fall(void **state)
{
    (void)state;
    static const double shapes[] = {0.5, 3, 40.5, 1e4, 1e6};
    for (int64_t k = 0; k < COUNT_OF(shapes); k++) {
        const double a = shapes[k];
        const double b = 2 * a + 1;
        double gamma = 0;
        double beta = 0;
        for (int i = 1; i < 400; i++) {
            const double x = (a + 1) * (1 + (i - 200) / (200.0 * sqrt(a + 1)));
            const double share = x / (a + b + 2);
            const double next_gamma = scree__log_gamma_tail(a, x);
            const double next_beta = scree__log_beta_tail(a, b, share, 1 - share);
            assert_true(next_gamma < gamma);
            assert_true(next_beta < beta);
            gamma = next_gamma;
            beta = next_beta;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gamma_tails_and_densities),
        cmocka_unit_test(beta_tails_and_densities),
        cmocka_unit_test(normal_quantiles),
        cmocka_unit_test(ends_of_the_line),
        cmocka_unit_test(tails_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
