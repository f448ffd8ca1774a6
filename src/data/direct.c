/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading past the page cache. The kernel then copies nothing and allocates no pages: the disk writes into the buffer,
 * at several times the rate of a cold read through the cache, and what others keep in the cache stays there.
 *
 * The disk transfers whole sectors to whole addresses: the range is widened to pages on both sides, and what was asked
 * for begins somewhere in the first page. Pages that are in the cache already come faster from there; mincore tells
 * which are, for a mapping that is never touched and so costs no memory. */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_DIRECT */ /* NOLINT(bugprone-reserved-identifier) */
#endif

#include "data/direct.h"

#include "base/file_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef O_DIRECT
#define O_DIRECT 0
#endif

static bool is_same(int one, int other, int64_t *size)
{
    struct stat a;
    struct stat b;
    if (fstat(one, &a) != 0 || fstat(other, &b) != 0)
        return false;
    *size = a.st_size;
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void scree__direct_open(scree__direct *direct, const char *path, int fd)
{
    *direct = (scree__direct){.fd = -1};
    if (O_DIRECT == 0 || sysconf(_SC_PAGESIZE) != SCREE__PAGE)
        return;
    direct->fd = scree__call_open(path, O_RDONLY | O_CLOEXEC | O_DIRECT, 0);
    if (direct->fd >= 0 && !is_same(direct->fd, fd, &direct->size))
        scree__direct_close(direct);
    if (direct->fd < 0)
        return;
    direct->map = mmap(NULL, (size_t)direct->size, PROT_READ, MAP_SHARED, direct->fd, 0);
    if (direct->map == MAP_FAILED)
        direct->map = NULL;
}

void scree__direct_close(scree__direct *direct)
{
    if (direct->map)
        munmap(direct->map, (size_t)direct->size);
    if (direct->fd >= 0)
        close(direct->fd);
    *direct = (scree__direct){.fd = -1};
}

/* Every page of the range lies in the page cache. Whole pages; looked at in pieces, of which the first that has gaps
 * settles it. */
static bool is_cached(const scree__direct *direct, int64_t begin, int64_t end)
{
    enum { PIECE = 1024 };
    unsigned char present[PIECE];
    end = end < direct->size ? end : direct->size;
    for (int64_t at = begin; direct->map && at < end;) {
        int64_t size = end - at < (int64_t)PIECE * SCREE__PAGE ? end - at : (int64_t)PIECE * SCREE__PAGE;
        if (mincore((char *)direct->map + at, (size_t)size, present) != 0)
            return false;
        for (int64_t i = 0; i < (size + SCREE__PAGE - 1) / SCREE__PAGE; i++)
            if (!(present[i] & 1))
                return false;
        at += size;
    }
    return direct->map != NULL;
}

bool scree__direct_read(scree__direct *direct, scree__buffer *buffer, int64_t offset, int64_t size, char **at,
                        int64_t *got)
{
    const int64_t begin = offset / SCREE__PAGE * SCREE__PAGE;
    const int64_t end = (offset + size + SCREE__PAGE - 1) / SCREE__PAGE * SCREE__PAGE;
    int64_t done = 0;
    if (direct->fd < 0 || is_cached(direct, begin, end) ||
        scree__buffer_reserve(buffer, end - begin, "", NULL) != SCREE_OK)
        return false;
    while (begin + done < offset + size) {
        const int64_t count = scree__call_pread(direct->fd, buffer->data + done, end - begin - done, begin + done);
        if (count < 0 || (count % SCREE__PAGE != 0 && begin + done + count < direct->size)) {
            scree__direct_close(direct); /* not on this file system, or not by pages */
            return false;
        }
        if (count == 0)
            break;
        done += count;
        if (count % SCREE__PAGE != 0)
            break; /* the end of the file */
    }
    *at = buffer->data + (offset - begin);
    *got = begin + done - offset;
    *got = *got < 0 ? 0 : *got > size ? size : *got;
    return true;
}

bool scree__direct_is_cached(int fd, int64_t size)
{
    enum { LOOKS = 64 };
    unsigned char present = 0;
    bool cached = sysconf(_SC_PAGESIZE) == SCREE__PAGE;
    char *map = cached ? mmap(NULL, (size_t)size, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (map == MAP_FAILED)
        return false;
    for (int64_t i = 0; cached && i < LOOKS; i++) {
        const int64_t page = (size - 1) / SCREE__PAGE * i / (LOOKS - 1);
        cached = mincore(map + page * SCREE__PAGE, SCREE__PAGE, &present) == 0 && (present & 1);
    }
    munmap(map, (size_t)size);
    return cached;
}
