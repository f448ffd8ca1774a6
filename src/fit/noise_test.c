/* SPDX-License-Identifier: BSD-3-Clause */
/* A component of variance ρ in noise σ² shows as an eigenvalue λ = ρ + σ² γ ρ/(ρ-σ²), γ = (d-m)/n: it takes noise
 * along. So the noise that is left is too small, and σ² is made to agree with it (Kritchman and Nadler 2008):
 *
 *     σ² = (Σ_{j>m} λ_j + Σ_{j≤m} (λ_j - ρ_j))/(d-m),   ρ_j² - ρ_j (λ_j + σ² - σ²γ) + λ_j σ² = 0.
 *
 * What m components leave is noise of n-m rows and d-m directions, whose largest eigenvalue, times n/σ², follows the
 * Tracy-Widom law with centre (a+b)² and scale (a+b)(1/a+1/b)^⅓, a = √(n-m-½), b = √(d-m-½) (Ma 2012). O(m). */

#include "fit/noise_test.h"

#include "fit/criterion.h"

#include <math.h>

enum { ROUNDS = 20 };

/* λ - ρ; where λ lies within the noise, as if it lay at its edge. */
static double noise_within(double value, double noise, double ratio)
{
    const double sum = value + noise - noise * ratio;
    const double root = sum * sum - 4 * value * noise;
    return value - 0.5 * (sum + (root > 0 ? sqrt(root) : 0));
}

double scree__noise_variance(const double *values, int64_t m, double left, double n, double d)
{
    const double directions = d - (double)m;
    double noise = left / directions;
    if (!(directions > 0 && noise > 0 && n > (double)m))
        return 0;
    for (int round = 0; round < ROUNDS; round++) {
        double sum = left;
        for (int64_t j = 0; j < m; j++)
            sum += noise_within(values[j], noise, directions / n);
        const double next = fmin(sum / directions, 1 / (1 - (double)m / n) * 2 * left / directions);
        if (fabs(next - noise) < 1e-9 * noise)
            return next;
        noise = next;
    }
    return noise;
}

double scree__noise_log_chance(const double *values, int64_t m, double left, double n, double d)
{
    const double a = sqrt(n - (double)m - 0.5);
    const double b = sqrt(d - (double)m - 0.5);
    const double noise = scree__noise_variance(values, m, left, n, d);
    if (!(a > 1 && b > 1 && noise > 0))
        return NAN;
    const double x = (n * values[m] / noise - (a + b) * (a + b)) / ((a + b) * cbrt(1 / a + 1 / b));
    return scree__log_tracy_widom_tail(x);
}
