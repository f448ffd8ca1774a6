/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_PPCA_H
#define SCREE_MODEL_PPCA_H

/* The model as a distribution, in the basis where everything is diagonal: along u_j the variance of x is λ_j, elsewhere
 * it is σ²; B = U(Λ - σ²I)^½, BᵀB + σ²I = Λ. Where σ² was raised above an eigenvalue, σ² takes its place. */

#include "model/model.h"

/* Variance of x along u_j: max(λ_j, σ²). */
double scree__ppca_variance(const scree_model_view *view, int64_t j);

/* Length of column j of B: √(λ_j - σ²), 0 when there is nothing above the noise. */
double scree__ppca_loading(const scree_model_view *view, int64_t j);

/* m_j = scree__ppca_shrink · t_j: √(λ_j - σ²)/λ_j (10.74). */
double scree__ppca_shrink(const scree_model_view *view, int64_t j);

/* σ² is the maximum-likelihood one (10.79), and not one that was set by hand. */
bool scree__ppca_is_estimated(const scree_model_view *view);

/* Fails with a sentence when σ² = 0, or no more than rounding, and a density, or its inverse covariance, is asked for.
 */
scree_status scree__ppca_needs_noise(const scree_model_view *view, scree_error *error);

/* D ln 2π + Σ ln λ_j + (D-M) ln σ² + 2 Σ ln scale: -2 ln of the density at the mean. */
double scree__ppca_log_volume(const scree_model_view *view);

#endif
