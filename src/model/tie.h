/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_TIE_H
#define SCREE_MODEL_TIE_H

/* How far a component may be turned towards another one whose eigenvalue is close.
 *
 * In the plane of two components of the population the sample's covariance is that of the population and noise: with
 * half of the difference of variances and the covariance for coordinates, a point that is about normal, of one variance
 * v in all directions. Its distance from 0 is half of the gap between the sample's eigenvalues, and the angle at which
 * it is seen from there twice the one that its component is turned by. So a turn by θ is refused, at 5 %, where
 *
 *     sin 2θ > z √v / (gap/2),        z the normal quantile,
 *
 * which has its level whatever the population's gap is; and where the right side is above 1, that is where the two
 * eigenvalues differ by less than 1.96 standard errors of their difference, no turn can be refused. */

#include <math.h>

/* sin² of the 95 % limit of θ, given the variance that it has where the gap is large, w = v/gap²; 1: any turn. */
static inline double scree__tie_limit(double w)
{
    static const double quantile = 3.841459; /* z² */
    const double square = 4 * quantile * w;
    return square < 1 ? 2 * quantile * w / (1 + sqrt(1 - square)) : 1;
}

#endif
