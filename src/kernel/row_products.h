/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ROW_PRODUCTS_H
#define SCREE_KERNEL_ROW_PRODUCTS_H

/* Products of some hundred rows with each other, by bands of a fixed height: the same bits for any number of threads.
 */

#include "base/error.h"

typedef struct scree__mixture {
    const double *weights; /* m×k */
    const double *rows;    /* k×n */
    double *out;           /* m×n */
    int64_t m;
    int64_t k;
    int64_t n;
    double alpha;
    double beta;
} scree__mixture;

/* out = alpha weights rows + beta out; 2mkn flops. 0, or what the BLAS wrapper returned. */
int scree__rows_mix(const scree__mixture *mixture, int threads);

/* gram (m×m, both triangles) = A Aᵀ, A m×n; m²n flops. */
int scree__rows_gram(const double *a, int64_t m, int64_t n, double *gram, int threads);

/* xᵀy. */
double scree__row_dot(const double *x, const double *y, int64_t n);

#endif
