/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture as SVG, written element by element: letters are letters, so that they can be searched, read aloud and
 * edited; the whole has a title and the role of an image. Where it is shown without DejaVu Sans, other letters of a
 * similar width take its place. Marks of one look stand in a group that says it once. A part that is cut off at a box
 * is an <svg> of its own, which needs no name that another picture on the same page could have, too. */

#include "view/canvas_inner.h"
#include "view/palette.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double middle = 0.36; /* of the small letters and the capitals, above the line, in em */

static void put(scree__buffer *out, const char *text)
{
    scree__buffer_add(out, text, (int64_t)strlen(text));
}

static void put_number(scree__buffer *out, double value)
{
    char text[32];
    scree__format(text, sizeof text, "%.2f", value);
    size_t length = strlen(text);
    while (text[length - 1] == '0')
        length--;
    length -= text[length - 1] == '.';
    scree__buffer_add(out, strcmp(text, "-0.00") == 0 ? "0" : text, strcmp(text, "-0.00") == 0 ? 1 : (int64_t)length);
}

/* name="value" */
static void put_attribute(scree__buffer *out, const char *name, double value)
{
    scree__buffer_print(out, " %s=\"", name);
    put_number(out, value);
    put(out, "\"");
}

static void put_colour(scree__buffer *out, const char *name, scree__colour colour, double alpha)
{
    scree__buffer_print(out, " %s=\"#%02x%02x%02x\"", name, (unsigned)lround(255 * colour.r),
                        (unsigned)lround(255 * colour.g), (unsigned)lround(255 * colour.b));
    if (alpha < 1.0) {
        scree__buffer_print(out, " %s-opacity", name);
        put(out, "=\"");
        put_number(out, alpha);
        put(out, "\"");
    }
}

/* Anything may come from data; what XML takes for its own is written otherwise. */
static void put_text(scree__buffer *out, const char *text)
{
    for (; *text; text++)
        if (*text == '&')
            put(out, "&amp;");
        else if (*text == '<')
            put(out, "&lt;");
        else if (*text == '>')
            put(out, "&gt;");
        else
            scree__buffer_add(out, text, 1);
}

static void end_group(scree__canvas *canvas)
{
    if (canvas->grouped)
        put(&canvas->bytes, "</g>\n");
    canvas->grouped = false;
}

static void put_pen(scree__canvas *canvas, const scree__pen *pen)
{
    scree__buffer *out = &canvas->bytes;
    put_colour(out, "stroke", pen->colour, pen->alpha);
    put_attribute(out, "stroke-width", pen->width);
    if (!pen->dashed)
        return;
    put(out, " stroke-dasharray=\"");
    put_number(out, 0.45 * canvas->em);
    put(out, " ");
    put_number(out, 0.35 * canvas->em);
    put(out, "\"");
}

static void put_point(scree__buffer *out, char verb, double x, double y)
{
    scree__buffer_add(out, &verb, 1);
    put_number(out, x);
    put(out, " ");
    put_number(out, y);
}

static void put_points(scree__buffer *out, const double *xy, int64_t count)
{
    bool down = false;
    put(out, " d=\"");
    for (int64_t i = 0; i < count; i++) {
        const bool there = isfinite(xy[2 * i]) && isfinite(xy[2 * i + 1]);
        if (there)
            put_point(out, down ? 'L' : 'M', xy[2 * i], xy[2 * i + 1]);
        down = there;
    }
    put(out, "\"/>\n");
}

void scree__svg_path(scree__canvas *canvas, const double *xy, int64_t count, const scree__pen *pen)
{
    end_group(canvas);
    put(&canvas->bytes, "<path fill=\"none\" stroke-linejoin=\"round\"");
    put_pen(canvas, pen);
    put_points(&canvas->bytes, xy, count);
}

void scree__svg_area(scree__canvas *canvas, const double *xy, int64_t count, scree__colour colour, double alpha)
{
    end_group(canvas);
    put(&canvas->bytes, "<path fill-rule=\"evenodd\"");
    put_colour(&canvas->bytes, "fill", colour, alpha);
    put_points(&canvas->bytes, xy, count);
}

static void put_box(scree__buffer *out, const scree__box *box)
{
    put_attribute(out, "x", box->x);
    put_attribute(out, "y", box->y);
    put_attribute(out, "width", fmax(box->w, 0.0));
    put_attribute(out, "height", fmax(box->h, 0.0));
}

void scree__svg_fill(scree__canvas *canvas, const scree__box *box, scree__colour colour, double alpha)
{
    end_group(canvas);
    put(&canvas->bytes, "<rect");
    put_box(&canvas->bytes, box);
    put_colour(&canvas->bytes, "fill", colour, alpha);
    put(&canvas->bytes, "/>\n");
}

void scree__svg_ellipse(scree__canvas *canvas, const scree__box *box, const scree__pen *pen)
{
    scree__buffer *out = &canvas->bytes;
    end_group(canvas);
    put(out, "<ellipse fill=\"none\"");
    put_attribute(out, "cx", box->x + box->w / 2);
    put_attribute(out, "cy", box->y + box->h / 2);
    put_attribute(out, "rx", box->w / 2);
    put_attribute(out, "ry", box->h / 2);
    put_pen(canvas, pen);
    put(out, "/>\n");
}

static bool is_same_colour(scree__colour a, scree__colour b)
{
    return a.r == b.r && a.g == b.g && a.b == b.b;
}

