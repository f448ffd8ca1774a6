/* SPDX-License-Identifier: BSD-3-Clause */
/* A program run and waited for: how long it took from start to end, and how much memory it had at most (wait4, which
 * the system counts for each process by itself). */

#include "bench.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

scree_status bench_child_run(bench_child *child, const char *const arguments[], scree_error *error)
{
    posix_spawn_file_actions_t actions;
    struct rusage used = {0};
    pid_t process = 0;
    int result = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    const double start = bench_now();
    int reason = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
    if (reason == 0 && wait4(process, &result, 0, &used) < 0)
        reason = errno;
    child->seconds = bench_now() - start;
    child->peak = 1024.0 * (double)used.ru_maxrss;
    posix_spawn_file_actions_destroy(&actions);
    if (reason != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s cannot be run (%s)", arguments[0], strerror(reason));
    if (result != 0)
        return scree__fail(error, SCREE_ERR_IO, "%s %s failed, see above", arguments[0], arguments[1]);
    return SCREE_OK;
}
