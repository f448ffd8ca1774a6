/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds from residuals, on made-up solutions: single components, clusters, a cluster that the last component cuts,
 * rounding, bounds that the method knows better. */

#include "support/checks.h"

#include "fit/accuracy.h"
#include "support/bounds.h"

static void bounds(bounds_found *a, const double *values, const double *residuals, scree__solution s, int64_t cols)
{
    double v[BOUNDS_MOST];
    double r[BOUNDS_MOST];
    for (int64_t j = 0; j < s.k; j++) {
        v[j] = values[j];
        r[j] = residuals[j];
    }
    s.values = v;
    s.residuals = r;
    const scree__bounds to = bounds_into(a);
    scree__accuracy(&to, &s, cols);
}

static void test_apart(void **state)
{
    (void)state;
    static const double values[] = {10, 6, 3};
    static const double residuals[] = {1e-3, 2e-3, 1e-3};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 3, .next = 1}, 9);
    for (int64_t j = 0; j < 3; j++) {
        assert_int_equal(a.cluster_first[j], j);
        assert_int_equal(a.cluster_last[j], j);
        assert_true(a.residuals[j] == residuals[j]);
        assert_true(a.eigenvalue_bounds[j] < 1e-5); /* r²/gap, not r */
        EXPECT_NEAR(a.angle_bounds[j], residuals[j] / a.gaps[j], 1e-12);
    }
    EXPECT_NEAR(a.gaps[0], 4, 1e-2);
    EXPECT_NEAR(a.gaps[1], 3, 1e-2);
    EXPECT_NEAR(a.gaps[2], 2, 1e-2);
}

static void test_cluster(void **state)
{
    (void)state;
    static const double values[] = {10, 6.001, 6, 3};
    static const double residuals[] = {1e-3, 1e-3, 1e-3, 1e-3};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 4, .next = 1}, 9);
    for (int64_t j = 1; j <= 2; j++) {
        assert_int_equal(a.cluster_first[j], 1);
        assert_int_equal(a.cluster_last[j], 2);
        EXPECT_NEAR(a.gaps[j], 3, 1.01);
        EXPECT_NEAR(a.eigenvalue_bounds[j], sqrt(2) * 1e-3, 1e-12);
        assert_true(a.angle_bounds[j] < 1e-3);
    }
    assert_int_equal(a.cluster_last[0], 0);
    assert_int_equal(a.cluster_first[3], 3);
}

static void test_cut(void **state)
{
    (void)state;
    static const double values[] = {10, 3.001, 3};
    static const double residuals[] = {1e-3, 1e-3, 1e-3};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 3, .next = 3}, 9);
    assert_true(a.angle_bounds[1] == 1 && a.angle_bounds[2] == 1);
    assert_true(a.angle_bounds[0] < 1e-3);
    assert_true(a.eigenvalue_bounds[2] >= sqrt(3) * 1e-3 * (1 - 1e-12));
    /* The last component is cut even when it stands alone. */
    bounds(&a, values, residuals, (scree__solution){.k = 1, .next = 9.999}, 9);
    assert_true(a.angle_bounds[0] == 1);
    /* With all D components there is nothing beyond. */
    bounds(&a, values, residuals, (scree__solution){.k = 3, .next = 0}, 3);
    assert_true(a.angle_bounds[2] < 1e-3);
}

/* A bound of what was not found may lie above values that were: it counts for all of them. */
static void test_loose_next(void **state)
{
    (void)state;
    static const double values[] = {10, 5, 4};
    static const double residuals[] = {1e-3, 1e-3, 1e-3};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 3, .next = 8}, 9);
    EXPECT_NEAR(a.gaps[0], 2, 1e-2);
    EXPECT_NEAR(a.angle_bounds[0], 1e-3 / a.gaps[0], 1e-12);
    assert_true(a.gaps[1] == 0 && a.angle_bounds[1] == 1);
    assert_true(a.eigenvalue_bounds[1] >= sqrt(3) * 1e-3 * (1 - 1e-12));
}

static void test_rounding_counts(void **state)
{
    (void)state;
    static const double values[] = {10, 3};
    static const double residuals[] = {0, 0};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 2, .next = 1, .rounding = 1e-2}, 9);
    for (int j = 0; j < 2; j++) {
        assert_true(a.residuals[j] == 1e-2);
        assert_true(a.eigenvalue_bounds[j] == 1e-2);
        assert_true(a.angle_bounds[j] >= 1e-2 / 7 && a.angle_bounds[j] < 1e-2);
    }
}

static void test_method_knows_better(void **state)
{
    (void)state;
    static const double values[] = {10, 3};
    static const double residuals[] = {1e-2, 1e-2};
    double errors[] = {1e-9, 1e-12};
    bounds_found a;
    bounds(&a, values, residuals, (scree__solution){.k = 2, .next = 1, .errors = errors}, 9);
    assert_true(a.eigenvalue_bounds[0] == 1e-9);
    assert_true(a.eigenvalue_bounds[1] == 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_cluster),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_loose_next),
        cmocka_unit_test(test_rounding_counts),
        cmocka_unit_test(test_method_knows_better),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
