/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PRODUCT_H
#define SCREE_KERNEL_PRODUCT_H

/* W = CᵀCQ in one read of the rows of C, which lie in memory or arrive in pieces; see product.c. */

#include "base/snapshot.h"
#include "kernel/ops.h"

typedef struct scree__product scree__product;

/* What decides how rows are cut, and with it the bits of W; the threads decide only how much memory it takes. */
typedef struct scree__product_size {
    int64_t rows; /* N, of all pieces together */
    int64_t cols;
    int64_t b; /* the widest Q there will be */
    scree_type type;
    const scree__ops *ops;
    int threads;
} scree__product_size;

/* Pieces must have a multiple of so many rows, but for the last one. */
int64_t scree__product_rows(const scree__product_size *size);

/* The longest chain of additions in the operations' type behind a number of W. */
double scree__product_chain(const scree__product_size *size);

int64_t scree__product_memory(const scree__product_size *size);

/* shift and factor (NULL: 1) are lent. */
scree_status scree__product_new(scree__product **out, const scree__product_size *size, const double *shift,
                                const double *factor, scree_error *error);

/* Q, cols×b contiguous; it is lent until the end of the sweep, and so is W. */
void scree__product_start(scree__product *product, const double *q, int64_t b, double *w);

/* The next rows, weighted if they have weights. */
void scree__product_add(scree__product *product, const scree__rows *x);

/* W is complete. */
void scree__product_finish(scree__product *product);

/* What the rows of a sweep so far come to, between scree__product_start and _finish. */
void scree__product_move(scree__product *product, scree__snapshot *snapshot);
void scree__product_free(scree__product *product);

#endif
