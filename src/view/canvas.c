/* SPDX-License-Identifier: BSD-3-Clause */
/* A canvas is a Cairo surface, but for SVG, which is written by svg.c. The same drawing gives the same bytes: dates are
 * fixed, numbers inside an SVG start anew, and a file is made in memory and then written whole. Cells of a terminal are
 * an image of 2×4 pixels a cell, drawn without smoothing on nothing, so that what is drawn can be told from what is
 * not. */

#include "scree_private.h"
#include "view/canvas_inner.h"
#include "view/palette.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double points_a_pixel = 0.75;
static const double letters_a_width = 75.0; /* of a wide picture; letters of a narrow one stay readable */
static const double smallest_em = 9.5;

void scree__buffer_add(scree__buffer *buffer, const void *data, int64_t size)
{
    if (buffer->size + size > buffer->room && !buffer->failed) {
        const int64_t room = 2 * (buffer->size + size) + 4096;
        unsigned char *grown = realloc(buffer->data, (size_t)room);
        buffer->failed = !grown;
        if (grown) {
            buffer->data = grown;
            buffer->room = room;
        }
    }
    if (!buffer->failed) {
        memcpy(buffer->data + buffer->size, data, (size_t)size);
        buffer->size += size;
    }
}

void scree__buffer_print(scree__buffer *buffer, const char *format, ...)
{
    char text[128];
    va_list list;
    va_start(list, format);
    const int length = scree__format_list(text, sizeof text, format, list);
    va_end(list);
    scree__buffer_add(buffer, text, length);
}

static cairo_status_t take(void *closure, const unsigned char *data, unsigned int length)
{
    scree__buffer *buffer = closure;
    scree__buffer_add(buffer, data, length);
    return buffer->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *make_surface(scree__canvas *canvas)
{
    const scree__canvas_shape *shape = &canvas->shape;
    cairo_surface_t *surface = NULL;
    if (shape->medium == SCREE__SVG) {
        surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, NULL); /* to measure texts with */
    } else if (shape->medium == SCREE__OUTLINES) {
        surface = cairo_svg_surface_create_for_stream(take, &canvas->bytes, shape->width, shape->height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    } else if (shape->medium == SCREE__PDF) {
        surface = cairo_pdf_surface_create_for_stream(take, &canvas->bytes, shape->width * points_a_pixel,
                                                      shape->height * points_a_pixel);
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
        cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, "2000-01-01T00:00:00Z");
    } else {
        surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)lround(shape->width * shape->scale),
                                             (int)lround(shape->height * shape->scale));
    }
    return surface;
}

static void prepare(scree__canvas *canvas)
{
    const scree__canvas_shape *shape = &canvas->shape;
    const scree__box all = {0, 0, shape->width, shape->height};
    canvas->em = shape->em > 0.0 ? shape->em : scree__canvas_em_for(shape->medium, shape->width);
    if (scree__canvas_is_cells(canvas)) {
        cairo_set_antialias(canvas->cairo, CAIRO_ANTIALIAS_NONE);
        return;
    }
    if (shape->medium == SCREE__PDF)
        cairo_scale(canvas->cairo, points_a_pixel, points_a_pixel);
    else
        cairo_scale(canvas->cairo, shape->scale, shape->scale);
    scree__canvas_fill(canvas, &all, shape->look->theme.paper, 1.0);
}

scree_status scree__canvas_open(scree__canvas **out, const scree__canvas_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__canvas *canvas = NULL;
    SCREE_ALLOC(canvas, 1, error);
    canvas->shape = *shape;
    if (!shape->look)
        canvas->shape.look = scree__look_plain(shape->dark);
    if (scree__canvas_is_vector(canvas) || scree__canvas_is_cells(canvas))
        canvas->shape.scale = 1.0;
    canvas->surface = make_surface(canvas);
    canvas->cairo = cairo_create(canvas->surface);
    if (cairo_status(canvas->cairo) != CAIRO_STATUS_SUCCESS)
        SCREE_FAIL(error, SCREE_ERR_MEMORY,
                   "a picture of %.0f × %.0f pixels cannot be made (%s); ask for a smaller one", shape->width,
                   shape->height, cairo_status_to_string(cairo_status(canvas->cairo)));
    prepare(canvas);
    *out = canvas;
    canvas = NULL;
done:
    scree__canvas_free(canvas);
    return status;
}

