/* SPDX-License-Identifier: BSD-3-Clause */
/* Even p-values pass, outliers among them too; uneven ones do not. */

#include "support/checks.h"

#include "answer/uniform.h"

/* n p-values u^power of even u. */
static scree__uniform spread(int64_t n, double power)
{
    scree__uniform all = {0};
    for (int64_t i = 0; i < n; i++)
        scree__uniform_add(&all, pow(((double)i + 0.5) / (double)n, power));
    return all;
}

static void even_ones_pass(void **state)
{
    (void)state;
    for (int64_t n = 1; n < 2000000; n = 3 * n + 1) {
        const scree__uniform all = spread(n, 1);
        assert_true(scree__uniform_fits(&all, HUGE_VAL));
    }
    const scree__uniform none = {0};
    assert_true(scree__uniform_fits(&none, HUGE_VAL));
}

static void outliers_do_not_count(void **state)
{
    (void)state;
    scree__uniform all = spread(1000, 1);
    for (int i = 0; i < 200; i++)
        scree__uniform_add(&all, 1e-9);
    assert_true(scree__uniform_fits(&all, HUGE_VAL));
}

static void uneven_ones_fail(void **state)
{
    (void)state;
    scree__uniform all = spread(2000, 0.7);
    assert_false(scree__uniform_fits(&all, HUGE_VAL));
    all = spread(2000, 1.4);
    assert_false(scree__uniform_fits(&all, HUGE_VAL));
    all = spread(10, 0.7); /* too few to tell */
    assert_true(scree__uniform_fits(&all, HUGE_VAL));
}

/* Of new rows: what a fit of few rows leans to says nothing, however many there are. */
static void few_fitted_rows_may_lean(void **state)
{
    (void)state;
    const scree__uniform all = spread(100000, 0.7);
    assert_false(scree__uniform_fits(&all, 2000));
    assert_true(scree__uniform_fits(&all, 30));
    const scree__uniform none = {0};
    assert_true(scree__uniform_fits(&none, 30));
}

static void parts_add_up(void **state)
{
    (void)state;
    scree__uniform all = spread(100, 1);
    const scree__uniform other = spread(50, 1);
    scree__uniform_add(&all, NAN);
    scree__uniform_add(&all, 1);
    scree__uniform_join(&all, &other);
    int64_t sum = 0;
    for (int i = 0; i < SCREE__UNIFORM_BINS; i++)
        sum += all.counts[i];
    assert_int_equal(sum, 151);
    assert_int_equal(all.none, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(even_ones_pass), cmocka_unit_test(outliers_do_not_count),
                                       cmocka_unit_test(uneven_ones_fail), cmocka_unit_test(few_fitted_rows_may_lean),
                                       cmocka_unit_test(parts_add_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
