/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_DENSE_GAUSS_H
#define SCREE_TESTS_DENSE_GAUSS_H

/* The probability model of a model by brute force, in long double, from U, λ, σ², µ and scale alone: B and BBᵀ + σ²I
 * are formed, factored and inverted as they stand in the book; and data of many kinds to try it on. */

#include "scree.h"

typedef struct dense_gauss {
    int64_t d;
    int64_t m;
    long double *mean;       /* D */
    long double *b;          /* D×M, in the columns as they came */
    long double *noise;      /* D: σ² scale² */
    long double *covariance; /* D×D: BBᵀ + diag(noise) */
    long double *inverse;    /* D×D; NULL when σ² = 0 */
    long double logdet;      /* of the covariance */
} dense_gauss;

dense_gauss *dense_gauss_of(const scree_model *model);
void dense_gauss_free(dense_gauss *g);

/* ln N(x | µ, BBᵀ + σ²I). */
long double dense_gauss_log_density(const dense_gauss *g, const double *x);

/* m = Bᵀ(BBᵀ + σ²I)⁻¹(x - µ), M of them, and C = I - Bᵀ(BBᵀ + σ²I)⁻¹B, M×M. */
void dense_gauss_posterior_mean(const dense_gauss *g, const double *x, long double *mean);
void dense_gauss_posterior_covariance(const dense_gauss *g, long double *covariance);

/* a (n×n, symmetric, positive definite) becomes its inverse; ln det of what it was. */
long double dense_invert(long double *a, int64_t n);

/* One way to make a model. */
typedef struct ppca_case {
    const char *label;
    int64_t n;
    int64_t d;
    int64_t m;
    bool ties; /* eigenvalues come in pairs; n and d are powers of 2 */
    bool unit; /* columns are standardised */
    int ddof;
    double noise; /* σ² is set to this multiple of the last eigenvalue kept; 0: left as it was found */
} ppca_case;

/* Every case that the book's equations are tried on: the last has label NULL. */
extern const ppca_case ppca_cases[];

/* The rows (n×d) and the model of a case; both are the caller's to free. */
double *ppca_case_rows(const ppca_case *c);
scree_model *ppca_case_model(const ppca_case *c, const double *x);

#endif
