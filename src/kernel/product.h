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
    int64_t ranges; /* 1, or how many there are of so many rows, each of which has a W of its own */
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

enum { SCREE__PRODUCT_RANGES = 16 }; /* at work at once, at most */

/* Rows of their own, and W of them. */
typedef struct scree__product_range {
    scree__rows x;
    double *w;
} scree__product_range;

/* The same for each of several ranges, as many as are at work at once; to the same bits. */
void scree__product_ranges(scree__product *product, const double *q, int64_t b, const scree__product_range *ranges,
                           int64_t count);
int64_t scree__product_at_once(const scree__product_size *size);

/* What the rows of a sweep so far come to, between scree__product_start and _finish. */
void scree__product_move(scree__product *product, scree__snapshot *snapshot);
void scree__product_free(scree__product *product);

#endif
