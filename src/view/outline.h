/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_OUTLINE_H
#define SCREE_VIEW_OUTLINE_H

/* Lines around points of the plane: ellipses, hulls, and regions of the highest density. */

#include "scree_private.h"

typedef enum scree__around {
    SCREE__AROUND_NONE,
    SCREE__AROUND_NORMAL,
    SCREE__AROUND_T,
    SCREE__AROUND_CONFIDENCE,
    SCREE__AROUND_HULL,
    SCREE__AROUND_DENSITY,
} scree__around;

typedef struct scree__outline {
    double *xy; /* corners, x and y in turn, the first of them again at the end */
    int64_t count;
    int64_t series; /* whose it is */
    double level;   /* share that is inside; of hulls 1 */
} scree__outline;

typedef struct scree__outlines {
    scree__outline *all;
    int64_t count;
    int64_t room;
} scree__outlines;

/* Adds a line of that many corners, which the caller fills in: they are the last outline's. */
scree_status scree__outlines_add(scree__outlines *outlines, int64_t corners, int64_t series, double level,
                                 scree_error *error);
void scree__outlines_clear(scree__outlines *outlines); /* safe on a zeroed struct */

/* Mean and covariance (xx, xy, yy; divisor n - 1) of n points; false where these are fewer than three, or on one line.
 */
bool scree__outline_moments(const double *xy, int64_t n, double mean[2], double covariance[3]);

/* An ellipse of n points (x and y in turn), or their hull; not for SCREE__AROUND_DENSITY, which is in density.h.
 * *made is false where the points are fewer than three, or on one line. xy is put into another order. */
scree_status scree__outline_make(scree__outlines *outlines, scree__around what, double level, double *xy, int64_t n,
                                 int64_t series, bool *made, scree_error *error);

#endif
