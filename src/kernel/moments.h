/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_MOMENTS_H
#define SCREE_KERNEL_MOMENTS_H

/* Mean and scatter of rows that arrive in pieces, in one read, without cancellation; see moments.c. */

#include "kernel/ops.h"

typedef struct scree__moments scree__moments;

/* How the work is cut, a function of the number of columns alone. */
typedef struct scree__moments_shape {
    int64_t chunk_rows; /* rows centred and multiplied together */
    int64_t lanes;      /* independent partial results */
    int64_t tiles;      /* the scatter matrix is tiles × tiles tiles */
    int64_t batch_rows; /* what scree__moments_add wants: a multiple of chunk_rows */
    int64_t memory;     /* bytes of a scree__moments for one thread, and for each further one */
    int64_t memory_thread;
} scree__moments_shape;

scree__moments_shape scree__moments_plan(int64_t cols, const scree__ops *ops);

scree_status scree__moments_new(scree__moments **out, int64_t cols, const scree__ops *ops, int threads,
                                scree_error *error);

/* The next rows: batch_rows of them, fewer only in the last call. SCREE_ERR_VALUE when a cell is not finite. */
scree_status scree__moments_add(scree__moments *moments, const scree__rows *x, scree_error *error);

/* Lends the mean (D) and the scatter Σ(x-µ)(x-µ)ᵀ (D×D, both triangles); nothing can be added afterwards. */
void scree__moments_finish(scree__moments *moments, int64_t *rows, const double **mean, double **scatter);

/* The part of ‖error of scatter‖ / tr(scatter) that rounding may have caused; see moments.c. */
double scree__moments_rounding(const scree__moments *moments);

void scree__moments_free(scree__moments *moments);

#endif
