/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_CANVAS_H
#define SCREE_VIEW_CANVAS_H

/* What pictures are drawn on: a vector file, an image, or the cells of a terminal. Units are pixels of 1/96 inch, y
 * grows downwards; letters are em high, and everything else is best measured in em too. On a terminal a cell is 2×4
 * units, which become the dots of a Braille letter, and text goes into cells as it is. Drawing never fails; what went
 * wrong is told by scree__canvas_finish. */

#include "scree_private.h"
#include "scree_view.h"

typedef enum scree__medium {
    SCREE__SVG,
    SCREE__OUTLINES, /* SVG, with letters as outlines */
    SCREE__PDF,
    SCREE__PNG,
    SCREE__KITTY,
    SCREE__SIXEL,
    SCREE__ANSI,  /* cells in colour */
    SCREE__TEXT,  /* cells without */
    SCREE__ASCII, /* and without letters beyond ASCII */
} scree__medium;

typedef struct scree__colour {
    double r;
    double g;
    double b;
} scree__colour;

typedef struct scree__box {
    double x;
    double y;
    double w;
    double h;
} scree__box;

typedef struct scree__pen {
    scree__colour colour;
    double alpha;
    double width; /* in px */
    bool dashed;
} scree__pen;

/* What a text's place is: its left end, its middle or its right end, on the middle of its line. */
typedef enum scree__anchor { SCREE__LEFT, SCREE__MIDDLE, SCREE__RIGHT } scree__anchor;

typedef struct scree__text_style {
    scree__colour colour;
    double size; /* in em */
    bool bold;
    scree__anchor anchor;
    bool cased; /* a casing in the colour of the paper around the letters, which lie over something */
} scree__text_style;

typedef struct scree__canvas scree__canvas;

typedef struct scree__canvas_shape {
    scree__medium medium;
    double width;
    double height;
    double scale; /* pixels of an image for one unit */
    bool dark;
    double em;                      /* height of letters; 0: by the width */
    bool beside;                    /* wider than high: legends stand beside plots */
    const struct scree__look *look; /* lives as long as the canvas; NULL: the usual one */
} scree__canvas_shape;

scree_status scree__canvas_open(scree__canvas **out, const scree__canvas_shape *shape, scree_error *error);
/* Writes the picture to the path, "-" for standard output; title is kept inside where the format has a place for it. */
scree_status scree__canvas_finish(scree__canvas *canvas, const char *path, const char *title, scree_error *error);
void scree__canvas_free(scree__canvas *canvas); /* NULL-safe */

/* What a picture is cut to. */
const scree__canvas_shape *scree__canvas_shape_of(const scree__canvas *canvas);
bool scree__canvas_is_cells(const scree__canvas *canvas);
bool scree__medium_is_cells(scree__medium medium);
double scree__canvas_em(const scree__canvas *canvas);
/* What em will be on such a canvas. */
double scree__canvas_em_for(scree__medium medium, double width);

void scree__canvas_line(scree__canvas *canvas, double x0, double y0, double x1, double y1, const scree__pen *pen);
/* xy: count points, x and y in turn; a point that is not a number breaks the line. */
void scree__canvas_path(scree__canvas *canvas, const double *xy, int64_t count, const scree__pen *pen);
void scree__canvas_fill(scree__canvas *canvas, const scree__box *box, scree__colour colour, double alpha);
/* What lies inside of an odd number of lines; a point that is not a number ends one of them. On cells it is left out.
 */
void scree__canvas_area(scree__canvas *canvas, const double *xy, int64_t count, scree__colour colour, double alpha);
void scree__canvas_frame(scree__canvas *canvas, const scree__box *box, const scree__pen *pen);
void scree__canvas_ellipse(scree__canvas *canvas, const scree__box *box, const scree__pen *pen);

/* A mark for a point: one of the shapes of palette.h. letter stands for it where there are cells without colour. */
typedef struct scree__mark {
    scree__colour colour;
    double alpha;
    double radius;
    int shape;
    char letter;
} scree__mark;

void scree__canvas_mark(scree__canvas *canvas, double x, double y, const scree__mark *mark);

/* rows×cols pixels, 0xRRGGBB, each a crisp rectangle. */
void scree__canvas_image(scree__canvas *canvas, const scree__box *box, const uint32_t *pixels, int64_t rows,
                         int64_t cols);

void scree__canvas_text(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text);
/* Reads upwards. On cells it is left out. */
void scree__canvas_text_up(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text);
double scree__canvas_text_width(scree__canvas *canvas, const scree__text_style *type, const char *text);

/* Between these two, what is drawn is cut off at the box; as a raster it is kept as one image inside a vector file. */
void scree__canvas_clip(scree__canvas *canvas, const scree__box *box, bool raster);
void scree__canvas_unclip(scree__canvas *canvas);

#endif
