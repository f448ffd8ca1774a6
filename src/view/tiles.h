/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_TILES_H
#define SCREE_VIEW_TILES_H

/* Rows that are images, as small pictures. */

#include "view/plot.h"

/* How numbers become colours: grey from low to high, or, where they diverge, blue and orange on both sides of 0. */
typedef struct scree__tone {
    double low;
    double high;
    bool diverging;
} scree__tone;

/* Grey over all the values. */
scree__tone scree__tone_of(const double *values, int64_t count);

/* The image in the largest box of its shape inside the room, in the middle; *drawn, when not NULL, is that box. */
scree_status scree__tile_draw(const scree__plot *plot, const scree__box *room, const double *row,
                              const scree__tone *tone, scree__box *drawn, scree_error *error);

/* A grid of count tiles in the room, each with lines of text under it. */
typedef struct scree__grid {
    scree__box room;
    int64_t across;
    int64_t down;
    double text; /* height under each */
    double gap;
} scree__grid;

/* shape is height over width of a tile; lines are of text under each. */
scree__grid scree__grid_over(const scree__page *page, int64_t count, int64_t across, double shape, int lines);
/* Height over width of a page with such a grid. */
double scree__grid_aspect(int64_t count, int64_t across, double shape, int lines, double em);
/* The i-th tile, without the text under it. */
scree__box scree__grid_at(const scree__grid *grid, int64_t i);

#endif