void scree__canvas_free(scree__canvas *canvas)
{
    if (!canvas)
        return;
    cairo_destroy(canvas->cairo);
    cairo_destroy(canvas->below);
    cairo_surface_destroy(canvas->surface);
    free(canvas->bytes.data);
    free(canvas->glyphs.data);
    free(canvas->tiles.data);
    free(canvas);
}

const scree__canvas_shape *scree__canvas_shape_of(const scree__canvas *canvas)
{
    return &canvas->shape;
}

double scree__canvas_em_for(scree__medium medium, double width)
{
    return scree__medium_is_cells(medium) ? SCREE__CELL_HEIGHT : fmax(smallest_em, width / letters_a_width);
}

bool scree__medium_is_cells(scree__medium medium)
{
    return medium == SCREE__ANSI || medium == SCREE__TEXT || medium == SCREE__ASCII;
}

bool scree__canvas_is_cells(const scree__canvas *canvas)
{
    return scree__medium_is_cells(canvas->shape.medium);
}

bool scree__canvas_is_vector(const scree__canvas *canvas)
{
    return canvas->shape.medium == SCREE__SVG || canvas->shape.medium == SCREE__OUTLINES ||
           canvas->shape.medium == SCREE__PDF;
}

double scree__canvas_em(const scree__canvas *canvas)
{
    return canvas->em;
}

/* The picture as bytes of its format, in canvas->bytes. */
static cairo_status_t encode(scree__canvas *canvas, const char *title)
{
    scree__buffer png = {0};
    cairo_status_t status = cairo_status(canvas->cairo);
    cairo_surface_flush(canvas->surface);
    switch (canvas->shape.medium) {
    case SCREE__SVG:
        scree__svg_finish(canvas, title);
        break;
    case SCREE__OUTLINES:
        cairo_surface_finish(canvas->surface);
        scree__svg_renumber(&canvas->bytes);
        break;
    case SCREE__PDF:
        cairo_surface_finish(canvas->surface);
        break;
    case SCREE__PNG:
        status = cairo_surface_write_to_png_stream(canvas->surface, take, &canvas->bytes);
        break;
    case SCREE__KITTY:
        status = cairo_surface_write_to_png_stream(canvas->surface, take, &png);
        scree__kitty_encode(&canvas->bytes, &png);
        break;
    case SCREE__SIXEL:
        scree__sixel_encode(&canvas->bytes, canvas->surface);
        break;
    default:
        scree__cells_encode(&canvas->bytes, canvas);
    }
    free(png.data);
    return status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(canvas->surface) : status;
}

scree_status scree__canvas_finish(scree__canvas *canvas, const char *path, const char *title, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    if (canvas->shape.medium == SCREE__PDF)
        cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_TITLE, title);
    const cairo_status_t drawn = encode(canvas, title);
    if (drawn != CAIRO_STATUS_SUCCESS && drawn != CAIRO_STATUS_SURFACE_FINISHED)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "%s: the picture cannot be drawn (%s); try another size or format", path,
                   cairo_status_to_string(drawn));
    if (canvas->bytes.failed || canvas->glyphs.failed || canvas->tiles.failed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory; ask for a smaller picture", path);
    SCREE_TRY(scree__atomic_open(&file, path, error));
    SCREE_TRY(scree__atomic_write(file, canvas->bytes.data, canvas->bytes.size, error));
    SCREE_TRY(scree__atomic_commit(file, error));
done:
    scree__atomic_free(file);
    return status;
}
