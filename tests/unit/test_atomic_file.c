/* SPDX-License-Identifier: BSD-3-Clause */
/* Files appear whole or not at all, several of them together, old ones stay intact, errors say what to do. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/atomic_file.h"
#include "base/output_path.h"
#include "temporary_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void expect_content(const char *path, const char *text)
{
    size_t size = 0;
    unsigned char *data = file_read(path, &size);
    assert_string_equal((const char *)data, text);
    free(data);
}

/* The first temporary file in the folder. */
static const char *temporary_name(void)
{
    const char *found = NULL;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (const struct dirent *entry; !found && (entry = readdir(list));)
        if (strncmp(entry->d_name, ".scree-", 7) == 0)
            found = folder_path(entry->d_name);
    closedir(list);
    assert_non_null(found);
    return found;
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

/* A link that leads nowhere leads to the new file afterwards, through as many links as there are; a circle is refused.
 */
static void test_dangling_links_are_written_through(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    struct stat about;
    assert_int_equal(mkdir(folder_path("deep"), 0777), 0);
    assert_int_equal(symlink("deep/second", folder_path("first")), 0);
    assert_int_equal(symlink("../real", folder_path("deep/second")), 0);
    assert_int_equal(scree__atomic_open(&file, folder_path("first"), &error), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, "new", 3, &error), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, &error), SCREE_OK);
    scree__atomic_free(file);
    assert_true(lstat(folder_path("first"), &about) == 0 && S_ISLNK(about.st_mode));
    assert_true(lstat(folder_path("real"), &about) == 0 && S_ISREG(about.st_mode));
    expect_content(folder_path("real"), "new");
    assert_int_equal(unlink(folder_path("deep/second")), 0);
    assert_int_equal(symlink("../first", folder_path("deep/second")), 0);
    assert_int_equal(scree__atomic_open(&file, folder_path("first"), &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "a symbolic link to a place that cannot be reached"));
    assert_int_equal(unlink(folder_path("deep/second")), 0);
    assert_int_equal(symlink("/no/such/folder/file", folder_path("deep/second")), 0);
    assert_int_equal(scree__atomic_open(&file, folder_path("first"), &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "/first: the folder '/no/such/folder' does not exist"));
    assert_int_equal(unlink(folder_path("deep/second")), 0);
    assert_int_equal(rmdir(folder_path("deep")), 0);
}

/* Of links to free names, those of others are not followed. */
static void test_dangling_links_of_others_are_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__atomic_file *file = NULL;
    if (geteuid() != 0)
        skip();
    assert_int_equal(symlink("theirs", folder_path("mine")), 0);
    assert_int_equal(symlink("victim", folder_path("theirs")), 0);
    assert_int_equal(lchown(folder_path("theirs"), 1234, 5678), 0);
    assert_int_equal(scree__atomic_open(&file, folder_path("mine"), &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "/mine: leads through a symbolic link of another user"));
    assert_int_equal(folder_walk(0), 2);
}

/* Makes a link lead to one file and the other in turn, until it is killed. */
static void swap_link(void)
{
    for (int i = 0; symlink(i % 2 ? "one" : "two", folder_path("next")) == 0; i++)
        if (rename(folder_path("next"), folder_path("link")) != 0)
            break;
    _exit(1);
}

