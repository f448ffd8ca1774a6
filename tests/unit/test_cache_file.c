/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts kept in the user's cache folder: where that is, that the first one stays, and that nothing is left behind. */

#include "support/checks.h"

#include "base/cache_file.h"

#include "temporary_folder.h"

static void expect_folder(const char *own, const char *xdg, const char *home, const char *expected)
{
    char found[256] = "";
    const char *const names[] = {"SCREE_CACHE", "XDG_CACHE_HOME", "HOME"};
    const char *const values[] = {own, xdg, home};
    for (int i = 0; i < 3; i++) {
        if (values[i])
            setenv(names[i], values[i], 1);
        else
            unsetenv(names[i]);
    }
    assert_int_equal(scree__cache_folder(found, sizeof found), expected != NULL);
    if (expected)
        assert_string_equal(found, expected);
}

static void test_folder(void **state)
{
    (void)state;
    char small[8];
    expect_folder("off", "/x", "/h", NULL);
    expect_folder("", "/x", "/h", NULL);
    expect_folder("relative", "/x", "/h", NULL);
    expect_folder("/mine", "/x", "/h", "/mine");
    expect_folder(NULL, "/x", "/h", "/x/scree");
    expect_folder(NULL, "x", "/h", "/h/.cache/scree");
    expect_folder(NULL, NULL, "/h", "/h/.cache/scree");
    expect_folder(NULL, NULL, "h", NULL);
    expect_folder(NULL, NULL, NULL, NULL);
    setenv("SCREE_CACHE", "/too/long", 1);
    assert_false(scree__cache_folder(small, sizeof small));
}

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
        cmocka_unit_test(test_folder),
        cmocka_unit_test_setup_teardown(test_first_stays, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_folders_are_made, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_nothing_kept, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
