/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_VECTORS_H
#define SCREE_KERNEL_SPARSE_VECTORS_H

/* From eigenvectors of CCᵀ to those of CᵀC, with their residuals, for sparse rows; see sparse_vectors.c. */

#include "kernel/sparse_turned.h"
#include "kernel/wide_vectors.h"

int64_t scree__sparse_vectors_memory(int64_t rows, int64_t cols, int64_t k);

/* Fills u and residuals of the pairs. */
scree_status scree__sparse_vectors(const scree__sparse_turned *turned, double divisor, const scree__wide_pairs *pairs,
                                   scree_error *error);

/* How far rounding may have moved CᵀCu/divisor, as a multiple of √(tr S · λ₁). */
double scree__sparse_vectors_rounding(const scree__sparse_turned *turned);

#endif
