/* SPDX-License-Identifier: BSD-3-Clause */
/* Minka's evidence of probabilistic PCA with M components (Minka 2000, "Automatic choice of dimensionality for PCA"),
 * by Laplace's method over the orthogonal frames. With v = J_M/(d-M), λ̂_j = v for j > M, m = dM - M(M+1)/2:
 *
 *     ln p ≈ -M ln 2 + Σ_{i≤M} [lnΓ((d-i+1)/2) - ((d-i+1)/2) ln π] - (N/2) Σ_{j≤M} ln λ_j - (N(d-M)/2) ln v
 *            + ((m+M)/2) ln 2π - ½ Σ_{i≤M} Σ_{j>i} ln A_ij - (M/2) ln N
 *     A_ij = N (1/λ̂_j - 1/λ̂_i)(λ_i - λ_j)
 *
 * The double sum falls apart into sums that grow with M, Σ_{i≤M} Σ_{j>i} ln(λ_i - λ_j) and its part with j ≤ M, and
 * Σ_{i≤M} ln(1/v - 1/λ_i), which is new for each M: r² logarithms for r eigenvalues and all M together.
 *
 * Laplace's method breaks down at ties, where the sum would be infinite: a difference counts as at least TIE of the
 * larger. With fewer rows than columns the zero eigenvalues enter like any others, d being the number of columns; only
 * M with v > 0 have a value. */

#include "fit/criterion.h"

#include "base/memory.h"
#include "base/special.h"

#include <math.h>

static const double TIE = 1e-12;

static double log_difference(double larger, double smaller)
{
    return log(fmax(larger - smaller, TIE * larger));
}

/* after[i] = Σ_{j>i} ln(λ_i - λ_j), zeros up to d included; before[j] = Σ_{i<j} ln(λ_i - λ_j). i < max_components. */
static void sum_differences(const scree__spectrum *s, double *after, double *before)
{
    for (int64_t i = 0; i < s->max_components; i++) {
        after[i] = (double)(s->d - s->count) * log(s->values[i]);
        for (int64_t j = i + 1; j < s->count; j++) {
            const double term = log_difference(s->values[i], s->values[j]);
            after[i] += term;
            if (j < s->max_components)
                before[j] += term;
        }
    }
}

/* Σ_{i≤M} ln(1/v - 1/λ_i). */
static double noise_terms(const scree__spectrum *s, int64_t m, double v)
{
    double sum = 0;
    for (int64_t i = 0; i < m; i++)
        sum += log_difference(s->values[i], v) - log(s->values[i]);
    return sum - (double)m * log(v);
}

/* ln of one over the area of the frames: the part that the M-th direction adds. */
static double frame_term(double d, double m)
{
    const double half = (d - m + 1) / 2;
    return scree__log_gamma(half) - half * log(M_PI) - M_LN2;
}

static scree_status evaluate(const scree__spectrum *s, double *value, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double n = (double)s->n;
    const double d = (double)s->d;
    double frames = 0;
    double logs = 0;  /* Σ ln λ_j, j ≤ M */
    double inner = 0; /* Σ_{i<j≤M} ln(λ_i - λ_j)/(λ_i λ_j) */
    double all = 0;   /* Σ_{i≤M} Σ_{j>i} ln(λ_i - λ_j) */
    double *after = NULL;
    double *before = NULL;
    SCREE_ALLOC(after, s->max_components, error);
    SCREE_ALLOC(before, s->max_components, error);
    sum_differences(s, after, before);
    for (int64_t m = 0; m <= s->max_components; m++) {
        const double k = (double)m;
        const double v = scree__spectrum_noise(s, m);
        if (m > 0) {
            const double log_value = log(s->values[m - 1]);
            inner += before[m - 1] - logs - (k - 1) * log_value;
            all += after[m - 1];
            logs += log_value;
            frames += frame_term(d, k);
        }
        value[m] = NAN;
        if (!(v > 0))
            continue;
        const double pairs = d * k - k * (k + 1) / 2;
        const double curvature = inner + all + (d - k) * noise_terms(s, m, v) + pairs * log(n);
        value[m] = frames - n / 2 * (logs + (d - k) * log(v)) + (pairs + k) / 2 * log(2 * M_PI) - curvature / 2 -
                   k / 2 * log(n);
    }
done:
    free(after);
    free(before);
    return status;
}

static int64_t choose(const scree__spectrum *s, const double *value)
{
    const scree__spectrum believable = scree__spectrum_believable(s);
    return scree__choose_largest(&believable, value);
}

const scree__criterion scree__criterion_minka = {.name = "minka",
                                                 .title = "Minka's evidence",
                                                 .rule = "largest",
                                                 .votes = true,
                                                 .defined = scree__spectrum_needs_whole,
                                                 .evaluate = evaluate,
                                                 .choose = choose};
