/* SPDX-License-Identifier: BSD-3-Clause */
/* The edge of an ellipse that holds 95 %: mean + √χ² K(cos, sin)ᵀ, with χ² = -2 ln 0.05 and KKᵀ the covariance. */

#include "view/ellipse.h"

#include <math.h>

static const double chi_square_plane = 5.991464547107979; /* 95 % of two degrees of freedom */
static const double chi_square_line = 3.841458820694124;  /* of one */

double scree__ellipse_reach(const scree__ellipse *ellipse, int axis, bool plane)
{
    return sqrt((plane ? chi_square_plane : chi_square_line) * ellipse->covariance[2 * axis]);
}

void scree__ellipse_point(const scree__ellipse *ellipse, double angle, double out[2])
{
    const double *c = ellipse->covariance, radius = sqrt(chi_square_plane);
    const double first = sqrt(c[0]), across = first > 0.0 ? c[1] / first : 0.0;
    const double second = sqrt(fmax(c[2] - across * across, 0.0));
    out[0] = ellipse->mean[0] + radius * first * cos(angle);
    out[1] = ellipse->mean[1] + radius * (across * cos(angle) + second * sin(angle));
}
