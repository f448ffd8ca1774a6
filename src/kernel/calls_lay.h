/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CALLS_LAY_H
#define SCREE_KERNEL_CALLS_LAY_H

/* Packed calls as tiles of numbers; see typed/calls_cpu.c. */

#include "kernel/panel.h"

typedef struct scree__calls_part {
    const uint8_t *packed; /* variants × stride bytes */
    int64_t stride;
    int64_t variants;
    int64_t block; /* the first block of SCREE__BLOCK samples, and how many there are */
    int64_t blocks;
    int64_t rows;  /* of the tile: variants filled up with zeros */
    int64_t apart; /* elements from block to block of the tile */
} scree__calls_part;

/* tables: variants × 4 elements of the tile's type, what the codes become. Samples past the end have any finite value.
 */
void scree__calls_lay_f32(const scree__calls_part *part, const void *tables, void *tile);
void scree__calls_lay_f64(const scree__calls_part *part, const void *tables, void *tile);
/* The same without special instructions. */
void scree__calls_lay_portable_f32(const scree__calls_part *part, const void *tables, void *tile);
void scree__calls_lay_portable_f64(const scree__calls_part *part, const void *tables, void *tile);

#endif
