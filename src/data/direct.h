/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_DIRECT_H
#define SCREE_DATA_DIRECT_H

/* A plain file read from the disk straight into memory, past the page cache (O_DIRECT), where that can be done. */

#include "base/error.h"
#include "data/buffer.h"

typedef struct scree__direct {
    int fd;       /* -1: it cannot be done */
    void *map;    /* the file's address range, of which nothing is ever touched; NULL: none */
    int64_t size; /* of the file */
} scree__direct;

/* fd is the same file, opened as usual. Never fails: what cannot be read past the cache is read through it. */
void scree__direct_open(scree__direct *direct, const char *path, int fd);

/* Bytes offset .. offset+size-1 into a buffer, where they begin at *at; *got of them, fewer only at the end of the
 * file. False: read them through the page cache, because they lie there already, or because it cannot be done. */
bool scree__direct_read(scree__direct *direct, scree__buffer *buffer, int64_t offset, int64_t size, char **at,
                        int64_t *got);

/* Pages here and there of so many bytes of an open file all lie in the page cache. */
bool scree__direct_is_cached(int fd, int64_t size);

void scree__direct_close(scree__direct *direct);

#endif
