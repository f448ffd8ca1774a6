/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SYMMETRIC_H
#define SCREE_KERNEL_SYMMETRIC_H

/* What is done to an explicit symmetric matrix before and after its eigenpairs are found: its size, a copy in which
 * squares exist, residuals. The same bits for any number of threads. */

#include "base/watch.h"

typedef struct scree__symmetric {
    const double *a; /* n×n, both triangles */
    int64_t n;
    int threads;
    double scale;       /* a power of two: entries times this are at most 1 */
    double norm;        /* of Frobenius, of the matrix times scale */
    scree__watch watch; /* of what is to be done with it next */
} scree__symmetric;

/* Fills scale and norm. */
scree_status scree__symmetric_survey(scree__symmetric *s, scree_error *error);

/* The upper triangle of scale·A, by rows. */
void scree__symmetric_copy(const scree__symmetric *s, double *out);

/* residuals_j = ‖A u_j - θ_j u_j‖ for k rows u of vectors; 2n²k flops. */
scree_status scree__symmetric_residuals(const scree__symmetric *s, int64_t k, const double *values,
                                        const double *vectors, double *residuals, scree_error *error);

#endif
