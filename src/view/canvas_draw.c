/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines, areas, marks and images on a canvas. A layer of many marks is an image of twice the resolution inside a vector
 * file, so that its size is that of the picture and not that of the data. */

#include "view/canvas_inner.h"
#include "view/palette.h"

#include <math.h>
#include <string.h>

static const double layer_detail = 2.0; /* pixels of a layer for one unit */

static void set_colour(scree__canvas *canvas, scree__colour colour, double alpha)
{
    cairo_set_source_rgba(canvas->cairo, colour.r, colour.g, colour.b, scree__canvas_is_cells(canvas) ? 1.0 : alpha);
}

bool scree__canvas_writes(const scree__canvas *canvas)
{
    return canvas->shape.medium == SCREE__SVG && !canvas->below;
}

static void stroke(scree__canvas *canvas, const scree__pen *pen)
{
    const double dash[] = {0.45 * canvas->em, 0.35 * canvas->em};
    set_colour(canvas, pen->colour, pen->alpha);
    cairo_set_line_width(canvas->cairo, scree__canvas_is_cells(canvas) ? 1.0 : pen->width);
    cairo_set_dash(canvas->cairo, dash, pen->dashed ? 2 : 0, 0.0);
    cairo_stroke(canvas->cairo);
}

void scree__canvas_line(scree__canvas *canvas, double x0, double y0, double x1, double y1, const scree__pen *pen)
{
    const double xy[] = {x0, y0, x1, y1};
    scree__canvas_path(canvas, xy, 2, pen);
}

/* A thin line lies in the middle of pixels, or it would be blurred over two. */
static double settle(const scree__canvas *canvas, double value)
{
    return scree__canvas_is_cells(canvas) ? floor(value) + 0.5 : value;
}

static void trace(scree__canvas *canvas, const double *xy, int64_t count)
{
    bool down = false;
    for (int64_t i = 0; i < count; i++) {
        const double x = settle(canvas, xy[2 * i]), y = settle(canvas, xy[2 * i + 1]);
        const bool there = isfinite(x) && isfinite(y);
        if (there && down)
            cairo_line_to(canvas->cairo, x, y);
        else if (there)
            cairo_move_to(canvas->cairo, x, y);
        down = there;
    }
}

void scree__canvas_path(scree__canvas *canvas, const double *xy, int64_t count, const scree__pen *pen)
{
    if (scree__canvas_writes(canvas)) {
        scree__svg_path(canvas, xy, count, pen);
        return;
    }
    trace(canvas, xy, count);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    stroke(canvas, pen);
}

void scree__canvas_area(scree__canvas *canvas, const double *xy, int64_t count, scree__colour colour, double alpha)
{
    if (scree__canvas_is_cells(canvas))
        return;
    if (scree__canvas_writes(canvas)) {
        scree__svg_area(canvas, xy, count, colour, alpha);
        return;
    }
    trace(canvas, xy, count);
    cairo_set_fill_rule(canvas->cairo, CAIRO_FILL_RULE_EVEN_ODD);
    set_colour(canvas, colour, alpha);
    cairo_fill(canvas->cairo);
    cairo_set_fill_rule(canvas->cairo, CAIRO_FILL_RULE_WINDING);
}

void scree__canvas_fill(scree__canvas *canvas, const scree__box *box, scree__colour colour, double alpha)
{
    if (scree__canvas_writes(canvas)) {
        scree__svg_fill(canvas, box, colour, alpha);
        return;
    }
    cairo_rectangle(canvas->cairo, box->x, box->y, box->w, box->h);
    set_colour(canvas, colour, alpha);
    cairo_fill(canvas->cairo);
}

void scree__canvas_frame(scree__canvas *canvas, const scree__box *box, const scree__pen *pen)
{
    const double right = box->x + box->w, bottom = box->y + box->h;
    const double xy[] = {box->x, box->y, right, box->y, right, bottom, box->x, bottom, box->x, box->y};
    scree__canvas_path(canvas, xy, 5, pen);
}

