/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gaussian of x by probabilistic PCA: loadings B (10.71), the covariance BBᵀ + σ²I and its inverse as operators,
 *
 *     (BBᵀ + σ²I) x   = σ²x + Σ (λ_j - σ²) u_j u_jᵀx
 *     (BBᵀ + σ²I)⁻¹ x = x/σ² - Σ (1/σ² - 1/λ_j) u_j u_jᵀx          4DM flops each,
 *
 * and, for those who ask, as matrices (10.70). A scale s turns C into diag(s) C diag(s). */

#include "model/ppca.h"

#include <string.h>

static double scale_at(const scree_model_view *view, int64_t i)
{
    return view->scale ? view->scale[i] : 1;
}

void scree__ppca_loadings(const scree_model *model, double *loadings, int64_t ld)
{
    const scree_model_view *view = scree_model_get(model);
    for (int64_t j = 0; j < view->m; j++) {
        const double length = scree__ppca_loading(view, j);
        for (int64_t i = 0; i < view->d; i++)
            loadings[i * ld + j] = length * scale_at(view, i) * view->components[j * view->d + i];
    }
}

/* Variance outside of the components, or its inverse; where there is no outside, nothing. */
static double base_of(const scree_model_view *view, bool inverse)
{
    if (view->m == view->d && !(view->noise_variance > 0))
        return 0;
    return inverse ? 1 / view->noise_variance : view->noise_variance;
}

/* What a component adds to that. */
static double along(const scree_model_view *view, int64_t j, bool inverse)
{
    const double variance = scree__ppca_variance(view, j);
    const double noise = view->noise_variance;
    if (!inverse)
        return variance - noise;
    return view->m == view->d && !(noise > 0) ? 1 / variance : (noise - variance) / (variance * noise);
}

/* y = base x + Σ_j (along(λ_j) - base) u_j u_jᵀ x, between two diagonal scalings by s, or by 1/s when inverse. */
void scree__ppca_multiply(const scree_model *model, const double *x, double *y, bool inverse)
{
    const scree_model_view *view = scree_model_get(model);
    const double base = base_of(view, inverse);
    memset(y, 0, (size_t)view->d * sizeof *y);
    for (int64_t j = 0; j < view->m; j++) {
        const double *u = view->components + j * view->d;
        double dot = 0;
        for (int64_t i = 0; i < view->d; i++)
            dot += u[i] * x[i] * (inverse ? 1 / scale_at(view, i) : scale_at(view, i));
        dot *= along(view, j, inverse);
        for (int64_t i = 0; i < view->d; i++)
            y[i] += dot * u[i];
    }
    for (int64_t i = 0; i < view->d; i++) {
        const double s = inverse ? 1 / scale_at(view, i) : scale_at(view, i);
        y[i] = s * (y[i] + base * s * x[i]);
    }
}

/* The matrix of scree__ppca_multiply, with leading dimension ld: entry (a, b) is s_a s_b (base δ_ab + Σ_j f_j u_ja
 * u_jb). */
void scree__ppca_dense(const scree_model *model, double *out, int64_t ld, bool inverse)
{
    const scree_model_view *view = scree_model_get(model);
    for (int64_t a = 0; a < view->d; a++) {
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t j = 0; j < view->m; j++) {
                const double *u = view->components + j * view->d;
                sum += along(view, j, inverse) * u[a] * u[b];
            }
            if (a == b)
                sum += base_of(view, inverse);
            const double s = scale_at(view, a) * scale_at(view, b);
            out[a * ld + b] = inverse ? sum / s : sum * s;
            out[b * ld + a] = out[a * ld + b];
        }
    }
}
