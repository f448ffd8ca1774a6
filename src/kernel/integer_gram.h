/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_GRAM_H
#define SCREE_KERNEL_INTEGER_GRAM_H

/* Inner products of centred rows of bytes, and means and variances of their columns, exactly; see integer_gram.c. */

#include "kernel/rows.h"

/* Bytes that scree__integer_gram takes, its result among them. */
int64_t scree__integer_gram_memory(int64_t rows, int threads);

/* *gram (N×N, both triangles, to be freed) = CCᵀ/divisor, C the rows x (uint8) less their mean: each number is the
 * double nearest to the true one. kernel: a name (integer_kernel.h), NULL: the fastest here. The result is the same. */
scree_status scree__integer_gram(double **gram, const scree__rows *x, int64_t divisor, int threads, const char *kernel,
                                 scree_error *error);

/* Of each column of x the mean, and Σ(x-µ)²/divisor: the doubles nearest to them. */
void scree__integer_columns(const scree__rows *x, int64_t divisor, int threads, double *mean, double *variance);

#endif
