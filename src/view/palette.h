/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_PALETTE_H
#define SCREE_VIEW_PALETTE_H

/* Colours that colour-blind readers tell apart, with shapes beside them, for light and dark paper. */

#include "view/canvas.h"

typedef struct scree__theme {
    scree__colour paper;
    scree__colour ink;
    scree__colour muted; /* axes, ticks, notes */
    scree__colour grid;
    scree__colour alarm; /* outliers, highlighted rows */
    scree__colour other; /* points without a label of their own */
} scree__theme_colours;

typedef enum scree__mark_shape {
    SCREE__CIRCLE,
    SCREE__TRIANGLE,
    SCREE__SQUARE,
    SCREE__CROSS,
    SCREE__DIAMOND,
    SCREE__UPSIDE_DOWN,
    SCREE__SHAPES,
} scree__mark_shape;

enum { SCREE__PALETTE_MOST = 36 };

/* How a picture looks, whatever it shows. */
typedef struct scree__look {
    scree__theme_colours theme;
    bool dark; /* the paper */
    scree__colour series[SCREE__PALETTE_MOST];
    int64_t series_count;
    scree__colour below; /* what lies below zero, and what above */
    scree__colour above;
    const char *signs; /* "blue below zero, orange above" */
} scree__look;

/* The usual one. */
const scree__look *scree__look_plain(bool dark);
/* theme: "light", "dark" or "print", NULL: by dark. palette: the name of one, or some colours such as
 * "#0072b2,#e07b00"; NULL: the usual one. */
scree_status scree__look_make(scree__look *look, const char *theme, const char *palette, bool dark, scree_error *error);

/* The i-th series, from 0: of the usual palette 72 differ in colour or shape. */
scree__mark scree__series(const scree__look *look, int64_t i, double radius);

/* 0xRRGGBB of a value in 0..1, black to white as the images are stored (white ink on black). */
uint32_t scree__grey(double value);
/* What lies below zero, and what above it: blue and orange, everywhere, unless a palette says otherwise. */
scree__colour scree__signed(const scree__look *look, bool negative);
/* Of a value in -1..1: the same two, paper at 0. */
uint32_t scree__diverging(const scree__look *look, double value);

#endif
