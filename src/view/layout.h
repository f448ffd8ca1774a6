/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_LAYOUT_H
#define SCREE_VIEW_LAYOUT_H

/* What a picture is made for: a screen, a column or a page of print, a slide. */

#include "view/canvas.h"

typedef struct scree__layout {
    double width;   /* in px; 0: that of the format */
    double shape;   /* height over width; 0: what suits the kind of picture */
    double em;      /* in px, at least */
    double letters; /* across at most: em grows with the width; 0: it does not */
    double scale;   /* pixels of a PNG for each of these */
} scree__layout;

/* The layout of that name, with the size of letters that is asked for. */
scree_status scree__layout_find(scree__layout *layout, const scree_plot_options *options, scree_error *error);
double scree__layout_em(const scree__layout *layout, scree__medium medium, double width);

#endif
