/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_FILE_CALLS_H
#define SCREE_BASE_FILE_CALLS_H

/* The calls of the system that open, read, write and sync files, as the whole library makes them: a call that a signal
 * interrupted is made again. Otherwise they return what the system does, and set errno. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

int scree__call_open(const char *path, int flags, mode_t mode);
int64_t scree__call_read(int fd, void *to, int64_t size);
int64_t scree__call_pread(int fd, void *to, int64_t size, int64_t offset);
int64_t scree__call_write(int fd, const void *from, int64_t size);
int64_t scree__call_pwrite(int fd, const void *from, int64_t size, int64_t offset);
int scree__call_sync(int fd);
/* Waits until something can be read, the end included, for so many milliseconds. A signal ends the wait: false. */
bool scree__call_poll(int fd, int milliseconds);

#endif
