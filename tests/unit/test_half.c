/* SPDX-License-Identifier: BSD-3-Clause */
/* Half precision: all its numbers there and back, ties to even, what is too large. */

#include "base/half.h"
#include "support/checks.h"

static void test_all_come_back(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const float value = scree__half_load((uint16_t)bits);
        if (isnan(value)) {
            assert_true(isnan(scree__half_load(scree__half_store((double)value))));
            continue;
        }
        assert_int_equal(scree__half_store((double)value), bits);
        assert_true(scree__half_nearest((double)value) == (double)value);
    }
}

static void test_nearest(void **state)
{
    (void)state;
    assert_true(scree__half_nearest(2049) == 2048); /* ties go to even */
    assert_true(scree__half_nearest(2051) == 2052);
    assert_true(scree__half_nearest(0.1) == 0.0999755859375);
    assert_true(scree__half_nearest(1e9) == 65504);
    assert_true(scree__half_nearest(-1e9) == -65504);
    assert_true(scree__half_nearest(0x1p-25) == 0);
    assert_true(scree__half_nearest(0x1.8p-25) == 0x1p-24);
    assert_true(scree__half_nearest(0x1.ffffp-15) == 0x1p-14);
    assert_true(isinf(scree__half_nearest((double)INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_come_back), cmocka_unit_test(test_nearest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
