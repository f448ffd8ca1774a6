/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TRIDIAGONAL_H
#define SCREE_KERNEL_TRIDIAGONAL_H

/* A symmetric matrix as A = Q T Qᵀ, T tridiagonal, and vectors of T taken to A; see tridiagonal.c and reflectors.c. All
 * are the same bits for any number of threads. */

#include "base/watch.h"

typedef struct scree__tridiagonal {
    int64_t n;
    double *v;        /* n×n: the upper triangle of A by rows; then row j is the vector of the j-th reflector */
    double *diagonal; /* n */
    double *beside;   /* n: the n - 1 entries beside the diagonal */
    double *tau;      /* n: of the reflectors */
    int threads;
    scree__watch watch; /* of what is to be done with it next */
} scree__tridiagonal;

/* Bytes that reducing takes beside the struct. */
int64_t scree__tridiagonal_memory(int64_t n);

/* Entries of A are at most about 1 in size (or those below 1e-140 of it are lost). Between blas_enter and leave. */
scree_status scree__tridiagonal_reduce(scree__tridiagonal *t, scree_error *error);

/* Each row of rows (k×n), a vector z of T, becomes Qz. Changes t->v to a form of the same that only this reads. */
scree_status scree__tridiagonal_restore(const scree__tridiagonal *t, double *rows, int64_t k, scree_error *error);

#endif
