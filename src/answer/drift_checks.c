/* SPDX-License-Identifier: BSD-3-Clause */
/* The tests of drift, for normal rows; N rows were fitted, n are new (N infinite: the model is exact). W scatter of the
 * new codes t, r what components leave, R its covariance, f = (tr R)²/tr R², v and q what is expected of the variances
 * of t and of ‖r‖² (drift_law.c). Where one of a pair does not show a change the other one may:
 *
 *     mean        t̄ᵀ(W/n(n-1) + diag(v)/N)⁻¹t̄ is Hotelling's T²; ‖r̄‖²/(tr R/n + q/N) is F(f, ·)    Welch, Yao 1965
 *     spread      each W_kk/(n-1)v_k and the mean ‖r‖²/q are F(n-1, N-1), by f for the latter; least p of all
 *     angle       drift_angle.c
 *     likelihood  the mean of t²/λ + ‖r‖²/σ² is what is expected, by Student's law
 *
 * mean and spread also look at each column, with the least p of all. All but the mean depend on fourth moments: those
 * of the rows divide degrees of freedom where they are not those of normal rows (Box 1953). O(D + M³). */

#include "answer/drift_moments.h"

#include "kernel/blas.h"
#include "model/ppca.h"

#include <math.h>

enum { MEAN_OF = SCREE_DRIFT_MEAN, SPREAD_OF = SCREE_DRIFT_SPREAD };

/* Degrees of freedom of a variance that is made of a share from the new rows, with that freedom, and one from those
 * that were fitted. */
static double welch(double share, double mine, double theirs)
{
    return 1 / (share * share / mine + (1 - share) * (1 - share) / theirs);
}

/* ---- mean ---- */

/* Of new rows, by their own variance; where they are not normal this may be far too small, as that of a column in which
 * none of the few that differ is: then by the expected one, where that is larger. */
static double variance_of_mean(const scree__drift_moments *at, double own, double expected)
{
    return at->normal ? own : fmax(own, expected / at->n);
}

static double inner_mean(const scree__drift_moments *at, scree__drift_found *found, scree_error *error,
                         scree_status *status)
{
    const scree__drift_law *law = at->law;
    const int64_t m = at->m;
    double *v = at->work;
    double *z = at->work + m * m;
    double share = 0;
    double sum = 0;
    for (int64_t k = 0; k < m * m; k++)
        v[k] = at->scatter[k] / at->freedom / at->n;
    for (int64_t k = 0; k < m; k++)
        v[k * m + k] = variance_of_mean(at, v[k * m + k], law->variances[k]);
    for (int64_t k = 0; k < m; k++) {
        const double mine = v[k * m + k];
        const double whole = v[k * m + k] += law->variances[k] / law->rows;
        const double part = whole > 0 ? mine / whole : 1;
        share += part / (double)m;
        z[k] = at->t[k];
        found->components[k] = law->variances[k] > 0 ? at->t[k] / sqrt(law->variances[k]) : 0;
        found->component_p[k] = scree__drift_smallest(
            scree__drift_student(at->t[k] / sqrt(whole), welch(part, at->freedom, law->freedom)), m);
    }
    const double freedom = m > 0 ? welch(share, at->freedom, law->freedom) : 0;
    if (m == 0 || freedom < (double)m)
        return (double)NAN;
    if (scree__dpotrf(m, v, m) != 0)
        return (double)NAN; /* codes do not vary: no law */
    if (scree__dtrsm(false, true, m, 1, 1, v, m, z, 1) != 0)
        *status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: the test of the mean needs more");
    for (int64_t k = 0; k < m; k++)
        sum += z[k] * z[k];
    const double below = freedom - (double)m + 1;
    return scree__drift_ratio_tail(sum * below / (freedom * (double)m), (double)m, below);
}

/* In how many directions the mean of what components leave may lie: no more than in columns, by the variances of their
 * means. Where a few columns outweigh all others in the new rows, as columns that hardly ever vary do in units of their
 * own, these are few. */
static double outer_directions(const scree__drift_moments *at)
{
    const scree__drift_law *law = at->law;
    double sum = 0;
    double squares = 0;
    for (int64_t j = 0; j < at->d; j++) {
        if (law->tested[j] != SCREE__DRIFT_RESIDUAL)
            continue;
        const double mine = variance_of_mean(at, at->left[j] / at->freedom / at->n, law->columns[j]);
        const double variance = mine + law->columns[j] / law->rows;
        sum += variance;
        squares += variance * variance;
    }
    return squares > 0 ? fmin(law->effective, sum * sum / squares) : law->effective;
}

