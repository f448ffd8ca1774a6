/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_RITZ_H
#define SCREE_KERNEL_RITZ_H

/* Ritz pairs of a basis that grows by blocks, for krylov.c and lanczos.c; see ritz.c. */

#include "base/error.h"

typedef struct scree__ritz {
    int64_t max_basis; /* m at most */
    int64_t b;         /* vectors a block */
    int64_t m;         /* vectors of the basis */
    double *h;         /* max_basis×max_basis: VᵀSV; the upper triangle is enough */
    double *r;         /* b×b: of the block that comes next */
    int64_t found;     /* eigenpairs of H, the largest */
    double *y;         /* found×m: eigenvectors of H as rows, in the order of theta */
    double *theta;     /* found, ascending; room for max_basis */
} scree__ritz;

scree_status scree__ritz_new(scree__ritz *ritz, int64_t max_basis, int64_t block, scree_error *error);
void scree__ritz_clear(scree__ritz *ritz);

/* Fills theta and y: all of them, or at least the count largest. */
scree_status scree__ritz_solve(scree__ritz *ritz, scree_error *error);
scree_status scree__ritz_solve_some(scree__ritz *ritz, int64_t count, scree_error *error);

/* Of the j-th largest pair, j from 0: its value, its eigenvector of H (m), and R (last b entries of that), whose norm
 * is its residual, into rest (b). */
double scree__ritz_value(const scree__ritz *ritz, int64_t j);
const double *scree__ritz_vector(const scree__ritz *ritz, int64_t j);
void scree__ritz_rest(const scree__ritz *ritz, int64_t j, double *rest);

#endif
