/* SPDX-License-Identifier: BSD-3-Clause */
/* How likely noise alone has an eigenvalue as large as λ_M, those before it dropped (Johnstone 2001; Patterson, Price
 * and Reich 2006). Of the m eigenvalues that remain, scaled to mean 1, the spread gives the effective number of
 * observations, n' = m(m+2)/(Σλ² - m), and
 *
 *     x = (n'λ - (√(n'-1) + √m)²) / ((√(n'-1) + √m)(1/√(n'-1) + 1/√m)^⅓)
 *
 * follows the Tracy-Widom law, whose tail is that of a gamma variable, moments matched (Chiani 2014: within 1e-3 of the
 * exact one). A large eigenvalue would spread the sums that it is judged by, and hide itself: in them it is replaced by
 * the edge of the noise, (1 + √(m/n'))² times its level, which is where it would lie if it were noise. Smaller signals
 * still hide behind larger ones and show when those are dropped: the choice is the last M with a chance below LEVEL,
 * among the first half of the eigenvalues, where what is left is noise enough to compare with. O(D). */

#include "fit/criterion.h"

#include "base/special.h"

#include <math.h>
#include <stdio.h>

enum { FEWEST = 16, ROUNDS = 8 };
static const double LEVEL = 0.01;

double scree__log_tracy_widom_tail(double x)
{
    const double shape = 46.446;
    const double scale = 0.186054;
    const double shift = 9.84801;
    return scree__log_gamma_tail(shape, (x + shift) / scale);
}

/* The chance of the first of m eigenvalues, the others having the given sum and sum of squares; NaN when there is no
 * noise to compare with. */
static double chance(double first, double m, double sum, double squares)
{
    double level = sum / (m - 1);
    double n = INFINITY;
    for (int i = 0; i < ROUNDS; i++) {
        const double edge = (1 + sqrt(m / n)) * (1 + sqrt(m / n));
        level = sum / (m - edge);
        n = m * (m + 2) / (squares / (level * level) + edge * edge - m);
        if (!(m > edge && level > 0 && n > 1))
            return NAN;
    }
    const double a = sqrt(n - 1);
    const double b = sqrt(m);
    const double x = (n * first / level - (a + b) * (a + b)) / ((a + b) * cbrt(1 / a + 1 / b));
    return exp(scree__log_tracy_widom_tail(x));
}

static bool defined(const scree__spectrum *s, char *reason)
{
    if (!scree__spectrum_needs_whole(s, reason))
        return false;
    if (scree__spectrum_rank(s) < FEWEST)
        snprintf(reason, SCREE__REASON, "needs at least %d eigenvalues: it is a law of large matrices", FEWEST);
    return scree__spectrum_rank(s) >= FEWEST;
}

static scree_status evaluate(const scree__spectrum *s, double *value, scree_error *error)
{
    const int64_t rank = scree__spectrum_rank(s);
    double sum = 0;
    double squares = 0;
    (void)error;
    value[0] = NAN;
    for (int64_t j = s->count - 1; j >= 0; j--) {
        if (j < s->max_components)
            value[j + 1] = chance(s->values[j], (double)(rank - j), sum, squares);
        sum += s->values[j];
        squares += s->values[j] * s->values[j];
    }
    return SCREE_OK;
}

static int64_t last_unlikely(const scree__spectrum *s, const double *value)
{
    const int64_t half = (scree__spectrum_rank(s) + 1) / 2;
    for (int64_t m = s->max_components < half ? s->max_components : half; m > 0; m--)
        if (value[m] < LEVEL)
            return m;
    return 0;
}

const scree__criterion scree__criterion_tracy = {.name = "tracy-widom",
                                                 .title = "Tracy and Widom's chance of noise",
                                                 .rule = "the last with a chance below 1 %",
                                                 .votes = true,
                                                 .defined = defined,
                                                 .evaluate = evaluate,
                                                 .choose = last_unlikely};
