/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether components still point where they did. Were they turned, r, what they leave, would lean on the codes t: with
 * W the scatter of t, A = Σ r tᵀ, f = (tr R)²/tr R² of the covariance R of r, and V the turns by which a fit of N rows
 * misses (drift_law.c), slopes AW⁻¹ that are 0 make
 *
 *     tr A(W + WVW)⁻¹Aᵀ / (h M q)  of the law F(fM, f(n-1-M)),   q = tr R from what the slopes leave
 *
 * exactly for white noise and V = 0. h = E‖t‖²_v‖r‖²/(E‖t‖²_v E‖r‖²) is 1 for normal rows (Tyler 1983). Components that
 * turn among themselves make codes correlated: Σ artanh² ρ_kl/(1/(n-3) + 1/N) is χ². O(DM² + M³). */

#include "answer/drift_moments.h"

#include "kernel/blas.h"

#include <math.h>
#include <string.h>

static const double DEGREES = 57.295779513082320877;
enum { SLOPES_OF = SCREE_DRIFT_ANGLE };

/* How much fourth moments of t and r together exceed those of normal rows. */
static double lever(const scree__drift_moments *at)
{
    double sum = 0;
    for (int64_t k = 0; k < at->m; k++)
        sum += at->sums->lever[k] / at->sums->codes[at->m + k] / (double)at->m;
    return sum * at->n / at->sums->q[0];
}

/* slopes·H⁻½ for a positive definite H in work, D×M behind it: the squares of column j's add up to aᵀH⁻¹a. both: times
 * H⁻¹ instead. False: H is not positive definite. */
static bool divide_slopes(const scree__drift_moments *at, bool both, scree_error *error, scree_status *status)
{
    double *h = at->work;
    double *a = at->work + at->m * at->m;
    memcpy(a, at->slopes, (size_t)(at->d * at->m) * sizeof *a);
    if (scree__dpotrf(at->m, h, at->m) != 0)
        return false;
    int info = scree__dtrsm(true, false, at->d, at->m, 1, h, at->m, a, at->m);
    if (both && info == 0)
        info = scree__dtrsm(true, true, at->d, at->m, 1, h, at->m, a, at->m);
    if (info != 0)
        *status = scree__blas_fail(info, "a product with slopes", at->d, error);
    return info == 0;
}

static double slopes_square(const scree__drift_moments *at, int64_t j)
{
    const double *a = at->work + at->m * at->m + j * at->m;
    double sum = 0;
    for (int64_t k = 0; k < at->m; k++)
        sum += a[k] * a[k];
    return sum;
}

/* What of the scatter of each column slopes explain, summed into *all. */
static bool explained(const scree__drift_moments *at, double *each, double *all, scree_error *error,
                      scree_status *status)
{
    memcpy(at->work, at->scatter, (size_t)(at->m * at->m) * sizeof *at->work);
    if (!divide_slopes(at, false, error, status))
        return false;
    *all = 0;
    for (int64_t j = 0; j < at->d; j++)
        *all += each[j] = slopes_square(at, j);
    return true;
}

/* In how many directions slopes may lie: no more than in columns, by how large those are that chance makes, rows far
 * out being levers. */
static double slopes_directions(const scree__drift_moments *at)
{
    double sum = 0;
    double squares = 0;
    for (int64_t j = 0; j < at->d; j++) {
        const double chance = at->law->tested[j] == SCREE__DRIFT_RESIDUAL ? at->sums->levers[j] : 0;
        sum += chance;
        squares += chance * chance;
    }
    return squares > 0 ? fmin(at->law->effective, sum * sum / squares) : at->law->effective;
}

/* Degrees of freedom of the sum of squared slopes, fM less what errors of the turns make of them. */
static double slopes_freedom(const scree__drift_moments *at, double directions)
{
    const scree__drift_law *law = at->law;
    const double m = (double)at->m;
    double variance = 2 / (directions * m);
    for (int64_t k = 0; k < at->m; k++) {
        const double share = law->turns[k] / (law->turns[k] + 1 / at->scatter[k * at->m + k]);
        variance += share * share * law->turn_errors[k] / m / m;
    }
    return 2 / variance;
}

