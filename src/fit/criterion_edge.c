/* SPDX-License-Identifier: BSD-3-Clause */
/* Where noise ends. A matrix of white noise with n = N-1 rows (the mean has used up one) and d columns has singular
 * values up to σ(√n + √d): eigenvalues above the square of that, over N, are more than noise (Marchenko and Pastur
 * 1967). Below √(2(β+1) + 8β/(β+1+√(β²+14β+1))) √(max(n,d)) σ, β = min(n,d)/max(n,d), a component is better left out
 * even though it is not noise: it costs more than it explains (Gavish and Donoho 2014).
 *
 * Where σ is not known the median eigenvalue tells, through the median of the Marchenko-Pastur law: robust as long as
 * fewer than half of the components are signal. From a spectrum that was cut off, σ² is what the components leave over,
 * M and σ² made to agree. Values are λ_M over the threshold; the choice is how many exceed it. O(M). */

#include "fit/criterion.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 2000 };

static double larger_side(const scree__spectrum *s)
{
    return (double)(s->n - 1 > s->d ? s->n - 1 : s->d);
}

static double ratio_of_sides(const scree__spectrum *s)
{
    return (double)scree__spectrum_rank(s) / larger_side(s);
}

/* With x = a + (b-a) sin²t the density √((b-x)(x-a))/(2πβx) dx becomes (b-a)² sin²t cos²t/(πβx) dt: smooth, and done by
 * midpoints until half the mass is there. */
double scree__marchenko_median(double beta)
{
    const double a = pow(1 - sqrt(beta), 2);
    const double span = 4 * sqrt(beta);
    const double step = M_PI_2 / STEPS;
    double mass = 0;
    for (int i = 0; i < STEPS; i++) {
        const double square = pow(sin((i + 0.5) * step), 2);
        const double part = span * span * square * (1 - square) / (M_PI * beta * (a + span * square)) * step;
        if (mass + part >= 0.5)
            return a + span * pow(sin((i + (0.5 - mass) / part) * step), 2);
        mass += part;
    }
    return 1;
}

static double value_at(const scree__spectrum *s, int64_t j)
{
    return j < s->count ? s->values[j] : 0;
}

/* Of the singular values that there can be, squared, over N. */
static double median_eigenvalue(const scree__spectrum *s)
{
    const int64_t rank = scree__spectrum_rank(s);
    const double low = sqrt(value_at(s, rank / 2));
    const double high = sqrt(value_at(s, (rank - 1) / 2));
    return (low + high) * (low + high) / 4;
}

/* The factor of √(max(n,d)) σ, squared. */
static double shrinkage_bound(double beta)
{
    return 2 * (beta + 1) + 8 * beta / (beta + 1 + sqrt(beta * beta + 14 * beta + 1));
}

static bool has_median(const scree__spectrum *s, char *reason)
{
    if (!scree__spectrum_needs_whole(s, reason))
        return false;
    if (!(median_eigenvalue(s) > 0)) {
        snprintf(reason, SCREE__REASON, "more than half of the eigenvalues are zero: there is no noise to measure");
        return false;
    }
    return true;
}

static bool knows_noise(const scree__spectrum *s, char *reason)
{
    if (!(s->noise > 0))
        snprintf(reason, SCREE__REASON, "the noise is not known; give it with --noise-sd");
    return s->noise > 0;
}

static void over(const scree__spectrum *s, double threshold, double *value)
{
    value[0] = NAN;
    for (int64_t m = 1; m <= s->max_components; m++)
        value[m] = s->values[m - 1] / threshold;
}

static scree_status unknown_noise(const scree__spectrum *s, double *value, scree_error *error)
{
    const double beta = ratio_of_sides(s);
    (void)error;
    over(s, shrinkage_bound(beta) / scree__marchenko_median(beta) * median_eigenvalue(s), value);
    return SCREE_OK;
}

static scree_status known_noise(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    over(s, shrinkage_bound(ratio_of_sides(s)) * larger_side(s) / (double)s->n * s->noise, value);
    return SCREE_OK;
}

static double edge(const scree__spectrum *s, double noise)
{
    const double sum = sqrt((double)(s->n - 1)) + sqrt((double)s->d);
    return noise * sum * sum / (double)s->n;
}

/* The edge whose σ² is what the components above it leave over: from the most components down, until nothing moves. */
static double consistent_edge(const scree__spectrum *s)
{
    int64_t m = s->max_components;
    for (;;) {
        const double threshold = edge(s, scree__spectrum_noise(s, m));
        int64_t above = 0;
        while (above < m && s->values[above] > threshold)
            above++;
        if (above == m)
            return threshold;
        m = above;
    }
}

static bool can_tell_noise(const scree__spectrum *s, char *reason)
{
    return s->noise > 0 || !s->complete || has_median(s, reason);
}

static scree_status noise_edge(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    if (s->noise > 0)
        over(s, edge(s, s->noise), value);
    else if (!s->complete)
        over(s, consistent_edge(s), value);
    else
        over(s,
             edge(s,
                  (double)s->n * median_eigenvalue(s) / (larger_side(s) * scree__marchenko_median(ratio_of_sides(s)))),
             value);
    return SCREE_OK;
}

const scree__criterion scree__criterion_gavish = {.name = "gavish",
                                                  .title = "Gavish and Donoho, noise from the median",
                                                  .rule = "eigenvalues above the threshold",
                                                  .votes = true,
                                                  .defined = has_median,
                                                  .evaluate = unknown_noise,
                                                  .choose = scree__choose_above_one};

const scree__criterion scree__criterion_gavish_known = {.name = "gavish-known",
                                                        .title = "Gavish and Donoho, noise given",
                                                        .rule = "eigenvalues above the threshold",
                                                        .votes = true,
                                                        .defined = knows_noise,
                                                        .evaluate = known_noise,
                                                        .choose = scree__choose_above_one};

const scree__criterion scree__criterion_marchenko = {.name = "marchenko",
                                                     .title = "Marchenko and Pastur's edge of noise",
                                                     .rule = "eigenvalues above the edge",
                                                     .votes = true,
                                                     .defined = can_tell_noise,
                                                     .evaluate = noise_edge,
                                                     .choose = scree__choose_above_one};
