/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TSQR_RANGES_H
#define SCREE_KERNEL_TSQR_RANGES_H

/* Triangles of several ranges of rows in memory at once, each by itself, as tsqr.h would find them; see
 * tsqr_ranges.c. */

#include "kernel/tsqr.h"

typedef struct scree__tsqr_ranges scree__tsqr_ranges;

typedef struct scree__tsqr_size {
    int64_t cols;
    int64_t lanes;  /* of a range, at most, as for scree__tsqr_new_few */
    int64_t ranges; /* that there are */
    int threads;
} scree__tsqr_size;

enum { SCREE__TSQR_RANGES = 16 }; /* at work at once, at most */

/* How many ranges are at work at once. */
int64_t scree__tsqr_at_once(const scree__tsqr_size *size);
int64_t scree__tsqr_ranges_memory(const scree__tsqr_size *size);

scree_status scree__tsqr_ranges_new(scree__tsqr_ranges **out, const scree__tsqr_size *size, scree_error *error);
void scree__tsqr_ranges_free(scree__tsqr_ranges *ranges);

/* Rows of count ranges, at most as many as are at work at once, which begin at start[0] .. and end at start[count].
 * SCREE_ERR_VALUE when a cell is not finite. */
scree_status scree__tsqr_ranges_add(scree__tsqr_ranges *ranges, const scree__rows *x, const int64_t *start,
                                    int64_t count, scree_error *error);
/* What number i of them comes to, as scree__tsqr_tally; its weight is 0 where it has no rows. */
scree__tally scree__tsqr_ranges_tally(const scree__tsqr_ranges *ranges, int64_t i, double *mean, double *rest);

#endif
