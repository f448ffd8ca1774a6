/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_DENSITY_H
#define SCREE_VIEW_DENSITY_H

/* Where points of the plane lie densest: regions that hold given shares of them. */

#include "view/outline.h"

/* Adds the lines around the regions of the highest density that hold these shares of n points (x and y in turn); a
 * region may be of several parts, and have holes. *bandwidth is that of the kernel, in standard deviations. *made is
 * false where the points are fewer than three, or on one line. */
scree_status scree__density_make(scree__outlines *outlines, const double *levels, int64_t level_count, const double *xy,
                                 int64_t n, int64_t series, double *bandwidth, bool *made, scree_error *error);

#endif
