/* SPDX-License-Identifier: BSD-3-Clause */
/* Slots arrive in order, the last one for ever; a ring may be left and started again at any moment. Two threads share
 * the slots: the thread sanitizer watches this test. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/ring.h"

typedef struct numbers {
    int next;
    int last;
    int slots[SCREE__SLOTS];
} numbers;

static bool count_up(void *context, int slot)
{
    numbers *n = context;
    n->slots[slot] = n->next++;
    return n->slots[slot] < n->last;
}

static void test_order_and_end(void **state)
{
    (void)state;
    for (int last = 0; last < 7; last++) {
        numbers n = {.last = last};
        scree__ring ring;
        scree__ring_init(&ring, count_up, &n);
        assert_int_equal(scree__ring_start(&ring), 0);
        for (int i = 0; i < last + 3; i++)
            assert_int_equal(n.slots[scree__ring_next(&ring)], i < last ? i : last);
        scree__ring_destroy(&ring);
    }
}

static void test_left_and_started_again(void **state)
{
    (void)state;
    numbers n = {.last = 1000000};
    scree__ring ring;
    scree__ring_init(&ring, count_up, &n);
    for (int taken = 0; taken < 20; taken++) {
        n.next = 0;
        assert_int_equal(scree__ring_start(&ring), 0);
        for (int i = 0; i < taken; i++)
            assert_int_equal(n.slots[scree__ring_next(&ring)], i);
        scree__ring_stop(&ring);
    }
    scree__ring_destroy(&ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_and_end),
        cmocka_unit_test(test_left_and_started_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
