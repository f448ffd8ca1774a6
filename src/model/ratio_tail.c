/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails of ratios of quadratic forms, by the saddlepoint of Lugannani and Rice (1980; for ratios, Lieberman 1994).
 * X ≥ x where Σ a_i χ²_{c_i} ≥ 0, a_i = g_i - x, and -x for the zeros. With the cumulants of that sum
 *
 *     K(s) = -½ Σ c ln(1 - 2sa),   K'(s) = Σ ca/(1 - 2sa),   K'' = 2 Σ ca²/(1 - 2sa)²,   K''' = 8 Σ ca³/(1 - 2sa)³
 *
 * the s with K'(s) = 0 is found by Newton's steps between the poles 1/(2 min a) < s < 1/(2 max a), and
 *
 *     P = Φ(-w) - φ(w)(1/w - 1/u),   w = sgn(s)√(-2K),   u = s√K''
 *
 * where 1/w - 1/u becomes K'''/(6 K''^{3/2}) as s goes to 0, which is at the mean. About 8 steps of one division a
 * term. Where all g are the same, X/g is beta(c/2, z/2). */

#include "model/ratio_tail.h"

#include "base/special.h"

#include <float.h>
#include <math.h>

enum { STEPS = 200 };
static const double SAME = 1e-10;     /* relative: values as near as this are one */
static const double NEAR_MEAN = 3e-4; /* of w */
static const double LN_ROOT_2PI = 0.91893853320467274178;

/* The sum whose sign decides: largest and smallest coefficients, and how many there are. */
typedef struct span {
    double largest;
    double smallest;
    double count;
} span;

static span span_of(const scree__ratio *ratio)
{
    span s = {.largest = 0, .smallest = ratio->zeros > 0 ? 0 : HUGE_VAL};
    for (int64_t i = 0; i < ratio->terms; i++) {
        s.largest = fmax(s.largest, ratio->values[i]);
        s.smallest = fmin(s.smallest, ratio->values[i]);
        s.count += ratio->counts[i];
    }
    return s;
}

bool scree__ratio_varies(const scree__ratio *ratio)
{
    const span s = span_of(ratio);
    return s.count > 0 && s.largest > 0 && s.largest - s.smallest > SAME * s.largest;
}

/* K' and K'' at s. */
typedef struct cumulants {
    double first;
    double second;
} cumulants;

/* The part of a zero; where there is none its pole does not matter. */
static double zero_part(const scree__ratio *ratio, double x, double s)
{
    return ratio->zeros > 0 ? -x / (1 + 2 * s * x) : 0;
}

static cumulants slopes(const scree__ratio *ratio, double x, double s)
{
    const double zero = zero_part(ratio, x, s);
    cumulants k = {ratio->zeros * zero, 2 * ratio->zeros * zero * zero};
    for (int64_t i = 0; i < ratio->terms; i++) {
        const double a = ratio->values[i] - x;
        const double part = a / (1 - 2 * s * a);
        k.first += ratio->counts[i] * part;
        k.second += 2 * ratio->counts[i] * part * part;
    }
    return k;
}

/* K' rises from -∞ to ∞ between the poles. */
static double saddle(const scree__ratio *ratio, double x, double low, double high)
{
    double s = 0;
    for (int i = 0; i < STEPS; i++) {
        const cumulants k = slopes(ratio, x, s);
        if (k.first > 0)
            high = s;
        else
            low = s;
        double next = s - k.first / k.second;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        const double moved = fabs(next - s);
        s = next;
        if (moved <= 1e-12 * fabs(s) || high - low <= 4 * DBL_EPSILON * fmax(fabs(low), fabs(high)))
            break;
    }
    return s;
}

/* ln φ(w)(R(w) - 1/w + 1/u), R being Mills' ratio, w > 0. */
static double upper_tail(double w, double u)
{
    const double v = 1 / (w * w);
    const double beside = w > 12 ? -v / w * (1 - v * (3 - v * (15 - 105 * v)))
                                 : sqrt(2 * atan(1)) * exp(0.5 * w * w) * erfc(w * M_SQRT1_2) - 1 / w;
    return -0.5 * w * w - LN_ROOT_2PI + log(fmax(beside + 1 / u, DBL_MIN));
}

double scree__lugannani_rice(const scree__saddle *at)
{
    const double w = copysign(sqrt(fmax(-2 * at->value, 0)), at->s);
    const double u = at->s * sqrt(at->second);
    const double normal = 0.5 * erfc(w * M_SQRT1_2);
    if (fabs(w) < NEAR_MEAN)
        return log(normal - exp(-0.5 * w * w - LN_ROOT_2PI) * at->third / (6 * at->second * sqrt(at->second)));
    if (w > 0)
        return fmin(upper_tail(w, u), 0);
    return log(fmin(fmax(normal - exp(-0.5 * w * w - LN_ROOT_2PI) * (1 / w - 1 / u), DBL_MIN), 1));
}

static scree__saddle saddle_at(const scree__ratio *ratio, double x, double s)
{
    const double zero = zero_part(ratio, x, s);
    scree__saddle at = {.s = s,
                        .value = ratio->zeros > 0 ? -0.5 * ratio->zeros * log1p(2 * s * x) : 0,
                        .second = slopes(ratio, x, s).second,
                        .third = 8 * ratio->zeros * zero * zero * zero};
    for (int64_t i = 0; i < ratio->terms; i++) {
        const double a = ratio->values[i] - x;
        const double part = a / (1 - 2 * s * a);
        at.value -= 0.5 * ratio->counts[i] * log1p(-2 * s * a);
        at.third += 8 * ratio->counts[i] * part * part * part;
    }
    return at;
}

double scree__ratio_log_tail(const scree__ratio *ratio, double x)
{
    const span s = span_of(ratio);
    if (x <= s.smallest)
        return 0;
    if (!(x < s.largest))
        return -HUGE_VAL;
    double least = HUGE_VAL; /* of the values, zeros aside */
    for (int64_t i = 0; i < ratio->terms; i++)
        least = fmin(least, ratio->values[i]);
    if (s.largest - least <= SAME * s.largest)
        return scree__log_beta_tail(s.count / 2, ratio->zeros / 2, x / s.largest, 1 - x / s.largest);
    const double low = 0.5 / (s.smallest - x) * (1 - 1e-13);
    const double high = 0.5 / (s.largest - x) * (1 - 1e-13);
    const scree__saddle at = saddle_at(ratio, x, saddle(ratio, x, low, high));
    return scree__lugannani_rice(&at);
}
