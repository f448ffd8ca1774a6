/* SPDX-License-Identifier: BSD-3-Clause */
/* The tail of a ratio whose values µ are a spectrum g with a row added (secular.c), by the saddlepoint of ratio_tail.c.
 * The roots themselves are not needed: 1 + Σ v_j/(g_j - z) = Π (z - µ_j)/(z - g_j), so that, with a = g - x,
 *
 *     Σ ln(1 - 2s(µ_j - x)) = Σ ln(1 - 2s a_j) + ln h,   h(s) = 1 - 2s Σ v_j/(1 - 2s a_j)
 *     K'  = Σ c a/(1 - 2sa) + V₁/h,   K'' = 2 Σ c a²/(1 - 2sa)² + 4 V₂/h + 2 (V₁/h)²
 *     V₁ = Σ v/(1 - 2sa)²,   V₂ = Σ va/(1 - 2sa)³,   V₃ = Σ va²/(1 - 2sa)⁴
 *
 * and K''' has 24 V₃/h + 24 V₁V₂/h² + 8 (V₁/h)³ of it. About 6 steps of one division a pole, where the roots would take
 * 5 steps of as many divisions each. Between which poles s lies is found by one root, where Newton's steps go far. */

#include "model/updated_tail.h"

#include "base/cpu.h"
#include "base/special.h"
#include "model/ratio_tail.h"
#include "model/secular.h"

#include <float.h>
#include <math.h>

