/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampling errors of components: the formulas of large samples and of spiked covariances in their own limits, what is
 * noise, what follows from a model's divisor and gaps, and a small simulation; test_coverage has the large one. */

#include "support/checks.h"

#include "base/random.h"
#include "model/sampling.h"
#include "model/tie.h"
#include "support/calls.h"
#include "support/coverage.h"

static void fill(scree_sampling *out, const scree__spiked *spectrum)
{
    scree_error error = SCREE_ERROR_INIT;
    EXPECT_OK(scree__sampling_fill(out, spectrum, &error), error);
}

static void test_many_rows(void **state)
{
    (void)state;
    enum { M = 4 };
    static const double values[M] = {40, 20, 8, 3};
    const double n = 1e6;
    scree_sampling s[M];
    fill(s, &(scree__spiked){values, M, M, n, 71, NULL, 0, 0, 0, false, 0, 0});
    for (int j = 0; j < M; j++) {
        double square = 0; /* Anderson 1963 */
        for (int i = 0; i < M; i++)
            if (i != j)
                square += values[i] * values[j] / (n * pow(values[i] - values[j], 2));
        assert_false(s[j].noise);
        EXPECT_NEAR(s[j].eigenvalue, values[j], 1e-5 * values[j]);
        EXPECT_NEAR(s[j].error, values[j] * sqrt(2 / n), 1e-5 * s[j].error);
        EXPECT_NEAR(s[j].low, values[j] - 1.96 * s[j].error, 0.01 * s[j].error);
        EXPECT_NEAR(s[j].high, values[j] + 1.96 * s[j].error, 0.01 * s[j].error);
        EXPECT_NEAR(s[j].angle, sqrt(square), 1e-3 * sqrt(square));
        assert_true(s[j].angle_limit > 1.5 * s[j].angle && s[j].angle_limit < 2 * s[j].angle);
    }
}

/* One spike ℓ over noise 1: λ = ℓ(1 + γ/(ℓ-1)) and the rest of the trace as theory has them (Paul 2007). */
static void test_one_spike(void **state)
{
    (void)state;
    const double n = 5000;
    const double d = 10000;
    const double gamma = (d - 1) / n;
    const double spike = 9;
    const double value = spike * (1 + gamma / (spike - 1));
    const double slope = 1 - gamma / pow(spike - 1, 2);
    scree_sampling s;
    fill(&s, &(scree__spiked){&value, 1, d, n, spike + d - 1, NULL, 0, 0, 0, false, 0, 0});
    EXPECT_NEAR(s.eigenvalue, spike, 1e-6);
    EXPECT_NEAR(s.error, spike * sqrt(2 / (n * slope)), 1e-6);
    EXPECT_NEAR(pow(cos(s.angle), 2), slope / (1 + gamma / (spike - 1)), 1e-6);
    assert_true(s.angle_limit > s.angle && s.angle_limit < 1.05 * s.angle);
}

/* At the threshold ℓ = 1 + √γ the eigenvalue is where noise ends. */
static void test_below_the_threshold(void **state)
{
    (void)state;
    const double n = 1000;
    const double d = 500;
    const double end = pow(1 + sqrt(d / n), 2);
    const double values[2] = {1.2 * end, 0.97 * end};
    scree_sampling s[2];
    fill(s, &(scree__spiked){values, 2, d, n, d + 0.5, NULL, 0, 0, 0, false, 0, 0});
    assert_false(s[0].noise);
    assert_true(s[1].noise);
    assert_true(isnan(s[1].low) && isnan(s[1].high) && isnan(s[1].error));
    EXPECT_NEAR(s[1].angle_limit, acos(0), 1e-15);
    EXPECT_NEAR(s[1].eigenvalue, 1, 0.01);
}

/* A point at a distance of r from 0, normal about (µ, 0) with variance 1: the limit of twice its angle holds in 95 % of
 * cases for any µ that is not near 0, and in 85 % there; far away it is 1.96/r, and below 1.96 there is none. */
static void test_ties(void **state)
{
    (void)state;
    enum { POINTS = 20000 };
    static const double centres[] = {0, 1, 2, 4, 8};
    EXPECT_NEAR(scree__tie_limit(1e-8), 3.841459e-8, 1e-14);
    EXPECT_NEAR(scree__tie_limit(1 / 3.841459 / 4), 1, 1e-12);
    EXPECT_NEAR(scree__tie_limit(HUGE_VAL), 1, 0);
    for (int64_t c = 0; c < COUNT_OF(centres); c++) {
        int held = 0;
        for (int64_t i = 0; i < POINTS; i++) {
            double z[2];
            scree__normals(5, (uint64_t)i, c, 2, z);
            const double x = centres[c] + z[0];
            const double turned = fabs(atan2(z[1], x)) / 2;
            held += pow(sin(turned), 2) <= scree__tie_limit(1 / (4 * (x * x + z[1] * z[1])));
        }
        const double share = (double)held / POINTS;
        assert_true(share > (centres[c] < 1 ? 0.85 : 0.92) && share < 0.97);
    }
}