static bool looks_alike(const scree__mark *a, const scree__mark *b)
{
    const bool crosses = a->shape == SCREE__CROSS;
    return is_same_colour(a->colour, b->colour) && a->alpha == b->alpha && a->radius == b->radius &&
           crosses == (b->shape == SCREE__CROSS);
}

/* A group for marks of this look, unless they are in it already. */
static void begin_group(scree__canvas *canvas, const scree__mark *mark)
{
    scree__buffer *out = &canvas->bytes;
    if (canvas->grouped && looks_alike(&canvas->look, mark))
        return;
    end_group(canvas);
    put(out, "<g");
    if (mark->shape == SCREE__CROSS) {
        put(out, " fill=\"none\"");
        put_colour(out, "stroke", mark->colour, mark->alpha);
        put_attribute(out, "stroke-width", 0.5 * mark->radius);
    } else {
        put_colour(out, "fill", mark->colour, mark->alpha);
    }
    put(out, ">\n");
    canvas->grouped = true;
    canvas->look = *mark;
}

void scree__svg_mark(scree__canvas *canvas, double x, double y, const scree__mark *mark)
{
    scree__buffer *out = &canvas->bytes;
    int count = 0;
    const double *corners = scree__mark_corners(mark->shape, &count);
    begin_group(canvas, mark);
    if (!corners) {
        put(out, "<circle");
        put_attribute(out, "cx", x);
        put_attribute(out, "cy", y);
        put_attribute(out, "r", mark->radius);
        put(out, "/>\n");
        return;
    }
    put(out, "<path d=\"");
    for (int i = 0; i < count; i++) /* a cross is two lines of two corners each */
        put_point(out, i == 0 || (mark->shape == SCREE__CROSS && i == 2) ? 'M' : 'L', x + mark->radius * corners[2 * i],
                  y + mark->radius * corners[2 * i + 1]);
    put(out, mark->shape == SCREE__CROSS ? "\"/>\n" : "Z\"/>\n");
}

static cairo_status_t take(void *closure, const unsigned char *data, unsigned int length)
{
    scree__buffer *buffer = closure;
    scree__buffer_add(buffer, data, length);
    return buffer->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

void scree__svg_image(scree__canvas *canvas, const scree__box *box, cairo_surface_t *image, bool crisp)
{
    scree__buffer *out = &canvas->bytes;
    scree__buffer png = {0};
    end_group(canvas);
    if (cairo_surface_write_to_png_stream(image, take, &png) != CAIRO_STATUS_SUCCESS)
        out->failed = true;
    put(out, "<image preserveAspectRatio=\"none\"");
    put_box(out, box);
    if (crisp)
        put(out, " style=\"image-rendering:optimizeSpeed;image-rendering:pixelated\"");
    put(out, " xlink:href=\"data:image/png;base64,");
    scree__base64_put(out, png.data, png.size);
    put(out, "\"/>\n");
    free(png.data);
}

void scree__svg_text(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text,
                     bool upwards)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    scree__buffer *out = &canvas->bytes;
    const double below = middle * type->size * canvas->em;
    end_group(canvas);
    put(out, "<text");
    put_attribute(out, "x", upwards ? x + below : x);
    put_attribute(out, "y", upwards ? y : y + below);
    if (upwards) {
        put(out, " transform=\"rotate(-90 ");
        put_number(out, x + below);
        put(out, " ");
        put_number(out, y);
        put(out, ")\"");
    }
    put_attribute(out, "font-size", type->size * canvas->em);
    put_colour(out, "fill", type->colour, 1.0);
    if (type->cased) {
        put_colour(out, "stroke", canvas->shape.look->theme.paper, 1.0);
        put_attribute(out, "stroke-width", SCREE__CASING * canvas->em);
        put(out, " stroke-linejoin=\"round\" paint-order=\"stroke\"");
    }
    put(out, anchors[type->anchor]);
    put(out, type->bold ? " font-weight=\"bold\">" : ">");
    put_text(out, text);
    put(out, "</text>\n");
}

void scree__svg_clip(scree__canvas *canvas, const scree__box *box)
{
    scree__buffer *out = &canvas->bytes;
    end_group(canvas);
    put(out, "<svg");
    put_box(out, box);
    put(out, " viewBox=\"");
    const double shape[] = {box->x, box->y, box->w, box->h};
    for (int i = 0; i < 4; i++) {
        put_number(out, shape[i]);
        put(out, i < 3 ? " " : "\">\n");
    }
}

void scree__svg_unclip(scree__canvas *canvas)
{
    end_group(canvas);
    put(&canvas->bytes, "</svg>\n");
}

void scree__svg_finish(scree__canvas *canvas, const char *title)
{
    scree__buffer whole = {0};
    char shape[160];
    end_group(canvas);
    const int width = (int)ceil(canvas->shape.width), height = (int)ceil(canvas->shape.height);
    snprintf(shape, sizeof shape, "width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", width, height, width, height);
    put(&whole, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
                "xmlns:xlink=\"http://www.w3.org/1999/xlink\" role=\"img\" ");
    put(&whole, shape);
    put(&whole, " font-family=\"'DejaVu Sans', Verdana, Geneva, sans-serif\">\n<title>");
    put_text(&whole, title);
    put(&whole, "</title>\n");
    if (canvas->bytes.size > 0)
        scree__buffer_add(&whole, canvas->bytes.data, canvas->bytes.size);
    put(&whole, "</svg>\n");
    whole.failed |= canvas->bytes.failed;
    free(canvas->bytes.data);
    canvas->bytes = whole;
}
