/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_DENSE_H
#define SCREE_KERNEL_DENSE_H

/* The largest eigenvalues of an explicit symmetric matrix. */

#include "base/watch.h"
#include "kernel/goal.h"

typedef struct scree__dense_result {
    double *values;    /* k, descending, ≥ 0 (the matrix is positive semidefinite but for rounding) */
    double *vectors;   /* k×n, orthonormal rows */
    double *residuals; /* k: ‖Au - θu‖, computed; NULL: not wanted, and then nothing is found by iterating */
    double next;       /* a proven upper bound of the (k+1)-th eigenvalue; 0 when k = n */
    double rounding;   /* what rounding may have hidden from the residuals: (n+4) u ‖A‖ in the norm of Frobenius */
    bool full;         /* the whole spectrum was computed */
    bool early;        /* it was found by iterating, which stopped at a goal above round-off */
    double *spectrum;  /* n values, descending, when not NULL on entry and has_spectrum */
    bool has_spectrum; /* it was found on the way; beside a few by iterating, the others are estimated */
    double squares;    /* the sum of the squares of all eigenvalues */
} scree__dense_result;

/* True when k of n are few enough for the iterative solver. */
bool scree__dense_is_few(int64_t n, int64_t k);

/* True when k of n are found one by one, and not all n of the tridiagonal form. */
bool scree__dense_is_part(int64_t n, int64_t k);

/* Bytes beside matrix and result. */
int64_t scree__dense_memory(int64_t n, int64_t k);

typedef struct scree__dense_options {
    double share;            /* > 0: as many as hold that share of the trace */
    const scree__goal *goal; /* where iterating may stop; NULL: at round-off */
    int threads;
    scree__watch watch;
} scree__dense_options;

/* a: n×n, both triangles, or the upper one where no residuals are wanted; kept. *k: at most so many; set to how many
 * there are. The same bits for any threads. */
scree_status scree__dense_eigen(const double *a, int64_t n, int64_t *k, const scree__dense_options *options,
                                scree__dense_result *result, scree_error *error);

#endif
