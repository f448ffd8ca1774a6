/* SPDX-License-Identifier: BSD-3-Clause */
/* The rate of rows at a distortion Δ, by reverse water-filling. The variance of x is v_j = max(λ_j, σ²) along u_j and
 * σ² along the other D - M directions; then
 *
 *     Δ = Σ min(θ, v),   R = Σ ½ log₂⁺(v/θ),   over all D directions.
 *
 * With k directions above the level, Δ = kθ + the sum of the others; the k for which θ lies between v_{k+1} and v_k is
 * found from the small end, where sums lose nothing. Dσ² ≥ Δ: θ = Δ/D, all directions. At θ = σ² the rate is
 * ½ Σ log₂(λ_j/σ²), the mutual information of row and code. O(M). */

#include "model/ppca.h"

#include <math.h>

void scree__ppca_rate(const scree_model *model, double distortion, scree_rate *out)
{
    const scree_model_view *view = scree_model_get(model);
    const double others = (double)(view->d - view->m);
    double below = others * view->noise_variance;
    scree_rate rate = {
        .size = sizeof rate, .distortion = distortion, .level = distortion / (double)view->d, .coded = view->d};
    if (rate.level >= view->noise_variance) {
        for (rate.coded = view->m; rate.coded > 0; rate.coded--) {
            const double smallest = scree__ppca_variance(view, rate.coded - 1);
            rate.level = (distortion - below) / (double)rate.coded;
            if (rate.level < smallest)
                break;
            below += smallest;
        }
        if (rate.coded == 0) /* nothing need be said of a row */
            rate.level = view->m > 0 ? scree__ppca_variance(view, 0) : view->noise_variance;
    } else {
        rate.bits = 0.5 * others * log2(view->noise_variance / rate.level);
    }
    const int64_t kept = rate.coded < view->m ? rate.coded : view->m;
    for (int64_t j = 0; j < kept; j++)
        rate.bits += 0.5 * log2(scree__ppca_variance(view, j) / rate.level);
    *out = rate;
}
