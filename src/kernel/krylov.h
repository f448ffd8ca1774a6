/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_KRYLOV_H
#define SCREE_KERNEL_KRYLOV_H

/* The largest eigenvalues of an explicit symmetric matrix whose spectrum falls off; see krylov.c. Everything is the
 * same bits for any number of threads. */

#include "base/watch.h"
#include "kernel/goal.h"

typedef struct scree__krylov_matrix {
    const double *a; /* n×n, both triangles */
    int64_t n;
    int threads;
} scree__krylov_matrix;

typedef struct scree__krylov_result {
    double *values;  /* k, descending, ≥ 0 */
    double *vectors; /* k×n, orthonormal rows */
    double next;     /* the largest Ritz value not among the k, and its residual */
    double next_residual;
    bool converged; /* if not, the rest is void */
} scree__krylov_result;

/* W (b×n) = Q A, Q b×n: vectors are rows. 0, or what the BLAS wrapper returned. */
int scree__krylov_multiply(const scree__krylov_matrix *a, const double *q, int64_t b, double *w);

/* Whether k of n are so few that it is worth trying. */
bool scree__krylov_fits(int64_t n, int64_t k);

/* Bytes beside the result. */
int64_t scree__krylov_memory(int64_t n);

/* k of n must fit. goal: of their residuals; NULL: round-off. */
scree_status scree__krylov(const scree__krylov_matrix *a, int64_t k, const scree__goal *goal, const scree__watch *watch,
                           scree__krylov_result *result, scree_error *error);

#endif
