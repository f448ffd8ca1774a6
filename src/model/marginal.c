/* SPDX-License-Identifier: BSD-3-Clause */
/* The Gaussian of x, and of x and z together: loadings B (10.71), the covariance BBᵀ + σ²I and its inverse as
 * operators,
 *
 *     (BBᵀ + σ²I) x   = σ²x + Σ (λ_j - σ²) u_j u_jᵀx
 *     (BBᵀ + σ²I)⁻¹ x = x/σ² - Σ (1/σ² - 1/λ_j) u_j u_jᵀx          4DM flops each,
 *
 * and, for those who ask, as matrices (10.70, 10.72). A scale s turns C into diag(s) C diag(s). */

#include "model/network.h"
#include "model/ppca.h"

#include <string.h>

static double scale_at(const scree_model_view *view, int64_t i)
{
    return view->scale ? view->scale[i] : 1;
}

scree_status scree_model_loadings(const scree_model *model, double *loadings, scree_error *error)
{
    const scree_status status = scree__network_refuse(model, "loadings", error);
    const scree_model_view *view = scree_model_get(model);
    if (status != SCREE_OK)
        return status;
    for (int64_t j = 0; j < view->m; j++) {
        const double length = scree__ppca_loading(view, j);
        for (int64_t i = 0; i < view->d; i++)
            loadings[i * view->m + j] = length * scale_at(view, i) * view->components[j * view->d + i];
    }
    return SCREE_OK;
}

/* y = base x + Σ_j (along(λ_j) - base) u_j u_jᵀ x, between two diagonal scalings by s, or by 1/s when inverse. */
static void multiply(const scree_model_view *view, const double *x, double *y, bool inverse)
{
    const double noise = view->noise_variance;
    const double base = inverse ? 1 / noise : noise;
    memset(y, 0, (size_t)view->d * sizeof *y);
    for (int64_t j = 0; j < view->m; j++) {
        const double *u = view->components + j * view->d;
        const double variance = scree__ppca_variance(view, j);
        double dot = 0;
        for (int64_t i = 0; i < view->d; i++)
            dot += u[i] * x[i] * (inverse ? 1 / scale_at(view, i) : scale_at(view, i));
        dot *= inverse ? (noise - variance) / (variance * noise) : variance - noise;
        for (int64_t i = 0; i < view->d; i++)
            y[i] += dot * u[i];
    }
    for (int64_t i = 0; i < view->d; i++) {
        const double s = inverse ? 1 / scale_at(view, i) : scale_at(view, i);
        y[i] = s * (y[i] + base * s * x[i]);
    }
}

scree_status scree_model_marginal_multiply(const scree_model *model, const double *x, double *y, scree_error *error)
{
    const scree_status status = scree__network_refuse(model, "the covariance", error);
    if (status == SCREE_OK)
        multiply(scree_model_get(model), x, y, false);
    return status;
}

scree_status scree_model_precision_multiply(const scree_model *model, const double *x, double *y, scree_error *error)
{
    scree_status status = scree__network_refuse(model, "the covariance", error);
    if (status == SCREE_OK)
        status = scree__ppca_needs_noise(scree_model_get(model), error);
    if (status == SCREE_OK)
        multiply(scree_model_get(model), x, y, true);
    return status;
}

/* The matrix of multiply, with leading dimension ld: entry (a, b) is s_a s_b (base δ_ab + Σ_j f_j u_ja u_jb). */
static void dense(const scree_model_view *view, double *out, int64_t ld, bool inverse)
{
    const double noise = view->noise_variance;
    for (int64_t a = 0; a < view->d; a++) {
        for (int64_t b = 0; b <= a; b++) {
            double sum = 0;
            for (int64_t j = 0; j < view->m; j++) {
                const double *u = view->components + j * view->d;
                const double variance = scree__ppca_variance(view, j);
                sum += (inverse ? (noise - variance) / (variance * noise) : variance - noise) * u[a] * u[b];
            }
            if (a == b)
                sum += inverse ? 1 / noise : noise;
            const double s = scale_at(view, a) * scale_at(view, b);
            out[a * ld + b] = inverse ? sum / s : sum * s;
            out[b * ld + a] = out[a * ld + b];
        }
    }
}

scree_status scree_model_marginal_dense(const scree_model *model, double *covariance, scree_error *error)
{
    const scree_status status = scree__network_refuse(model, "the covariance", error);
    if (status == SCREE_OK)
        dense(scree_model_get(model), covariance, scree_model_get(model)->d, false);
    return status;
}

scree_status scree_model_precision_dense(const scree_model *model, double *precision, scree_error *error)
{
    scree_status status = scree__network_refuse(model, "the covariance", error);
    if (status == SCREE_OK)
        status = scree__ppca_needs_noise(scree_model_get(model), error);
    if (status == SCREE_OK)
        dense(scree_model_get(model), precision, scree_model_get(model)->d, true);
    return status;
}

scree_status scree_model_joint_dense(const scree_model *model, double *covariance, scree_error *error)
{
    const scree_status status = scree__network_refuse(model, "the covariance", error);
    const scree_model_view *view = scree_model_get(model);
    if (status != SCREE_OK)
        return status;
    const int64_t size = view->d + view->m;
    memset(covariance, 0, (size_t)(size * size) * sizeof *covariance);
    dense(view, covariance, size, false);
    for (int64_t j = 0; j < view->m; j++) {
        const double length = scree__ppca_loading(view, j);
        for (int64_t i = 0; i < view->d; i++) {
            const double b = length * scale_at(view, i) * view->components[j * view->d + i];
            covariance[i * size + view->d + j] = b;
            covariance[(view->d + j) * size + i] = b;
        }
        covariance[(view->d + j) * (size + 1)] = 1;
    }
    return SCREE_OK;
}
