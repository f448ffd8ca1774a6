/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_CHECKPOINT_FILE_H
#define SCREE_FIT_CHECKPOINT_FILE_H

/* The file of a checkpoint: see checkpoint_file.c, and docs/checkpoints.md. */

#include "base/atomic_file.h"
#include "fit/checkpoint.h"

/* What is before the bytes of a stage. */
typedef struct scree__checkpoint_item {
    char name[SCREE__STAGE_NAME];
    int64_t bytes;
    uint32_t open; /* 1: it was at work; 0: over */
    uint32_t crc;  /* of the bytes */
} scree__checkpoint_item;

typedef struct scree__checkpoint_reader {
    const char *path; /* lent */
    int fd;
    int64_t at;  /* of the next item */
    int64_t end; /* of the items */
} scree__checkpoint_reader;

enum { SCREE__CHECKPOINT_NONE = -1 };

/* Opens a file and makes sure that all of it is whole, and that its identity is the one given. No file: fd is
 * SCREE__CHECKPOINT_NONE. */
scree_status scree__checkpoint_read(scree__checkpoint_reader *reader, const char *path, const char *identity,
                                    scree_error *error);
void scree__checkpoint_read_close(scree__checkpoint_reader *reader);
/* The next item; false: there is none. */
bool scree__checkpoint_peek(const scree__checkpoint_reader *reader, scree__checkpoint_item *item);
/* Bytes from offset on. */
scree_status scree__checkpoint_fetch(const scree__checkpoint_reader *reader, int64_t offset, void *to, int64_t bytes,
                                     scree_error *error);
scree_status scree__checkpoint_broken(const char *path, scree_error *error);

/* What is before the items, so many bytes; and after them. */
scree_status scree__checkpoint_head(scree__atomic_file *file, const char *identity, int64_t *size, scree_error *error);
scree_status scree__checkpoint_foot(scree__atomic_file *file, scree_error *error);

uint32_t scree__checkpoint_crc(uint32_t crc, const void *data, int64_t bytes);

#endif
