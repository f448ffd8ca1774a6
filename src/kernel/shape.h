/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SHAPE_H
#define SCREE_KERNEL_SHAPE_H

/* How the eigenvalues beyond the first few lie, of an operator that is too large for all of them; see shape.c. */

#include "kernel/lanczos.h"

typedef struct scree__shape_options {
    int64_t known;         /* eigenvectors that were found, */
    const double *vectors; /* known×n, orthonormal rows */
    int64_t count;         /* how many more there are that are not 0, ≤ n - known */
    double sum;            /* of these, > 0 */
    double squares;        /* the sum of their squares; 0: not known */
    double most;           /* none is larger */
    int steps;             /* 1 to SCREE__SHAPE_STEPS: products with a block of SCREE__SHAPE_BLOCK vectors */
    uint64_t seed;
} scree__shape_options;

enum { SCREE__SHAPE_BLOCK = 16, SCREE__SHAPE_STEPS = 4 };

/* values: count, descending, ≥ 0, with the sum that was told. */
scree_status scree__shape(const scree__operator *op, const scree__shape_options *options, double *values,
                          scree_error *error);

#endif