/* The file that was judged is the one that is written, or none. */
static void test_a_link_that_changes_leads_to_one_file(void **state)
{
    (void)state;
    enum { ROUNDS = 20000 };
    int outcome = 0;
    file_write("one", "1", 1);
    file_write("two", "2", 1);
    assert_int_equal(symlink("one", folder_path("link")), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        swap_link();
    int mixed = 0;
    for (int i = 0; i < ROUNDS; i++) {
        scree__output_path path;
        struct stat about = {0};
        if (scree__output_path_find(&path, folder_path("link"), NULL) == SCREE_OK && path.target)
            mixed += stat(path.target, &about) != 0 || about.st_ino != path.about.st_ino;
        scree__output_path_free(&path);
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFSIGNALED(outcome));
    assert_int_equal(mixed, 0);
}

/* Until a file that replaces a private one has its rights, nobody else can open it. */
static void test_unfinished_files_are_private(void **state)
{
    (void)state;
    scree__atomic_file *file = NULL;
    struct stat about;
    const char *path = file_write("open", "old", 3);
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(scree__atomic_open(&file, path, NULL), SCREE_OK);
    assert_int_equal(stat(temporary_name(), &about), 0);
    assert_int_equal(about.st_mode & 0777, 0600);
    assert_int_equal(scree__atomic_commit(file, NULL), SCREE_OK);
    scree__atomic_free(file);
    assert_true(stat(path, &about) == 0 && (about.st_mode & 0777) == 0664);
}

/* Root, who writes to somebody's file, leaves it theirs. */
static void test_the_owner_stays(void **state)
{
    (void)state;
    scree__atomic_file *file = NULL;
    struct stat about;
    if (geteuid() != 0)
        skip();
    const char *path = file_write("theirs", "old", 3);
    assert_int_equal(chown(path, 1234, 5678), 0);
    assert_int_equal(scree__atomic_open(&file, path, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_commit(file, NULL), SCREE_OK);
    scree__atomic_free(file);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_uid, 1234);
    assert_int_equal(about.st_gid, 5678);
}

static scree__atomic_file *open_with(const char *path, const char *text)
{
    scree__atomic_file *file = NULL;
    assert_int_equal(scree__atomic_open(&file, path, NULL), SCREE_OK);
    assert_int_equal(scree__atomic_write(file, text, (int64_t)strlen(text), NULL), SCREE_OK);
    return file;
}

static void test_two_files_appear_together(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    file_write("old", "old", 3);
    scree__atomic_file *both[] = {open_with(folder_path("old"), "one"), open_with(folder_path("new"), "two")};
    assert_int_not_equal(access(folder_path("new"), F_OK), 0);
    assert_int_equal(scree__atomic_commit_all(both, 2, &error), SCREE_OK);
    scree__atomic_free(both[0]);
    scree__atomic_free(both[1]);
    expect_content(folder_path("old"), "one");
    expect_content(folder_path("new"), "two");
    assert_int_equal(folder_walk(0), 2);
}

/* The last of three cannot get its name, for a folder has it now: the others are as they were. */
static void test_a_failed_rename_undoes_the_others(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    struct stat before;
    struct stat after;
    file_write("old", "old", 3);
    assert_int_equal(stat(folder_path("old"), &before), 0);
    scree__atomic_file *all[] = {open_with(folder_path("old"), "one"), open_with(folder_path("new"), "two"),
                                 open_with(folder_path("folder"), "three")};
    assert_int_equal(mkdir(folder_path("folder"), 0777), 0);
    assert_int_equal(scree__atomic_commit_all(all, 3, &error), SCREE_ERR_IO);
    assert_non_null(strstr(error.text, "/folder: the finished file cannot get its name"));
    assert_null(strstr(error.text, "stays"));
    for (int i = 0; i < 3; i++)
        scree__atomic_free(all[i]);
    expect_content(folder_path("old"), "old");
    assert_int_equal(stat(folder_path("old"), &after), 0);
    assert_true(before.st_ino == after.st_ino && after.st_nlink == 1);
    assert_int_not_equal(access(folder_path("new"), F_OK), 0);
    assert_int_equal(folder_walk(0), 2);
}

/* One file by two names: spelled differently, through a link of either kind, and as a descriptor. */
static void test_one_file_by_two_names_is_refused(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    char descriptor[32];
    file_write("file", "old", 3);
    assert_int_equal(symlink("file", folder_path("soft")), 0);
    assert_int_equal(link(folder_path("file"), folder_path("hard")), 0);
    assert_int_equal(symlink("free", folder_path("dangling")), 0);
    const int fd = open(folder_path("file"), O_WRONLY);
    snprintf(descriptor, sizeof descriptor, "/dev/fd/%d", fd);
    const char *const pairs[][2] = {
        {"file", ".//file"}, {"file", "soft"}, {"file", "hard"}, {"free", "./free"}, {"free", "dangling"}};
    for (size_t i = 0; i <= sizeof pairs / sizeof *pairs; i++) {
        const bool last = i == sizeof pairs / sizeof *pairs;
        scree__atomic_file *both[] = {open_with(folder_path(last ? "file" : pairs[i][0]), "one"),
                                      open_with(last ? descriptor : folder_path(pairs[i][1]), "two")};
        assert_int_equal(scree__atomic_distinct(both[0], both[1], &error), SCREE_ERR_ARGUMENT);
        assert_non_null(strstr(error.text, " are the same file: give another name"));
        assert_int_equal(scree__atomic_commit_all(both, 2, &error), SCREE_ERR_ARGUMENT);
        scree__atomic_free(both[0]);
        scree__atomic_free(both[1]);
    }
    close(fd);
    expect_content(folder_path("file"), "old");
    assert_int_equal(folder_walk(0), 4);
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
        cmocka_unit_test_setup_teardown(test_dangling_links_are_written_through, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_dangling_links_of_others_are_refused, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_a_link_that_changes_leads_to_one_file, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_unfinished_files_are_private, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_the_owner_stays, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_two_files_appear_together, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_a_failed_rename_undoes_the_others, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_one_file_by_two_names_is_refused, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_cleanup_removes_unfinished_files, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_errors_name_path_and_remedy, folder_make, folder_remove),
        cmocka_unit_test(test_full_disk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
