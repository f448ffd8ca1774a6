/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_SCALE_H
#define SCREE_VIEW_SCALE_H

/* From values to places, and where ticks stand. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__scale {
    double low;
    double high; /* below low where a linear scale falls */
    bool logarithmic;
    bool whole; /* ticks at whole numbers only */
} scree__scale;

enum { SCREE__MOST_TICKS = 24 };

typedef struct scree__ticks {
    double at[SCREE__MOST_TICKS];
    char text[SCREE__MOST_TICKS][32];
    int count;
} scree__ticks;

/* A scale that holds low..high with a little air; one value alone gets a range around it. */
scree__scale scree__scale_over(double low, double high, bool logarithmic);
/* 0 at low, 1 at high; NaN for what has no place. */
double scree__scale_place(const scree__scale *scale, double value);
/* About wanted ticks, at 1, 2 or 5 times a power of ten. */
void scree__scale_ticks(scree__ticks *ticks, const scree__scale *scale, int wanted);

/* The least and the greatest of the finite values, for a logarithm of those above 0; 0 and 1 when there are none. */
void scree__range(const double *values, int64_t count, int64_t stride, bool positive, double range[2]);

#endif
