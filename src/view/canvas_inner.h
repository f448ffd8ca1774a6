/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_CANVAS_INNER_H
#define SCREE_VIEW_CANVAS_INNER_H

/* Inside of a canvas: the only place that knows Cairo. */

#include "view/canvas.h"

#include <cairo.h>

/* Bytes that grow. */
typedef struct scree__buffer {
    unsigned char *data;
    int64_t size;
    int64_t room;
    bool failed; /* there was no memory */
} scree__buffer;

void scree__buffer_add(scree__buffer *buffer, const void *data, int64_t size);
void scree__buffer_print(scree__buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A letter in a cell, over what is drawn there. */
typedef struct scree__glyph {
    int32_t x;
    int32_t y;
    uint32_t code;
    scree__colour colour;
} scree__glyph;

struct scree__canvas {
    scree__canvas_shape shape;
    double em;
    cairo_surface_t *surface;
    cairo_t *cairo; /* where to draw: the surface's, or the layer's */
    cairo_t *below; /* the surface's, while there is a layer */
    scree__box layer;
    double layer_scale;
    scree__buffer bytes; /* of a vector file */
    scree__buffer glyphs;
    scree__buffer tiles; /* boxes that hold images, for cells */
};

enum { SCREE__CELL_WIDTH = 2, SCREE__CELL_HEIGHT = 4 };

/* The pixels as bytes of the format. */
void scree__sixel_encode(scree__buffer *out, cairo_surface_t *image);
void scree__kitty_encode(scree__buffer *out, const scree__buffer *png);
void scree__cells_encode(scree__buffer *out, const scree__canvas *canvas);

/* Gives the parts of an SVG numbers of their own: Cairo counts on from picture to picture. */
void scree__svg_renumber(scree__buffer *svg);

#endif
