/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_GRADED_H
#define SCREE_KERNEL_GRADED_H

/* Eigenpairs of a covariance whose columns have very different units, small ones with as many digits; see graded.c. */

#include "base/error.h"

/* Whether columns are so unequal that other ways lose digits of the small eigenvalues, and few enough for this one. a:
 * n×n, its diagonal is read. */
bool scree__graded_is_worth(const double *a, int64_t n);

typedef struct scree__graded_result {
    double *values;  /* n, descending */
    double *vectors; /* n×n, orthonormal rows */
    double least;    /* a lower bound, ≥ 0, of the least eigenvalue of a with its diagonal made 1: an error of η in
                        entries of that is one of η/least, relative, in each eigenvalue */
    double skew; /* ‖VVᵀ - I‖ of the vectors whose eigenvalues are not 0, measured: an error of as much, too */
    double left; /* norm of what was taken for rounding of a: the error, absolute, in each eigenvalue for it */
} scree__graded_result;

/* a: n×n, symmetric, positive semidefinite but for rounding; kept. The same bits for any number of threads. */
scree_status scree__graded_eigen(const double *a, int64_t n, int threads, scree__graded_result *result,
                                 scree_error *error);

/* Bytes that a call takes beside its results; 0 where it is not worth one. */
int64_t scree__graded_memory(int64_t n);

#endif
