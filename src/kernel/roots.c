/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of the secular equation, one by one, as LAPACK's dlaed4 (Li 1994), with all poles of a sum at once:
 *
 *     f(τ) = 1/ρ + ψ(τ) + φ(τ),   ψ = Σ_j≤i z_j²/(δ_j - τ),   φ = Σ_j>i z_j²/(δ_j - τ),   λ = δ_K + τ
 *
 * δ counted from the pole K that is nearer, as the sign of f half way says. f rises from -∞ to ∞ between the two poles.
 * ψ and φ are replaced by p + q/(δ_i - τ) and r + s/(δ_i+1 - τ) of the same value and slope (Bunch, Nielsen and
 * Sorensen 1978), and the root of that, a quadratic equation, is the next τ; where it leaves the interval in which f
 * changes its sign, that is halved. Three or four steps of 4 operations a pole, until f is what rounding leaves of its
 * terms. */

#include "kernel/roots.h"

#include "base/cpu.h"

#include <float.h>
#include <math.h>

enum { LANES = 8, MOST_STEPS = 60 };
static const double ROUNDING = 4 * DBL_EPSILON; /* of the terms */

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* A sum over poles, and its slope. */
typedef struct side {
    double value;
    double slope;
} side;

typedef struct search {
    const scree__poles *p;
    const double *distances; /* from the nearer pole */
    int64_t i;
    double low; /* f < 0 */
    double high;
} search;

/* By its address: a vector given as it is would go into other registers with AVX-512 than without. */
static inline double add_up(const lanes *sums)
{
    const lanes s = *sums;
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

SCREE_CLONES static side sum_over(const double *distances, const double *squares, int64_t count, double tau)
{
    lanes values = {0};
    lanes slopes = {0};
    side rest = {0, 0};
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES) {
        const lanes inverse = 1 / (*(const lanes *)(distances + j) - tau);
        const lanes terms = *(const lanes *)(squares + j) * inverse;
        values += terms;
        slopes += terms * inverse;
    }
    for (; j < count; j++) {
        const double inverse = 1 / (distances[j] - tau);
        const double term = squares[j] * inverse;
        rest.value += term;
        rest.slope += term * inverse;
    }
    return (side){add_up(&values) + rest.value, add_up(&slopes) + rest.slope};
}

/* η between A < 0 and B > 0, both counted from where f is wanted to be 0, of c + q/(A - η) + s/(B - η) = 0, with
 * product = AB (c + q/A + s/B). */
static double quadratic(double c, double sum, double product)
{
    const double root = sqrt(fmax(sum * sum - 4 * c * product, 0));
    return sum > 0 ? 2 * product / (sum + root) : (sum - root) / (2 * c);
}

/* The next τ, from what the sums are at this one. */
static double step_from(const search *s, double tau, side lower, side upper, double f)
{
    const double a = s->distances[s->i] - tau;
    const double b = s->distances[s->i + 1] - tau;
    const double q = lower.slope * a * a;
    const double r = upper.slope * b * b;
    const double c = f - lower.slope * a - upper.slope * b;
    return tau + quadratic(c, c * (a + b) + q + r, a * b * f);
}

/* τ for poles i and i + 1 alone, the others as they are half way, where f is given. */
static double begin(const search *s, double middle, double f)
{
    const double a = s->distances[s->i];
    const double b = s->distances[s->i + 1];
    const double q = s->p->squares[s->i];
    const double r = s->p->squares[s->i + 1];
    const double c = f - q / (a - middle) - r / (b - middle);
    return quadratic(c, c * (a + b) + q + r, c * a * b + q * b + r * a);
}

/* Counts poles from one of them. */
static void count_from(const scree__poles *p, int64_t nearer, double *distances)
{
    for (int64_t j = 0; j < p->count; j++)
        distances[j] = p->poles[j] - p->poles[nearer];
}

static bool is_inside(const search *s, double tau)
{
    return tau > s->low && tau < s->high;
}

bool scree__root_between(const scree__poles *p, int64_t i, double *distances, double *value)
{
    const double half = (p->poles[i + 1] - p->poles[i]) / 2;
    search s = {p, distances, i, 0, half};
    count_from(p, i, distances);
    side lower = sum_over(distances, p->squares, i + 1, half);
    side upper = sum_over(distances + i + 1, p->squares + i + 1, p->count - i - 1, half);
    double f = 1 / p->rho + lower.value + upper.value;
    const int64_t nearer = f < 0 ? i + 1 : i;
    double middle = half;
    if (f < 0) {
        count_from(p, nearer, distances);
        middle = -half;
        s.low = -half;
        s.high = 0;
    }
    double tau = begin(&s, middle, f);
    bool found = false;
    for (int step = 0; step < MOST_STEPS && !found; step++) {
        if (!is_inside(&s, tau))
            tau = (s.low + s.high) / 2;
        lower = sum_over(distances, p->squares, i + 1, tau);
        upper = sum_over(distances + i + 1, p->squares + i + 1, p->count - i - 1, tau);
        f = 1 / p->rho + lower.value + upper.value;
        *(f < 0 ? &s.low : &s.high) = tau;
        const double next = step_from(&s, tau, lower, upper, f);
        found = fabs(f) <= ROUNDING * (1 / p->rho + upper.value - lower.value) ||
                fabs(next - tau) <= DBL_EPSILON * fabs(tau) ||
                !((s.low + s.high) / 2 > s.low && (s.low + s.high) / 2 < s.high);
        tau = found ? tau : next;
    }
    for (int64_t j = 0; j < p->count; j++)
        distances[j] -= tau;
    *value = p->poles[nearer] + tau;
    return found && tau != 0;
}
