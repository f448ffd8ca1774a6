/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers as bytes and back: dense, sparse, sparse within sparse; and bytes that nobody wrote. */

#include "archive/values.h"
#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 1 << 16 };

/* One in so many is not zero. */
static void check_share(int64_t share)
{
    static int32_t values[COUNT];
    static int32_t back[COUNT];
    scree__pack pack = {0};
    for (int64_t i = 0; i < COUNT; i++)
        values[i] = i % share == share - 1 ? (int32_t)(i % 2001) - 1000 : 0;
    values[COUNT - 1] = SCREE__VALUE_RAW;
    values[COUNT - 2] = SCREE__VALUE_NAN;
    values[COUNT - 3] = -SCREE__VALUE_MOST;
    scree__values_put(&pack, values, COUNT);
    assert_false(pack.failed);
    scree__unpack unpack = {pack.data, pack.size, false};
    scree__values_get(&unpack, back, COUNT);
    assert_false(unpack.failed);
    assert_int_equal(unpack.left, 0);
    assert_memory_equal(back, values, sizeof values);
    scree__pack_free(&pack);
}

static void test_back(void **state)
{
    (void)state;
    for (int64_t share = 1; share <= COUNT; share *= 4)
        check_share(share);
}

/* Sparse values whose gaps are sparse, whose gaps are: as deep as the file is long, were that allowed. */
static void test_nested(void **state)
{
    static int32_t values[COUNT];
    const int64_t levels = 1000000;
    (void)state;
    for (uint32_t some = 1; some <= COUNT; some *= 16) {
        scree__pack pack = {0};
        for (int64_t i = 0; i < levels; i++) {
            scree__pack_u8(&pack, 2);
            scree__pack_u32(&pack, some);
        }
        scree__unpack unpack = {pack.data, pack.size, false};
        scree__values_get(&unpack, values, some);
        assert_true(unpack.failed);
        scree__pack_free(&pack);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_back), cmocka_unit_test(test_nested)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
