/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of powers of ten: known entries, and each entry from the one before it. */

#include "base/power_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static scree__uint128 words(uint64_t high, uint64_t low)
{
    return (scree__uint128)high << 64 | low;
}

static void test_known_entries(void **state)
{
    (void)state;
    const scree__uint128 *table = scree__power_table();
    assert_true(table[0] == words(UINT64_C(1) << 63, 0));
    assert_true(table[1] == words(UINT64_C(0xA000000000000000), 0));
    assert_true(table[-1] == words(UINT64_C(0xCCCCCCCCCCCCCCCC), UINT64_C(0xCCCCCCCCCCCCCCCC)));
    assert_true(table[27] == words(UINT64_C(7450580596923828125) << 1, 0));
    assert_int_equal(scree__power_log2(0), 0);
    assert_int_equal(scree__power_log2(3), 9);
    assert_int_equal(scree__power_log2(-1), -4);
    assert_true(scree__power_is_exact(0) && scree__power_is_exact(55));
    assert_false(scree__power_is_exact(-1) || scree__power_is_exact(56));
}

/* 5·(T + f) with 0 ≤ f < 1, brought back to 128 bits, lies in [5T, 5T + 5) before it is cut off. */
static void test_each_from_the_one_before(void **state)
{
    (void)state;
    const scree__uint128 *table = scree__power_table();
    for (int q = SCREE__POWER_MIN; q < SCREE__POWER_MAX; q++) {
        int shift = scree__power_log2(q + 1) - scree__power_log2(q) - 1; /* of 5T: 2 or 3 places */
        scree__uint128 quotient = table[q] >> shift;
        scree__uint128 rest = table[q] - (quotient << shift);
        scree__uint128 low = 5 * quotient + ((5 * rest) >> shift);
        scree__uint128 high = 5 * quotient + ((5 * rest + 4) >> shift);
        assert_true(table[q] >> 127 == 1);
        assert_true(table[q + 1] == low || table[q + 1] == high);
        if (scree__power_is_exact(q + 1) && q >= 0)
            assert_true(table[q + 1] == low && (5 * rest) % ((scree__uint128)1 << shift) == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_entries),
        cmocka_unit_test(test_each_from_the_one_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
