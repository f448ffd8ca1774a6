/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_MOMENTS_H
#define SCREE_KERNEL_MOMENTS_H

/* Mean and scatter of rows that arrive in pieces, in one read; see moments.c. */

#include "base/snapshot.h"
#include "kernel/ops.h"
#include "kernel/tally.h"

typedef struct scree__moments scree__moments;

/* Rows that scree__moments_add wants, and bytes of a scree__moments. diagonal: only the variances are wanted. */
int64_t scree__moments_rows(int64_t cols, bool diagonal, const scree__ops *ops);
int64_t scree__moments_memory(int64_t cols, bool diagonal, const scree__ops *ops, int threads);

scree_status scree__moments_new(scree__moments **out, int64_t cols, bool diagonal, const scree__ops *ops, int threads,
                                scree_error *error);

/* The next rows: scree__moments_rows of them or a multiple of it, and any number at the end. SCREE_ERR_VALUE when a
 * cell is not finite. */
scree_status scree__moments_add(scree__moments *moments, const scree__rows *x, scree_error *error);

/* Lends the mean (D) and the scatter Σ(x-µ)(x-µ)ᵀ: D×D, both triangles, or its diagonal (D). Call once, at the end. */
void scree__moments_finish(scree__moments *moments, int64_t *rows, double **mean, double **scatter);

/* What the rows count for: their number, or the sum of their weights. After scree__moments_finish. */
double scree__moments_weight(const scree__moments *moments);

/* ---- sums that go on (moments_tally.c) ---- */

/* Rows to hand in at a time, or a multiple of them, where the same rows are to give the same bits however they come. */
int64_t scree__moments_step(int64_t cols, const scree__ops *ops);

/* Before any row: no more lanes than so many rows are worth, each of which is D² numbers to add up in the end. For sums
 * of ranges of rows, one after the other. */
void scree__moments_expect(scree__moments *moments, int64_t rows);

/* What the rows so far come to, the matrix lent until the next call; more may be added afterwards. mean and rest (D)
 * are for those of the tally. */
void scree__moments_tally(scree__moments *moments, double *mean, double *rest, scree__tally *tally);

/* The same where no more are added, until a restart; of the matrix, the upper triangle alone. */
void scree__moments_end(scree__moments *moments, double *mean, double *rest, scree__tally *tally);

/* After either: as if no rows had come yet. */
void scree__moments_restart(scree__moments *moments);

/* Gains other rows; their scatter is symmetric, with both triangles, and so is its own. */
void scree__moments_gain(scree__moments *moments, const scree__tally *tally);

/* The rows so far count factor times, of a scatter with both triangles. */
void scree__moments_fade(scree__moments *moments, double factor);

/* What the rows so far come to, before scree__moments_finish. */
void scree__moments_move(scree__moments *moments, scree__snapshot *snapshot);

/* ‖error of scatter‖ / tr(scatter) that rounding may have caused. */
double scree__moments_rounding(const scree__moments *moments);

void scree__moments_free(scree__moments *moments);

#endif
