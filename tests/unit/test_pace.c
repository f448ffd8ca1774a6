/* SPDX-License-Identifier: BSD-3-Clause */
/* The pace of an iteration: looks come where the goal is near, and giving way is a matter of counted columns. */

#include "support/checks.h"

#include "kernel/pace.h"

enum { STEP = 16 };

static void test_looks(void **state)
{
    (void)state;
    scree__pace p = scree__pace_from(64);
    assert_int_equal(p.next, 64);
    scree__pace_look(&p, 64, STEP, 1e6);
    assert_int_equal(p.next, 80); /* nothing is known of the pace yet */
    scree__pace_look(&p, 80, STEP, 1e5);
    EXPECT_NEAR(p.left, 5 * 16, 1e-9); /* a digit a step, five to go */
    assert_int_equal(p.next, 80 + 40); /* 0.7 of it, but no more than half of what was */
    scree__pace_look(&p, 120, STEP, 0.5);
    EXPECT_NEAR(p.left, 0, 0);
}

static void test_no_progress(void **state)
{
    (void)state;
    scree__pace p = scree__pace_from(64);
    scree__pace_look(&p, 64, STEP, 100);
    scree__pace_look(&p, 80, STEP, 200);
    assert_true(isinf(p.left));
    assert_int_equal(p.next, 96);
}

static void test_gives_way(void **state)
{
    (void)state;
    scree__pace p = {.seen = 100, .left = 60};
    assert_false(scree__pace_gives_way(&p, 0)); /* there is no other way */
    assert_true(scree__pace_gives_way(&p, 100));
    assert_false(scree__pace_gives_way(&p, 150));
    p.left = 310;
    assert_true(scree__pace_gives_way(&p, 150));
    p.left = 40;
    assert_false(scree__pace_gives_way(&p, 100)); /* nearly there */
    p.left = HUGE_VAL;
    assert_false(scree__pace_gives_way(&p, 250)); /* not tried enough */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_looks),
        cmocka_unit_test(test_no_progress),
        cmocka_unit_test(test_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
