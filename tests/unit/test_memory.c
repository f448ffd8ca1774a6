/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory: aligned, zeroed, and refused where a size overflows or makes no sense. */

#include "support/checks.h"

#include "base/memory.h"

#include <string.h>

static void test_aligned_and_zeroed(void **state)
{
    (void)state;
    for (int64_t count = 0; count < 300; count += 7) {
        unsigned char *memory = scree__alloc(count, 3);
        assert_non_null(memory);
        assert_int_equal((uintptr_t)memory % 64, 0);
        for (int64_t i = 0; i < 3 * count; i++)
            assert_int_equal(memory[i], 0);
        free(memory);
    }
    void *raw = scree__alloc_raw(5, 8);
    assert_int_equal((uintptr_t)raw % 64, 0);
    free(raw);
}

static void test_refused(void **state)
{
    (void)state;
    assert_null(scree__alloc(-1, 8));
    assert_null(scree__alloc(INT64_MAX, 8));
    assert_null(scree__alloc(INT64_MAX / 4, 4));
    assert_null(scree__alloc_raw(INT64_MAX, SIZE_MAX));
}

static scree_status take(int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *memory = NULL;
    SCREE_ALLOC(memory, count, error);
done:
    free(memory);
    return status;
}

static void test_failure_is_a_sentence(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(take(4, &error), SCREE_OK);
    assert_int_equal(take(-4, &error), SCREE_ERR_MEMORY);
    assert_non_null(strstr(error.text, "out of memory"));
    assert_int_equal(error.status, SCREE_ERR_MEMORY);
}

static void test_strings(void **state)
{
    (void)state;
    static const char *const words[] = {"eins", "", "drei"};
    char **copy = scree__strings_copy(words, 3);
    assert_non_null(copy);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(copy[i], words[i]);
        assert_ptr_not_equal(copy[i], words[i]);
    }
    scree__strings_free(copy, 3);
    assert_null(scree__strings_copy(NULL, 3));
    assert_null(scree__strdup(NULL));
    scree__strings_free(NULL, 3);
}

static void test_some_is_free(void **state)
{
    (void)state;
    assert_true(scree__memory_available() > 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned_and_zeroed),    cmocka_unit_test(test_refused),
        cmocka_unit_test(test_failure_is_a_sentence), cmocka_unit_test(test_strings),
        cmocka_unit_test(test_some_is_free),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
