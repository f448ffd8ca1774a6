/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs run and waited for: how long one took from start to end, and how much memory it had at most (wait4). Linux
 * counts to a program what the process had that started it, so this is not done by the benchmark itself, which holds
 * gigabytes, but by a small process that is split off before it takes any: a request to it is a block of words that end
 * with zeros, an empty one last; the answer is one struct. */

#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_BYTES = 4096, MOST_WORDS = 32 };

extern char **environ;

typedef struct answer {
    bench_child child;
    int reason; /* errno */
    int result; /* of the program */
} answer;

static int to_starter = -1;
static int from_starter = -1;

static answer run(char *const arguments[])
{
    posix_spawn_file_actions_t actions;
    struct rusage used = {0};
    pid_t process = 0;
    answer a = {0};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = bench_now();
    a.reason = posix_spawnp(&process, arguments[0], &actions, NULL, arguments, environ);
    if (a.reason == 0 && wait4(process, &a.result, 0, &used) < 0)
        a.reason = errno;
    a.child.seconds = bench_now() - start;
    a.child.peak = 1024.0 * (double)used.ru_maxrss;
    posix_spawn_file_actions_destroy(&actions);
    return a;
}

/* Requests come whole: they are shorter than what a pipe takes at once. */
static void serve(int from, int to)
{
    char words[MOST_BYTES];
    char *arguments[MOST_WORDS + 1];
    while (read(from, words, sizeof words) > 0) {
        int count = 0;
        for (char *word = words; *word && count < MOST_WORDS; word += strlen(word) + 1)
            arguments[count++] = word;
        arguments[count] = NULL;
        const answer a = run(arguments);
        if (write(to, &a, sizeof a) != sizeof a)
            break;
    }
}

scree_status bench_child_start(scree_error *error)
{
    int request[2];
    int reply[2];
    if (pipe(request) != 0 || pipe(reply) != 0)
        return scree__fail(error, SCREE_ERR_IO, "no pipe can be had (%s)", strerror(errno));
    for (int i = 0; i < 2; i++) { /* other programs shall not keep them open */
        fcntl(request[i], F_SETFD, FD_CLOEXEC);
        fcntl(reply[i], F_SETFD, FD_CLOEXEC);
    }
    const pid_t process = fork();
    if (process < 0)
        return scree__fail(error, SCREE_ERR_IO, "no process can be had (%s)", strerror(errno));
    if (process == 0) {
        close(request[1]);
        close(reply[0]);
        serve(request[0], reply[1]);
        _exit(0);
    }
    close(request[0]);
    close(reply[1]);
    to_starter = request[1];
    from_starter = reply[0];
    return SCREE_OK;
}

scree_status bench_child_run(bench_child *child, const char *const arguments[], scree_error *error)
{
    char words[MOST_BYTES] = {0};
    size_t used = 0;
    answer a = {0};
    for (int i = 0; arguments[i]; i++) {
        const size_t size = strlen(arguments[i]) + 1;
        if (i == MOST_WORDS || used + size >= sizeof words)
            return scree__fail(error, SCREE_ERR_ARGUMENT, "%s has too many arguments", arguments[0]);
        memcpy(words + used, arguments[i], size);
        used += size;
    }
    if (write(to_starter, words, used + 1) != (ssize_t)used + 1 || read(from_starter, &a, sizeof a) != sizeof a)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be started any more (%s)", arguments[0], strerror(errno));
    *child = a.child;
    if (a.reason != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be run (%s)", arguments[0], strerror(a.reason));
    if (a.result != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s %s failed, see above", arguments[0], arguments[1]);
    return SCREE_OK;
}

scree_status bench_child_cat(double *seconds, const char *path, scree_error *error)
{
    const char *const arguments[] = {"cat", path, NULL};
    bench_child child = {0};
    const scree_status status = bench_child_run(&child, arguments, error);
    *seconds = child.seconds;
    return status;
}
