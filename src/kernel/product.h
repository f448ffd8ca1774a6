/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PRODUCT_H
#define SCREE_KERNEL_PRODUCT_H

/* W = CᵀCQ for rows C that arrive in pieces, centred and scaled on the way; see product.c. */

#include "kernel/ops.h"

typedef struct scree__product scree__product;

/* Rows that scree__product_add wants at a time: a function of the columns and the type alone. */
int64_t scree__product_rows(int64_t cols, const scree__ops *ops);

/* The longest chain of additions behind a number of W. */
double scree__product_chain(int64_t cols, int64_t rows, const scree__ops *ops);

int64_t scree__product_memory(int64_t cols, int64_t b, const scree__ops *ops, int threads);

/* For blocks of up to b columns. shift and factor (NULL: 1) are lent. */
scree_status scree__product_new(scree__product **out, int64_t cols, int64_t b, const scree__ops *ops, int threads,
                                const double *shift, const double *factor, scree_error *error);

/* Q, cols×b contiguous; W is zeroed. */
void scree__product_start(scree__product *product, const double *q, int64_t b, double *w);

/* W += CᵀCQ for the next rows. */
scree_status scree__product_add(scree__product *product, const scree__rows *x, scree_error *error);

/* From now on, before the first sweep, packed rows are kept, up to so many; false when there is no memory for them.
 * Once it has them all, a sweep is scree__product_start and scree__product_repeat: the same bits, and no source. */
bool scree__product_keep(scree__product *product, int64_t rows);
bool scree__product_has_all(const scree__product *product);
scree_status scree__product_repeat(scree__product *product, scree_error *error);

void scree__product_free(scree__product *product);

#endif
