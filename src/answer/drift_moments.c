/* SPDX-License-Identifier: BSD-3-Clause */
/* Moments of new rows about their own means, from sums about the model's, and how far fourth moments are from those of
 * normal rows: of rows as a whole, E d⁴ = (1 + κ) f (f + 2) for d² = Σ t²/v + ‖r‖²p/q (Mardia 1970); of a column or a
 * code its own where that is further from κ than chance explains, shrunk towards it as James and Stein (1961) do. Those
 * of heavy tails are found too small in most samples, and much too large in a few: they are taken to be larger by what
 * the largest term contributes. */

#include "answer/drift_moments.h"

#include "base/memory.h"

#include <math.h>

const char scree__drift_wild[] = "it would hang on a few rows that are far out; scree score names them";

double scree__drift_beyond_chance(double departure, double deviation)
{
    return departure != 0 ? fmax(0, 1 - 4 * deviation * deviation / (departure * departure)) * departure : 0;
}

/* Degrees of freedom of Σ t²/v + ‖r‖²p/q. */
static double rows_freedom(const scree__drift_moments *at)
{
    const scree__drift_law *law = at->law;
    const double all = (double)at->m + law->rest;
    return all * all / ((double)at->m + (law->rest > 0 ? law->rest * law->rest / law->effective : 0));
}

/* Of the rows as a whole, from Σ t²/v + ‖r‖²p/q. */
static double pooled_kurtosis(const scree__drift_moments *at)
{
    const double f = rows_freedom(at);
    const double mean = at->sums->size[0] / at->n;
    const double found = mean > 0 ? at->sums->size[1] / at->n / mean / mean / (1 + 2 / f) - 1 : 0;
    return fabs(found) > 3 * sqrt(8 / (at->n * f * (f + 2))) ? fmax(found, -2 / (f + 2)) : 0;
}

/* Of a column or a code: fourth moments over those of the variance, less the 3 of normal numbers. */
static double excess_of(const scree__drift_moments *at, const double *sums, int64_t stride, double mean)
{
    const double n = at->n;
    const double second = sums[stride] / n - mean * mean;
    const double fourth = sums[3 * stride] / n - 4 * mean * sums[2 * stride] / n + 6 * mean * mean * sums[stride] / n -
                          3 * mean * mean * mean * mean;
    return second > 0 ? fourth / second / second - 3 + 6 / (n + 1) : 0;
}

double scree__drift_heaviness(const scree__drift_moments *at, const double *sums, int64_t stride, double mean,
                              double largest)
{
    const double excess = excess_of(at, sums, stride, mean);
    const double common = 3 * at->kurtosis;
    const double beyond = common + scree__drift_beyond_chance(excess - common, sqrt(24 / at->n));
    const double share = sums[3 * stride] > 0 ? largest * largest / sums[3 * stride] : 0;
    return fmax(1 + (beyond > 0 ? beyond + (3 + beyond) * share : beyond) / 2, 0.2);
}

/* Columns that vary, but not in these rows, are not those of normal rows either. */
static bool seem_normal(const scree__drift_moments *at)
{
    const double chance = 5 * sqrt(24 / at->n);
    bool normal = at->kurtosis == 0 && !at->wild;
    for (int64_t k = 0; k < at->m; k++)
        normal = normal && !(fabs(excess_of(at, at->sums->codes + k, at->m, at->t[k])) > chance);
    for (int64_t j = 0; j < at->d; j++)
        normal = normal && (at->law->tested[j] == SCREE__DRIFT_CONSTANT ||
                            (at->left[j] > 0 && !(fabs(excess_of(at, at->sums->cells + j, at->d, at->x[j])) > chance)));
    return normal;
}

bool scree__drift_hangs_on_one(const scree__drift_moments *at, double largest, double sum)
{
    const double usual = 2 * log(at->n);
    return largest * largest > (0.25 + usual * usual / (3 * at->n)) * sum;
}

/* Of rows as a whole the same, and less: their squared lengths are sums of many, the largest of n about f + 2√(f ln n)
 * + 2 ln n (Laurent and Massart 2000). */
static bool are_wild(const scree__drift_moments *at)
{
    const scree__drift_sums *sums = at->sums;
    const double f = rows_freedom(at);
    const double largest = f + 2 * sqrt(f * log(at->n)) + 2 * log(at->n);
    int64_t hanging = 0;
    for (int64_t j = 0; j < at->d; j++)
        hanging += at->law->tested[j] != SCREE__DRIFT_CONSTANT &&
                   scree__drift_hangs_on_one(at, sums->most[at->m + j], sums->cells[3 * at->d + j]);
    return hanging > 1 + at->law->tested_count / 10 ||
           sums->largest > (0.1 + 1.5 * largest * largest / (at->n * f * (f + 2))) * sums->size[1];
}

scree_status scree__drift_moments_make(scree__drift_moments *at, const scree__drift_sums *sums, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = sums->law->view;
    const int64_t d = view->d;
    const int64_t m = view->m;
    const double n = (double)sums->rows;
    *at = (scree__drift_moments){
        .law = sums->law, .sums = sums, .d = d, .m = m, .n = n, .freedom = view->uncentred ? n : n - 1};
    SCREE_ALLOC(at->t, m, error);
    SCREE_ALLOC(at->x, d, error);
    SCREE_ALLOC(at->scatter, m * m, error);
    SCREE_ALLOC(at->slopes, d * m, error);
    SCREE_ALLOC(at->left, d, error);
    SCREE_ALLOC(at->work, m * m + d * m, error);
    for (int64_t k = 0; k < m; k++)
        at->t[k] = view->uncentred ? 0 : sums->codes[k] / n;
    for (int64_t k = 0; k < m * m; k++)
        at->scatter[k] = sums->both[k] - n * at->t[k / m] * at->t[k % m];
    at->q = sums->q[0];
    for (int64_t j = 0; j < d; j++) {
        const bool residual = at->law->tested[j] == SCREE__DRIFT_RESIDUAL;
        at->x[j] = view->uncentred ? 0 : sums->cells[j] / n;
        at->left[j] = fmax(sums->cells[d + j] - n * at->x[j] * at->x[j], 0);
        at->q -= residual ? n * at->x[j] * at->x[j] : 0;
        for (int64_t k = 0; residual && k < m; k++)
            at->slopes[j * m + k] = sums->slopes[j * m + k] - n * at->x[j] * at->t[k];
    }
    at->q = fmax(at->q, 0);
    at->kurtosis = pooled_kurtosis(at);
    at->wild = are_wild(at);
    at->normal = seem_normal(at);
done:
    return status;
}

void scree__drift_moments_clear(scree__drift_moments *at)
{
    free(at->t);
    free(at->x);
    free(at->scatter);
    free(at->slopes);
    free(at->left);
    free(at->work);
}
