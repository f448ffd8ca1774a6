/* SPDX-License-Identifier: BSD-3-Clause */
/* The test vectors of RFC 4648, and bytes that use the last letters. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scree_private.h"

static void check(const char *bytes, int64_t size, const char *wanted)
{
    char *text = scree__base64(bytes, size);
    assert_non_null(text);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_vectors(void **state)
{
    static const char *const wanted[] = {"", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"};
    (void)state;
    for (int64_t size = 0; size <= 6; size++)
        check("foobar", size, wanted[size]);
    check("\xFB\xFF\xFE\x00", 4, "+//+AA==");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vectors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
