/* SPDX-License-Identifier: BSD-3-Clause */
/* The secular equation (Golub 1973). The eigenvalues µ of diag(g) + √w√wᵀ are the roots of
 *
 *     f(µ) = 1 + Σ w_j/(g_j - µ),   one in each g_k < µ_k < g_{k-1}, the first below g_1 + Σw,
 *
 * and √w has the square 1/Σ w_j/(g_j - µ_k)² along the eigenvector of µ_k. A root is found as its distance δ from g_k,
 * so that no digits are lost beside the pole: f is taken for a constant and two poles, at g_k and g_{k-1}, that have
 * its values and slopes from either side (Bunch, Nielsen and Sorensen 1978), with bisection where that fails. With S
 * and R the sums of w_j/(g_j - µ_k) and of w_j/(g_j - µ_k)² over the other poles, w_k = δ(1 + S), and what the
 * eigenvector has less than w_k is δ(2S + S² + δR(1 + S))/(1 + S + δR): small differences of large squares keep their
 * digits. About 5 steps of n divisions for each root. */

#include "model/secular.h"

#include "base/cpu.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { STEPS = 100, LANES = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));
static const double TIED = 1e-13;     /* of the larger pole: poles as near as this are one */
static const double LEAST = 1e-25;    /* of a pole: what it weighs at least, so that each has its root */
static const double SMALLEST = 1e-60; /* of Σw: the same for a pole at 0 */
static const double SETTLED = 1e-12;  /* of the terms of f */

/* f at g_k + d: the parts of poles from k on, and of those before, with their slopes. */
typedef struct split {
    double near;
    double near_slope;
    double far;
    double far_slope;
} split;

typedef struct terms {
    double sum;
    double slope;
} terms;

/* Σ w/(g - at - d) and its slope, in lanes that are added up in a fixed order. */
SCREE_CLONES static terms add_poles(const double *g, const double *w, int64_t n, double at, double d, double least)
{
    const int64_t whole = n - n % LANES;
    lanes sums = {0}, slopes = {0}, pole = {0}, weight = {0};
    for (int64_t j = 0; j < n; j += LANES) {
        if (j < whole) {
            pole = *(const lanes *)(g + j);
            weight = *(const lanes *)(w + j) + LEAST * pole + least;
        } else
            for (int64_t l = 0; l < LANES; l++) {
                pole[l] = j + l < n ? g[j + l] : at + 2 * d;
                weight[l] = j + l < n ? w[j + l] + LEAST * g[j + l] + least : 0;
            }
        const lanes inverse = 1 / ((pole - at) - d);
        const lanes term = weight * inverse;
        sums += term;
        slopes += term * inverse;
    }
    terms all = {0, 0};
    for (int64_t l = 0; l < LANES; l++) {
        all.sum += sums[l];
        all.slope += slopes[l];
    }
    return all;
}

static split split_at(const double *g, const double *w, int64_t n, int64_t k, double d, double least)
{
    const terms far = add_poles(g, w, k, g[k], d, least);
    const terms near = add_poles(g + k, w + k, n - k, g[k], d, least);
    return (split){near.sum, near.slope, far.sum, far.slope};
}

/* The root of 1 + (a - p/x) + (b + q/(gap - x)) between the poles; no gap: of 1 + a - p/x. */
static double model_root(const split *f, double d, double gap, bool first)
{
    const double p = f->near_slope * d * d;
    const double a = f->near + f->near_slope * d;
    if (first)
        return p / (1 + a);
    const double rest = gap - d;
    const double q = f->far_slope * rest * rest;
    const double c = 1 + a + f->far - f->far_slope * rest;
    const double half = c * gap + p + q;
    const double root = sqrt(fmax(half * half - 4 * c * p * gap, 0));
    return half > 0 ? 2 * p * gap / (half + root) : (half - root) / (2 * c);
}

/* How far the root is above g_k; *last: f where it was last computed, beside the root. */
static double distance(const double *g, const double *w, int64_t n, int64_t k, double gap, double least, split *last)
{
    double low = 0;
    double high = gap;
    double d = fmin(0.5 * gap, w[k] + LEAST * g[k] + least); /* where other poles are far away it is the root */
    for (int i = 0; i < STEPS; i++) {
        *last = split_at(g, w, n, k, d, least);
        const double value = 1 + last->near + last->far;
        if (value > 0)
            high = d;
        else
            low = d;
        if (fabs(value) <= SETTLED * (1 + fabs(last->near) + fabs(last->far)) || high - low <= 2 * DBL_EPSILON * high)
            break;
        d = model_root(last, d, gap, k == 0);
        if (!(d > low && d < high))
            d = 0.5 * (low + high);
    }
    return d;
}

/* µ_k; *share: 1/(µ f'); *lost: what the eigenvector has less than w_k. */
static double one_root(const double *g, const double *w, int64_t n, int64_t k, double sum, double *share, double *lost)
{
    const double gap = k == 0 ? (1 + 1e-9) * sum : g[k - 1] - g[k];
    const double least = SMALLEST * sum;
    split f;
    *share = 0;
    *lost = w[k];
    if (!(gap > TIED * (k == 0 ? g[0] : g[k - 1])))
        return g[k];
    const double d = distance(g, w, n, k, gap, least, &f);
    const double own = (w[k] + LEAST * g[k] + least) / d;
    const double others = f.near + own + f.far;
    const double slopes = d * fmax(f.near_slope - own / d + f.far_slope, 0);
    *lost = d * (others * (2 + others) + slopes * (1 + others)) / (1 + others + slopes);
    *share = 1 / ((g[k] + d) * (f.near_slope + f.far_slope));
    return g[k] + d;
}

void scree__secular_solve(const double *g, const double *w, int64_t n, int64_t count, double *roots, double *shares,
                          double *lost)
{
    double sum = 0;
    double none;
    for (int64_t j = 0; j < n; j++)
        sum += w[j];
    for (int64_t k = 0; k < count; k++)
        roots[k] = one_root(g, w, n, k, sum, &shares[k], lost ? &lost[k] : &none);
}

double scree__secular_root(const double *g, const double *w, int64_t n, int64_t k)
{
    double sum = 0;
    double share;
    double lost;
    for (int64_t j = 0; j < n; j++)
        sum += w[j];
    return one_root(g, w, n, k, sum, &share, &lost);
}

bool scree__secular_lifts(const double *g, const double *w, int64_t n, int64_t k, double level)
{
    if (g[k] > level)
        return true;
    return (k == 0 || g[k - 1] > level) && 1 + add_poles(g, w, n, 0, level, 0).sum < 0;
}

SCREE_CLONES static void take_off_root(const double *g, int64_t n, double pole, double moved, double *weights)
{
    for (int64_t j = 0; j < n; j++)
        weights[j] *= (pole - g[j]) / ((pole - g[j]) + moved);
}

void scree__secular_deflate(const double *g, const double *w, int64_t n, int64_t count, const double *roots,
                            double *weights)
{
    memcpy(weights, w + count, (size_t)(n - count) * sizeof *weights);
    for (int64_t k = 0; k < count; k++)
        if (roots[k] > g[k])
            take_off_root(g + count, n - count, g[k], roots[k] - g[k], weights);
}
