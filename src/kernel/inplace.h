/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INPLACE_H
#define SCREE_KERNEL_INPLACE_H

/* Products with vectors of N entries of rows that lie in memory, centred and scaled on the way; see inplace.c. */

#include "kernel/ops.h"

typedef struct scree__inplace scree__inplace;

/* C = (X - 1 shiftᵀ) diag(factor), N×D. All that it points to is lent. */
typedef struct scree__inplace_rows {
    scree__rows x;
    const double *shift;
    const double *factor; /* NULL: 1 */
    bool keep;            /* what is centred, for further products */
} scree__inplace_rows;

/* Whether so many rows are few enough for it to read them only once. */
bool scree__inplace_suits(int64_t rows);

/* The longest chain of additions in the operations' type behind a number of either product. */
double scree__inplace_chain(int64_t rows, int64_t cols, const scree__ops *ops);

int64_t scree__inplace_memory(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops, int threads);

/* Bytes more where what is centred is kept. */
int64_t scree__inplace_kept(int64_t rows, int64_t cols, const scree__ops *ops);

/* For blocks of up to b columns. */
scree_status scree__inplace_new(scree__inplace **out, const scree__inplace_rows *rows, int64_t b, const scree__ops *ops,
                                int threads, scree_error *error);

/* V (N×b) = C(CᵀY), Y N×b. */
void scree__inplace_apply(scree__inplace *p, const double *y, int64_t b, double *v);

/* W (D×b) = CᵀY. */
void scree__inplace_columns(scree__inplace *p, const double *y, int64_t b, double *w);

void scree__inplace_free(scree__inplace *p);

#endif