/* Pure noise is said to be noise in about 19 of 20 samples, and signals that are there are found. */
static void test_simulated(void **state)
{
    (void)state;
    enum { SAMPLES = SLOW_BUILD ? 40 : 300 };
    static const population tall = {.rows = 60, .columns = 5, .signals = 3, .value = {60, 24, 8}};
    static const population wide = {.rows = 50, .columns = 100, .signals = 2, .value = {60, 20}};
    static const population close = {.rows = 200, .columns = 10, .signals = 3, .value = {20, 10, 8}};
    static const population none = {.rows = 80, .columns = 20};
    const population *all[] = {&tall, &wide, &close};
    for (int64_t p = 0; p < COUNT_OF(all); p++) {
        const coverage c = coverage_of(all[p], 1, SAMPLES);
        for (int64_t j = 0; j < all[p]->signals; j++) {
            coverage_expect(&c, c.value[j], 0.91, 0.97, "eigenvalue");
            coverage_expect(&c, c.angle[j], 0.91, 0.97, "angle");
            assert_int_equal(c.noise[j], 0);
        }
    }
    const coverage c = coverage_of(&none, 1, SAMPLES);
    coverage_expect(&c, c.false_signals, 0, 0.06, "noise taken for a signal");
}

/* The interval is of the population's variance, whatever the divisor; fewer cells say less. */
static void test_of_a_model(void **state)
{
    (void)state;
    static const double values[] = {9, 1};
    static const double unit[] = {1, 0, 0, 1};
    scree_error error = SCREE_ERROR_INIT;
    scree_model *plain = NULL, *seen = NULL;
    scree_sampling a = SCREE_SAMPLING_INIT, b = SCREE_SAMPLING_INIT;
    scree_model_view view = SCREE_MODEL_VIEW_INIT;
    view.n = 20;
    view.d = view.m = 2;
    view.eigenvalues = values;
    view.components = unit;
    EXPECT_OK(scree_model_from_arrays(&plain, &view, &error), error);
    view.observed = 20;
    view.ddof = 1;
    EXPECT_OK(scree_model_from_arrays(&seen, &view, &error), error);
    EXPECT_OK(scree_model_sampling(plain, 0, &a, &error), error);
    EXPECT_OK(scree_model_sampling(seen, 0, &b, &error), error);
    EXPECT_NEAR(a.eigenvalue, 9.0 * 20 / 19 / (1 + 1.0 / 8 / 19), 1e-12);
    assert_true(b.error > 1.3 * a.error);
    assert_true(isnan(a.share_low) && a.replicates == 0);
    assert_int_equal(scree_model_sampling(plain, 2, &a, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree_model_sampling(plain, -1, &a, &error), SCREE_ERR_ARGUMENT);
    assert_null(scree_model_bootstrap(plain));
    scree_model_free(plain);
    scree_model_free(seen);
}

/* What rounding leaves of nothing has no interval; and no correlation is above 1, however few the rows. */
static void test_edges(void **state)
{
    (void)state;
    static const double one[] = {4, 4e-16};
    const double half = sqrt(0.5);
    const double components[] = {half, half, half, -half};
    static const double two[] = {1.9998, 0.0002};
    scree_sampling s[2];
    fill(s, &(scree__spiked){one, 2, 5, 30, 4, NULL, 0, 0, 0, false, 0, 0});
    assert_true(!s[0].noise && s[1].noise);
    fill(s, &(scree__spiked){two, 2, 2, 2, 2, components, 2, 2, 2, false, 0, 0});
    assert_true(s[0].low > 1 && s[0].high < 2 && s[0].low < s[0].high && s[0].eigenvalue < 2);
}

/* Fewer than one degree of freedom are left: there is no interval; where there is one, it has the estimate. */
static void test_few_rows(void **state)
{
    (void)state;
    int without = 0;
    for (int freedom = 2; freedom < 12; freedom++)
        for (int step = 0; step < 42; step++) {
            const double first = 4 * pow(1.1, step);
            const double values[2] = {first, 3.3};
            scree_sampling s[2];
            fill(s, &(scree__spiked){values, 2, 3, freedom, first + 3.3 + (freedom > 2 ? 1.5 : 0), NULL, 0, 0, 0, false,
                                     0, 0});
            for (int j = 0; j < 2; j++) {
                without += !s[j].noise && isnan(s[j].low);
                assert_true(isnan(s[j].low) || (s[j].low < s[j].eigenvalue && s[j].eigenvalue < s[j].high));
            }
        }
    assert_true(without > 0);
}

/* Nothing that a spectrum can be gives nonsense: zeros, ties, one row more than nothing, no rest. */
static void test_odd_spectra(void **state)
{
    (void)state;
    static const double values[][3] = {{1, 0, 0}, {1, 1, 1}, {0, 0, 0}, {1, 1e-300, 0}, {1e300, 1, 1e-300}};
    static const double freedoms[] = {0.5, 1, 3, 1e15};
    scree_sampling s[3];
    for (int64_t v = 0; v < COUNT_OF(values); v++)
        for (int64_t f = 0; f < COUNT_OF(freedoms); f++)
            for (int d = 3; d < 400; d += 300) {
                const double total = values[v][0] + values[v][1] + values[v][2];
                fill(s, &(scree__spiked){values[v], 3, d, freedoms[f], total, NULL, 0, 0, 0, false, 0, 0});
                for (int j = 0; j < 3; j++) {
                    assert_true(s[j].angle >= 0 && s[j].angle_limit <= acos(0));
                    assert_true(s[j].noise ? isnan(s[j].low) : s[j].low >= 0 && s[j].low <= s[j].high);
                }
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_rows),  cmocka_unit_test(test_one_spike),
        cmocka_unit_test(test_simulated),  cmocka_unit_test(test_below_the_threshold),
        cmocka_unit_test(test_of_a_model), cmocka_unit_test(test_odd_spectra),
        cmocka_unit_test(test_few_rows),   cmocka_unit_test(test_edges),
        cmocka_unit_test(test_ties),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