void scree__canvas_ellipse(scree__canvas *canvas, const scree__box *box, const scree__pen *pen)
{
    if (!(box->w > 0.0 && box->h > 0.0))
        return;
    if (scree__canvas_writes(canvas)) {
        scree__svg_ellipse(canvas, box, pen);
        return;
    }
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, box->x + box->w / 2, box->y + box->h / 2);
    cairo_scale(canvas->cairo, box->w / 2, box->h / 2);
    cairo_new_sub_path(canvas->cairo);
    cairo_arc(canvas->cairo, 0, 0, 1, 0, 2 * acos(-1.0));
    cairo_restore(canvas->cairo);
    stroke(canvas, pen);
}

static const double squares[] = {-0.8, -0.8, 0.8, -0.8, 0.8, 0.8, -0.8, 0.8};
static const double diamonds[] = {0, -1.15, 1.15, 0, 0, 1.15, -1.15, 0};
static const double triangles[] = {0, -1.1, 1.05, 0.8, -1.05, 0.8};
static const double upside_down[] = {0, 1.1, 1.05, -0.8, -1.05, -0.8};
static const double crosses[] = {-0.85, -0.85, 0.85, 0.85, -0.85, 0.85, 0.85, -0.85};

const double *scree__mark_corners(int shape, int *count)
{
    *count = shape == SCREE__TRIANGLE || shape == SCREE__UPSIDE_DOWN ? 3 : 4;
    switch ((scree__mark_shape)shape) {
    case SCREE__SQUARE:
        return squares;
    case SCREE__DIAMOND:
        return diamonds;
    case SCREE__TRIANGLE:
        return triangles;
    case SCREE__UPSIDE_DOWN:
        return upside_down;
    case SCREE__CROSS:
        return crosses;
    default:
        return NULL;
    }
}

/* On cells a point is its letter. */
static void mark_cell(scree__canvas *canvas, double x, double y, const scree__mark *mark)
{
    const scree__glyph glyph = {(int32_t)floor(x / SCREE__CELL_WIDTH), (int32_t)floor(y / SCREE__CELL_HEIGHT),
                                (uint32_t)mark->letter, mark->colour};
    scree__buffer_add(&canvas->glyphs, &glyph, sizeof glyph);
}

void scree__canvas_mark(scree__canvas *canvas, double x, double y, const scree__mark *mark)
{
    if (!isfinite(x) || !isfinite(y))
        return;
    if (scree__canvas_is_cells(canvas)) {
        mark_cell(canvas, x, y, mark);
        return;
    }
    if (scree__canvas_writes(canvas)) {
        scree__svg_mark(canvas, x, y, mark);
        return;
    }
    cairo_t *cairo = canvas->cairo;
    int count = 0;
    const double *corners = scree__mark_corners(mark->shape, &count);
    set_colour(canvas, mark->colour, mark->alpha);
    cairo_new_path(cairo);
    for (int i = 0; corners && i < count; i++) {
        const double at[] = {x + mark->radius * corners[2 * i], y + mark->radius * corners[2 * i + 1]};
        if (mark->shape == SCREE__CROSS && i == 2)
            cairo_move_to(cairo, at[0], at[1]);
        else
            cairo_line_to(cairo, at[0], at[1]);
    }
    if (!corners)
        cairo_arc(cairo, x, y, mark->radius, 0, 2 * acos(-1.0));
    if (mark->shape != SCREE__CROSS) {
        cairo_fill(cairo);
        return;
    }
    cairo_set_line_width(cairo, 0.5 * mark->radius);
    cairo_set_dash(cairo, NULL, 0, 0.0);
    cairo_stroke(cairo);
}

/* On cells an image fills whole ones. */
static scree__box whole_cells(const scree__canvas *canvas, const scree__box *box)
{
    if (!scree__canvas_is_cells(canvas))
        return *box;
    const double x = SCREE__CELL_WIDTH * round(box->x / SCREE__CELL_WIDTH);
    const double y = SCREE__CELL_HEIGHT * round(box->y / SCREE__CELL_HEIGHT);
    return (scree__box){x, y, SCREE__CELL_WIDTH * fmax(1.0, floor(box->w / SCREE__CELL_WIDTH)),
                        SCREE__CELL_HEIGHT * fmax(1.0, floor(box->h / SCREE__CELL_HEIGHT))};
}

