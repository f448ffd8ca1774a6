/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PLACER_H
#define SCREE_VIEW_PLACER_H

/* Names beside points: none over another, and none over a point while there is room elsewhere. */

#include "view/frame.h"

enum { SCREE__PLACED_MOST = 128 };

typedef struct scree__wish {
    double at[2];   /* the point */
    bool leftwards; /* its line comes from the right: names go to the left first */
    bool along;     /* it is the head of an arrow: names go on in its direction first */
    double angle;   /* of that, from the right to above */
    bool near;      /* no line may lead to it */
    bool crosses;   /* over lines rather than not at all */
    bool must;      /* over marks, too */
    bool bold;
    double size; /* of the letters, in em; 0: 1 */
} scree__wish;

typedef struct scree__placed {
    scree__wish wish;
    bool there; /* else there was no place for it */
    scree__box box;
    double from[2]; /* the point */
    bool far;       /* so far from it that a line leads there */
    bool covers;    /* some of what is drawn */
    char text[96];  /* cut to what is read at a glance */
} scree__placed;

typedef struct scree__placer {
    const scree__page *page;
    scree__box bounds; /* names stay inside */
    scree__placed placed[SCREE__PLACED_MOST];
    int count;
    uint16_t *crowd; /* down×across: how much is drawn in each little square */
    uint16_t *lines; /* and how many lines go through */
    int64_t across;
    int64_t down;
    double step; /* width of a square */
} scree__placer;

scree_status scree__placer_open(scree__placer *placer, const scree__page *page, const scree__box *bounds,
                                scree_error *error);
void scree__placer_close(scree__placer *placer); /* safe on a zeroed struct */

/* Something is drawn there, a box of this half width around the point; weight says how bad it is to lie over it. */
void scree__placer_mark(scree__placer *placer, double x, double y, double radius, int weight);

/* A line is drawn from one point to another. */
void scree__placer_line(scree__placer *placer, const double from[2], const double to[2], int weight);

/* Finds a place for the text; false: there is none, and it will not be drawn. */
bool scree__placer_find(scree__placer *placer, const scree__wish *wish, const char *text);

/* The same, but a text without a place is kept in mind; settle moves names to better places, now that all are known,
 * and tries again those that have none. */
bool scree__placer_ask(scree__placer *placer, const scree__wish *wish, const char *text);
void scree__placer_settle(scree__placer *placer);

/* The lines that lead to names that are far; then, when the points concerned are drawn again above them, the names,
 * with a casing where they lie over something. */
void scree__placer_draw_lines(const scree__placer *placer);
void scree__placer_draw_names(const scree__placer *placer);

#endif
