/* SPDX-License-Identifier: BSD-3-Clause */
/* Predicted times of the parts of a fit: they grow as the flops do, shrink as rates grow, and know what is slower. */

#include "support/checks.h"

#include "fit/estimate.h"
#include "kernel/dense.h"

static const scree__rates *const RATES = &scree__rates_builtin;

/* Twice the rows are twice the time; twice the columns are between twice and four times. */
static void test_scatter(void **state)
{
    (void)state;
    static const scree_type types[] = {SCREE_F32, SCREE_F64, SCREE_U8};
    for (int64_t i = 0; i < COUNT_OF(types); i++) {
        const double once = scree__estimate_scatter(RATES, types[i], 1e5, 500);
        const double wider = scree__estimate_scatter(RATES, types[i], 1e5, 1000);
        assert_true(fabs(scree__estimate_scatter(RATES, types[i], 2e5, 500) / once - 2) < 1e-9);
        assert_true(wider > 2 * once && wider < 4 * once);
    }
    assert_true(scree__estimate_scatter(RATES, SCREE_U8, 1e5, 500) <
                scree__estimate_scatter(RATES, SCREE_F32, 1e5, 500));
    assert_true(scree__estimate_scatter(RATES, SCREE_F32, 1e5, 500) <
                scree__estimate_scatter(RATES, SCREE_F64, 1e5, 500));
}

/* The same flops take longer in narrow blocks, at 16 columns as long as the rate says, at most at the square rate. */
static void test_product(void **state)
{
    (void)state;
    assert_true(fabs(scree__estimate_product(RATES, SCREE_F64, 1e9, 16) - 1e9 / RATES->skinny_f64) < 1e-9);
    assert_true(fabs(scree__estimate_product(RATES, SCREE_F32, 1e9, 16) - 1e9 / RATES->skinny_f32) < 1e-9);
    assert_true(scree__estimate_product(RATES, SCREE_F64, 1e9, 8) > scree__estimate_product(RATES, SCREE_F64, 1e9, 64));
    assert_true(scree__estimate_product(RATES, SCREE_F64, 1e9, 1e6) >= 1e9 / RATES->gemm_f64);
}

static double dense_seconds(const scree__rates *rates, int64_t n, int64_t k, bool whole)
{
    scree__effort effort = {0};
    assert_true(scree__estimate_dense(rates, &effort, n, k, whole) > 0);
    assert_true(effort.passing == 0);
    return effort.shared + effort.alone;
}

static void test_dense(void **state)
{
    (void)state;
    assert_true(scree__dense_is_few(4000, 10));
    assert_true(dense_seconds(RATES, 4000, 10, false) < 0.5 * dense_seconds(RATES, 4000, 10, true));
    assert_true(dense_seconds(RATES, 4000, 4000, false) > 3 * dense_seconds(RATES, 2000, 2000, false));
    scree__rates faster = *RATES;
    faster.gemm_f64 *= 2;
    faster.skinny_f64 *= 2;
    faster.eigen *= 2;
    assert_true(fabs(dense_seconds(RATES, 1000, 500, false) / dense_seconds(&faster, 1000, 500, false) - 2) < 1e-9);
}

static void test_order_of_reading(void **state)
{
    (void)state;
    assert_true(scree__estimate_memory(RATES, 1e9) < scree__estimate_reading(RATES, 1e9, true));
    assert_true(scree__estimate_reading(RATES, 1e9, true) < scree__estimate_reading(RATES, 1e9, false));
    assert_true(scree__estimate_reading(RATES, 1e9, true) < scree__estimate_parsing(RATES, 1e9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scatter),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_dense),
        cmocka_unit_test(test_order_of_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
