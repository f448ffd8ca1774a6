/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ROWS_H
#define SCREE_KERNEL_ROWS_H

/* Rows in memory, of any element type, and the few things that are done to them before arithmetic starts. */

#include "base/error.h"

typedef struct scree__rows {
    const void *data;
    scree_type type;
    int64_t rows;
    int64_t cols;
    int64_t stride;        /* elements from row to row */
    const double *weights; /* rows of them, positive; NULL: rows count alike */
} scree__rows;

/* Rows first .. first+count-1 of x. */
scree__rows scree__rows_slice(const scree__rows *x, int64_t first, int64_t count);

/* Columns first .. first+count-1 of x. */
scree__rows scree__rows_columns(const scree__rows *x, int64_t first, int64_t count);

/* Row i as doubles: in buffer (cols of them), or where it lies when it is double already. */
const double *scree__rows_load(const scree__rows *x, int64_t i, double *buffer);

/* Element number at from data on, whatever the row. */
static inline double scree__rows_at(const scree__rows *x, int64_t at)
{
    return x->type == SCREE_F64   ? ((const double *)x->data)[at]
           : x->type == SCREE_F32 ? (double)((const float *)x->data)[at]
                                  : (double)((const uint8_t *)x->data)[at];
}

/* Σ_i w_i: how many rows these count for. */
double scree__rows_weight(const scree__rows *x);

/* sums[j] += Σ_i w_i x_ij, in double. */
void scree__rows_sum(const scree__rows *x, double *sums, double *buffer);

/* sums[j] += Σ_i w_i (x_ij - origin_j). */
void scree__rows_sum_from(const scree__rows *x, const double *origin, double *sums);

/* squares[j] += Σ_i x_ij², whatever the weights. */
void scree__rows_squares(const scree__rows *x, double *squares, double *buffer);

/* Whether no cell is NaN or infinite. */
bool scree__rows_are_finite(const scree__rows *x);

/* The first cell that is NaN or infinite, row by row; false when there is none. */
bool scree__rows_find_bad(const scree__rows *x, int64_t *row, int64_t *col, double *value);

#endif
