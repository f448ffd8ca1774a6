/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_H
#define SCREE_KERNEL_INTEGER_H

/* Mean and scatter of rows of bytes that arrive in pieces, in one read and exactly; see integer.c. */

#include "base/snapshot.h"
#include "kernel/rows.h"

typedef struct scree__integer scree__integer;

/* Rows that scree__integer_add likes to get, and bytes of a scree__integer. */
int64_t scree__integer_rows(int64_t cols, int threads);
int64_t scree__integer_memory(int64_t cols, int threads);

/* kernel: a name (integer_kernel.h), NULL: the fastest here. The result is the same. */
scree_status scree__integer_new(scree__integer **out, int64_t cols, int threads, const char *kernel,
                                scree_error *error);

/* The next rows, uint8, any number of them. */
void scree__integer_add(scree__integer *integer, const scree__rows *x);

/* Lends the mean (D) and Σ(x-µ)(x-µ)ᵀ/divisor (D×D, both triangles): each number is the double nearest to the true one.
 * Call once, at the end. */
void scree__integer_finish(scree__integer *integer, int64_t divisor, double **mean, double **scatter);

/* What the rows so far come to, before scree__integer_finish. */
void scree__integer_move(scree__integer *w, scree__snapshot *snapshot);
void scree__integer_free(scree__integer *integer);

#endif
