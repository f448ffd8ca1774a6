/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WIDE_VECTORS_H
#define SCREE_KERNEL_WIDE_VECTORS_H

/* From eigenvectors of CCᵀ to those of CᵀC, with their residuals, for rows that lie in memory; see wide_vectors.c. */

#include "kernel/wide_rows.h"

/* k eigenpairs of CCᵀ/divisor, and what becomes of them. */
typedef struct scree__wide_pairs {
    int64_t k;
    const double *values; /* k: λ */
    const double *v;      /* k×N, orthonormal rows */
    double *u;            /* k×D, orthonormal rows */
    double *residuals;    /* k: ‖CᵀCu/divisor - λu‖ */
} scree__wide_pairs;

int64_t scree__wide_vectors_memory(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops, int threads);

/* Fills u and residuals. Two reads of the rows. */
scree_status scree__wide_vectors(const scree__wide_rows *w, const scree__wide_pairs *pairs, scree_error *error);

/* The longest chain of additions behind a number of CᵀCu. */
double scree__wide_vectors_chain(int64_t rows, int64_t cols, int64_t k, const scree__ops *ops);

#endif
