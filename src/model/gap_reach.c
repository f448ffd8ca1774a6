/* SPDX-License-Identifier: BSD-3-Clause */
/* How many rows the components of a fit with gaps were estimated from. With a share s of the cells, each column has sN
 * of N rows; but of a row only so much counts as its observed cells say of the codes. The code of component k has the
 * reliability
 *
 *     ρ = aX/(aX + ν),   a = λ_k - ν,   X = Σ_j u_jk² over the observed columns,
 *
 * with X = 1 in a whole row, and ν the variance of the noise that it is mistaken for: of noise whose eigenvalues spread
 * by v, σ²(1 + v), their average weighted by themselves. With cells missing at random, each with the chance 1 - s, the
 * average of 1 - ρ is
 *
 *     ∫ e^-τ Π_j (1 - s + s e^(-τ u_jk² a/ν)) dτ   over τ > 0,
 *
 * by the trapezoidal rule in ln τ. What is not known of a component moves new rows by 1/(ρN), as EM takes the more
 * steps the less reliable codes are; of the mean by 1/N. The sum of these with gaps, over that of whole rows, is by how
 * much fewer rows there seem to be: none for strong components that lean on many columns, a share s of them for one
 * that leans on a single column. O(DM), some sixty exponentials each. */

#include "model/gap_law.h"

#include <math.h>

static const double STEP = 0.5;  /* of ln τ */
static const double LAST = 3.7;  /* ln τ: e^-τ is nothing from there on */
static const double FIRST = 16;  /* below ln(σ²/a): less is nothing */
static const double LEAST = 0.1; /* of the noise: a */

/* The average of 1 - ρ. */
static double unreliable(const double *u, int64_t d, double share, double length)
{
    double sum = 0;
    const double first = -FIRST - log1p(length);
    for (double at = LAST; at > first; at -= STEP) {
        const double tau = exp(at);
        double product = exp(at - tau);
        for (int64_t j = 0; j < d && product > 0; j++)
            product *= 1 + share * expm1(-tau * u[j] * u[j] * length);
        sum += STEP * product;
    }
    return sum;
}

double scree__gap_law_reach(const scree_model_view *view, double spread)
{
    const double share = scree__gap_law_share(view);
    const double noise = view->noise_variance * (1 + spread);
    double effects = 1, whole = 1;
    if (!(share < 1) || !(noise > 0))
        return 1;
    for (int64_t k = 0; k < view->m; k++) {
        const double length = fmax(view->eigenvalues[k] / noise - 1, LEAST);
        const double all = length / (1 + length);
        const double kept = 1 - unreliable(view->components + k * view->d, view->d, share, length);
        effects += 1 / fmax(kept, share * all);
        whole += 1 / all;
    }
    return whole / effects;
}
