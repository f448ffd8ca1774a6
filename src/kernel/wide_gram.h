/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WIDE_GRAM_H
#define SCREE_KERNEL_WIDE_GRAM_H

/* Inner products of centred rows that lie in memory; see wide_gram.c. */

#include "kernel/wide_rows.h"

/* Bytes beside the result. */
int64_t scree__wide_gram_memory(int64_t rows, int64_t cols, const scree__ops *ops, int threads);

/* g (N×N, both triangles) = CCᵀ/divisor. One read of the rows; columns are measured on the way unless they are. */
scree_status scree__wide_gram(scree__wide_rows *w, double *g, scree_error *error);

/* How much of its trace rounding may have cost, as a norm; see wide_gram.c. */
double scree__wide_gram_rounding(const scree__wide_rows *w);

#endif
