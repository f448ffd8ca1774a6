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
    bool grouped;        /* of an SVG: marks of this look stand in a group that is open */
    scree__mark look;
};

bool scree__canvas_is_vector(const scree__canvas *canvas);
/* Whether what is drawn now becomes elements of an SVG: not what is part of a layer. */
bool scree__canvas_writes(const scree__canvas *canvas);

#define SCREE__CASING 0.28 /* em, a half of it outside of the letters */

enum { SCREE__CELL_WIDTH = 2, SCREE__CELL_HEIGHT = 4 };

/* The pixels as bytes of the format. */
void scree__sixel_encode(scree__buffer *out, cairo_surface_t *image);
void scree__kitty_encode(scree__buffer *out, const scree__buffer *png);
void scree__cells_encode(scree__buffer *out, const scree__canvas *canvas);

void scree__base64_put(scree__buffer *out, const unsigned char *data, int64_t size);

/* Corners of a shape on a circle of radius 1, x and y in turn; NULL: it has none. A cross is two lines. */
const double *scree__mark_corners(int shape, int *count);

/* What is drawn becomes elements of an SVG, in canvas->bytes; texts are clean. */
void scree__svg_path(scree__canvas *canvas, const double *xy, int64_t count, const scree__pen *pen);
void scree__svg_fill(scree__canvas *canvas, const scree__box *box, scree__colour colour, double alpha);
void scree__svg_area(scree__canvas *canvas, const double *xy, int64_t count, scree__colour colour, double alpha);
void scree__svg_ellipse(scree__canvas *canvas, const scree__box *box, const scree__pen *pen);
void scree__svg_mark(scree__canvas *canvas, double x, double y, const scree__mark *mark);
void scree__svg_image(scree__canvas *canvas, const scree__box *box, cairo_surface_t *image, bool crisp);
void scree__svg_text(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text,
                     bool upwards);
void scree__svg_clip(scree__canvas *canvas, const scree__box *box);
void scree__svg_unclip(scree__canvas *canvas);
void scree__svg_finish(scree__canvas *canvas, const char *title);

/* Gives the parts of an SVG that Cairo has made numbers of their own: it counts on from picture to picture. */
void scree__svg_renumber(scree__buffer *svg);

#endif
