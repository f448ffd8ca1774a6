/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SECULAR_H
#define SCREE_MODEL_SECULAR_H

/* What a rank-one update does to a spectrum: the eigenvalues µ of diag(g) + √w√wᵀ. */

#include <stdbool.h>
#include <stdint.h>

/* g: n, descending, ≥ 0; w: n, ≥ 0, some of them positive. roots: n, descending, g_k ≤ µ_k; shares: n, the part of √w
 * along each eigenvector, squared, over µ: they add up to s/(1 + s), s = Σ w/g. */
void scree__secular_solve(const double *g, const double *w, int64_t n, double *roots, double *shares);

#endif
