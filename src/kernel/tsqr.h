/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TSQR_H
#define SCREE_KERNEL_TSQR_H

/* The triangular factor R of centred rows that arrive in pieces: RᵀR = Σ(x-µ)(x-µ)ᵀ, never squared; see tsqr.c. */

#include "base/snapshot.h"
#include "kernel/centred.h"
#include "kernel/tally.h"

typedef struct scree__tsqr scree__tsqr;

int64_t scree__tsqr_rows(int64_t cols);
int64_t scree__tsqr_memory(int64_t cols, int threads);

scree_status scree__tsqr_new(scree__tsqr **out, int64_t cols, int threads, scree_error *error);
/* With at most so many lanes (a power of two), for few rows: each costs D³ flops in the end. */
scree_status scree__tsqr_new_few(scree__tsqr **out, int64_t cols, int64_t lanes, int threads, scree_error *error);
/* The lanes that so many rows are worth, whatever the number of threads. */
int64_t scree__tsqr_lanes(int64_t rows, int64_t cols);

/* The next rows, fewer than scree__tsqr_rows only at the end. SCREE_ERR_VALUE when a cell is not finite. */
scree_status scree__tsqr_add(scree__tsqr *tsqr, const scree__rows *x, scree_error *error);

/* Lends the mean (D) and R (D×D upper triangular, column-major, zeros below). Call once, at the end. */
scree_status scree__tsqr_finish(scree__tsqr *tsqr, int64_t *rows, double **mean, double **r, scree_error *error);

/* What the rows count for: their number, or the sum of their weights. */
double scree__tsqr_weight(const scree__tsqr *tsqr);

/* ---- sums that go on, as those of moments.h ---- */

int64_t scree__tsqr_step(int64_t cols);
/* The matrix is R, column-major. */
scree_status scree__tsqr_tally(scree__tsqr *tsqr, double *mean, double *rest, scree__tally *tally, scree_error *error);
scree_status scree__tsqr_gain(scree__tsqr *tsqr, const scree__tally *tally, scree_error *error);
void scree__tsqr_fade(scree__tsqr *tsqr, double factor);

/* What the rows so far come to, before scree__tsqr_finish. */
void scree__tsqr_move(scree__tsqr *tsqr, scree__snapshot *snapshot);

void scree__tsqr_free(scree__tsqr *tsqr);

#endif
