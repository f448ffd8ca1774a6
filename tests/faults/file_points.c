/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that touch files, and those that start threads: each one that libscree or the command makes is a point
 * that can fail, in the ways that such a call fails. What other libraries call is left alone. */

#define _GNU_SOURCE
#include "faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* The system's own call of the same name. */
#define REAL(name)                                                                                                     \
    static __typeof__(name) *real;                                                                                     \
    if (!real)                                                                                                         \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

enum { OPENS = 1 << FAULT_EMFILE, WRITES = 1 << FAULT_ENOSPC, WAITS = 1 << FAULT_EINTR, PARTS = 1 << FAULT_SHORT };

/* Whether this call is to fail; ways: how it can, beside EIO. Sets errno. */
static bool fails(int ways, const char *call, const void *place)
{
    static const int reasons[FAULT_KINDS] = {
        [FAULT_EIO] = EIO, [FAULT_ENOSPC] = ENOSPC, [FAULT_EMFILE] = EMFILE, [FAULT_EINTR] = EINTR};
    if (!fault_shared)
        return false;
    const fault_kind kind = (fault_kind)fault_shared->kind;
    if (kind == FAULT_MEMORY || kind == FAULT_THREAD || !((ways | 1 << FAULT_EIO) >> kind & 1) ||
        fault_owner_of(place) != FAULT_OURS || !fault_here(kind, call))
        return false;
    errno = reasons[kind];
    return true;
}

static bool is_short(void)
{
    return fault_shared->kind == FAULT_SHORT;
}

#define HERE __builtin_return_address(0)

int open(const char *path, int flags, ...)
{
    REAL(open);
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        mode = va_arg(rest, mode_t);
        va_end(rest);
    }
    if (fails(OPENS | WAITS | (flags & O_CREAT ? WRITES : 0), "open", HERE))
        return -1;
    return real(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    REAL(fopen);
    return fails(OPENS, "fopen", HERE) ? NULL : real(path, mode);
}

int mkstemp(char *name)
{
    REAL(mkstemp);
    return fails(OPENS | WRITES, "mkstemp", HERE) ? -1 : real(name);
}

int fcntl(int fd, int what, ...)
{
    REAL(fcntl);
    va_list rest;
    va_start(rest, what);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return what == F_DUPFD_CLOEXEC && fails(OPENS, "fcntl", HERE) ? -1 : real(fd, what, argument);
}

ssize_t read(int fd, void *to, size_t size)
{
    REAL(read);
    if (fails(WAITS | (size > 1 ? PARTS : 0), "read", HERE)) {
        if (!is_short())
            return -1;
        size /= 2;
    }
    return real(fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t at)
{
    REAL(pread);
    if (fails(WAITS | (size > 1 ? PARTS : 0), "pread", HERE)) {
        if (!is_short())
            return -1;
        size /= 2;
    }
    return real(fd, to, size, at);
}

ssize_t write(int fd, const void *from, size_t size)
{
    REAL(write);
    if (fails(WRITES | WAITS | (size > 1 ? PARTS : 0), "write", HERE)) {
        if (!is_short())
            return -1;
        size /= 2;
    }
    return real(fd, from, size);
}

ssize_t pwrite(int fd, const void *from, size_t size, off_t at)
{
    REAL(pwrite);
    if (fails(WRITES | WAITS | (size > 1 ? PARTS : 0), "pwrite", HERE)) {
        if (!is_short())
            return -1;
        size /= 2;
    }
    return real(fd, from, size, at);
}

size_t fread(void *to, size_t size, size_t count, FILE *stream)
{
    REAL(fread);
    return fails(0, "fread", HERE) ? 0 : real(to, size, count, stream);
}

int fclose(FILE *stream)
{
    REAL(fclose);
    const bool failing = fails(WRITES, "fclose", HERE);
    const int reason = errno;
    const int code = real(stream);
    errno = failing ? reason : errno;
    return failing ? EOF : code;
}

/* The descriptor is gone in any case. */
int close(int fd)
{
    REAL(close);
    const bool failing = fails(WRITES | WAITS, "close", HERE);
    const int reason = errno;
    const int code = real(fd);
    errno = failing ? reason : errno;
    return failing ? -1 : code;
}

int fsync(int fd)
{
    REAL(fsync);
    return fails(WRITES | WAITS, "fsync", HERE) ? -1 : real(fd);
}

int ftruncate(int fd, off_t size)
{
    REAL(ftruncate);
    return fails(WRITES | WAITS, "ftruncate", HERE) ? -1 : real(fd, size);
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    return fails(WRITES, "rename", HERE) ? -1 : real(from, to);
}

int link(const char *from, const char *to)
{
    REAL(link);
    return fails(WRITES, "link", HERE) ? -1 : real(from, to);
}

int fchmod(int fd, mode_t mode)
{
    REAL(fchmod);
    return fails(0, "fchmod", HERE) ? -1 : real(fd, mode);
}

int stat(const char *path, struct stat *about)
{
    REAL(stat);
    return fails(0, "stat", HERE) ? -1 : real(path, about);
}

int fstat(int fd, struct stat *about)
{
    REAL(fstat);
    return fails(0, "fstat", HERE) ? -1 : real(fd, about);
}

off_t lseek(int fd, off_t offset, int whence)
{
    REAL(lseek);
    return fails(0, "lseek", HERE) ? -1 : real(fd, offset, whence);
}

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    REAL(mmap);
    return fd >= 0 && fails(0, "mmap", HERE) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*body)(void *), void *argument)
{
    REAL(pthread_create);
    if (fault_shared && fault_shared->kind == FAULT_THREAD && fault_owner_of(HERE) == FAULT_OURS &&
        fault_here(FAULT_THREAD, "pthread_create"))
        return EAGAIN;
    return real(thread, how, body, argument);
}
