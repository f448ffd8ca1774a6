/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines around n points x_i of the plane with mean m and covariance S, whose divisor is n - 1. An ellipse is
 * m + ρ K(cos, sin)ᵀ with KKᵀ = S, and ρ such that it holds a share p
 *
 *     normal      of points of a normal distribution:  ρ² = 2 F⁻¹(p; 2, n - 1) = (n - 1)((1 - p)^(-2/(n - 1)) - 1)
 *     t           the same with m and S of Student's t of 5 degrees of freedom, on which outliers have little weight:
 *                 by EM, w_i = (5 + 2)/(5 + d_i²), d_i the Mahalanobis distance of x_i
 *     confidence  of the places where the mean may be:  S/n instead of S, ρ² = χ²⁻¹(p; 2) = -2 ln(1 - p)
 *
 * which are those of ggplot2's stat_ellipse, the first two, and of FactoMineR's coord.ellipse. The convex hull is
 * Andrew's monotone chain (1979), O(n log n). */

#include "view/outline.h"

#include <math.h>
#include <string.h>

enum { CORNERS = 120, STEPS = 1000 };

static const double freedom = 5.0;
static const double settled = 1e-12; /* of the t distribution: change of the covariance */
static const double aligned = 1e-14; /* 1 - correlation²: on a line */
static const double flat = 1e-20;    /* determinant over the square of the trace: on a line along an axis */

scree_status scree__outlines_add(scree__outlines *outlines, int64_t corners, int64_t series, double level,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__outline *grown = NULL;
    double *xy = NULL;
    SCREE_ALLOC(xy, 2 * corners, error);
    if (outlines->count == outlines->room) {
        const int64_t room = 2 * outlines->room + 16;
        SCREE_ALLOC(grown, room, error);
        if (outlines->count > 0)
            memcpy(grown, outlines->all, (size_t)outlines->count * sizeof *grown);
        free(outlines->all);
        outlines->all = grown;
        outlines->room = room;
    }
    outlines->all[outlines->count++] = (scree__outline){xy, corners, series, level};
    xy = NULL;
done:
    free(xy);
    return status;
}

void scree__outlines_clear(scree__outlines *outlines)
{
    for (int64_t i = 0; i < outlines->count; i++)
        free(outlines->all[i].xy);
    free(outlines->all);
    *outlines = (scree__outlines){0};
}

static bool is_flat(const double covariance[3])
{
    const double trace = covariance[0] + covariance[2];
    const double determinant = covariance[0] * covariance[2] - covariance[1] * covariance[1];
    return !(determinant > flat * trace * trace && determinant > aligned * covariance[0] * covariance[2]);
}

bool scree__outline_moments(const double *xy, int64_t n, double mean[2], double covariance[3])
{
    mean[0] = mean[1] = covariance[0] = covariance[1] = covariance[2] = 0.0;
    if (n < 3)
        return false;
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += (xy[2 * i + k] - xy[k]) / (double)n;
    for (int k = 0; k < 2; k++)
        mean[k] += xy[k];
    for (int64_t i = 0; i < n; i++) {
        const double x = xy[2 * i] - mean[0], y = xy[2 * i + 1] - mean[1];
        covariance[0] += x * x / (double)(n - 1);
        covariance[1] += x * y / (double)(n - 1);
        covariance[2] += y * y / (double)(n - 1);
    }
    return !is_flat(covariance);
}

/* One step of EM; returns how much the covariance has changed, beside its trace. */
static double t_step(const double *xy, int64_t n, double mean[2], double s[3])
{
    const double determinant = s[0] * s[2] - s[1] * s[1];
    double weight = 0.0, sum[2] = {0}, squares[3] = {0};
    for (int64_t i = 0; i < n; i++) {
        const double x = xy[2 * i] - mean[0], y = xy[2 * i + 1] - mean[1];
        const double distance = (s[2] * x * x - 2.0 * s[1] * x * y + s[0] * y * y) / determinant;
        const double w = (freedom + 2.0) / (freedom + distance);
        weight += w;
        sum[0] += w * x;
        sum[1] += w * y;
        squares[0] += w * x * x;
        squares[1] += w * x * y;
        squares[2] += w * y * y;
    }
    const double shift[] = {sum[0] / weight, sum[1] / weight};
    const double next[] = {(squares[0] - weight * shift[0] * shift[0]) / (double)n,
                           (squares[1] - weight * shift[0] * shift[1]) / (double)n,
                           (squares[2] - weight * shift[1] * shift[1]) / (double)n};
    double change = 0.0;
    for (int k = 0; k < 3; k++) {
        change = fmax(change, fabs(next[k] - s[k]) / (s[0] + s[2]));
        s[k] = next[k];
    }
    mean[0] += shift[0];
    mean[1] += shift[1];
    return change;
}

