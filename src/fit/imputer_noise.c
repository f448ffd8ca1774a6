/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise variances of columns that have s_j² = (their sum of squares)/n_j. One for all is Σ n_j s_j²/Σ n_j. One for each
 * is shrunk towards a common one, ψ_j = (n_j s_j² + ν s²)/(n_j + ν), with ν and s² from the mean and the variance of
 *
 *     e_j = ln s_j² - digamma(n_j/2) + ln(n_j/2),      var e = trigamma(ν/2) + average of trigamma(n_j/2),
 *
 * after Smyth (2004): where columns differ by no more than chance, ν is infinite. O(D). */

#include "fit/imputer.h"

#include <math.h>

static const double MIN_NOISE = 1e-8; /* of the variance of a column */
static const double LARGE = 12;       /* from here on the asymptotic series have 12 digits */
enum { HALVINGS = 60 };

static double digamma(double x)
{
    double sum = 0;
    while (x < LARGE) {
        sum -= 1 / x;
        x += 1;
    }
    const double y = 1 / (x * x);
    return sum + log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y * (1.0 / 240 - y / 132))));
}

static double trigamma(double x)
{
    double sum = 0;
    while (x < LARGE) {
        sum += 1 / (x * x);
        x += 1;
    }
    const double y = 1 / (x * x);
    return sum + 1 / x + 0.5 * y + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y * (1.0 / 30 - y * 5 / 66))));
}

/* x with trigamma(x) = y, by bisection of ln x: trigamma falls. */
static double trigamma_inverse(double y)
{
    double low = log(1e-4);
    double high = log(1e8);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        *(trigamma(exp(middle)) > y ? &low : &high) = middle;
    }
    return exp(0.5 * (low + high));
}

static void fill(double *noise, int64_t d, double value)
{
    for (int64_t j = 0; j < d; j++)
        noise[j] = fmax(value, MIN_NOISE);
}

static double pooled(const double *squares, const double *n, int64_t d)
{
    double sum = 0;
    double count = 0;
    for (int64_t j = 0; j < d; j++) {
        sum += squares[j];
        count += n[j];
    }
    return sum / count;
}

void scree__imputer_noise(const double *squares, const double *n, int64_t d, bool single, double *noise)
{
    double mean = 0;
    double spread = 0;
    if (single) {
        fill(noise, d, pooled(squares, n, d));
        return;
    }
    for (int64_t j = 0; j < d; j++) {
        const double half = 0.5 * fmax(n[j], 1);
        noise[j] = log(fmax(squares[j] / n[j], MIN_NOISE)) - digamma(half) + log(half); /* e_j, for now */
        mean += noise[j] / (double)d;
    }
    for (int64_t j = 0; j < d; j++)
        spread += (noise[j] - mean) * (noise[j] - mean) / (double)(d - 1) - trigamma(0.5 * fmax(n[j], 1)) / (double)d;
    if (!(spread > 0)) {
        fill(noise, d, exp(mean));
        return;
    }
    const double half = trigamma_inverse(spread);
    const double common = exp(mean + digamma(half) - log(half));
    for (int64_t j = 0; j < d; j++)
        noise[j] = fmax((squares[j] + 2 * half * common) / (n[j] + 2 * half), MIN_NOISE);
}
