/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_LANCZOS_H
#define SCREE_KERNEL_LANCZOS_H

/* The largest eigenvalues of a symmetric operator that is known only by what it does to a block of vectors. */

#include "base/watch.h"
#include "kernel/goal.h"
#include "kernel/operator.h"
#include "kernel/shape.h"

typedef struct scree__lanczos_options {
    int64_t k;               /* eigenpairs wanted */
    int64_t extra;           /* and so many after them, as good as they are by then; k + extra ≤ basis - 2·block */
    int64_t block;           /* columns a step */
    int64_t basis;           /* columns of the basis at most: ≥ k + 3·block, ≤ n - block */
    const scree__goal *goal; /* of the k */
    int64_t max_steps;
    int64_t likely; /* columns that it is thought to take, for those who watch; 0: nobody knows */
    scree__watch watch;
    double worth; /* columns that another way to the eigenpairs would take; 0: there is none. See gave_way */
    uint64_t seed;
    int threads;
} scree__lanczos_options;

/* What is known already: orthonormal vectors, their Rayleigh-Ritz values and true images, and a first block beside
 * them, orthonormal and orthogonal to them, which is no wider than they. The basis begins with a copy of vectors and
 * block, and their memory is then what the steps work in. */
typedef struct scree__lanczos_start {
    int64_t count;
    const double *values; /* count */
    double *vectors;      /* n×count, overwritten */
    const double *images; /* n×count */
    double *block;        /* n×block, overwritten; the vectors of the result may lie here, where they fit */
} scree__lanczos_start;

typedef struct scree__lanczos_result {
    double *values;    /* k + extra, descending */
    double *vectors;   /* (k + extra)×n, orthonormal rows */
    double *residuals; /* k + extra: ‖Su - θu‖ as the recurrence gives it */
    double *images;    /* k×n: Su, set by scree__refine; or NULL */
    double next;       /* the largest Ritz value not among the k, and its residual */
    double next_residual;
    int64_t applies; /* how often the operator was applied, */
    int64_t columns; /* and to how many columns in all */
    bool converged;
    bool gave_way;             /* the other way is the shorter one from here: see pace.c */
    scree__shape_nodes others; /* how the eigenvalues beyond the k lie; a start leaves it as it is */
} scree__lanczos_result;

/* A sensible basis for k of n. */
int64_t scree__lanczos_basis(int64_t n, int64_t k, int64_t block);
/* Bytes that a call takes beside its result. */
int64_t scree__lanczos_memory(int64_t n, int64_t basis, int64_t block);

/* values, vectors and residuals are the caller's arrays. start NULL: a random block. From a start there are no
 * restarts: it ends when the basis is full. */
scree_status scree__lanczos(const scree__operator *op, const scree__lanczos_options *options,
                            const scree__lanczos_start *start, scree__lanczos_result *result, scree_error *error);

/* Eigenpairs that were found with an operator near S, cheaper or S itself, become those of S: see refine.c. result
 * holds k + extra of them on entry (extra ≥ 1); on exit k, next, and whether they reached the goal, or gave way.
 * applies and columns are added to. rounds: of products with S at most. */
typedef struct scree__refine_options {
    const scree__lanczos_options *lanczos; /* basis: columns at most, ≥ 2·scree__refine_width */
    const scree__operator *near;
    double slack; /* a value that rises by less, when asked once more, was not missed */
    int rounds;
} scree__refine_options;

scree_status scree__refine(const scree__operator *op, const scree__refine_options *options,
                           scree__lanczos_result *result, scree_error *error);
/* Bytes that a call takes beside its result, and the columns that it applies the operators to, at most. */
int64_t scree__refine_memory(int64_t n, const scree__lanczos_options *options);
int64_t scree__refine_width(int64_t n, const scree__lanczos_options *options);

#endif
