/* SPDX-License-Identifier: BSD-3-Clause */
/* Incomplete gamma and beta functions by series and continued fractions (modified Lentz), O(√a) terms.
 *
 * The factor in front, such as xᵃe⁻ˣ/Γ(a), is where large shapes lose their digits. It is written as a deviance (Loader
 * 2000): with st(a) the error of Stirling's formula for ln Γ(a) and h(t) = ln(1+t) - t,
 *
 *     ln xᵃe⁻ˣ/Γ(a)      = ½ ln(a/2π) - st(a) + a h(x/a - 1)
 *     ln xᵃyᵇ/B(a,b)     = ½ ln(ab/2πn) + st(n) - st(a) - st(b) + a h(δ/a) + b h(-δ/b),   n = a+b, δ = nx - a. */

#include "base/special.h"

#include <float.h>
#include <math.h>

enum { MOST_TERMS = 100000 };
static const double LN_SQRT_2PI = 0.91893853320467274178;

/* h(t), with all its digits for small t; r = 1 + t is given apart, so that none is lost as t nears -1 either. */
static double h(double t, double r)
{
    if (fabs(t) > 0.1)
        return log(r) - t;
    double sum = 0;
    double power = t * t;
    for (int k = 2; k < 40; k++) {
        double term = power / k;
        sum += k % 2 ? term : -term;
        power *= t;
        if (fabs(term) < DBL_EPSILON * fabs(sum))
            break;
    }
    return sum;
}

/* ln Γ(a) - [(a-½) ln a - a + ½ ln 2π]. */
static double stirling_error(double a)
{
    if (a < 16)
        return log(tgamma(a)) - (a - 0.5) * log(a) + a - LN_SQRT_2PI; /* lgamma writes to a global */
    const double i = 1 / a;
    const double s = i * i;
    return i * (1.0 / 12 - s * (1.0 / 360 - s * (1.0 / 1260 - s * (1.0 / 1680 - s / 1188))));
}

double scree__log_gamma(double a)
{
    return (a - 0.5) * log(a) - a + LN_SQRT_2PI + stirling_error(a);
}

static double log_gamma_front(double a, double x)
{
    return 0.5 * log(a) - LN_SQRT_2PI - stirling_error(a) + a * h((x - a) / a, x / a);
}

static double log_beta_front(double a, double b, double x, double y)
{
    const double n = a + b;
    const double delta = x < y ? n * x - a : b - n * y;
    return 0.5 * (log(a) + log(b) - log(n)) - LN_SQRT_2PI + stirling_error(n) - stirling_error(a) - stirling_error(b) +
           a * h(delta / a, n * x / a) + b * h(-delta / b, n * y / b);
}

double scree__log_gamma_density(double a, double x)
{
    return x > 0 ? log_gamma_front(a, x) - log(x) : -HUGE_VAL;
}

double scree__log_beta_density(double a, double b, double x, double y)
{
    return x > 0 && y > 0 ? log_beta_front(a, b, x, y) - log(x) - log(y) : -HUGE_VAL;
}

/* P(a, x) e^-front: 1/a + x/(a(a+1)) + … */
static double gamma_series(double a, double x)
{
    double term = 1 / a;
    double sum = term;
    for (int k = 1; k < MOST_TERMS && term > sum * DBL_EPSILON; k++) {
        term *= x / (a + k);
        sum += term;
    }
    return sum;
}

/* Q(a, x) e^-front: 1/(x+1-a- 1(1-a)/(x+3-a- …)). */
static double gamma_fraction(double a, double x)
{
    double b = x + 1 - a;
    double c = 1 / DBL_MIN;
    double d = 1 / b;
    double value = d;
    for (int k = 1; k < MOST_TERMS; k++) {
        const double n = -k * (k - a);
        b += 2;
        d = n * d + b;
        d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
        c = b + n / c;
        c = fabs(c) < DBL_MIN ? DBL_MIN : c;
        value *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return value;
}

double scree__log_gamma_tail(double a, double x)
{
    if (!(x > 0))
        return 0;
    if (isinf(x))
        return -HUGE_VAL;
    const double front = log_gamma_front(a, x);
    if (x < a + 1)
        return log1p(-fmin(exp(front) * gamma_series(a, x), 1));
    return front + log(gamma_fraction(a, x));
}

/* I_x(a, b) e^-front for x < (a+1)/(a+b+2): 1/(β₀ + α₁/(β₁ + α₂/(β₂ + …))) (DiDonato and Morris 1992), in which x near
 * its mean cancels only in λ = a - (a+b)x > -1:
 *
 *     α_k = (a+k-1)(a+b+k-1) k (b-k) x²/(a+2k-1)²
 *     β_k = k + k(b-k)x/(a+2k-1) + (a+k)/(a+2k+1) (λ + 1 + k(1+y)) */
static double beta_fraction(double a, double b, double x, double y)
{
    const double lambda = x < y ? a - (a + b) * x : (a + b) * y - b;
    const double first = a / (a + 1) * (lambda + 1);
    double c = 1 / DBL_MIN;
    double d = 1 / first;
    double value = d;
    for (int k = 1; k < MOST_TERMS; k++) {
        const double s = a + 2 * k - 1;
        const double alpha = (a + k - 1) / s * ((a + b + k - 1) / s) * k * (b - k) * x * x;
        const double beta = k + k * (b - k) * x / s + (a + k) / (s + 2) * (lambda + 1 + k * (1 + y));
        d = alpha * d + beta;
        d = 1 / (fabs(d) < DBL_MIN ? DBL_MIN : d);
        c = beta + alpha / c;
        c = fabs(c) < DBL_MIN ? DBL_MIN : c;
        value *= c * d;
        if (fabs(c * d - 1) < DBL_EPSILON)
            break;
    }
    return value;
}

double scree__log_beta_tail(double a, double b, double x, double y)
{
    if (!(x > 0))
        return 0;
    if (!(y > 0))
        return -HUGE_VAL;
    const double front = log_beta_front(a, b, x, y);
    if (x < (a + 1) / (a + b + 2))
        return log1p(-fmin(exp(front) * beta_fraction(a, b, x, y), 1));
    return front + log(beta_fraction(b, a, y, x));
}

/* Newton's method on ln P from a logistic start; P is smooth and its logarithm concave, so it converges from anywhere
 * on the lower half. */
double scree__normal_quantile(double p)
{
    if (p > 0.5)
        return -scree__normal_quantile(1 - p);
    const double target = log(p);
    double z = -sqrt(fmax(0, -2 * target - 1.8378770664093453));
    for (int i = 0; i < 50; i++) {
        const double tail = 0.5 * erfc(-z * M_SQRT1_2);
        const double step = (log(tail) - target) * tail / exp(-0.5 * z * z - LN_SQRT_2PI);
        z -= step;
        if (fabs(step) < 4 * DBL_EPSILON * (1 + fabs(z)))
            break;
    }
    return z;
}

/* By the expansion in 1/n (Fisher and Cornish 1960). */
double scree__student_widening(double freedom)
{
    static const double y = 1.95996398454005424 * 1.95996398454005424;
    const double n = fmax(freedom, 2);
    return 1 + (y + 1) / (4 * n) + ((5 * y + 16) * y + 3) / (96 * n * n) +
           (((3 * y + 19) * y + 17) * y - 15) / (384 * n * n * n);
}
