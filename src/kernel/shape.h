/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SHAPE_H
#define SCREE_KERNEL_SHAPE_H

/* How the eigenvalues beyond the first few are distributed, for an operator too large to compute them all: see shape.c.
 */

#include "base/error.h"
#include "kernel/operator.h"

enum { SCREE__SHAPE_BLOCK = 16, SCREE__SHAPE_STEPS = 4 };

/* A distribution of eigenvalues: where they are, and how many are there, in proportion. */
typedef struct scree__shape_nodes {
    int count;                                              /* 0: nothing is known */
    double values[SCREE__SHAPE_BLOCK * SCREE__SHAPE_STEPS]; /* descending, ≥ 0 */
    double weights[SCREE__SHAPE_BLOCK * SCREE__SHAPE_STEPS];
} scree__shape_nodes;

typedef struct scree__shape_from {
    int64_t known;         /* eigenvectors that were found, */
    const double *vectors; /* known×n, orthonormal rows */
    int64_t units;         /* start from so many unit vectors, the first ones; 0: from random vectors */
    uint64_t seed;         /* for the random vectors */
    int steps;             /* 1 to SCREE__SHAPE_STEPS: products with a block of SCREE__SHAPE_BLOCK vectors */
} scree__shape_from;

/* The distribution of the eigenvalues that are not known. */
scree_status scree__shape_measure(scree__shape_nodes *nodes, const scree__operator *op, const scree__shape_from *from,
                                  scree_error *error);

typedef struct scree__shape_sums {
    double directions; /* that the nodes stand for */
    int64_t count;     /* how many eigenvalues among these are not 0 */
    double sum;        /* of these, > 0 */
    double squares;    /* the sum of their squares; 0: not known */
    double most;       /* none is larger */
} scree__shape_sums;

/* values: count of them, descending, ≥ 0; their sum is the one given. */
void scree__shape_values(const scree__shape_nodes *nodes, const scree__shape_sums *sums, double *values);

#endif
