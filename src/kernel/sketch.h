/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SKETCH_H
#define SCREE_KERNEL_SKETCH_H

/* Few rows B whose scatter BᵀB is about that of many wide ones, and how far it is off at most; see sketch.c. */

#include "kernel/chunk.h"
#include "kernel/tally.h"

typedef struct scree__sketch scree__sketch;

/* Rows that B may have, at least so many directions being kept whenever it is cut: a function of the columns. */
int64_t scree__sketch_height(int64_t cols, int64_t rank);
int64_t scree__sketch_memory(int64_t cols, int64_t rank);

/* rank: at most half of the columns, and three less than all. */
scree_status scree__sketch_new(scree__sketch **out, int64_t cols, int64_t rank, scree_error *error);
/* Any number of rows. SCREE_ERR_VALUE when a cell is not finite. */
scree_status scree__sketch_add(scree__sketch *sketch, const scree__rows *x, scree_error *error);
/* B, the squares of the rows themselves and what B has lost of them; lent as by moments.h. */
void scree__sketch_tally(scree__sketch *sketch, double *mean, double *rest, scree__tally *tally);
scree_status scree__sketch_gain(scree__sketch *sketch, const scree__tally *tally, scree_error *error);
void scree__sketch_fade(scree__sketch *sketch, double factor);
void scree__sketch_free(scree__sketch *sketch); /* NULL-safe */

/* Singular values (descending) and right singular vectors (height×D, rows) of B, height×D with height ≤ D, which the
 * vectors overwrite. */
scree_status scree__sketch_svd(double *b, int64_t height, int64_t cols, double *sigma, scree_error *error);

/* What B has lost at most: ‖BᵀB - S‖, where what was cut has that norm and the squares of the columns of S are known
 * (D of them, or NULL: nothing was cut). S - BᵀB is positive semidefinite, and its trace is another bound. */
double scree__sketch_lost(const double *b, int64_t height, int64_t cols, const double *squares, double cut);

#endif
