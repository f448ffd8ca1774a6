/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TRIDIAGONAL_SMALL_H
#define SCREE_KERNEL_TRIDIAGONAL_SMALL_H

/* scree__tridiagonal_reduce of small matrices; see tridiagonal_small.c. */

#include "kernel/tridiagonal.h"

enum { SCREE__TRIDIAGONAL_SMALL = 255 }; /* order, at most */
#define SCREE__TRIDIAGONAL_GONE 1e-280   /* squares below this are 0: the rest has no direction that can be told */

/* H_j of row x of the matrix: what is beyond the diagonal becomes its vector, 1 at first, and beside_j and tau_j are
 * set. squares: of what follows the entry beside the diagonal; where these are nothing beside the matrix they are left
 * out. */
void scree__tridiagonal_reflect(scree__tridiagonal *t, int64_t j, double *x, double squares);

int64_t scree__tridiagonal_small_memory(int64_t n);
scree_status scree__tridiagonal_small(scree__tridiagonal *t, scree_error *error);

#endif
