/* SPDX-License-Identifier: BSD-3-Clause */
/* Text on a canvas: one family of letters, set with Cairo's own; on cells, a cell a letter. Texts come from data and
 * may be anything: bytes that are not UTF-8, and letters that steer terminals, become question marks. */

#include "view/canvas_inner.h"
#include "view/words.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 512 };

/* Hinted widths would depend on the scale; letters are placed where the font says. */
static void choose_font(scree__canvas *canvas, const scree__type *type)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(canvas->cairo, options);
    cairo_font_options_destroy(options);
    cairo_select_font_face(canvas->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                           type->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas->cairo, type->size * canvas->em);
}

double scree__canvas_text_width(scree__canvas *canvas, const scree__type *type, const char *text)
{
    char clean[LONGEST];
    cairo_text_extents_t extents;
    scree__words_clean(clean, sizeof clean, text);
    if (scree__canvas_is_cells(canvas))
        return (double)SCREE__CELL_WIDTH * (double)scree__words_letters(clean);
    choose_font(canvas, type);
    cairo_text_extents(canvas->cairo, clean, &extents);
    return extents.x_advance;
}

static double shift(scree__canvas *canvas, const scree__type *type, const char *text)
{
    if (type->anchor == SCREE__LEFT)
        return 0.0;
    const double width = scree__canvas_text_width(canvas, type, text);
    return type->anchor == SCREE__RIGHT ? width : width / 2;
}

static void put_cells(scree__canvas *canvas, double x, double y, const scree__type *type, const char *text)
{
    scree__glyph glyph = {(int32_t)lround(x / SCREE__CELL_WIDTH), (int32_t)floor(y / SCREE__CELL_HEIGHT), 0,
                          type->colour};
    for (; *text; glyph.x++) {
        glyph.code = scree__words_next(&text);
        scree__buffer_add(&canvas->glyphs, &glyph, sizeof glyph);
    }
}

/* Middle of the small letters and the capitals, above the line. */
static const double middle = 0.36;

void scree__canvas_text(scree__canvas *canvas, double x, double y, const scree__type *type, const char *text)
{
    char clean[LONGEST];
    scree__words_clean(clean, sizeof clean, text);
    const double left = x - shift(canvas, type, clean);
    if (scree__canvas_is_cells(canvas)) {
        put_cells(canvas, left, y, type, clean);
        return;
    }
    choose_font(canvas, type);
    cairo_set_source_rgb(canvas->cairo, type->colour.r, type->colour.g, type->colour.b);
    cairo_move_to(canvas->cairo, left, y + middle * type->size * canvas->em);
    cairo_show_text(canvas->cairo, clean);
    cairo_new_path(canvas->cairo);
}

void scree__canvas_text_up(scree__canvas *canvas, double x, double y, const scree__type *type, const char *text)
{
    if (scree__canvas_is_cells(canvas))
        return;
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, -asin(1.0));
    scree__canvas_text(canvas, 0, 0, type, text);
    cairo_restore(canvas->cairo);
}
