/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_STRIP_H
#define SCREE_KERNEL_STRIP_H

/* Small symmetric matrices of the same order, four at a time, one in each lane of the vector unit: entry e of a packed
 * triangle (observed.h) stands at [e*SCREE__STRIP + lane]. What a lane holds does not depend on the others. */

#include <stdint.h>

enum { SCREE__STRIP = 4 };

/* A + diag(more) becomes its lower triangular factor L, with 1/L_ii on the diagonal; logdet: ln|A + diag(more)| of each
 * lane. more: n×4, not negative. A pivot is at least what more adds, and least times what the diagonal was. */
void scree__strip_factor(double *a, const double *more, double least, int64_t n, double *logdet);

/* x (n×4) = (LL')⁻¹x. */
void scree__strip_solve(const double *l, int64_t n, double *x);

/* L becomes (LL')⁻¹. */
void scree__strip_invert(double *l, int64_t n);

#endif