enum { STEPS = 200, LANES = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
static const double SAME = 1e-10;   /* relative: values as near as this are one */
static const double MOVED = 1e-7;   /* of s: a step as short leaves the square of it */
static const double SMALL_K = 1e-4; /* its terms nearly cancel */
static const double HUGE_PRODUCT = 1e100;

/* Sums over the poles at s, the zeros among them. */
typedef struct sums {
    double first;  /* Σ c a/(1 - 2sa) */
    double second; /* and of its squares */
    double h;
    double v1;
    double v2;
} sums;

static double weight_of(const scree__updated *u)
{
    double sum = 0;
    for (int64_t i = 0; i < u->terms; i++)
        sum += u->weights[i];
    return sum;
}

bool scree__updated_varies(const scree__updated *u)
{
    const double largest = u->poles[0] + weight_of(u);
    return largest > 0 &&
           (u->zeros > 0 || ((u->terms > 1 || u->counts[0] > 1) && largest - u->poles[u->terms - 1] > SAME * largest));
}

/* Sums in lanes, which are added up in a fixed order. */
typedef struct lane_sums {
    lanes first;
    lanes second;
    lanes v0;
    lanes v1;
    lanes v2;
} lane_sums;

/* By address: vectors as arguments would have another interface on each processor. */
static inline void add_poles(lane_sums *to, const lanes *pole, const lanes *count, const lanes *weight, double x,
                             double s)
{
    const lanes a = *pole - x;
    const lanes inverse = 1 / (1 - 2 * s * a);
    const lanes part = a * inverse;
    const lanes v = *weight * inverse;
    to->first += *count * part;
    to->second += *count * part * part;
    to->v0 += v;
    to->v1 += v * inverse;
    to->v2 += v * inverse * part;
}

SCREE_CLONES static sums add_up(const scree__updated *u, double x, double s)
{
    const int64_t whole = u->terms - u->terms % LANES;
    lanes g = {0}, count = {0}, weight = {0};
    lane_sums to = {0};
    for (int64_t j = 0; j < whole; j += LANES)
        add_poles(&to, (const lanes *)(u->poles + j), (const lanes *)(u->counts + j), (const lanes *)(u->weights + j),
                  x, s);
    for (int64_t l = 0; l < LANES; l++)
        g[l] = whole + l < u->terms ? u->poles[whole + l] : x;
    for (int64_t j = whole; j < u->terms; j++) {
        count[j - whole] = u->counts[j];
        weight[j - whole] = u->weights[j];
    }
    if (whole < u->terms)
        add_poles(&to, &g, &count, &weight, x, s);
    const double zero = u->zeros > 0 ? -x / (1 + 2 * s * x) : 0;
    sums all = {.first = u->zeros * zero, .second = u->zeros * zero * zero, .h = 1};
    for (int64_t l = 0; l < LANES; l++) {
        all.first += to.first[l];
        all.second += to.second[l];
        all.h -= 2 * s * to.v0[l];
        all.v1 += to.v1[l];
        all.v2 += to.v2[l];
    }
    return all;
}

static double slope_of(const sums *k)
{
    return k->first + k->v1 / k->h;
}

static double curvature_of(const sums *k)
{
    return 2 * k->second + 4 * k->v2 / k->h + 2 * (k->v1 / k->h) * (k->v1 / k->h);
}

/* The s between which the saddlepoint is known to lie; those of poles, until the roots beside them are solved for. */
typedef struct bracket {
    double low;
    double high;
    bool has_low;
    bool has_high;
} bracket;

/* False: no root is beyond x. */
static bool reach_high(const scree__updated *u, double x, bracket *b)
{
    const double root = scree__secular_root(u->poles, u->weights, u->terms, 0);
    b->has_high = true;
    b->high = 0.5 / (root - x) * (1 - 1e-13);
    return x < root;
}

static bool reach_low(const scree__updated *u, double x, bracket *b)
{
    const int64_t last = u->terms - 1;
    const double root =
        u->counts[last] > 1 ? u->poles[last] : scree__secular_root(u->poles, u->weights, u->terms, last);
    b->has_low = true;
    b->low = 0.5 / (root - x) * (1 - 1e-13);
    return x > root;
}

/* K' rises from -∞ to ∞ between the poles. False: x is outside of all values, and *s on its side. */
static bool find_saddle(const scree__updated *u, double x, bracket b, double *s)
{
    *s = 0;
    for (int i = 0; i < STEPS; i++) {
        const sums k = add_up(u, x, *s);
        const double slope = slope_of(&k);
        if (slope > 0)
            b.high = *s;
        else
            b.low = *s;
        double next = *s - slope / curvature_of(&k);
        if (slope <= 0 && !b.has_high && !(next < b.high) && !reach_high(u, x, &b)) {
            *s = HUGE_VAL;
            return false;
        }
        if (slope > 0 && !b.has_low && !(next > b.low) && !reach_low(u, x, &b)) {
            *s = -HUGE_VAL;
            return false;
        }
        if (!(next > b.low && next < b.high))
            next = 0.5 * (b.low + b.high);
        const double moved = fabs(next - *s);
        *s = next;
        if (moved <= MOVED * fabs(next) || b.high - b.low <= 4 * DBL_EPSILON * fmax(fabs(b.low), fabs(b.high)))
            break;
    }
    return true;
}

/* Σ c ln(1 - 2sa) + ln h; one that is below 0 is so with h. */
static double log_terms(const scree__updated *u, double x, double s, double h)
{
    double sum = u->zeros > 0 ? u->zeros * log1p(2 * s * x) : 0;
    double product = fabs(h);
    for (int64_t i = 0; i < u->terms; i++) {
        const double term = fabs(1 - 2 * s * (u->poles[i] - x));
        if (u->counts[i] == 1)
            product *= term;
        else
            sum += u->counts[i] * log(term);
        if (product > HUGE_PRODUCT || product < 1 / HUGE_PRODUCT) {
            sum += log(product);
            product = 1;
        }
    }
    return sum + log(product);
}

/* ln |1 + x|. */
static double log_beside_one(double x)
{
    return x > -1 ? log1p(x) : log(-1 - x);
}

/* The same where the terms nearly cancel. */
static double log_small_terms(const scree__updated *u, double x, double s, double h)
{
    double sum = log_beside_one(h - 1) + (u->zeros > 0 ? u->zeros * log1p(2 * s * x) : 0);
    for (int64_t i = 0; i < u->terms; i++)
        sum += u->counts[i] * log_beside_one(-2 * s * (u->poles[i] - x));
    return sum;
}

static double third_of(const scree__updated *u, double x, double s, const sums *k)
{
    const double v = k->v1 / k->h;
    const double zero = u->zeros > 0 ? -x / (1 + 2 * s * x) : 0;
    double third = u->zeros * zero * zero * zero;
    double v3 = 0;
    for (int64_t i = 0; i < u->terms; i++) {
        const double a = u->poles[i] - x;
        const double inverse = 1 / (1 - 2 * s * a);
        third += u->counts[i] * a * a * a * inverse * inverse * inverse;
        v3 += u->weights[i] * a * a * inverse * inverse * inverse * inverse;
    }
    return 8 * third + 24 * v3 / k->h + 24 * v * k->v2 / k->h + 8 * v * v * v;
}

static double log_tail_at(const scree__updated *u, double x, double s)
{
    const sums k = add_up(u, x, s);
    scree__saddle at = {.s = s, .value = -0.5 * log_terms(u, x, s, k.h), .second = curvature_of(&k)};
    if (fabs(at.value) < SMALL_K) {
        at.value = -0.5 * log_small_terms(u, x, s, k.h);
        at.third = third_of(u, x, s, &k);
    }
    return scree__lugannani_rice(&at);
}

double scree__updated_log_tail(const scree__updated *u, double x)
{
    const int64_t last = u->terms - 1;
    const double largest = u->poles[0] + weight_of(u);
    const double smallest = u->zeros > 0 ? 0 : u->poles[last];
    double count = 0;
    double s;
    if (x <= smallest)
        return 0;
    if (!(x < largest))
        return -HUGE_VAL;
    for (int64_t i = 0; i < u->terms; i++)
        count += u->counts[i];
    if (count == 1 || largest - u->poles[last] <= SAME * largest)
        return scree__log_beta_tail(count / 2, u->zeros / 2, x / largest, 1 - x / largest);
    const bracket b = {
        .low = 0.5 / (smallest - x) * (1 - 1e-13), .high = 0.5 / (largest - x) * (1 - 1e-13), .has_low = u->zeros > 0};
    if (!find_saddle(u, x, b, &s))
        return s < 0 ? 0 : -HUGE_VAL;
    return log_tail_at(u, x, s);
}
