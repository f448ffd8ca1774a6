/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_RAMP_H
#define SCREE_VIEW_RAMP_H

/* Colours that stand for numbers, and the bar that says which for which. */

#include "view/frame.h"

typedef struct scree__ramp {
    double low; /* the values that the first and the last colour stand for */
    double high;
    const char *title;
    const scree__look *signs; /* from -1 to 1 in the colours of what is below zero and above; NULL: the ramp */
} scree__ramp;

/* From low to high of the values; one value alone has a range around it. */
scree__ramp scree__ramp_over(const double *values, int64_t count, const char *title);
scree__colour scree__ramp_colour(const scree__ramp *ramp, double value, bool dark);
/* A point in that colour; on cells a digit from 0, the lowest, to 9. What is not a number has the colour of others. */
scree__mark scree__ramp_mark(const scree__ramp *ramp, double value, const scree__page *page, double radius);
/* The bar with its title and numbers, at the foot of the room that is left. */
void scree__ramp_bar(scree__page *page, const scree__ramp *ramp);

#endif
