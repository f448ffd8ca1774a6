/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_ROW_PRODUCTS_H
#define SCREE_KERNEL_ROW_PRODUCTS_H

/* Products of a few hundred rows with each other, in bands of a fixed height: the same bits for any number of threads.
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
    bool upper; /* row i begins with i zeros: half the work */
} scree__mixture;

/* out = alpha weights rows; 2mkn flops. 0, or what the BLAS wrapper returned. */
int scree__rows_mix(const scree__mixture *mixture, int threads);

typedef struct scree__gram_of {
    const double *a; /* m×n */
    int64_t m;
    int64_t n;
    bool upper; /* as above */
} scree__gram_of;

/* The upper triangle of gram (m×m) = A Aᵀ; m²n flops. */
int scree__rows_gram(const scree__gram_of *of, double *gram, int threads);

/* xᵀy. */
double scree__row_dot(const double *x, const double *y, int64_t n);

#endif
