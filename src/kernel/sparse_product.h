/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_PRODUCT_H
#define SCREE_KERNEL_SPARSE_PRODUCT_H

/* W = CᵀCQ in one read of sparse rows, centred and scaled without becoming dense; see sparse_product.c. */

#include "base/snapshot.h"
#include "kernel/entries.h"
#include "kernel/sparse_rows.h"

typedef struct scree__sparse_product scree__sparse_product;

/* What decides how rows are cut, and with it the bits of W. */
typedef struct scree__sparse_size {
    int64_t cols;
    int64_t b;       /* the widest Q there will be */
    scree_type type; /* of the arithmetic: SCREE_F32 or SCREE_F64 */
    int threads;
} scree__sparse_size;

/* Pieces must have a multiple of so many rows, but for the last one. */
int64_t scree__sparse_product_rows(const scree__sparse_size *size);

/* The longest chain of additions behind a number of W, of so many rows. */
double scree__sparse_product_chain(const scree__sparse_size *size, int64_t rows);

int64_t scree__sparse_product_memory(const scree__sparse_size *size);

/* The centring is lent. */
scree_status scree__sparse_product_new(scree__sparse_product **out, const scree__sparse_size *size,
                                       const scree__sparse_centring *centring, scree_error *error);
/* What the rows of a sweep so far come to, between scree__sparse_product_start and _finish. */
void scree__sparse_product_move(scree__sparse_product *product, scree__snapshot *snapshot);
void scree__sparse_product_free(scree__sparse_product *product);

/* Q, cols×b contiguous, is lent until the end of the sweep, and so is W. */
scree_status scree__sparse_product_start(scree__sparse_product *product, const double *q, int64_t b, double *w,
                                         scree_error *error);
void scree__sparse_product_add(scree__sparse_product *product, const scree__entries *x);
void scree__sparse_product_finish(scree__sparse_product *product);

#endif
