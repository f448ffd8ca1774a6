/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PACKED_H
#define SCREE_KERNEL_PACKED_H

/* Small symmetric matrices, packed as in observed.h: entry (i, j), j ≤ i, at i(i+1)/2 + j. One thread, one matrix. */

#include "kernel/observed.h"

/* l (n×n, lower) of A + diag(more); ln|A + diag(more)|. A pivot that is no more than rounding is kept from vanishing.
 */
double scree__packed_factor(const double *a, const double *more, int64_t n, double *l);

/* x = (LL')⁻¹x; x = L⁻¹x; and x = L'⁻¹x. */
void scree__packed_solve(const double *l, int64_t n, double *x);
void scree__packed_solve_lower(const double *l, int64_t n, double *x);
void scree__packed_solve_upper(const double *l, int64_t n, double *x);

/* out (packed) = times (LL')⁻¹. work: n×n. */
void scree__packed_invert(const double *l, int64_t n, double times, double *work, double *out);

/* x'Ax, and tr(AB). */
double scree__packed_quadratic(const double *a, const double *x, int64_t n);
double scree__packed_trace(const double *a, const double *b, int64_t n);

/* y = Ax. */
void scree__packed_multiply(const double *a, const double *x, int64_t n, double *y);

/* Σ x_i y_i; x += times y. */
double scree__packed_dot(const double *x, const double *y, int64_t n);
void scree__packed_add(double *restrict x, const double *restrict y, double times, int64_t n);

#endif
