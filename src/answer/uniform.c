/* SPDX-License-Identifier: BSD-3-Clause */
/* Kolmogorov's test of p-values, in hundredths, among those above 0.1: outliers are no reason to doubt the others.
 * Rows with heavy tails show there, too, for most of them lie nearer to the mean than Gaussian rows of their variance.
 *
 *     D = max |F_n - F|,   (√n + 0.12 + 0.11/√n) D > 1.95: one in a thousand    (Stephens 1970)
 *
 * and D above 0.03, for a difference that matters: p-values themselves are good to some per cent. Those of new rows
 * are even on the average over fits; one fit of N rows leans by chance as a sample of N does, so that n becomes
 * nN/(n + N), as in the test of two samples. */

#include "answer/uniform.h"

#include <math.h>

enum { FIRST = SCREE__UNIFORM_BINS / 10 };
static const double CRITICAL = 1.95;
static const double MATTERS = 0.03;

void scree__uniform_add(scree__uniform *all, double p)
{
    if (isnan(p)) {
        all->none++;
        return;
    }
    const int bin = (int)(fmin(fmax(p, 0), 1) * SCREE__UNIFORM_BINS);
    all->counts[bin < SCREE__UNIFORM_BINS ? bin : SCREE__UNIFORM_BINS - 1]++;
}

void scree__uniform_join(scree__uniform *all, const scree__uniform *other)
{
    for (int i = 0; i < SCREE__UNIFORM_BINS; i++)
        all->counts[i] += other->counts[i];
    all->none += other->none;
}

bool scree__uniform_fits(const scree__uniform *all, double fitted)
{
    double n = 0;
    double below = 0;
    double most = 0;
    for (int i = FIRST; i < SCREE__UNIFORM_BINS; i++)
        n += (double)all->counts[i];
    for (int i = FIRST; i < SCREE__UNIFORM_BINS && n > 0; i++) {
        below += (double)all->counts[i] / n;
        most = fmax(most, fabs(below - (double)(i + 1 - FIRST) / (SCREE__UNIFORM_BINS - FIRST)));
    }
    const double root = n > 0 ? 1 / sqrt(1 / n + 1 / fitted) : 0;
    return most <= MATTERS || (root + 0.12 + 0.11 / root) * most <= CRITICAL;
}
