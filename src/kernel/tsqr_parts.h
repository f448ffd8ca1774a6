/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TSQR_PARTS_H
#define SCREE_KERNEL_TSQR_PARTS_H

/* What tsqr.c and tsqr_ranges.c share. */

#include "kernel/tsqr.h"

enum { SCREE__TSQR_PANEL = 32 };

struct scree__tsqr {
    scree__centred rows;
    int64_t cols;
    double *r;    /* D×D for each lane, column-major */
    double *turn; /* a chunk for each thread, column-major */
    double *t;    /* SCREE__TSQR_PANEL×D for each thread */
    double *w;    /* D for each thread */
    int info;     /* of what failed; 0: nothing did */
};

scree__centred scree__tsqr_shape(int64_t cols);
/* Rows of the largest thing folded in: a chunk, or another triangle. */
int64_t scree__tsqr_tallest(const scree__centred *c);
/* Folds packed rows of a chunk, m×D, into the triangle of a lane. */
void scree__tsqr_fold_chunk(scree__tsqr *q, int64_t lane, int64_t m, const double *packed, int worker);
/* All triangles in that of the first lane. */
void scree__tsqr_join_lanes(scree__tsqr *q, int worker);
/* The mean of the first lane in two doubles, and its triangle. */
scree__tally scree__tsqr_lend(const scree__tsqr *q, double *mean, double *rest);
scree_status scree__tsqr_outcome(const scree__tsqr *q, scree_error *error);

#endif
