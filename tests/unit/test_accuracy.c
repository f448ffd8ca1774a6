/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds from residuals, on made-up solutions: single components, clusters, a cluster that the last component cuts,
 * rounding, bounds that the method knows better. */

#include "support/checks.h"

#include "fit/accuracy.h"

enum { MOST = 6 };

static void bounds(scree_accuracy *accuracy, const double *values, const double *residuals, scree__solution s,
                   int64_t cols)
{
    double v[MOST];
    double r[MOST];
    for (int64_t j = 0; j < s.k; j++) {
        v[j] = values[j];
        r[j] = residuals[j];
    }
    s.values = v;
    s.residuals = r;
    scree__accuracy(accuracy, &s, cols);
}

static void test_apart(void **state)
{
    (void)state;
    static const double values[] = {10, 6, 3};
    static const double residuals[] = {1e-3, 2e-3, 1e-3};
    scree_accuracy a[3];
    bounds(a, values, residuals, (scree__solution){.k = 3, .next = 1}, 9);
    for (int64_t j = 0; j < 3; j++) {
        assert_int_equal(a[j].cluster_first, j);
        assert_int_equal(a[j].cluster_last, j);
        assert_true(a[j].residual == residuals[j]);
        assert_true(a[j].eigenvalue_bound < 1e-5); /* r²/gap, not r */
        EXPECT_NEAR(a[j].angle_bound, residuals[j] / a[j].gap, 1e-12);
    }
    EXPECT_NEAR(a[0].gap, 4, 1e-2);
    EXPECT_NEAR(a[1].gap, 3, 1e-2);
    EXPECT_NEAR(a[2].gap, 2, 1e-2);
}

static void test_cluster(void **state)
{
    (void)state;
    static const double values[] = {10, 6.001, 6, 3};
    static const double residuals[] = {1e-3, 1e-3, 1e-3, 1e-3};
    scree_accuracy a[4];
    bounds(a, values, residuals, (scree__solution){.k = 4, .next = 1}, 9);
    for (int64_t j = 1; j <= 2; j++) {
        assert_int_equal(a[j].cluster_first, 1);
        assert_int_equal(a[j].cluster_last, 2);
        EXPECT_NEAR(a[j].gap, 3, 1.01);
        EXPECT_NEAR(a[j].eigenvalue_bound, sqrt(2) * 1e-3, 1e-12);
        assert_true(a[j].angle_bound < 1e-3);
    }
    assert_int_equal(a[0].cluster_last, 0);
    assert_int_equal(a[3].cluster_first, 3);
}

static void test_cut(void **state)
{
    (void)state;
    static const double values[] = {10, 3.001, 3};
    static const double residuals[] = {1e-3, 1e-3, 1e-3};
    scree_accuracy a[3];
    bounds(a, values, residuals, (scree__solution){.k = 3, .next = 3}, 9);
    assert_true(a[1].angle_bound == 1 && a[2].angle_bound == 1);
    assert_true(a[0].angle_bound < 1e-3);
    assert_true(a[2].eigenvalue_bound >= sqrt(3) * 1e-3 * (1 - 1e-12));
    /* The last component is cut even when it stands alone. */
    bounds(a, values, residuals, (scree__solution){.k = 1, .next = 9.999}, 9);
    assert_true(a[0].angle_bound == 1);
    /* With all D components there is nothing beyond. */
    bounds(a, values, residuals, (scree__solution){.k = 3, .next = 0}, 3);
    assert_true(a[2].angle_bound < 1e-3);
}

/* A bound of what was not found may lie above values that were: it counts for all of them. */
static void test_loose_next(void **state)
{
    (void)state;
    static const double values[] = {10, 5, 4};
    static const double residuals[] = {1e-3, 1e-3, 1e-3};
    scree_accuracy a[3];
    bounds(a, values, residuals, (scree__solution){.k = 3, .next = 8}, 9);
    EXPECT_NEAR(a[0].gap, 2, 1e-2);
    EXPECT_NEAR(a[0].angle_bound, 1e-3 / a[0].gap, 1e-12);
    assert_true(a[1].gap == 0 && a[1].angle_bound == 1);
    assert_true(a[1].eigenvalue_bound >= sqrt(3) * 1e-3 * (1 - 1e-12));
}

static void test_rounding_counts(void **state)
{
    (void)state;
    static const double values[] = {10, 3};
    static const double residuals[] = {0, 0};
    scree_accuracy a[2];
    bounds(a, values, residuals, (scree__solution){.k = 2, .next = 1, .rounding = 1e-2}, 9);
    for (int j = 0; j < 2; j++) {
        assert_true(a[j].residual == 1e-2);
        assert_true(a[j].eigenvalue_bound == 1e-2);
        assert_true(a[j].angle_bound >= 1e-2 / 7 && a[j].angle_bound < 1e-2);
    }
}

static void test_method_knows_better(void **state)
{
    (void)state;
    static const double values[] = {10, 3};
    static const double residuals[] = {1e-2, 1e-2};
    double errors[] = {1e-9, 1e-12};
    scree_accuracy a[2];
    bounds(a, values, residuals, (scree__solution){.k = 2, .next = 1, .errors = errors}, 9);
    assert_true(a[0].eigenvalue_bound == 1e-9);
    assert_true(a[1].eigenvalue_bound == 1e-12);
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
