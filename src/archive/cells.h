/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_CELLS_H
#define SCREE_ARCHIVE_CELLS_H

/* A block of whole numbers, rows×cols, of which each column has a size of its own; see cells.c. */

#include "archive/values.h"

/* How they are coded. */
typedef enum scree__packer {
    SCREE__PACK_CLASSES, /* by frequencies, columns of about the same size together */
    SCREE__PACK_REPEATS, /* by what repeats: zstd */
} scree__packer;

void scree__cells_put(scree__pack *pack, const int32_t *cells, int64_t rows, int64_t cols, scree__packer packer);
void scree__cells_get(scree__unpack *unpack, int32_t *cells, int64_t rows, int64_t cols);

/* The columns of codes, rows×cols, in groups of neighbours that share their frequencies where that is shorter. */
void scree__codes_put(scree__pack *pack, const int32_t *codes, int64_t rows, int64_t cols);
void scree__codes_get(scree__unpack *unpack, int32_t *codes, int64_t rows, int64_t cols);

#endif
