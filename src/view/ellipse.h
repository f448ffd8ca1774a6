/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_ELLIPSE_H
#define SCREE_VIEW_ELLIPSE_H

/* What a row says of its code, in the plane of two components: the posterior as an ellipse. */

#include "base/error.h"

typedef enum scree__seen { SCREE__SEEN_ALL, SCREE__SEEN_SOME, SCREE__SEEN_NONE } scree__seen;

typedef struct scree__ellipse {
    scree__seen seen;     /* cells of the row that are there */
    double mean[2];       /* of (Λ - σ²I)^½ z given them, in the units of the codes */
    double covariance[3]; /* of the same: first, both, second */
} scree__ellipse;

/* row: D, as it is, NaN where a cell is missing. component[1] may be -1: there is only one. */
scree_status scree__ellipse_of(scree__ellipse *ellipse, const scree_model_view *view, const double *row,
                               const int64_t component[2], scree_error *error);

/* Half the length of what holds 95 % along an axis: of the ellipse, or of an interval where there is one axis. */
double scree__ellipse_reach(const scree__ellipse *ellipse, int axis, bool plane);
/* The point of its edge at an angle. */
void scree__ellipse_point(const scree__ellipse *ellipse, double angle, double out[2]);

#endif
