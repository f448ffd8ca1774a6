/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door to files. A program may catch signals without SA_RESTART, and remote file systems let signals interrupt
 * what those of a disk do not, opening and syncing among it. */

#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

/* The call, again for as long as a signal interrupts it. */
#define AGAIN(result, call)                                                                                            \
    do                                                                                                                 \
        (result) = (call);                                                                                             \
    while ((result) < 0 && errno == EINTR)

int scree__call_open(const char *path, int flags, mode_t mode)
{
    int fd;
    AGAIN(fd, open(path, flags, mode));
    return fd;
}

int64_t scree__call_read(int fd, void *to, int64_t size)
{
    ssize_t got;
    AGAIN(got, read(fd, to, (size_t)size));
    return got;
}

int64_t scree__call_pread(int fd, void *to, int64_t size, int64_t offset)
{
    ssize_t got;
    AGAIN(got, pread(fd, to, (size_t)size, (off_t)offset));
    return got;
}

int64_t scree__call_write(int fd, const void *from, int64_t size)
{
    ssize_t done;
    AGAIN(done, write(fd, from, (size_t)size));
    return done;
}

int64_t scree__call_pwrite(int fd, const void *from, int64_t size, int64_t offset)
{
    ssize_t done;
    AGAIN(done, pwrite(fd, from, (size_t)size, (off_t)offset));
    return done;
}

int scree__call_sync(int fd)
{
    int result;
    AGAIN(result, fsync(fd));
    return result;
}
