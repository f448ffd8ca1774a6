/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_ARROWS_H
#define SCREE_VIEW_ARROWS_H

/* Columns as arrows in the plane of two components: what a biplot and a circle of correlations share. */

#include "view/placer.h"
#include "view/plot.h"
#include "view/ramp.h"

typedef struct scree__arrow {
    int64_t column;
    double tip[2];    /* in the units of the plane */
    double weight;    /* what the column contributes to the two components, its square root */
    double to[2];     /* on the canvas */
    const char *name; /* of a supplementary column, lent; NULL: one of the model's */
    double value;     /* that its colour stands for */
} scree__arrow;

typedef struct scree__arrows {
    scree__arrow *all; /* those of the model, the largest contribution first, then supplementary ones */
    int64_t own;       /* of the model, that are shown */
    int64_t count;     /* with supplementary ones */
    int64_t zero;      /* columns that have no part in the plane */
    double from[2];    /* on the canvas */
    scree__ramp ramp;  /* the colours of values; without a title, arrows have one colour */
} scree__arrows;

/* Arrows of the columns along two components, from what is said of columns (tips, D×M); those with the largest
 * contributions of many. room is for as many supplementary ones, which the caller adds. */
scree_status scree__arrows_choose(scree__arrows *arrows, const scree__plot *plot, const double *tips,
                                  const int64_t component[2], int64_t room, scree_error *error);
void scree__arrows_clear(scree__arrows *arrows);
/* "8 of 30 columns shown: the largest contributions"; "" where all are. */
void scree__arrows_describe(const scree__arrows *arrows, const scree__plot *plot, char *text, size_t size);
/* Where they are on the canvas when tips are lengthened by the factor. */
void scree__arrows_settle(scree__arrows *arrows, const scree__frame *frame, double factor);
/* Names of arrows, which keep away from arrows, and from their heads above all. */
void scree__arrows_place(const scree__arrows *arrows, const scree__plot *plot, scree__placer *placer);
void scree__arrows_draw(const scree__arrows *arrows, const scree__plot *plot);

#endif
