/* SPDX-License-Identifier: BSD-3-Clause */
/* The one door to files. A program may catch signals without SA_RESTART, and remote file systems let signals interrupt
 * what those of a disk do not, opening and syncing among it. */

#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

/* The call, again for as long as a signal interrupts it. */
#define AGAIN(result, call)                                                                                            \
    do                                                                                                                 \
        (result) = (call);                                                                                             \
    while ((result) < 0 && errno == EINTR)

/* Where standard input, output or error is closed, a file would be given its number, and what is printed would be
 * written to the file: it gets a higher one. */
static int above_standard(int fd)
{
    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    const int above = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int reason = errno;
    close(fd);
    errno = reason;
    return above;
}

int scree__call_open(const char *path, int flags, mode_t mode)
{
    int fd;
    AGAIN(fd, open(path, flags, mode));
    return above_standard(fd);
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

bool scree__call_poll(int fd, int milliseconds)
{
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    return poll(&wanted, 1, milliseconds) > 0;
}
