/* SPDX-License-Identifier: BSD-3-Clause */
/* Temporary files of dead processes are removed, and nothing else is. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/temporary_file.h"
#include "temporary_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* What a temporary file of another process of this host is called, by the name of one of this. */
static const char *name_of_another(const char *mine, int number)
{
    char name[256];
    const char *base = strrchr(mine, '/') + 1;
    const char *host_end = strchr(base + strlen(".scree-"), '-');
    snprintf(name, sizeof name, "%.*s-1-%x-0.tmp", (int)(host_end - base), base, (unsigned)number);
    return folder_path(name);
}

/* A process that searches as a new one would: this one remembers that it has. */
static void search_in_child(void)
{
    int outcome = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        scree__temporary file = SCREE__TEMPORARY_INIT;
        const int reason = scree__temporary_make(&file, folder, 0666);
        scree__temporary_remove(&file);
        _exit(reason);
    }
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_true(WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0);
}

/* Makes a name, and leaves the folder as it was and unsearched: made in another folder. */
static const char *some_name(void)
{
    static char name[256];
    scree__temporary file = SCREE__TEMPORARY_INIT;
    assert_int_equal(scree__temporary_make(&file, "/tmp", 0600), 0);
    snprintf(name, sizeof name, "%s", file.name);
    scree__temporary_remove(&file);
    return name;
}

static bool touch(const char *path)
{
    const int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    return fd >= 0 && close(fd) == 0;
}

/* A child that makes two files, or the second names of two, and waits to be killed. */
static pid_t make_in_child(const char *path)
{
    int ends[2];
    char byte = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool fine = true;
        for (int i = 0; i < 2; i++) {
            scree__temporary file = SCREE__TEMPORARY_INIT;
            fine &=
                (path ? scree__temporary_link(&file, folder, path) : scree__temporary_make(&file, folder, 0666)) == 0;
        }
        if (fine && write(ends[1], "x", 1) == 1)
            sleep(60);
        _exit(1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    return child;
}

static void expect_gone_after_kill(pid_t child, int others)
{
    int outcome = 0;
    assert_int_equal(folder_walk(0), others + 2);
    search_in_child(); /* its process lives */
    assert_int_equal(folder_walk(0), others + 2);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(folder_walk(0), others + 2);
    search_in_child();
    assert_int_equal(folder_walk(0), others);
}

static void test_files_of_killed_processes_go(void **state)
{
    (void)state;
    expect_gone_after_kill(make_in_child(NULL), 0);
}

/* Also while the file itself is locked by its user. */
static void test_second_names_of_killed_processes_go(void **state)
{
    (void)state;
    const char *path = file_write("file", "x", 1);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    expect_gone_after_kill(make_in_child(path), 1);
    const pid_t child = make_in_child(path);
    assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
    expect_gone_after_kill(child, 1);
    close(fd);
}

/* Files of other hosts, other names, folders and links stay, and so does what a link leads to. */
static void test_what_is_not_ours_stays(void **state)
{
    (void)state;
    const char *mine = some_name();
    assert_true(touch(name_of_another(mine, 1)));
    search_in_child();
    assert_int_equal(folder_walk(0), 0);
    assert_true(touch(folder_path(".scree-00000000-1-1-0.tmp")));
    assert_true(touch(folder_path(".scree-notes.tmp")));
    assert_true(touch(folder_path(".scree-00000000-999999999-1-0.old")));
    assert_true(touch(folder_path("target")));
    assert_int_equal(symlink("target", name_of_another(mine, 2)), 0);
    assert_int_equal(mkdir(name_of_another(mine, 3), 0700), 0);
    assert_int_equal(mkfifo(name_of_another(mine, 4), 0600), 0);
    search_in_child();
    assert_int_equal(folder_walk(0), 7);
}

static void test_files_of_other_users_stay(void **state)
{
    (void)state;
    int outcome = 0;
    if (geteuid() != 0)
        skip();
    const char *theirs = name_of_another(some_name(), 5);
    assert_true(touch(theirs));
    assert_int_equal(chmod(folder, 0777), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        scree__temporary file = SCREE__TEMPORARY_INIT;
        const int reason = setuid(1234) == 0 ? scree__temporary_make(&file, folder, 0666) : EPERM;
        scree__temporary_remove(&file);
        _exit(reason);
    }
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
    assert_int_equal(access(theirs, F_OK), 0);
}

/* Many processes at once, each of which searches while others make their files: nobody loses one, nothing is left. */
static void test_makers_and_searchers_at_once(void **state)
{
    (void)state;
    enum { PROCESSES = 8, ROUNDS = 200 };
    for (int i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        for (int round = 0; child == 0 && round < ROUNDS; round++) {
            int outcome = 0;
            const pid_t run = fork(); /* a new process searches */
            if (run == 0) {
                scree__temporary file = SCREE__TEMPORARY_INIT;
                struct stat named;
                const bool made = scree__temporary_make(&file, folder, 0666) == 0;
                const bool stays = made && stat(file.name, &named) == 0;
                if (round % 2 == 0)
                    scree__temporary_remove(&file);
                _exit(stays ? 0 : 1);
            }
            if (run < 0 || waitpid(run, &outcome, 0) != run || outcome != 0)
                _exit(1);
        }
        if (child == 0)
            _exit(0);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int outcome = 1;
        assert_true(wait(&outcome) > 0);
        assert_int_equal(outcome, 0);
    }
    search_in_child();
    assert_int_equal(folder_walk(0), 0);
}

static void test_a_commit_and_a_handler_exclude_each_other(void **state)
{
    (void)state;
    sigset_t before;
    sigset_t during;
    scree__temporary file = SCREE__TEMPORARY_INIT;
    assert_int_equal(scree__temporary_make(&file, folder, 0666), 0);
    assert_true(scree__temporary_commit_begin(&before));
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &during), 0);
    assert_true(sigismember(&during, SIGINT) == 1 && sigismember(&during, SIGTERM) == 1);
    scree__temporary_commit_end(&before);
    assert_int_equal(sigprocmask(SIG_BLOCK, NULL, &during), 0);
    assert_int_equal(sigismember(&during, SIGINT), sigismember(&before, SIGINT));
    scree__temporary_remove_all();
    assert_int_equal(folder_walk(0), 0);
    scree__temporary_remove(&file);
}

