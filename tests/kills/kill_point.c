/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded into the command, this kills it just before its SCREE_KILL_AT-th call that changes a file or its name:
 * kills at random moments hardly ever come between two renames. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static void count(void)
{
    static atomic_int calls;
    const char *at = getenv("SCREE_KILL_AT");
    if (at && atomic_fetch_add(&calls, 1) + 1 == atoi(at))
        kill(getpid(), SIGKILL);
}

/* POINT(result, name, (parameters), (arguments)): the function of the C library, after it was counted. */
#define POINT(result, name, parameters, arguments)                                                                     \
    result name parameters;                                                                                            \
    result name parameters                                                                                             \
    {                                                                                                                  \
        union {                                                                                                        \
            void *symbol;                                                                                              \
            result(*call) parameters;                                                                                  \
        } real = {.symbol = dlsym(RTLD_NEXT, #name)};                                                                  \
        count();                                                                                                       \
        return real.call arguments;                                                                                    \
    }

POINT(ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size))
POINT(ssize_t, pwrite, (int fd, const void *data, size_t size, off_t offset), (fd, data, size, offset))
POINT(int, fsync, (int fd), (fd))
POINT(int, flock, (int fd, int operation), (fd, operation))
POINT(int, fchmod, (int fd, mode_t mode), (fd, mode))
POINT(int, rename, (const char *from, const char *to), (from, to))
POINT(int, link, (const char *from, const char *to), (from, to))
POINT(int, unlink, (const char *path), (path))
POINT(int, close, (int fd), (fd))
