/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_IMPLICIT_H
#define SCREE_KERNEL_IMPLICIT_H

/* All eigenpairs of a small symmetric tridiagonal matrix; see implicit.c. */

#include <stdbool.h>
#include <stdint.h>

enum { SCREE__IMPLICIT_LANES = 8 };
#define SCREE__IMPLICIT_WIDTH(n) (((n) + SCREE__IMPLICIT_LANES - 1) / SCREE__IMPLICIT_LANES * SCREE__IMPLICIT_LANES)
#define SCREE__IMPLICIT_ROOM(n) ((n) * (SCREE__IMPLICIT_WIDTH(n) + 2))

/* diagonal (n): becomes the eigenvalues, ascending; beside: n - 1, kept; vectors: theirs, n rows that are ld apart.
 * room: SCREE__IMPLICIT_ROOM(n) doubles. false where it comes to no end: then nothing is changed but the room. */
bool scree__implicit_eigen(int64_t n, double *diagonal, const double *beside, double *vectors, int64_t ld,
                           double *room);

#endif
