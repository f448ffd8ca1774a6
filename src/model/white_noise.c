/* SPDX-License-Identifier: BSD-3-Clause */
/* A component of variance α in noise σ² shows as an eigenvalue λ = α(1 + γσ²/(α - σ²)), γ = directions/n: it takes
 * noise along (Baik and Silverstein 2006). So the noise that is left is too small, and σ² is made to agree with it
 * (Kritchman and Nadler 2008):
 *
 *     σ² directions = Σ_{j>m} λ_j + Σ_{j≤m} (λ_j - α_j).
 *
 * The largest eigenvalue of noise, times n/σ², has centre (a+b)² and scale (a+b)(1/a+1/b)^⅓, a = √(n-½),
 * b = √(directions-½) (Johnstone 2001, Ma 2012). O(m) a round. */

#include "model/white_noise.h"

#include <math.h>

static const double SETTLED = 1e-9;

double scree__without_noise(double value, double level, double gamma)
{
    const double b = value + level * (1 - gamma);
    const double square = b * b - 4 * value * level;
    return square > 0 && b > 0 ? (b + sqrt(square)) / 2 : level * (1 + sqrt(gamma));
}

double scree__noise_level(const scree__noise_beside *beside, double guess, int rounds)
{
    const double alone = beside->left / beside->directions;
    const double most = 2 * alone / (1 - fmin((double)beside->m / beside->n, 0.99)); /* twice that of strong ones */
    double level = guess > 0 ? guess : alone;
    for (int round = 0; round < rounds; round++) {
        double sum = beside->left;
        for (int64_t i = 0; i < beside->m; i++)
            sum += fmax(
                beside->values[i] - scree__without_noise(beside->values[i], level, beside->directions / beside->n), 0);
        const double before = level;
        level = fmin(sum / beside->directions, most);
        if (fabs(level - before) < SETTLED * level)
            break;
    }
    return level;
}

void scree__noise_largest(double n, double directions, double *centre, double *scale)
{
    const double a = sqrt(n - 0.5);
    const double b = sqrt(directions - 0.5);
    *centre = (a + b) * (a + b);
    *scale = (a + b) * cbrt(1 / a + 1 / b);
}