static double outer_mean(const scree__drift_moments *at)
{
    const scree__drift_law *law = at->law;
    double square = 0;
    if (!(law->q > 0))
        return (double)NAN;
    for (int64_t j = 0; j < at->d; j++)
        square += law->tested[j] == SCREE__DRIFT_RESIDUAL ? at->x[j] * at->x[j] : 0;
    const double mine = variance_of_mean(at, at->q / at->freedom / at->n, law->q);
    const double whole = mine + law->q / law->rows;
    const double f = outer_directions(at);
    return scree__drift_ratio_tail(square / whole, f, f * welch(mine / whole, at->freedom, law->rest_freedom));
}

/* The least p of the columns, as that of all. */
static double mean_of_columns(const scree__drift_moments *at, scree__drift_found *found)
{
    const scree__drift_law *law = at->law;
    double least = 1;
    for (int64_t j = 0; j < at->d; j++) {
        if (law->tested[j] == SCREE__DRIFT_CONSTANT)
            continue;
        const double mine = variance_of_mean(at, at->left[j] / at->freedom / at->n, law->columns[j]);
        const double whole = mine + law->columns[j] / law->rows;
        const double p = scree__drift_smallest(
            scree__drift_student(at->x[j] / sqrt(whole), welch(mine / whole, at->freedom, law->freedom)),
            law->tested_count);
        found->columns[MEAN_OF * at->d + j] = at->x[j] / sqrt(law->columns[j]);
        found->column_p[MEAN_OF * at->d + j] = p;
        least = fmin(least, p);
    }
    return least;
}

static scree_status check_mean(const scree__drift_moments *at, scree__drift_found *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__drift_law *law = at->law;
    scree_drift_check *check = &found->checks[SCREE_DRIFT_MEAN];
    double square = 0;
    if (law->view->uncentred) {
        check->reason = "the model was fitted without a mean, so that it is not known whether that has moved";
        return SCREE_OK;
    }
    const double inner = inner_mean(at, found, error, &status);
    const double parts = scree__drift_product(inner, outer_mean(at));
    const double columns = mean_of_columns(at, found);
    for (int64_t k = 0; k < at->m; k++)
        square += found->components[k] * found->components[k];
    for (int64_t j = 0; law->q > 0 && j < at->d; j++)
        square += law->tested[j] == SCREE__DRIFT_RESIDUAL ? at->x[j] * at->x[j] * law->rest / law->q : 0;
    check->found = sqrt(square);
    check->expected = sqrt(((double)at->m + law->rest) * (1 / at->n + 1 / law->rows));
    check->p_value = isnan(parts) ? columns : scree__drift_smallest(fmin(parts, columns), 2);
    return status;
}

/* ---- spread ---- */

/* The mean of ‖r‖², whose degrees of freedom its own spread corrects. */
static double spread_of_rest(const scree__drift_moments *at)
{
    const scree__drift_law *law = at->law;
    const double mean = at->sums->q[0] / at->n;
    if (!(law->q > 0) || !(mean > 0))
        return (double)NAN;
    const double variance = (at->sums->q[1] / at->n - mean * mean) * at->n / (at->n - 1);
    const double found = variance / mean / mean * law->effective / 2;
    const double chance = sqrt((2 + 12 / law->effective) / at->n);
    const double f = law->effective / (fabs(found - 1) > 3 * chance ? fmax(found, 0.2) : 1);
    return scree__drift_ratio_sides(at->q / at->freedom / law->q, at->freedom * f, law->rest_freedom * f);
}

/* NaN: nothing can be tested. */
static double spread_of_components(const scree__drift_moments *at, scree__drift_found *found)
{
    const scree__drift_law *law = at->law;
    const int64_t m = at->m;
    const int64_t count = m + 1;
    const double rest = spread_of_rest(at);
    double least = isnan(rest) ? rest : scree__drift_smallest(rest, count);
    for (int64_t k = 0; k < m; k++) {
        const double *sums = at->sums->codes + k;
        const double ratio = at->scatter[k * m + k] / at->freedom / law->variances[k];
        found->components[m + k] = ratio;
        if (at->wild || scree__drift_hangs_on_one(at, at->sums->most[k], sums[3 * m]))
            continue;
        const double heavy = scree__drift_heaviness(at, sums, m, at->t[k], at->sums->most[k]);
        const double p = scree__drift_smallest(
            scree__drift_ratio_sides(ratio, at->freedom / heavy, law->freedoms[k] / heavy), count);
        found->component_p[m + k] = p;
        least = isnan(least) || p < least ? p : least;
    }
    return least;
}

