/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CHOLESKY_H
#define SCREE_KERNEL_CHOLESKY_H

/* Whether a symmetric matrix is positive definite. */

#include <stdbool.h>
#include <stdint.h>

/* a: n×n, row-major; its upper triangle is read and overwritten by R, A = RᵀR, as far as that goes. True when there is
 * such an R. The same for any number of threads. */
bool scree__cholesky(double *a, int64_t n, int threads);

#endif
