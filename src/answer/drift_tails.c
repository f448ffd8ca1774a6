/* SPDX-License-Identifier: BSD-3-Clause */
/* Chances for the tests of drift, from the tails of beta and gamma distributions:
 *
 *     F ≥ f with (a, b) degrees of freedom:  beta(a/2, b/2) ≥ af/(af + b), or gamma(a/2) ≥ af/2 where b is infinite
 *     the smallest of k chances:             1 - (1 - p)^k                                       Šidák 1967
 *     two independent ones:                  ab (1 - ln ab)                                      Fisher 1932 */

#include "answer/drift.h"
#include "base/special.h"

#include <math.h>

double scree__drift_ratio_tail(double ratio, double above, double below)
{
    if (!(above > 0) || !(below > 0) || !(ratio >= 0))
        return (double)NAN;
    if (!isfinite(below))
        return exp(scree__log_gamma_tail(above / 2, above * ratio / 2));
    const double whole = above * ratio + below;
    return exp(scree__log_beta_tail(above / 2, below / 2, above * ratio / whole, below / whole));
}

double scree__drift_ratio_sides(double ratio, double above, double below)
{
    const double upper = scree__drift_ratio_tail(ratio, above, below);
    if (!(upper > 0.5))
        return 2 * upper;
    if (!isfinite(below))
        return 2 * (1 - upper);
    const double whole = above * ratio + below;
    return 2 * exp(scree__log_beta_tail(below / 2, above / 2, below / whole, above * ratio / whole));
}

double scree__drift_student(double z, double freedom)
{
    return scree__drift_ratio_tail(z * z, 1, freedom);
}

double scree__drift_smallest(double p, int64_t of)
{
    return p < 1 ? -expm1((double)of * log1p(-p)) : p; /* NaN stays */
}

double scree__drift_product(double a, double b)
{
    if (isnan(a) || isnan(b))
        return isnan(a) ? b : a;
    const double both = a * b;
    return both > 0 ? fmin(both * (1 - log(both)), 1) : 0;
}
