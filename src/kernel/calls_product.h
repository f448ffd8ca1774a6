/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CALLS_PRODUCT_H
#define SCREE_KERNEL_CALLS_PRODUCT_H

/* Products of packed calls with a few vectors, in one read of the calls; see calls_product.c. Z is N samples × D
 * variants, what the codes become in the tables. */

#include "kernel/calls.h"
#include "kernel/calls_lay.h"

typedef struct scree__calls_product scree__calls_product;

/* What decides the bits of a product; the threads decide only how much memory it takes. */
typedef struct scree__calls_size {
    int64_t samples;
    int64_t b; /* the widest Q there will be */
    scree_type type;
    int threads;
} scree__calls_size;

/* Variants that are best added at once. */
int64_t scree__calls_at_once(int64_t samples);

/* The longest chain of additions in the type behind a number of Z(ZᵀQ), for so many variants. */
double scree__calls_chain(int64_t samples, int64_t variants, scree_type type);

int64_t scree__calls_product_memory(const scree__calls_size *size);

scree_status scree__calls_product_new(scree__calls_product **out, const scree__calls_size *size, scree_error *error);

/* Q, N×b; it is copied. */
void scree__calls_product_start(scree__calls_product *product, const double *q, int64_t b);

/* The next variants, scree__calls_at_once of them at most: stride bytes each, and of each what its four codes become.
 */
typedef struct scree__calls_block {
    const uint8_t *packed;
    int64_t stride;
    int64_t variants;
    const double *tables;
} scree__calls_block;

/* T (variants×b) = Z_blockᵀ Q. */
void scree__calls_product_forward(scree__calls_product *product, const scree__calls_block *block, double *t);
/* W gains Z_block T, T variants×b. */
void scree__calls_product_backward(scree__calls_product *product, const scree__calls_block *block, const double *t);
/* W (N×b), and none is left. */
void scree__calls_product_finish(scree__calls_product *product, double *w);

void scree__calls_product_free(scree__calls_product *product);

#endif
