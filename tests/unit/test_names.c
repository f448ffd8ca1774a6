/* SPDX-License-Identifier: BSD-3-Clause */
/* Names to numbers: in the order in which they are met, the same number for the same name, however many there are. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/names.h"

#include <stdio.h>
#include <stdlib.h>

enum { MANY = 20000 };

static void test_numbers_in_order(void **state)
{
    (void)state;
    scree__names names = {0};
    char name[64];
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            snprintf(name, sizeof name, i % 2 ? "%d" : "a longer name than eight bytes, %d", i);
            assert_int_equal(scree__names_number(&names, name), i);
            assert_string_equal(scree__names_at(&names, i), name);
        }
    assert_int_equal(names.count, MANY);
    assert_int_equal(scree__names_number(&names, ""), MANY);
    assert_int_equal(scree__names_number(&names, "1"), 1);
    assert_true(scree__names_memory(&names) > 20 * MANY);
    scree__names_clear(&names);
}

static void test_ranks_of_numbers(void **state)
{
    (void)state;
    static const char *const ids[] = {"10", "9", "100", "0"};
    static const int32_t wanted[] = {2, 1, 3, 0};
    static const char *const no_numbers[] = {"01", "-1", "1.5", "x", "1234567890123456789"};
    scree__names names = {0};
    int32_t place[5];
    int64_t scratch[10];
    for (int i = 0; i < 4; i++)
        scree__names_number(&names, ids[i]);
    assert_true(scree__names_rank(&names, place, scratch));
    for (int i = 0; i < 4; i++)
        assert_int_equal(place[i], wanted[i]);
    scree__names_clear(&names);
    for (int i = 0; i < 5; i++) {
        scree__names_number(&names, "7");
        scree__names_number(&names, no_numbers[i]);
        assert_false(scree__names_rank(&names, place, scratch));
        scree__names_clear(&names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers_in_order),
                                       cmocka_unit_test(test_ranks_of_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