static atomic_bool is_done;

static void *remove_again_and_again(void *unused)
{
    while (!atomic_load(&is_done))
        scree__temporary_remove_all();
    return unused;
}

/* Makes files and second names while another thread removes them; how many no removal has found. */
static int count_lost_files(void)
{
    enum { ROUNDS = 5000 };
    pthread_t remover;
    const char *path = file_write("file", "", 0);
    if (pthread_create(&remover, NULL, remove_again_and_again, NULL) != 0)
        return 1;
    for (int i = 0; i < ROUNDS; i++) {
        scree__temporary file = SCREE__TEMPORARY_INIT;
        if (i % 2)
            (void)scree__temporary_make(&file, folder, 0666);
        else
            (void)scree__temporary_link(&file, folder, path);
        if (file.fd >= 0)
            close(file.fd);
    }
    atomic_store(&is_done, true);
    pthread_join(remover, NULL);
    scree__temporary_remove_all();
    return folder_walk(0) - 1;
}

/* In a child, since a handler leaves the memory of the names to the end of the process. */
static void test_a_handler_misses_no_file(void **state)
{
    (void)state;
    int outcome = 0;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(count_lost_files() == 0 ? 0 : 1);
    assert_int_equal(waitpid(child, &outcome, 0), child);
    assert_int_equal(outcome, 0);
}

/* A child knows the names of its parent's files, and must not remove them, whether it ends by a signal or in order. */
static void test_a_child_leaves_the_files_of_its_parent(void **state)
{
    (void)state;
    int outcome = 0;
    scree__temporary file = SCREE__TEMPORARY_INIT;
    assert_int_equal(scree__temporary_make(&file, folder, 0666), 0);
    for (int in_order = 0; in_order < 2; in_order++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            if (in_order)
                scree__temporary_remove(&file);
            else
                scree__temporary_remove_all();
            _exit(0);
        }
        assert_int_equal(waitpid(child, &outcome, 0), child);
        assert_int_equal(outcome, 0);
        assert_int_equal(access(file.name, F_OK), 0);
    }
    scree__temporary_remove(&file);
    assert_int_equal(folder_walk(0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_files_of_killed_processes_go, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_second_names_of_killed_processes_go, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_what_is_not_ours_stays, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_files_of_other_users_stay, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_makers_and_searchers_at_once, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_a_commit_and_a_handler_exclude_each_other, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_a_handler_misses_no_file, folder_make, folder_remove),
        cmocka_unit_test_setup_teardown(test_a_child_leaves_the_files_of_its_parent, folder_make, folder_remove),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