/* A column that never varied: the chance that all rows which differ are among the new ones, were they shuffled. */
static double chance_of_moving(const scree__drift_moments *at, int64_t moved)
{
    double p = 1;
    for (int64_t i = 0; i < moved && p > 0; i++)
        p *= at->law->exact ? 0 : (at->n - (double)i) / (at->n + at->law->rows - (double)i);
    return p;
}

static double spread_of_column(const scree__drift_moments *at, int64_t j, double *ratio)
{
    const scree__drift_law *law = at->law;
    const double *sums = at->sums->cells + j;
    const int64_t moved = at->sums->moved[j];
    *ratio = law->tested[j] == SCREE__DRIFT_CONSTANT ? (moved > 0 ? HUGE_VAL : 1)
                                                     : at->left[j] / at->freedom / law->columns[j];
    if (law->tested[j] == SCREE__DRIFT_CONSTANT)
        return chance_of_moving(at, moved);
    if (at->wild || scree__drift_hangs_on_one(at, at->sums->most[at->m + j], sums[3 * at->d]))
        return (double)NAN;
    const double heavy = scree__drift_heaviness(at, sums, at->d, at->x[j], at->sums->most[at->m + j]);
    const double freedom = law->tested[j] == SCREE__DRIFT_RESIDUAL ? law->rest_freedom : law->freedom;
    return scree__drift_ratio_sides(*ratio, at->freedom / heavy, freedom / heavy);
}

/* NaN: nothing can be tested. */
static double spread_of_columns(const scree__drift_moments *at, scree__drift_found *found)
{
    const int64_t d = at->d;
    double least = (double)NAN;
    for (int64_t j = 0; j < d; j++) {
        const double p = scree__drift_smallest(spread_of_column(at, j, &found->columns[SPREAD_OF * d + j]), d);
        found->column_p[SPREAD_OF * d + j] = p;
        least = isnan(least) || p < least ? p : least;
    }
    return least;
}

static void check_spread(const scree__drift_moments *at, scree__drift_found *found)
{
    const scree__drift_law *law = at->law;
    scree_drift_check *check = &found->checks[SCREE_DRIFT_SPREAD];
    double sum = at->q;
    double expected = law->q;
    for (int64_t k = 0; k < at->m; k++) {
        sum += at->scatter[k * at->m + k];
        expected += law->variances[k];
    }
    check->found = sum / at->freedom / expected;
    check->expected = 1;
    const double parts = spread_of_components(at, found);
    const double columns = spread_of_columns(at, found);
    if (at->wild)
        check->reason = scree__drift_wild;
    else
        check->p_value = scree__drift_smallest(fmin(parts, columns), 2);
}

/* ---- likelihood ---- */

static void check_likelihood(const scree__drift_moments *at, scree__drift_found *found)
{
    const scree__drift_law *law = at->law;
    scree_drift_check *check = &found->checks[SCREE_DRIFT_LIKELIHOOD];
    const double volume = scree__ppca_log_volume(law->view);
    const double mean = at->sums->far[0] / at->n;
    const double variance = fmax(at->sums->far[1] / at->n - mean * mean, 0) * at->n / (at->n - 1);
    const double whole = variance * (1 / at->n + 1 / law->rows);
    check->found = -0.5 * (volume + mean);
    check->expected = -0.5 * (volume + law->distance);
    if (at->wild)
        check->reason = scree__drift_wild;
    else
        check->p_value = scree__drift_student((mean - law->distance) / sqrt(whole), at->freedom);
}

scree_status scree__drift_checks_run(scree__drift_found *found, const scree__drift_sums *sums, scree_error *error)
{
    scree_status status = SCREE_OK;
    static const char few[] = "too few new rows: give at least 4";
    scree__drift_moments at = {0};
    for (int64_t j = 0; j < 3 * sums->law->view->d; j++)
        found->column_p[j] = (double)NAN;
    for (int64_t k = 0; k < 2 * sums->law->view->m; k++)
        found->component_p[k] = (double)NAN;
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++)
        found->checks[i].found = found->checks[i].expected = found->checks[i].p_value = (double)NAN;
    for (int i = 0; sums->rows < 4 && i < SCREE_DRIFT_CHECKS; i++)
        found->checks[i].reason = few;
    if (sums->rows < 4)
        return SCREE_OK;
    scree__blas_enter();
    SCREE_TRY(scree__drift_moments_make(&at, sums, error));
    found->not_normal = !at.normal;
    SCREE_TRY(check_mean(&at, found, error));
    check_spread(&at, found);
    check_likelihood(&at, found);
    SCREE_TRY(scree__drift_check_angle(&at, found, error));
done:
    scree__blas_leave();
    scree__drift_moments_clear(&at);
    return status;
}
