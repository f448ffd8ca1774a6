/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PLACER_H
#define SCREE_VIEW_PLACER_H

/* Names beside points, none over another. */

#include "view/frame.h"

enum { SCREE__PLACED_MOST = 64 };

typedef struct scree__placer {
    scree__box taken[SCREE__PLACED_MOST];
    int count;
} scree__placer;

typedef struct scree__placed {
    scree__box box;
    char text[96]; /* cut to what is read at a glance */
} scree__placed;

/* Finds a side of the point with room for the text within bounds, away from where the point's line comes from:
 * leftwards for a line that goes to the left. false: there is none. */
bool scree__placer_find(scree__placer *placer, const scree__page *page, const scree__box *bounds, const double at[2],
                        bool leftwards, const char *text, scree__placed *placed);
/* Draws it, on a little paper of its own. */
void scree__placed_draw(const scree__page *page, const scree__placed *placed, bool bold);

#endif
