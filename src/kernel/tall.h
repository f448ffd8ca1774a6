/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TALL_H
#define SCREE_KERNEL_TALL_H

/* Tall, thin matrices: n rows and a few columns, row-major. Same bits for any number of threads. Functions return 0, or
 * what the BLAS wrapper returned. */

#include "base/error.h"

typedef struct scree__tall {
    double *x; /* rows×cols */
    int64_t rows;
    int64_t cols;
    int64_t ld;
} scree__tall;

/* H (a.cols × b.cols, contiguous) = AᵀB. */
int scree__tall_cross(const scree__tall *a, const scree__tall *b, double *h, int threads);

/* B -= A H, H a.cols × b.cols with leading dimension b.cols. */
int scree__tall_subtract(const scree__tall *a, const double *h, const scree__tall *b, int threads);

/* The first count columns of A become A Y, Y a.cols × count, contiguous. In place. */
scree_status scree__tall_rotate(const scree__tall *a, const double *y, int64_t count, int threads, scree_error *error);

/* A = QR with orthonormal Q in place of A and R (cols×cols, contiguous, upper) for any A with rows ≥ cols,
 * rank-deficient ones included: there Q is completed, and R has zeros. R may be NULL. */
scree_status scree__tall_orthonormalise(const scree__tall *a, double *r, int threads, scree_error *error);

/* Columns of A become standard normals, the same for any number of threads. */
void scree__tall_randomise(const scree__tall *a, uint64_t seed, uint64_t stream);

#endif
