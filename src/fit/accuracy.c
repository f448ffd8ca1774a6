/* SPDX-License-Identifier: BSD-3-Clause */
/* Bounds from residuals (Parlett 1998, ch. 11; Davis and Kahan 1970). With θ_j, u_j and r_j = ‖Ŝu_j - θ_ju_j‖ for the
 * covariance Ŝ as computed, η ≥ ‖Ŝ - S‖ its rounding, and R = (Σr²)^½:
 *
 *     every eigenvalue of S has its θ within e = R + η, and the (k+1)-th is at most next + η;
 *     a group of components whose gap to all others is g > 0 holds their eigenvalues, and
 *       sin∠(u_j, eigenspace of the group) ≤ (r_j + η)/g,
 *       |λ - θ_j| ≤ min(r_j, r_j²/g) + η for a group of one, and ≤ R_group + η for a larger one.
 *
 * Neighbours nearer than ten times their residuals form a group; one that includes the last component and reaches the
 * (k+1)-th eigenvalue was cut, and nothing is said of its angles.
 *
 * What was found by iterating parameters and not vectors (em) has no S of which u'Su were the best guess: there r is
 * how far the covariance may still move along u, and an eigenvalue moves as far. */

#include "fit/accuracy.h"

#include <math.h>

static const double NEAR = 10; /* neighbours within this many residuals are one group */

typedef struct bounds {
    const scree__solution *s;
    double all;  /* e */
    double next; /* upper bound of the eigenvalue after the last */
} bounds;

static double residual_of(const bounds *b, int64_t j)
{
    return b->s->residuals[j] + b->s->rounding;
}

static bool is_tied(const bounds *b, int64_t j)
{
    return b->s->values[j] - b->s->values[j + 1] <= NEAR * (residual_of(b, j) + residual_of(b, j + 1));
}

/* Whether the group that ends with the last component goes on beyond it. */
static bool is_cut(const bounds *b, int64_t last, int64_t cols)
{
    const scree__solution *s = b->s;
    return last == s->k - 1 && s->k < cols && s->values[last] - b->next <= NEAR * residual_of(b, last);
}

static void fill_group(const scree__bounds *to, const bounds *b, int64_t first, int64_t last, int64_t cols)
{
    const scree__solution *s = b->s;
    const bool cut = is_cut(b, last, cols);
    double group = 0;
    for (int64_t j = first; j <= last; j++)
        group = hypot(group, s->residuals[j]);
    for (int64_t j = first; j <= last; j++) {
        const double r = s->residuals[j];
        const double above = first > 0 ? s->values[first - 1] - b->all - s->values[j] : HUGE_VAL;
        double below = s->k < cols ? s->values[j] - b->next : HUGE_VAL; /* next may exceed the last value */
        if (last < s->k - 1)
            below = fmin(below, s->values[j] - s->values[last + 1] - b->all);
        const double gap = fmax(fmin(above, below), 0);
        to->residuals[j] = residual_of(b, j);
        to->gaps[j] = gap;
        to->angle_bounds[j] = cut || gap <= 0 ? 1 : fmin(residual_of(b, j) / gap, 1);
        to->cluster_first[j] = first;
        to->cluster_last[j] = last;
        const double alone = gap > 0 ? fmin(r, r * (r / gap)) : b->all;
        to->eigenvalue_bounds[j] = (first == last && !cut ? alone : cut || gap <= 0 ? b->all : group) + s->rounding;
        if (s->likelihood)
            to->eigenvalue_bounds[j] = residual_of(b, j);
        if (s->errors)
            to->eigenvalue_bounds[j] = s->errors[j];
    }
}

void scree__accuracy(const scree__bounds *to, const scree__solution *s, int64_t cols)
{
    bounds b = {.s = s};
    double all = 0;
    for (int64_t j = 0; j < s->k; j++)
        all = hypot(all, s->residuals[j]);
    b.all = all + s->rounding;
    b.next = s->next + s->rounding;
    for (int64_t first = 0, last; first < s->k; first = last + 1) {
        last = first;
        while (last + 1 < s->k && is_tied(&b, last))
            last++;
        fill_group(to, &b, first, last, cols);
    }
}
