/* SPDX-License-Identifier: BSD-3-Clause */
/* Penalised likelihoods of probabilistic PCA. With d directions and σ² = J_M/(d-M) (10.79) the maximum is
 *
 *     ln L = -(N/2) [d ln 2π + Σ_{j≤M} ln λ_j + (d-M) ln σ² + d],
 *
 * with p = dM - M(M-1)/2 + 1 + d free parameters: BIC = -2 ln L + p ln N (Schwarz 1978), AIC = -2 ln L + 2p (Akaike
 * 1974); smaller is better. Where nothing is
 * left for σ² there is no density and no value. O(M). */

#include "fit/criterion.h"

#include <math.h>

static void penalised(const scree__spectrum *s, double penalty, double *value)
{
    const double n = (double)s->n;
    const double d = (double)s->d;
    double logs = 0;
    for (int64_t m = 0; m <= s->max_components; m++) {
        const double k = (double)m;
        const double noise = scree__spectrum_noise(s, m);
        logs += m > 0 ? log(s->values[m - 1]) : 0;
        value[m] = NAN;
        if (noise > 0)
            value[m] =
                n * (d * log(2 * M_PI) + logs + (d - k) * log(noise) + d) + penalty * (d * k - k * (k - 1) / 2 + 1 + d);
    }
}

static scree_status bic(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    penalised(s, log((double)s->n), value);
    return SCREE_OK;
}

static scree_status aic(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    penalised(s, 2, value);
    return SCREE_OK;
}

static int64_t choose(const scree__spectrum *s, const double *value)
{
    const scree__spectrum believable = scree__spectrum_believable(s);
    return scree__choose_smallest(&believable, value);
}

const scree__criterion scree__criterion_bic = {.name = "bic",
                                               .title = "Bayesian information criterion",
                                               .rule = "smallest",
                                               .votes = true,
                                               .evaluate = bic,
                                               .choose = choose};

/* Known to choose too many: it does not vote. */
const scree__criterion scree__criterion_aic = {
    .name = "aic", .title = "Akaike information criterion", .rule = "smallest", .evaluate = aic, .choose = choose};
