/* SPDX-License-Identifier: BSD-3-Clause */
/* Files appear whole or not at all, old ones stay intact, errors say what to do. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/atomic_file.h"
#include "temporary_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

static void expect_content(const char *path, const char *text)
{
    size_t size = 0;
    unsigned char *data = file_read(path, &size);
    assert_string_equal((const char *)data, text);
    free(data);
}

static void test_commit_gives_the_name(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    const char *path = folder_path("whole");
    assert_int_equal(scree__atomic_open(&file, path, &error), SCREE_OK);
    assert_true(scree__atomic_seekable(file));
    assert_int_equal(scree__atomic_write(file, "hello world", 11, &error), SCREE_OK);
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(scree__atomic_patch(file, 6, "there", 5, &error), SCREE_OK);
    assert_int_equal(scree__atomic_patch(file, 7, "there", 5, &error), SCREE_ERR_ARGUMENT);
    assert_int_equal(scree__atomic_write(file, "!", 1, &error), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
    scree__atomic_free(file);
    expect_content(path, "hello there!");
    assert_int_equal(folder_walk(0), 1);
}

static void test_failure_leaves_the_old_file(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    const char *path = file_write("old", "old", 3);
    assert_int_equal(scree__atomic_open(&file, path, &error), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, "new", 3, &error), SCREE_OK);
    assert_int_equal(folder_walk(0), 2);
    scree__atomic_free(file);
    expect_content(path, "old");
    assert_int_equal(folder_walk(0), 1);
}

/* A name of a descriptor is not renamed over, even where it leads to a regular file: what is there stays. */
static void test_descriptors_are_written_through(void **state)
{
    (void)state;
    static const char *const names[] = {"/dev/fd/%d", "/proc/self/fd/%d"};
    for (int i = 0; i < 2; i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree__atomic_file *file = NULL;
        struct stat before;
        struct stat after;
        char name[40];
        const char *path = file_write("redirected", "", 0);
        const int fd = open(path, O_WRONLY);
        assert_true(fd >= 0 && fstat(fd, &before) == 0 && write(fd, "one ", 4) == 4);
        snprintf(name, sizeof name, names[i], fd);
        assert_int_equal(scree__atomic_open(&file, name, &error), SCREE_OK);
        assert_false(scree__atomic_seekable(file));
        assert_int_equal(scree__atomic_write(file, "two ", 4, &error), SCREE_OK);
        assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
        scree__atomic_free(file);
        assert_true(write(fd, "three", 5) == 5);
        close(fd);
        assert_int_equal(stat(path, &after), 0);
        assert_true(before.st_ino == after.st_ino);
        expect_content(path, "one two three");
        file = NULL;
        assert_int_equal(scree__atomic_open(&file, name, &error), SCREE_ERR_IO);
        assert_int_equal(folder_walk(0), 1);
    }
}

static void test_permissions_stay(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    struct stat about;
    const char *path = file_write("private", "old", 3);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(scree__atomic_open(&file, path, &error), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, "new", 3, &error), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
    scree__atomic_free(file);
    expect_content(path, "new");
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
}

static void test_large_writes_arrive_in_order(void **state)
{
    (void)state;
    enum { COUNT = 3000, SIZE = 1000 };
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    const char *path = folder_path("large");
    unsigned char *piece = calloc(COUNT, SIZE);
    assert_non_null(piece);
    assert_int_equal(scree__atomic_open(&file, path, &error), SCREE_OK);
    for (int i = 0; i < COUNT; i++) {
        memset(piece, i % 251, SIZE);
        assert_int_equal(scree__atomic_write(file, piece, SIZE, &error), SCREE_OK);
    }
    memset(piece, 7, (size_t)COUNT * SIZE);
    assert_int_equal(scree__atomic_write(file, piece, (int64_t)COUNT * SIZE, &error), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
    scree__atomic_free(file);
    size_t size = 0;
    unsigned char *data = file_read(path, &size);
    assert_int_equal(size, 2 * (size_t)COUNT * SIZE);
    for (size_t i = 0; i < (size_t)COUNT; i++)
        assert_int_equal(data[i * SIZE + i % SIZE], i % 251);
    assert_int_equal(data[size - 1], 7);
    free(data);
    free(piece);
}

static void test_mode_follows_umask(void **state)
{
    (void)state;
    scree__atomic_file *file = NULL;
    struct stat about;
    const char *path = folder_path("mode");
    mode_t before = umask(027);
    assert_int_equal(scree__atomic_open(&file, path, NULL), SCREE_OK);
    umask(before);
    assert_int_equal(scree__atomic_commit(file, NULL), SCREE_OK);
    scree__atomic_free(file);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

static void test_link_stays_a_link(void **state)
{
    (void)state;
    scree__atomic_file *file = NULL;
    struct stat about;
    const char *real = file_write("real", "old", 3);
    const char *link = folder_path("link");
    assert_int_equal(symlink("real", link), 0);
    assert_int_equal(scree__atomic_open(&file, link, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, "new", 3, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, NULL), SCREE_OK);
    scree__atomic_free(file);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    expect_content(real, "new");
}

static void test_cleanup_removes_unfinished_files(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *one = NULL;
    scree__atomic_file *two = NULL;
    assert_int_equal(scree__atomic_open(&one, folder_path("one"), NULL), SCREE_OK);
    assert_int_equal(scree__atomic_open(&two, folder_path("two"), NULL), SCREE_OK);
    assert_int_equal(folder_walk(0), 2);
    scree_cleanup();
    assert_int_equal(folder_walk(0), 0);
    assert_int_equal(scree__atomic_commit(one, &error), SCREE_ERR_IO);
    scree__atomic_free(one);
    scree__atomic_free(two);
    assert_int_equal(folder_walk(0), 0);
}

static void test_errors_name_path_and_remedy(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    assert_int_equal(scree__atomic_open(&file, folder_path("no/such"), &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "no/such: the folder '"));
    assert_non_null(strstr(error.text, "does not exist"));
    assert_int_equal(scree__atomic_open(&file, folder, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "is a folder"));
    assert_int_equal(scree__atomic_open(&file, "", &error), SCREE_ERR_ARGUMENT);
    assert_null(file);
}

static void test_full_disk(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(scree__atomic_open(&file, "/dev/full", &error), SCREE_OK);
    assert_false(scree__atomic_seekable(file));
    assert_int_equal(scree__atomic_write(file, "x", 1, &error), SCREE_OK);
    assert_int_equal(scree__atomic_patch(file, 0, "y", 1, &error), SCREE_ERR_UNSUPPORTED);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "/dev/full: the disk is full"));
    scree__atomic_free(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_commit_gives_the_name, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_failure_leaves_the_old_file, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_descriptors_are_written_through, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_permissions_stay, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_large_writes_arrive_in_order, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_mode_follows_umask, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_link_stays_a_link, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_cleanup_removes_unfinished_files, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_errors_name_path_and_remedy, folder_make, folder_remove),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
