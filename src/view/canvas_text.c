/* SPDX-License-Identifier: BSD-3-Clause */
/* Text on a canvas: set with Pango, which takes letters that the family lacks from another font of the machine and
 * joins those that must be joined; on cells, a cell a letter. Texts come from data and may be anything: bytes that are
 * not UTF-8, and letters that steer terminals, become question marks. */

#include "view/canvas_inner.h"
#include "view/palette.h"
#include "view/words.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

enum { LONGEST = 512 };

/* Hinted widths would depend on the scale; letters are placed where the font says. */
static void choose_options(PangoContext *context)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    pango_cairo_context_set_font_options(context, options);
    pango_cairo_context_set_resolution(context, 72.0); /* sizes are in units of the canvas */
    pango_context_set_round_glyph_positions(context, FALSE);
    cairo_font_options_destroy(options);
}

/* One line of text; the caller releases it. */
static PangoLayout *lay_out(scree__canvas *canvas, const scree__text_style *type, const char *text)
{
    PangoLayout *layout = pango_cairo_create_layout(canvas->cairo);
    PangoFontDescription *font = pango_font_description_new();
    choose_options(pango_layout_get_context(layout));
    pango_font_description_set_family_static(font, "DejaVu Sans");
    pango_font_description_set_weight(font, type->bold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL);
    pango_font_description_set_absolute_size(font, type->size * canvas->em * PANGO_SCALE);
    pango_layout_set_font_description(layout, font);
    pango_layout_set_single_paragraph_mode(layout, TRUE);
    pango_layout_set_text(layout, text, -1);
    pango_font_description_free(font);
    return layout;
}

static double width_of(PangoLayout *layout)
{
    PangoRectangle logical;
    pango_layout_get_extents(layout, NULL, &logical);
    return (double)logical.width / PANGO_SCALE;
}

double scree__canvas_text_width(scree__canvas *canvas, const scree__text_style *type, const char *text)
{
    char clean[LONGEST];
    scree__words_clean(clean, sizeof clean, text);
    if (scree__canvas_is_cells(canvas))
        return (double)SCREE__CELL_WIDTH * (double)scree__words_letters(clean);
    PangoLayout *layout = lay_out(canvas, type, clean);
    const double width = width_of(layout);
    g_object_unref(layout);
    return width;
}

/* How far left of its place a text of that width begins. */
static double shift(const scree__text_style *type, double width)
{
    if (type->anchor == SCREE__LEFT)
        return 0.0;
    return type->anchor == SCREE__RIGHT ? width : width / 2;
}

static void put_cells(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text)
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

static void draw_casing(scree__canvas *canvas, PangoLayout *layout, double left, double base)
{
    const scree__colour paper = canvas->shape.look->theme.paper;
    cairo_set_source_rgb(canvas->cairo, paper.r, paper.g, paper.b);
    cairo_set_line_width(canvas->cairo, SCREE__CASING * canvas->em);
    cairo_set_line_join(canvas->cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_move_to(canvas->cairo, left, base);
    pango_cairo_layout_line_path(canvas->cairo, pango_layout_get_line_readonly(layout, 0));
    cairo_stroke(canvas->cairo);
}

void scree__canvas_text(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text)
{
    char clean[LONGEST];
    scree__words_clean(clean, sizeof clean, text);
    if (scree__canvas_is_cells(canvas)) {
        put_cells(canvas, x - shift(type, scree__canvas_text_width(canvas, type, clean)), y, type, clean);
        return;
    }
    if (scree__canvas_writes(canvas)) {
        scree__svg_text(canvas, x, y, type, clean, false);
        return;
    }
    PangoLayout *layout = lay_out(canvas, type, clean);
    const double left = x - shift(type, width_of(layout)), base = y + middle * type->size * canvas->em;
    if (type->cased)
        draw_casing(canvas, layout, left, base);
    cairo_set_source_rgb(canvas->cairo, type->colour.r, type->colour.g, type->colour.b);
    cairo_move_to(canvas->cairo, left, base);
    pango_cairo_show_layout_line(canvas->cairo, pango_layout_get_line_readonly(layout, 0));
    cairo_new_path(canvas->cairo);
    g_object_unref(layout);
}

void scree__canvas_text_up(scree__canvas *canvas, double x, double y, const scree__text_style *type, const char *text)
{
    char clean[LONGEST];
    if (scree__canvas_is_cells(canvas))
        return;
    if (scree__canvas_writes(canvas)) {
        scree__words_clean(clean, sizeof clean, text);
        scree__svg_text(canvas, x, y, type, clean, true);
        return;
    }
    cairo_save(canvas->cairo);
    cairo_translate(canvas->cairo, x, y);
    cairo_rotate(canvas->cairo, -asin(1.0));
    scree__canvas_text(canvas, 0, 0, type, text);
    cairo_restore(canvas->cairo);
}
