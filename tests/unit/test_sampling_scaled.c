/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling errors of scaled columns: two columns, where an eigenvalue is 1 ± r, columns that are all correlated alike,
 * columns that are not correlated, columns that are too many, and a small simulation; test_coverage has the large one.
 */

#include "support/checks.h"

#include "base/random.h"
#include "model/sampling.h"
#include "model/sampling_scaled.h"
#include "support/calls.h"
#include "support/coverage.h"

#include <math.h>
#include <stdlib.h>

/* Whether they are known. */
static bool effects(scree__scaled_effect *out, const scree__scaled_spectrum *spectrum)
{
    scree_error error = SCREE_ERROR_INIT;
    bool known = false;
    EXPECT_OK(scree__scaled_effects(out, spectrum, &known, &error), error);
    return known;
}

/* n var r = (1 - r²)², n E(r̂ - r) = -r(1 - r²)/2, and the components are known. */
static void test_two_columns(void **state)
{
    (void)state;
    const double r = 0.6;
    const double half = sqrt(0.5);
    const double components[] = {half, half, half, -half};
    const double values[] = {1 + r, 1 - r};
    scree__scaled_effect e[2];
    assert_true(effects(e, &(scree__scaled_spectrum){values, values, 2, components, 2, 2, 2, 2, 1e6, 0, 2}));
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
    assert_true(effects(&e, &(scree__scaled_spectrum){&value, &value, 1, component, 1, 1, 1, D, 1e6, 1 - r, D}));
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
    assert_true(effects(&e, &(scree__scaled_spectrum){&value, &value, 1, component, 1, 1, 1, 3, 1e6, 1, 3}));
    EXPECT_NEAR(e.variance, 0, 1e-12);
}

static void test_too_much(void **state)
{
    (void)state;
    enum { D = 5000 };
    double *component = calloc(D, sizeof *component);
    const double value = 30;
    const scree__scaled_spectrum s = {&value, &value, 1, component, 1, 1, 1, D, 1e3, 1, D};
    scree__scaled_effect e;
    assert_non_null(component);
    component[0] = 0.6;
    component[1] = 0.8;
    assert_false(effects(&e, &s));
    for (int a = 0; a < D; a++)
        component[a] = sqrt(1.0 / D);
    assert_true(effects(&e, &s));
    assert_true(e.none);
    free(component);
}

/* The last component kept has neighbours that are not: its errors are nearly those of a fit that keeps all. */
static void test_fewer_kept(void **state)
{
    (void)state;
    enum { D = 12, N = 4000, KEPT = 2 };
    static double rows[N * D];
    scree_error error = SCREE_ERROR_INIT;
    scree_source *source = NULL;
    scree_model *all = NULL;
    scree_model *few = NULL;
    for (int64_t i = 0; i < N; i++) {
        double z[D + 3];
        scree__normals(3, (uint64_t)i, 0, D + 3, z);
        for (int j = 0; j < D; j++)
            rows[i * D + j] = z[j] + 2 * cos(j) * z[D] + 1.5 * sin(2 * j + 1) * z[D + 1] + 1.2 * cos(3 * j) * z[D + 2];
    }
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    options.scale = SCREE_SCALE_UNIT;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(rows, SCREE_F64, N, D), &error), error);
    EXPECT_OK(scree_model_fit(&all, source, &options, &error), error);
    options.components = KEPT;
    EXPECT_OK(scree_model_fit(&few, source, &options, &error), error);
    for (int64_t j = 0; j < KEPT; j++) {
        scree_sampling a = SCREE_SAMPLING_INIT;
        scree_sampling b = SCREE_SAMPLING_INIT;
        EXPECT_OK(scree_model_sampling(all, j, &a, &error), error);
        EXPECT_OK(scree_model_sampling(few, j, &b, &error), error);
        EXPECT_NEAR(b.angle_limit, a.angle_limit, 0.1 * a.angle_limit);
        EXPECT_NEAR(b.error, a.error, 0.1 * a.error);
    }
    scree_model_free(all);
    scree_model_free(few);
    scree_source_free(source);
}

static void test_simulated(void **state)
{
    (void)state;
    enum { SAMPLES = SLOW_BUILD ? 40 : 300 };
    static const population all[] = {
        {.rows = 60, .columns = 5, .signals = 2, .value = {30, 8}, .scaled = true},
        {.rows = 100, .columns = 20, .signals = 2, .value = {60, 20}, .scaled = true},
        {.rows = 50, .columns = 80, .signals = 2, .value = {200, 60}, .scaled = true},
        {.rows = 200, .columns = 20, .signals = 3, .value = {100, 50, 20}, .scaled = true, .kept = 1},
        {.rows = 1000, .columns = 10, .signals = 3, .value = {40, 20, 10}, .scaled = true, .kept = 2},
    };
    for (int64_t p = 0; p < COUNT_OF(all); p++) {
        const coverage c = coverage_of(&all[p], 1, SAMPLES);
        for (int64_t j = 0; j < (all[p].kept > 0 ? all[p].kept : all[p].signals); j++) {
            coverage_expect(&c, c.value[j], 0.91, 0.97, "eigenvalue");
            coverage_expect(&c, c.angle[j], 0.91, 0.97, "angle");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_columns), cmocka_unit_test(test_all_alike), cmocka_unit_test(test_alone),
        cmocka_unit_test(test_too_much),    cmocka_unit_test(test_simulated), cmocka_unit_test(test_fewer_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