static double slopes_chance(const scree__drift_moments *at, scree__drift_found *found, double *left, scree_error *error,
                            scree_status *status)
{
    const scree__drift_law *law = at->law;
    const int64_t m = at->m;
    const double freedom = at->freedom - (double)m;
    double *each = found->columns + SLOPES_OF * at->d;
    double all = 0;
    double sum = 0;
    if (!explained(at, each, &all, error, status))
        return (double)NAN;
    const double wide = fmax(lever(at), 0.2);
    *left = (at->q - all) / freedom;
    for (int64_t k = 0; k < m * m; k++) {
        at->work[k] = at->scatter[k];
        for (int64_t l = 0; l < m; l++)
            at->work[k] += at->scatter[k / m * m + l] * law->turns[l] * at->scatter[l * m + k % m];
    }
    if (!divide_slopes(at, false, error, status))
        return (double)NAN;
    for (int64_t j = 0; j < at->d; j++) {
        if (law->tested[j] != SCREE__DRIFT_RESIDUAL)
            continue;
        const double square = slopes_square(at, j);
        const double ratio = square / wide / (double)m / ((at->left[j] - each[j]) / freedom);
        each[j] = ratio;
        found->column_p[SLOPES_OF * at->d + j] =
            scree__drift_smallest(scree__drift_ratio_tail(ratio, (double)m, freedom), law->tested_count);
        sum += square;
    }
    const double directions = slopes_directions(at);
    return scree__drift_ratio_tail(sum / wide / (double)m / *left, slopes_freedom(at, directions),
                                   directions * freedom);
}

/* Codes that have become correlated: components that have turned among themselves. */
static double pairs_chance(const scree__drift_moments *at)
{
    const int64_t m = at->m;
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        for (int64_t l = 0; l < k; l++) {
            const double squares = at->sums->codes[m + k] * at->sums->codes[m + l];
            const double both = at->scatter[k * m + k] * at->scatter[l * m + l];
            if (!(squares > 0) || !(both > 0))
                return (double)NAN;
            const double z = atanh(fmax(fmin(at->scatter[k * m + l] / sqrt(both), 1), -1));
            const double common = 1 + at->kurtosis;
            const double wide = at->sums->fourth[k * m + l] * at->n / squares - common;
            sum += z * z / fmax(common + scree__drift_beyond_chance(wide, 2 / sqrt(at->n)), 0.2) /
                   (1 / (at->freedom - 2) + 1 / at->law->rows);
        }
    const double pairs = 0.5 * (double)(m * (m - 1));
    return m > 1 ? scree__drift_ratio_tail(sum / pairs, pairs, HUGE_VAL) : (double)NAN;
}

/* The largest angle between the components' space and the rows' own: without noise slopes are A(W - nσ²I)⁻¹, and its
 * largest singular value the tangent. left: the new rows' q. */
static double largest_angle(const scree__drift_moments *at, double left, scree_error *error, scree_status *status)
{
    const int64_t m = at->m;
    double *a = at->work + m * m;
    double *values = at->t; /* M, needed no more */
    const double noise = left / at->law->rest * at->freedom;
    for (int64_t k = 0; k < m * m; k++)
        at->work[k] = at->scatter[k] - (k / m == k % m ? noise : 0);
    if (!divide_slopes(at, true, error, status))
        return (double)NAN;
    int info = scree__dsyrk(true, m, at->d, 1, a, m, 0, at->work, m);
    if (info == 0)
        info = scree__dsyevd_values(m, at->work, m, values);
    if (info != 0)
        *status = scree__blas_fail(info, "the angle between spaces", m, error);
    return info == 0 ? DEGREES * atan(sqrt(fmax(values[m - 1], 0))) : (double)NAN;
}

/* The same by chance, about: of the component that noise turns furthest. */
static double chance_angle(const scree__drift_moments *at)
{
    const scree__drift_law *law = at->law;
    const double noise = law->q / law->rest;
    double most = 0;
    for (int64_t k = 0; k < at->m; k++) {
        const double signal = law->variances[k] - noise;
        if (!(signal > 0))
            return 90;
        most = fmax(most, law->q * law->variances[k] / signal / signal * (1 / at->n + 1 / law->rows));
    }
    return DEGREES * atan(sqrt(most));
}

scree_status scree__drift_check_angle(const scree__drift_moments *at, scree__drift_found *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_drift_check *check = &found->checks[SCREE_DRIFT_ANGLE];
    double left = 0;
    double outside = (double)NAN;
    if (at->m == 0)
        check->reason = "the model has no components";
    else if (at->freedom <= (double)at->m + 2)
        check->reason = "too few new rows for this many components";
    else if (at->wild)
        check->reason = scree__drift_wild;
    if (check->reason)
        return SCREE_OK;
    const double inside = pairs_chance(at);
    if (at->law->q > 0 && at->q > 0)
        outside = slopes_chance(at, found, &left, error, &status);
    check->p_value = scree__drift_product(outside, inside);
    if (isnan(check->p_value))
        check->reason = at->law->q > 0 ? "codes of the new rows do not vary in all directions of the components"
                                       : "there is but one component, and it leaves nothing";
    if (left > 0) {
        check->found = largest_angle(at, left, error, &status);
        check->expected = chance_angle(at);
    }
    return status;
}
