/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_DIVIDE_H
#define SCREE_KERNEL_DIVIDE_H

/* All eigenvalues of a symmetric tridiagonal matrix, and as many of its eigenvectors as are wanted; see divide.c. The
 * same bits for any number of threads. */

#include "base/watch.h"
#include "kernel/blas.h"

typedef struct scree__divide {
    int64_t n;
    int threads;
    scree__watch watch;
    double *values;   /* n: those of parts, and in the end of the whole, in the order of join.order */
    double *beside;   /* n */
    double *vectors;  /* n×n: rows; in the end what the last join makes eigenvectors of */
    double *numbers;  /* 3n: what the join needs */
    double *scratch;  /* a tile for each worker */
    double *halves;   /* n² */
    int *order;       /* n */
    int *indices;     /* 4n */
    scree__join join; /* the last one */
} scree__divide;

/* Bytes that it takes. */
int64_t scree__divide_memory(int64_t n);

/* Finds the eigenvalues. diagonal: n, beside: n - 1 entries, both kept. */
scree_status scree__divide_open(scree__divide *d, const double *diagonal, const double *beside, int64_t n, int threads,
                                const scree__watch *watch, scree_error *error);
void scree__divide_close(scree__divide *d);

/* The j-th largest eigenvalue, j from 0. */
double scree__divide_value(const scree__divide *d, int64_t j);

/* The eigenvectors of the k largest, descending, as rows (k×n). Once. */
scree_status scree__divide_vectors(scree__divide *d, int64_t k, double *rows, const scree__watch *watch,
                                   scree_error *error);

#endif
