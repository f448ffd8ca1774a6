/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_BASIS_H
#define SCREE_KERNEL_BASIS_H

/* An orthonormal basis that grows by blocks, for lanczos.c; see basis.c. */

#include "kernel/tall.h"

typedef struct scree__basis {
    int64_t n;
    int64_t b;  /* columns of a block */
    int64_t ld; /* columns that V can hold */
    int64_t m;  /* columns that it holds */
    double *v;  /* n×ld */
    double *q;  /* n×b: the last block of V */
    double *w;  /* n×b: the block that comes next */
    double *r;  /* b×b, upper: W as it was = Q'R, Q' as it is now */
    double *h;  /* ld×b: what W had along V */
    double *part;
    uint64_t seed;
    uint64_t stream;
    int threads;
    bool lent; /* q and w are the caller's, and set before */
} scree__basis;

/* n, b, ld, seed and threads are set by the caller; q and w as well, if he lends them. */
scree_status scree__basis_new(scree__basis *basis, scree_error *error);
void scree__basis_clear(scree__basis *basis);
/* Bytes of one. */
int64_t scree__basis_memory(int64_t n, int64_t columns, int64_t block);

/* W becomes random and orthonormal. V is empty. */
scree_status scree__basis_randomise(scree__basis *basis, scree_error *error);

/* W becomes orthonormal and orthogonal to V, whatever it was; h and r say what it was. Columns whose rest is below the
 * floor are noise, and become random: their rows of R are zero. */
scree_status scree__basis_clean(scree__basis *basis, double floor, scree_error *error);

/* W joins V. */
void scree__basis_append(scree__basis *basis);

/* V becomes its columns times y (m×keep). */
scree_status scree__basis_rotate(scree__basis *basis, const double *y, int64_t keep, scree_error *error);

#endif
