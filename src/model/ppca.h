/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_PPCA_H
#define SCREE_MODEL_PPCA_H

/* The model as a distribution, in the basis where everything is diagonal: along u_j the variance of x is λ_j, elsewhere
 * it is σ²; B = U(Λ - σ²I)^½, BᵀB + σ²I = Λ. Where σ² was raised above an eigenvalue, σ² takes its place. */

#include "model/density.h"
#include "model/gaps.h"
#include "model/model.h"

/* Variance of x along u_j: max(λ_j, σ²). */
double scree__ppca_variance(const scree_model_view *view, int64_t j);

/* Length of column j of B: √(λ_j - σ²), 0 when there is nothing above the noise. */
double scree__ppca_loading(const scree_model_view *view, int64_t j);

/* m_j = scree__ppca_shrink · t_j: √(λ_j - σ²)/λ_j (10.74). */
double scree__ppca_shrink(const scree_model_view *view, int64_t j);

/* σ² is the maximum-likelihood one (10.79), and not one that was set by hand. */
bool scree__ppca_is_estimated(const scree_model_view *view);

/* M = D, and every component has variance: the Gaussian with that covariance, though no noise is left. */
bool scree__ppca_is_full(const scree_model_view *view);

/* Fails with a sentence when σ² = 0, or no more than rounding, and a density, or its inverse covariance, is asked for.
 */
scree_status scree__ppca_needs_noise(const scree_model_view *view, scree_error *error);

/* D ln 2π + Σ ln λ_j + (D-M) ln σ² + 2 Σ ln scale: -2 ln of the density at the mean. */
double scree__ppca_log_volume(const scree_model_view *view);

/* The entries of the table, each in the file that is named, and the table (ppca.c). */
void scree__ppca_facts(const scree_model *model, scree_facts *facts);
void scree__ppca_rate(const scree_model *model, double distortion, scree_rate *rate); /* rate.c */
scree_status scree__ppca_with_noise(scree_model **out, const scree_model *model, double noise, scree_error *error);

void scree__ppca_loadings(const scree_model *model, double *loadings, int64_t ld); /* marginal.c */
void scree__ppca_multiply(const scree_model *model, const double *x, double *y, bool inverse);
void scree__ppca_dense(const scree_model *model, double *covariance, int64_t ld, bool inverse);

void scree__ppca_posterior(scree__question *question); /* posterior.c */
void scree__ppca_posterior_covariance(const scree_model *model, double *variances, double *logdet);
scree_status scree__ppca_posterior_row(const scree_model *model, const double *row, double *mean, double *covariance,
                                       double *logdet, scree_error *error);

scree_status scree__ppca_scorer(scree_scorer *scorer, scree_error *error); /* score.c */
void scree__ppca_score(scree__question *question);
scree_status scree__ppca_contributions(const scree_model *model, const double *row, double *contributions,
                                       scree_error *error);                                     /* contributions.c */
scree_status scree__ppca_reasons(const scree_scorer *scorer, const double *row, double *parts); /* reasons.c */

scree_status scree__ppca_ellipse(scree__ellipse *ellipse, const scree_model *model, const double *row,
                                 const int64_t component[2], scree_error *error); /* posterior_plane.c */

void scree__ppca_impute(scree__question *question); /* impute.c */

void scree__ppca_code(const scree_model *model, const double *z, double *code); /* draw.c */
void scree__ppca_noise(const scree_model *model, const double *normals, double *x);
void scree__ppca_spread(const scree_model *model, const void *gaps, const double *normals, double *offset);

extern const scree__gap_solver scree__ppca_gaps; /* of scree__gaps (gaps.h) */
extern const scree__density scree__ppca_density;

#endif
