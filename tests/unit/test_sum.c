/* SPDX-License-Identifier: BSD-3-Clause */
/* Long sums lose nothing that matters; infinite ones stay so. */

#include "base/sum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void rounding_is_carried(void **state)
{
    (void)state;
    scree__sum total = {0};
    double plain = 1e16;
    scree__sum_add(&total, 1e16);
    for (int i = 0; i < 1000; i++) {
        scree__sum_add(&total, 1);
        plain += 1;
    }
    scree__sum_add(&total, -1e16);
    assert_true(scree__sum_total(&total) == 1000);
    assert_true(plain - 1e16 != 1000);
}

static void large_terms_may_come_last(void **state)
{
    (void)state;
    scree__sum total = {0};
    scree__sum_add(&total, 3);
    scree__sum_add(&total, 1e20);
    scree__sum_add(&total, -1e20);
    assert_true(scree__sum_total(&total) == 3);
}

static void infinite_sums_stay_infinite(void **state)
{
    (void)state;
    scree__sum total = {0};
    scree__sum_add(&total, 1);
    scree__sum_add(&total, -INFINITY);
    scree__sum_add(&total, 1);
    assert_true(scree__sum_total(&total) == -INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounding_is_carried),
        cmocka_unit_test(large_terms_may_come_last),
        cmocka_unit_test(infinite_sums_stay_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
