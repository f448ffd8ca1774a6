/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INERTIA_H
#define SCREE_KERNEL_INERTIA_H

/* Proof that no eigenvalue was missed. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__proof {
    const double *a; /* n×n, both triangles */
    int64_t n;
    const double *values;  /* k, ≥ 0 */
    const double *vectors; /* k×n, orthonormal rows */
    int64_t k;
    double *work; /* n×n */
    int threads;
} scree__proof;

/* Whether all eigenvalues of A but k lie below tau. *bound: what they lie below then, with all that rounding may hide;
 * kept when false. The same for any number of threads. */
bool scree__others_below(const scree__proof *proof, double tau, double *bound);

#endif
