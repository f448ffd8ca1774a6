/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SLABS_H
#define SCREE_KERNEL_SLABS_H

/* Q and R of a tall matrix that lies in memory, slab by slab, so that threads and processes can share the work; see
 * slabs.c. */

#include "kernel/blas.h"

typedef struct scree__slabs {
    double *x;             /* rows×cols, column-major; becomes the reflectors of Q. The caller's, as is: */
    int64_t rows;          /* D */
    int64_t cols;          /* N, at most the rows of any slab */
    int64_t count;         /* of slabs; 0: there is nothing */
    int64_t each;          /* slabs that follow each other and become one triangle: a power of two */
    const int64_t *starts; /* count + 1: where slabs begin, and the end */
    int threads;
    double *tau; /* cols for each slab */
    double *t;   /* for each slab, of the join that it is the other half of */
    int info;    /* of what failed; 0: nothing did */
} scree__slabs;

/* Doubles of the block factors of a join of triangles. */
int64_t scree__triangles_doubles(int64_t cols);
/* [r; other] = Q [r'; 0], both triangles of n columns, ld apart; other becomes the reflectors, and what is below the
 * diagonals stays. What LAPACK has returned. */
int scree__triangles_join(int64_t n, double *r, int64_t ldr, double *other, int64_t ldo, double *t);
/* [top; bottom] = Q [top; 0], n×k each, top and bottom being ld apart; v and t as the join has left them. */
int scree__triangles_split(int64_t n, int64_t k, const double *v, int64_t ldv, const double *t, double *top,
                           double *bottom, int64_t ld);

/* The fields that are the caller's are set. Memory beside x. */
int64_t scree__slabs_memory(int64_t cols, int64_t count, int64_t each);
scree_status scree__slabs_factor(scree__slabs *slabs, scree_error *error);
void scree__slabs_clear(scree__slabs *slabs);

/* r (cols×cols, column-major, zeros below): the triangle of so many slabs, groups being numbered from 0. */
void scree__slabs_triangle(const scree__slabs *slabs, int64_t group, double *r);

/* u (rows×k, ld apart) = diag(Q of each group) u, where of each group only the first cols rows count, and were filled
 * in. */
scree_status scree__slabs_spread(scree__slabs *slabs, double *u, int64_t ld, int64_t k, scree_error *error);

#endif
