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

const scree__theme_colours *scree__theme(bool dark);

/* The i-th series, from 0: 72 of them differ in colour or shape. */
scree__mark scree__series(bool dark, int64_t i, double radius);

/* 0xRRGGBB of a value in 0..1, black to white as the images are stored (white ink on black). */
uint32_t scree__grey(double value);
/* What lies below zero, and what above it: blue and orange, everywhere. */
scree__colour scree__signed(bool negative, bool dark);
/* Of a value in -1..1: the same two, paper at 0. */
uint32_t scree__diverging(double value, bool dark);

#endif
