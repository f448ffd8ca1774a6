/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_ELLIPSE_H
#define SCREE_VIEW_ELLIPSE_H

/* What a row says of its code (scree__ellipse_of), as a line to draw. */

#include "scree_private.h"

/* Half the length of what holds 95 % along an axis: of the ellipse, or of an interval where there is one axis. */
double scree__ellipse_reach(const scree__ellipse *ellipse, int axis, bool plane);
/* The point of its edge at an angle. */
void scree__ellipse_point(const scree__ellipse *ellipse, double angle, double out[2]);

#endif