void scree__canvas_image(scree__canvas *canvas, const scree__box *place, const uint32_t *pixels, int64_t rows,
                         int64_t cols)
{
    const scree__box whole = whole_cells(canvas, place), *box = &whole;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)cols, (int)rows);
    if (cairo_surface_status(image) == CAIRO_STATUS_SUCCESS) {
        unsigned char *data = cairo_image_surface_get_data(image);
        const int stride = cairo_image_surface_get_stride(image);
        for (int64_t i = 0; i < rows; i++)
            memcpy(data + i * stride, pixels + i * cols, (size_t)cols * sizeof *pixels);
        cairo_surface_mark_dirty(image);
    }
    /* Pixels that become larger stay rectangles; many that become one are averaged. */
    const bool shrinks = box->w * canvas->shape.scale < (double)cols;
    if (scree__canvas_writes(canvas)) {
        scree__svg_image(canvas, box, image, !shrinks);
    } else {
        cairo_save(canvas->cairo);
        cairo_translate(canvas->cairo, box->x, box->y);
        cairo_scale(canvas->cairo, box->w / (double)cols, box->h / (double)rows);
        cairo_set_source_surface(canvas->cairo, image, 0, 0);
        cairo_pattern_set_filter(cairo_get_source(canvas->cairo), shrinks ? CAIRO_FILTER_GOOD : CAIRO_FILTER_NEAREST);
        cairo_pattern_set_extend(cairo_get_source(canvas->cairo), CAIRO_EXTEND_PAD);
        cairo_rectangle(canvas->cairo, 0, 0, (double)cols, (double)rows);
        cairo_fill(canvas->cairo);
        cairo_restore(canvas->cairo);
    }
    cairo_surface_destroy(image);
    if (scree__canvas_is_cells(canvas))
        scree__buffer_add(&canvas->tiles, box, sizeof *box);
}

void scree__canvas_clip(scree__canvas *canvas, const scree__box *box, bool raster)
{
    if (raster && scree__canvas_is_vector(canvas) && !canvas->below) {
        const int width = (int)ceil(box->w * layer_detail), height = (int)ceil(box->h * layer_detail);
        cairo_surface_t *layer = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height);
        canvas->below = canvas->cairo;
        canvas->cairo = cairo_create(layer);
        cairo_surface_destroy(layer);
        cairo_scale(canvas->cairo, layer_detail, layer_detail);
        cairo_translate(canvas->cairo, -box->x, -box->y);
        canvas->layer = *box;
    } else if (scree__canvas_writes(canvas)) {
        scree__svg_clip(canvas, box);
    } else {
        cairo_save(canvas->cairo);
        cairo_rectangle(canvas->cairo, box->x, box->y, box->w, box->h);
        cairo_clip(canvas->cairo);
    }
}

void scree__canvas_unclip(scree__canvas *canvas)
{
    if (!canvas->below) {
        if (scree__canvas_writes(canvas))
            scree__svg_unclip(canvas);
        else
            cairo_restore(canvas->cairo);
        return;
    }
    cairo_t *layer = canvas->cairo;
    canvas->cairo = canvas->below;
    canvas->below = NULL;
    if (scree__canvas_writes(canvas)) {
        cairo_surface_flush(cairo_get_target(layer));
        scree__svg_image(canvas, &canvas->layer, cairo_get_target(layer), false);
        cairo_destroy(layer);
        return;
    }
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, canvas->layer.x, canvas->layer.y);
    cairo_scale(canvas->cairo, 1.0 / layer_detail, 1.0 / layer_detail);
    cairo_set_source_surface(canvas->cairo, cairo_get_target(layer), 0, 0);
    cairo_paint(canvas->cairo);
    cairo_restore(canvas->cairo);
    cairo_destroy(layer);
}
