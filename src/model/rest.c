/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues that a model does not keep, in at most 64 bins. Where the fit knows them all, the largest 16 have a bin
 * each and the others are averaged in groups of equal sums: of a spectrum that falls off the upper end decides how far
 * Q may go. Where it knows their sum and the sum of their squares, they are given a shape that has the same mean and
 * variance v (the mean being 1): for v ≤ 1 that of white noise,
 *
 *     x = 1 + v + 2√v cos θ,   density of θ ∝ sin²θ / x       (Marchenko and Pastur 1967),
 *
 * and beyond, where a spectrum falls off slowly, that of exp(z√ln(1 + v)), z normal. O(n). */

#include "model/rest.h"

#include "base/memory.h"
#include "base/special.h"

#include <math.h>

enum { ALONE = 16, SHAPED = 32, POINTS = 2048 };
static const double LEAST_SPREAD = 1e-6;

void scree__rest_clear(scree__rest *rest)
{
    free(rest->values);
    free(rest->counts);
    *rest = (scree__rest){0};
}

static scree_status reserve(scree__rest *rest, int64_t bins, scree_error *error)
{
    scree_status status = SCREE_OK;
    *rest = (scree__rest){0};
    SCREE_ALLOC(rest->values, bins, error);
    SCREE_ALLOC(rest->counts, bins, error);
done:
    return status;
}

/* Adds so many of a value to the bin that is open. */
static void add(scree__rest *rest, double value, double count)
{
    const int64_t bin = rest->bins;
    const double before = rest->counts[bin];
    rest->counts[bin] += count;
    rest->values[bin] =
        before > 0 ? rest->values[bin] + (value - rest->values[bin]) * count / rest->counts[bin] : value;
}

/* Averages of values that are the same may differ in their last bit. */
static void settle(scree__rest *rest)
{
    for (int64_t i = 1; i < rest->bins; i++)
        rest->values[i] = fmin(rest->values[i], rest->values[i - 1]);
}

scree_status scree__rest_gather(scree__rest *rest, const double *values, const double *counts, int64_t n,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t groups = SCREE__REST_BINS - ALONE;
    double total = 0;
    double taken = 0;
    SCREE_TRY(reserve(rest, SCREE__REST_BINS + 1, error));
    for (int64_t i = n > SCREE__REST_BINS ? ALONE : n; i < n; i++)
        total += values[i] * (counts ? counts[i] : 1);
    for (int64_t i = 0; i < n; i++) {
        const double count = counts ? counts[i] : 1;
        add(rest, values[i], count);
        if (n <= SCREE__REST_BINS || i < ALONE) {
            rest->bins++;
            continue;
        }
        taken += values[i] * count;
        if (taken >= total * (double)(rest->bins - ALONE + 1) / (double)groups * (1 - 1e-12) &&
            rest->bins < SCREE__REST_BINS - 1)
            rest->bins++;
    }
    if (rest->counts[rest->bins] > 0)
        rest->bins++;
    settle(rest);
done:
    return status;
}

void scree__rest_coarsen(scree__rest *rest, int64_t most)
{
    const int64_t bins = rest->bins;
    const int64_t alone = most / 4;
    double total = 0;
    double taken = 0;
    if (bins <= most)
        return;
    for (int64_t i = alone; i < bins; i++)
        total += rest->values[i] * rest->counts[i];
    rest->bins = alone;
    for (int64_t i = alone; i < bins; i++) {
        const double value = rest->values[i];
        const double count = rest->counts[i];
        rest->counts[i] = 0; /* what is added goes to a bin before it, or to this one */
        add(rest, value, count);
        taken += value * count;
        if (taken >= total * (double)(rest->bins - alone + 1) / (double)(most - alone) * (1 - 1e-12) &&
            rest->bins < most - 1)
            rest->bins++;
    }
    if (rest->counts[rest->bins] > 0)
        rest->bins++;
    settle(rest);
}

/* Point i of the shape, and what it weighs. */
static double shape(double spread, int i, double *weight)
{
    const double at = (i + 0.5) / POINTS;
    if (spread > 1) {
        *weight = 1;
        return exp(sqrt(log1p(spread)) * scree__normal_quantile(1 - at) - 0.5 * log1p(spread));
    }
    const double angle = at * 4 * atan(1);
    const double x = 1 + spread + 2 * sqrt(spread) * cos(angle);
    *weight = sin(angle) * sin(angle) / fmax(x, 1e-12);
    return x;
}

static void fill(scree__rest *rest, int64_t bins, double spread, double most)
{
    double total = 0;
    double taken = 0;
    double weight;
    for (int i = 0; i < POINTS; i++) {
        shape(spread, i, &weight);
        total += weight;
    }
    for (int i = 0; i < POINTS; i++) {
        const double x = shape(spread, i, &weight);
        add(rest, fmin(x, most), weight);
        taken += weight;
        if (taken >= total * (double)(rest->bins + 1) / (double)bins && rest->bins < bins - 1)
            rest->bins++;
    }
    rest->bins++;
}

scree_status scree__rest_guess(scree__rest *rest, const scree__rest_sums *sums, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double mean = sums->sum / sums->count;
    const double variance = sums->squares / (sums->count * mean * mean) - 1;
    const double spread = isnan(variance) ? sums->ratio : fmax(variance, LEAST_SPREAD);
    const int64_t bins = sums->count < SHAPED ? (int64_t)fmax(round(sums->count), 1) : SHAPED;
    double weights = 0;
    double sum = 0;
    SCREE_TRY(reserve(rest, SHAPED + 1, error));
    fill(rest, bins, spread, sums->most / mean);
    for (int64_t i = 0; i < rest->bins; i++)
        weights += rest->counts[i];
    for (int64_t i = 0; i < rest->bins; i++) {
        rest->counts[i] *= sums->count / weights;
        sum += rest->counts[i] * rest->values[i];
    }
    for (int64_t i = 0; i < rest->bins; i++)
        rest->values[i] *= sums->sum / sum;
    settle(rest);
done:
    return status;
}
