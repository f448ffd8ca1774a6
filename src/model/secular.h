/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SECULAR_H
#define SCREE_MODEL_SECULAR_H

/* What a rank-one update does to a spectrum: the eigenvalues µ of diag(g) + √w√wᵀ. g: n, descending, ≥ 0; w: n, ≥ 0,
 * some of them positive. */

#include <stdbool.h>
#include <stdint.h>

/* The first count ones. roots: descending, g_k ≤ µ_k; shares: the part of √w along each eigenvector, squared, over µ:
 * all n add up to s/(1 + s), s = Σ w/g; lost: w_k - µ_k·share, or NULL. */
void scree__secular_solve(const double *g, const double *w, int64_t n, int64_t count, double *roots, double *shares,
                          double *lost);

/* The k-th one. */
double scree__secular_root(const double *g, const double *w, int64_t n, int64_t k);

/* Whether the k-th one is larger than level. */
bool scree__secular_lifts(const double *g, const double *w, int64_t n, int64_t k, double level);

/* The others, once the first count ones are known, are those of the other poles with these weights (n - count):
 * w_j Π_k (g_k - g_j)/(µ_k - g_j). */
void scree__secular_deflate(const double *g, const double *w, int64_t n, int64_t count, const double *roots,
                            double *weights);

#endif
