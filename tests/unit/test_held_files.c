/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that wait for their names; and what an allocation that failed leaves to be known. */

#include "support/checks.h"

#include "base/atomic_file.h"
#include "base/memory.h"

#include "support/calls.h"
#include "temporary_folder.h"

static char one[512];
static char two[512];

static void write_file(const char *path, const char *text)
{
    scree__atomic_file *file = NULL;
    scree_error error = SCREE_ERROR_INIT;
    assert_int_equal(scree__atomic_open(&file, path, &error), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, text, (int64_t)strlen(text), &error), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
    scree__atomic_free(file);
}

static void assert_holds(const char *path, const char *text)
{
    char found[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(found, sizeof found, file));
    fclose(file);
    assert_string_equal(found, text);
}

static int begin(void **state)
{
    const int made = folder_make(state);
    snprintf(one, sizeof one, "%s/one", folder);
    snprintf(two, sizeof two, "%s/two", folder);
    return made;
}

static int end(void **state)
{
    (void)state;
    folder_walk(1);
    return rmdir(folder);
}

static void test_they_appear_together(void **state)
{
    (void)state;
    write_file(one, "old");
    scree_outputs_hold();
    write_file(one, "new");
    write_file(two, "second");
    assert_holds(one, "old");
    assert_int_not_equal(access(two, F_OK), 0);
    assert_int_equal(folder_walk(0), 3); /* the old file, and two that wait */
    assert_int_equal(scree_outputs_publish(NULL), SCREE_OK);
    assert_holds(one, "new");
    assert_holds(two, "second");
    assert_int_equal(folder_walk(0), 2);
    write_file(one, "newer"); /* nothing waits any more */
    assert_holds(one, "newer");
}

/* Sinks may go before their files appear, or after. */
static void test_sinks_go_whenever(void **state)
{
    const double row[2] = {1, 2};
    (void)state;
    for (int k = 0; k < 4; k++) {
        scree_sink *sink = NULL;
        scree_source *source = NULL;
        scree_error error = SCREE_ERROR_INIT;
        scree_outputs_hold();
        assert_int_equal(scree_sink_open(&sink, one, NULL, &error), SCREE_OK);
        assert_int_equal(scree_source_from_memory(&source, BLOCK(row, SCREE_F64, 1, 2), &error), SCREE_OK);
        assert_int_equal(scree_source_copy(source, sink, NULL, &error), SCREE_OK);
        assert_int_equal(scree_sink_finish(sink, &error), SCREE_OK);
        scree_source_free(source);
        if (k % 2 == 0)
            scree_sink_free(sink);
        if (k < 2)
            assert_int_equal(scree_outputs_publish(&error), SCREE_OK);
        else
            scree_outputs_discard();
        if (k % 2 == 1)
            scree_sink_free(sink);
        assert_int_equal(folder_walk(0), 1);
    }
}

static void test_they_are_discarded(void **state)
{
    (void)state;
    write_file(one, "old");
    scree_outputs_hold();
    write_file(one, "new");
    write_file(two, "second");
    scree_outputs_discard();
    assert_holds(one, "old");
    assert_int_equal(folder_walk(0), 1);
}

static void test_one_file_twice(void **state)
{
    scree_error error = SCREE_ERROR_INIT;
    (void)state;
    write_file(one, "old");
    scree_outputs_hold();
    write_file(one, "new");
    write_file(one, "newer");
    assert_int_equal(scree_outputs_publish(&error), SCREE_ERR_ARGUMENT);
    assert_holds(one, "old");
    assert_int_equal(folder_walk(0), 1);
}

static void test_a_failed_allocation_is_known(void **state)
{
    (void)state;
    const bool outer = scree__memory_watch();
    const bool inner = scree__memory_watch();
    void *memory = scree__alloc(1, 8);
    assert_false(scree__memory_missed(inner));
    assert_null(scree__alloc(INT64_MAX, 8));
    const bool later = scree__memory_watch();
    assert_false(scree__memory_missed(later));
    assert_true(scree__memory_missed(outer)); /* what came after has not made it forget */
    free(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_they_appear_together, begin, end),
        cmocka_unit_test_setup_teardown(test_sinks_go_whenever, begin, end),
        cmocka_unit_test_setup_teardown(test_they_are_discarded, begin, end),
        cmocka_unit_test_setup_teardown(test_one_file_twice, begin, end),
        cmocka_unit_test(test_a_failed_allocation_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
