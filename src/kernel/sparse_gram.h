/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_GRAM_H
#define SCREE_KERNEL_SPARSE_GRAM_H

/* Inner products of sparse rows about their mean; see sparse_gram.c. */

#include "kernel/sparse_turned.h"

enum { SCREE__SPARSE_GRAM_PANEL = 256 }; /* columns that are spread out at a time */

/* Bytes beside the result. */
int64_t scree__sparse_gram_memory(int64_t rows);

/* g (N×N, zeroed; both triangles) = CCᵀ/divisor. Needs the entries by rows. */
scree_status scree__sparse_gram(const scree__sparse_turned *turned, double divisor, double *g, scree_error *error);

/* How far rounding may have moved CCᵀ, as a norm. */
double scree__sparse_gram_rounding(const scree__sparse_turned *turned);

#endif
