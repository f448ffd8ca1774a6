/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts kept in a cache folder: that the first one stays, that it is whole, and that nothing is left behind. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* RTLD_NEXT */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include "support/checks.h"

#include "base/cache_file.h"

#include "temporary_folder.h"

#include <dlfcn.h>
#include <errno.h>

static bool is_disturbed; /* every second write is interrupted, the others take two bytes */
static bool sync_fails;
static int room = -1; /* writes until the disk is full; -1: it does not get full */

/* Stands in front of the system's. */
ssize_t write(int fd, const void *from, size_t size)
{
    static int calls;
    ssize_t (*real)(int, const void *, size_t);
    *(void **)&real = dlsym(RTLD_NEXT, "write");
    if (!is_disturbed)
        return real(fd, from, size);
    errno = calls++ % 2 == 0 ? EINTR : ENOSPC;
    if (errno == EINTR || room == 0)
        return -1;
    room -= room > 0;
    return real(fd, from, size < 2 ? size : 2);
}

int fsync(int fd)
{
    (void)fd;
    errno = EIO;
    return sync_fails ? -1 : 0;
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

/* Interrupted and short writes change nothing; half a text is not kept, nor one that the disk does not take. */
static void test_kept_whole(void **state)
{
    (void)state;
    char text[16] = "";
    is_disturbed = true;
    scree__cache_keep(folder, "whole", "some text");
    room = 2;
    scree__cache_keep(folder, "half", "some text");
    is_disturbed = false;
    room = -1;
    sync_fails = true;
    scree__cache_keep(folder, "lost", "some text");
    sync_fails = false;
    assert_true(scree__cache_read(folder, "whole", text, sizeof text));
    assert_string_equal(text, "some text");
    assert_int_equal(folder_walk(0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_stays, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_folders_are_made, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_nothing_kept, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_kept_whole, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
