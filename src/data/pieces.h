/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_PIECES_H
#define SCREE_DATA_PIECES_H

/* A stretch of elements in a plain file, read by several threads at once, piece by piece. */

#include "data/bytes.h"
#include "data/elements.h"

typedef struct scree__pieces {
    const scree__bytes *bytes;
    int64_t offset;
    int64_t count; /* elements */
    scree__element element;
    int64_t size; /* bytes of an element in memory */
    char *to;
    int threads;
} scree__pieces;

/* *got: bytes of the file that are there, fewer than asked for only at its end; to is whole only if all are. */
scree_status scree__pieces_read(const scree__pieces *pieces, int64_t *got, scree_error *error);

#endif