/* False where the covariance shrinks towards a line: most points lie on one. */
static bool settle_t(const double *xy, int64_t n, double mean[2], double covariance[3])
{
    for (int step = 0; step < STEPS && !is_flat(covariance); step++)
        if (t_step(xy, n, mean, covariance) < settled)
            break;
    return !is_flat(covariance);
}

static double squared_radius(scree__around what, double level, int64_t n)
{
    const double below = (double)(n - 1);
    return what == SCREE__AROUND_CONFIDENCE ? -2.0 * log1p(-level) : below * expm1(-2.0 / below * log1p(-level));
}

static scree_status add_ellipse(scree__outlines *outlines, const double mean[2], const double s[3], double radius,
                                int64_t series, double level, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double first = sqrt(s[0]), across = s[1] / first, second = sqrt(fmax(s[2] - across * across, 0.0));
    SCREE_TRY(scree__outlines_add(outlines, CORNERS + 1, series, level, error));
    double *xy = outlines->all[outlines->count - 1].xy;
    for (int i = 0; i <= CORNERS; i++) {
        const double angle = i < CORNERS ? 2.0 * acos(-1.0) * i / CORNERS : 0.0;
        xy[2 * i] = mean[0] + radius * first * cos(angle);
        xy[2 * i + 1] = mean[1] + radius * (across * cos(angle) + second * sin(angle));
    }
done:
    return status;
}

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Twice the area of the triangle, positive where it turns left. */
static double turn(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static scree_status add_hull(scree__outlines *outlines, double *xy, int64_t n, int64_t series, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *chain = NULL;
    int64_t count = 0;
    SCREE_ALLOC(chain, 2 * (2 * n + 1), error);
    qsort(xy, (size_t)n, 2 * sizeof *xy, compare);
    for (int side = 0; side < 2; side++) { /* from left to right below, and back above */
        const int64_t least = count;
        for (int64_t k = side; k < n; k++) {
            const double *at = xy + 2 * (side == 0 ? k : n - 1 - k);
            while (count >= least + (side == 0 ? 2 : 1) &&
                   turn(chain + 2 * (count - 2), chain + 2 * (count - 1), at) <= 0.0)
                count--;
            chain[2 * count] = at[0];
            chain[2 * count++ + 1] = at[1];
        }
    }
    SCREE_TRY(scree__outlines_add(outlines, count, series, 1.0, error));
    memcpy(outlines->all[outlines->count - 1].xy, chain, (size_t)(2 * count) * sizeof *chain);
done:
    free(chain);
    return status;
}

scree_status scree__outline_make(scree__outlines *outlines, scree__around what, double level, double *xy, int64_t n,
                                 int64_t series, bool *made, scree_error *error)
{
    scree_status status = SCREE_OK;
    double mean[2], covariance[3];
    *made = scree__outline_moments(xy, n, mean, covariance);
    if (*made && what == SCREE__AROUND_T)
        *made = settle_t(xy, n, mean, covariance);
    if (!*made)
        return SCREE_OK;
    if (what == SCREE__AROUND_HULL)
        return add_hull(outlines, xy, n, series, error);
    for (int k = 0; k < 3 && what == SCREE__AROUND_CONFIDENCE; k++)
        covariance[k] /= (double)n;
    SCREE_TRY(add_ellipse(outlines, mean, covariance, sqrt(squared_radius(what, level, n)), series, level, error));
done:
    return status;
}
