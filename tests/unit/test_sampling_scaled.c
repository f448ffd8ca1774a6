/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling errors of scaled columns: two columns, where an eigenvalue is 1 ± r, columns that are all correlated alike,
 * columns that are not correlated, columns that are too many, and a small simulation; test_coverage has the large one.
 */

#include "support/checks.h"

#include "model/sampling.h"
#include "model/sampling_scaled.h"
#include "support/coverage.h"

#include <math.h>
#include <stdlib.h>

/* n var r = (1 - r²)², n E(r̂ - r) = -r(1 - r²)/2, and the components are known. */
static void test_two_columns(void **state)
{
    (void)state;
    const double r = 0.6;
    const double half = sqrt(0.5);
    const double components[] = {half, half, half, -half};
    const double values[] = {1 + r, 1 - r};
    scree__scaled_effect e[2];
    assert_true(scree__scaled_effects(e, &(scree__scaled_spectrum){values, components, 2, 2, 2, 1e6, 0, 2}));
    for (int j = 0; j < 2; j++) {
        const double sign = j == 0 ? 1 : -1;
        const double plain = values[1 - j] / (values[j] - values[1 - j]);
        EXPECT_NEAR(2 * values[j] * values[j] * e[j].variance, pow(1 - r * r, 2), 1e-12);
        EXPECT_NEAR(e[j].mean, 2.5e-3, 1e-9); /* of a million rows: 0, and what may be left */
        EXPECT_NEAR(e[j].bias + plain, -sign * r * (1 - r * r) / 2 / values[j], 1e-12);
    }
}

/* n var λ₁ = 2 (D-1)/D (1-r)² λ₁², λ₁ = 1 + (D-1) r: of the mean correlation. The other directions are all noise. */
static void test_all_alike(void **state)
{
    (void)state;
    enum { D = 7 };
    const double r = 0.4;
    const double value = 1 + (D - 1) * r;
    double component[D];
    scree__scaled_effect e;
    for (int a = 0; a < D; a++)
        component[a] = sqrt(1.0 / D);
    assert_true(scree__scaled_effects(&e, &(scree__scaled_spectrum){&value, component, 1, 1, D, 1e6, 1 - r, D}));
    EXPECT_NEAR(e.variance, (D - 1.0) / D * (1 - r) * (1 - r), 1e-12);
    assert_true(e.mean > 0 && e.mean < 1);
}

/* A single column has no variance to be known. */
static void test_alone(void **state)
{
    (void)state;
    const double value = 1;
    const double component[] = {1, 0, 0};
    scree__scaled_effect e;
    assert_true(scree__scaled_effects(&e, &(scree__scaled_spectrum){&value, component, 1, 1, 3, 1e6, 1, 3}));
    EXPECT_NEAR(e.variance, 0, 1e-12);
}

static void test_too_much(void **state)
{
    (void)state;
    enum { D = 5000 };
    double *component = calloc(D, sizeof *component);
    const double value = 30;
    const scree__scaled_spectrum s = {&value, component, 1, 1, D, 1e3, 1, D};
    scree__scaled_effect e;
    assert_non_null(component);
    component[0] = 0.6;
    component[1] = 0.8;
    assert_false(scree__scaled_effects(&e, &s));
    for (int a = 0; a < D; a++)
        component[a] = sqrt(1.0 / D);
    assert_true(scree__scaled_effects(&e, &s));
    EXPECT_NEAR(e.variance, 1, 0);
    free(component);
}

static void test_simulated(void **state)
{
    (void)state;
    enum { SAMPLES = SLOW_BUILD ? 40 : 300 };
    static const population all[] = {
        {.rows = 60, .columns = 5, .signals = 2, .value = {30, 8}, .scaled = true},
        {.rows = 100, .columns = 20, .signals = 2, .value = {60, 20}, .scaled = true},
        {.rows = 50, .columns = 80, .signals = 2, .value = {200, 60}, .scaled = true},
    };
    for (int64_t p = 0; p < COUNT_OF(all); p++) {
        const coverage c = coverage_of(&all[p], 1, SAMPLES);
        for (int64_t j = 0; j < all[p].signals; j++) {
            coverage_expect(&c, c.value[j], 0.91, 0.97, "eigenvalue");
            coverage_expect(&c, c.angle[j], 0.91, 0.97, "angle");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_columns), cmocka_unit_test(test_all_alike), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_too_much),    cmocka_unit_test(test_simulated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
