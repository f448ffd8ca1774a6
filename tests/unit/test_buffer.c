/* SPDX-License-Identifier: BSD-3-Clause */
/* Rooms begin at a page, keep their place while they suffice, and say so when memory is not to be had. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/buffer.h"

#include <string.h>

static void test_grows_and_stays(void **state)
{
    (void)state;
    scree__buffer room = {0};
    scree_error error = SCREE_ERROR_INIT;
    assert_false(scree__buffer_holds(&room, NULL));
    assert_int_equal(scree__buffer_reserve(&room, 10000, "a.npy", &error), SCREE_OK);
    const char *first = room.data;
    memset(room.data, 1, 10000);
    assert_int_equal((uintptr_t)first % SCREE__PAGE, 0);
    assert_int_equal(scree__buffer_reserve(&room, 10, "a.npy", &error), SCREE_OK);
    assert_ptr_equal(room.data, first);
    assert_true(scree__buffer_holds(&room, room.data) && scree__buffer_holds(&room, room.data + 9999));
    assert_false(scree__buffer_holds(&room, room.data + room.size));
    assert_false(scree__buffer_holds(&room, &room));
    assert_int_equal(scree__buffer_reserve(&room, 100000, "a.npy", &error), SCREE_OK);
    memset(room.data, 1, 100000);
    scree__buffer_free(&room);
    assert_null(room.data);
}

static void test_too_large(void **state)
{
    (void)state;
    scree__buffer room = {0};
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__buffer_reserve(&room, INT64_MAX, "a.npy", &error), SCREE_ERR_MEMORY);
    assert_non_null(strstr(error.text, "a.npy"));
    assert_int_equal(scree__buffer_reserve(&room, -1, "a.npy", &error), SCREE_ERR_MEMORY);
    assert_int_equal(scree__buffer_reserve(&room, 0, "a.npy", &error), SCREE_OK);
    scree__buffer_free(&room);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_grows_and_stays),
        cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
