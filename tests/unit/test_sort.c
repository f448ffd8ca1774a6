/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers in ascending order. */

#include "base/sort.h"

#include "support/checks.h"

static void test_ascending(void **state)
{
    (void)state;
    double x[] = {3, -INFINITY, 0.5, 3, -2, 1e300, 0, INFINITY, -0.5};
    scree__sort_doubles(x, COUNT_OF(x));
    for (int64_t i = 1; i < COUNT_OF(x); i++)
        assert_true(x[i - 1] <= x[i]);
    EXPECT_NEAR(x[1], -2, 0);
    EXPECT_NEAR(x[6], 3, 0);
    scree__sort_doubles(x, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ascending)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
