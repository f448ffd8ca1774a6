/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WIDE_ROWS_H
#define SCREE_KERNEL_WIDE_ROWS_H

/* Rows that lie in memory, fewer than they have columns, centred and scaled a panel of columns at a time; see
 * wide_rows.c. */

#include "kernel/ops.h"

/* Columns of a panel, at most. */
enum { SCREE__WIDE_PANEL = 512 };

/* C = (X - 1µᵀ - 1εᵀ) diag(f), each row times √w where rows have weights. What it points to is the caller's. */
typedef struct scree__wide_rows {
    const scree__ops *ops;
    scree__rows x;
    int threads;
    double weight;  /* N, or the sum of the weights */
    double divisor; /* of variances, and of CCᵀ */
    bool measured;  /* µ, ε and the variances are known */
    double *mean;   /* D: µ */
    double *rest;   /* D: ε */
    double *variance;
    const double *factor; /* D: f; NULL: 1 */
} scree__wide_rows;

/* µ, ε and the variances of columns first .. first+count-1, by one thread; or of all, by all. */
void scree__wide_measure(const scree__wide_rows *w, int64_t first, int64_t count);
void scree__wide_measure_all(scree__wide_rows *w);

/* Ranges of columns, each of which is summed by itself: columns start[i] .. start[i+1]-1 into sums[i]. What a sum is
 * depends on its range, and on widest and lanes, but not on the ranges that come with it. */
typedef struct scree__wide_ranges {
    int64_t count;
    const int64_t *start; /* count + 1 */
    double *const *sums;  /* count */
    int64_t widest;       /* columns that any range has, be it none of these */
    int64_t lanes;        /* that sums of a range may be made of */
} scree__wide_ranges;

/* A part of C. */
typedef struct scree__wide_part {
    int64_t row;
    int64_t rows;
    int64_t col;
    int64_t cols; /* SCREE__WIDE_PANEL at most */
} scree__wide_part;

/* out (rows×cols, contiguous, of the operations' type) = that part. */
void scree__wide_lay(const scree__wide_rows *w, const scree__wide_part *part, void *out);

#endif
