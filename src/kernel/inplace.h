/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INPLACE_H
#define SCREE_KERNEL_INPLACE_H

/* Products of all rows at once, where they lie in memory, centred and scaled on the way; see inplace.c. */

#include "kernel/ops.h"

typedef struct scree__inplace scree__inplace;

/* C = (X - 1 shiftᵀ) diag(factor), N×D. All that it points to is lent. */
typedef struct scree__inplace_rows {
    scree__rows x;
    const double *shift;
    const double *factor; /* NULL: 1 */
} scree__inplace_rows;

/* The longest chain of additions in the operations' type behind a number of either product. */
double scree__inplace_chain(int64_t rows, int64_t cols, const scree__ops *ops);

int64_t scree__inplace_memory(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops, int threads);

/* For blocks of up to b columns. */
scree_status scree__inplace_new(scree__inplace **out, const scree__inplace_rows *rows, int64_t b, const scree__ops *ops,
                                int threads, scree_error *error);

/* Y (N×b) = CQ, Q D×b. */
scree_status scree__inplace_forward(scree__inplace *p, const double *q, int64_t b, double *y, scree_error *error);

/* W (D×b) = CᵀY, Y N×b. */
scree_status scree__inplace_backward(scree__inplace *p, const double *y, int64_t b, double *w, scree_error *error);

void scree__inplace_free(scree__inplace *p);

#endif
