/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts kept in a cache folder: that the first one stays, and that nothing is left behind. */

#include "support/checks.h"

#include "base/cache_file.h"

#include "temporary_folder.h"

static void test_first_stays(void **state)
{
    (void)state;
    char text[16] = "";
    assert_false(scree__cache_read(folder, "name", text, sizeof text));
    scree__cache_keep(folder, "name", "first");
    scree__cache_keep(folder, "name", "second");
    assert_int_equal(folder_walk(0), 1);
    assert_true(scree__cache_read(folder, "name", text, sizeof text));
    assert_string_equal(text, "first");
    assert_false(scree__cache_read(folder, "name", text, 5)); /* no room for the zero */
    scree__cache_remove(folder, "name");
    scree__cache_keep(folder, "name", "second");
    assert_true(scree__cache_read(folder, "name", text, sizeof text));
    assert_string_equal(text, "second");
}

static void test_folders_are_made(void **state)
{
    (void)state;
    char text[16] = "";
    char parent[256];
    char inner[256];
    snprintf(parent, sizeof parent, "%s/parent", folder);
    snprintf(inner, sizeof inner, "%s/parent/inner", folder);
    assert_true(scree__cache_make(inner));
    assert_true(scree__cache_make(inner));
    scree__cache_keep(inner, "name", "text");
    assert_true(scree__cache_read(inner, "name", text, sizeof text));
    scree__cache_remove(inner, "name");
    assert_int_equal(rmdir(inner), 0);
    assert_int_equal(rmdir(parent), 0);
}

/* A folder that cannot be made, a name that is a folder: nothing is kept, and that is all. */
static void test_nothing_kept(void **state)
{
    (void)state;
    char text[16] = "";
    const char *file = file_write("file", "x", 1);
    assert_false(scree__cache_make(file));
    assert_false(scree__cache_make("/no/such/folder"));
    scree__cache_keep(file, "name", "text");
    assert_false(scree__cache_read(file, "name", text, sizeof text));
    assert_false(scree__cache_read("/tmp", ".", text, sizeof text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_stays, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_folders_are_made, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_nothing_kept, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
