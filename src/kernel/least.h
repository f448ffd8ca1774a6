/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_LEAST_H
#define SCREE_KERNEL_LEAST_H

/* How far a symmetric matrix is from singular. */

#include <stdint.h>

/* *least: a proven lower bound, ≥ 0, of the least eigenvalue of h (n×n, the upper triangle is read), seldom less than
 * 0.8 of it; 0 where rounding hides it. r: its Cholesky factor, h = RᵀR, upper; work: n×n. n³/3 flops, seldom twice as
 * many. */
void scree__least_eigenvalue(const double *h, const double *r, int64_t n, int threads, double *work, double *least);

#endif
