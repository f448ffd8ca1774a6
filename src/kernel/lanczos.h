/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_LANCZOS_H
#define SCREE_KERNEL_LANCZOS_H

/* The largest eigenvalues of a symmetric operator that is known only by what it does to a block of vectors. */

#include "base/error.h"

/* w = S q, both n×b, contiguous, row-major. */
typedef struct scree__operator {
    int64_t n;
    scree_status (*apply)(void *context, const double *q, int64_t b, double *w, scree_error *error);
    void *context;
} scree__operator;

typedef struct scree__lanczos_options {
    int64_t k;        /* eigenpairs wanted */
    int64_t extra;    /* and so many after them, as good as they are by then; k + extra ≤ basis - 2·block */
    int64_t block;    /* columns a step */
    int64_t basis;    /* columns of the basis at most: ≥ k + 3·block, ≤ n */
    double tolerance; /* residual over eigenvalue */
    int64_t max_steps;
    int64_t between; /* steps from one look at convergence to the next; 0: 1 */
    uint64_t seed;
    int threads;
} scree__lanczos_options;

typedef struct scree__lanczos_result {
    double *values;    /* k + extra, descending */
    double *vectors;   /* (k + extra)×n, orthonormal rows */
    double *residuals; /* k + extra: ‖Su - θu‖ as the recurrence gives it */
    double next;       /* the largest Ritz value not among the k, and its residual */
    double next_residual;
    int64_t applies; /* how often the operator was applied */
    bool converged;
} scree__lanczos_result;

/* A sensible width and basis for k of n. */
int64_t scree__lanczos_basis(int64_t n, int64_t k, int64_t block);
/* Bytes that a call takes beside its result. */
int64_t scree__lanczos_memory(int64_t n, int64_t basis, int64_t block);

/* values, vectors and residuals are the caller's arrays. */
scree_status scree__lanczos(const scree__operator *op, const scree__lanczos_options *options,
                            scree__lanczos_result *result, scree_error *error);

/* What can be said of U (k×n, orthonormal rows) and values without trusting how they were found: residuals computed
 * afresh, and the largest Ritz value of the operator beside U from a random block, which must not exceed the last value
 * if nothing was missed. Two applications. */
scree_status scree__probe(const scree__operator *op, const scree__lanczos_options *options,
                          scree__lanczos_result *result, double *largest_beside, scree_error *error);

/* An operator that is cheaper than S, and off by no more than error times the norm of what it is applied to. */
typedef struct scree__cheaper {
    scree__operator op;
    double error;
} scree__cheaper;

/* Eigenpairs that were found with the cheaper operator become those of S: see refine.c. result holds k + extra of them
 * on entry (extra ≥ 1); on exit k of them, next, and whether they converged. applies is added to. */
scree_status scree__refine(const scree__operator *op, const scree__lanczos_options *options,
                           const scree__cheaper *cheaper, scree__lanczos_result *result, scree_error *error);
/* Bytes that a call takes beside its result, and columns that it applies the operators to. */
int64_t scree__refine_memory(int64_t n, const scree__lanczos_options *options);
int64_t scree__refine_width(int64_t n, const scree__lanczos_options *options);

#endif
