/* SPDX-License-Identifier: BSD-3-Clause */
/* A picture as cells of a terminal: 2×4 pixels become the dots of a Braille letter in the colour that most of them
 * have; under an image a cell is the upper half block, whose ink and paper are two pixels, or one of five shades where
 * there are no colours. Letters come last. Colours are those of the 6×6×6 cube of the 256-colour palette. Where there
 * is nothing but ASCII, all of these become its letters. */

#include "view/canvas_inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BRAILLE = 0x2800, UPPER_HALF = 0x2580, CUBE = 16, GREYS = 232, GREY = 245, NONE = -1 };

typedef struct cell {
    uint32_t code;
    int ink;
    int paper;
} cell;

static int cube_step(double value) /* 0..1; the palette's steps are 0, 95, 135, 175, 215, 255 */
{
    const double v = 255.0 * value;
    return v < 48 ? 0 : v < 115 ? 1 : (int)((v - 35) / 40);
}

/* Greys are left to the terminal, whose paper may be light or dark: its own ink, or a grey that is read on both. */
static int cube(scree__colour c)
{
    const double most = fmax(c.r, fmax(c.g, c.b)), least = fmin(c.r, fmin(c.g, c.b));
    if (most - least < 0.06)
        return most > 0.25 && most < 0.8 ? GREY : NONE;
    return CUBE + 36 * cube_step(c.r) + 6 * cube_step(c.g) + cube_step(c.b);
}

static uint32_t pixel_at(cairo_surface_t *image, int x, int y)
{
    uint32_t pixel = 0;
    if (x < 0 || y < 0 || x >= cairo_image_surface_get_width(image) || y >= cairo_image_surface_get_height(image))
        return 0;
    memcpy(&pixel, cairo_image_surface_get_data(image) + y * cairo_image_surface_get_stride(image) + x * 4, 4);
    return pixel;
}

static scree__colour colour_of(uint32_t pixel)
{
    return (scree__colour){(pixel >> 16 & 255) / 255.0, (pixel >> 8 & 255) / 255.0, (pixel & 255) / 255.0};
}

static cell dots(cairo_surface_t *image, int left, int top)
{
    static const uint32_t bits[SCREE__CELL_HEIGHT][SCREE__CELL_WIDTH] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cell made = {0, NONE, NONE};
    int inks[SCREE__CELL_HEIGHT * SCREE__CELL_WIDTH], count = 0, most = 0;
    for (int y = 0; y < SCREE__CELL_HEIGHT; y++)
        for (int x = 0; x < SCREE__CELL_WIDTH; x++) {
            const uint32_t pixel = pixel_at(image, left + x, top + y);
            if (pixel >> 24 < 128)
                continue;
            made.code |= BRAILLE | bits[y][x];
            inks[count++] = cube(colour_of(pixel));
        }
    for (int i = 0; i < count; i++) {
        int same = 0;
        for (int j = 0; j < count; j++)
            same += inks[i] == inks[j];
        if (same > most) {
            most = same;
            made.ink = inks[i];
        }
    }
    return made;
}

/* Mean colour of 2×2 pixels. */
static scree__colour mean_of(cairo_surface_t *image, int left, int top)
{
    scree__colour sum = {0, 0, 0};
    for (int i = 0; i < 4; i++) {
        const scree__colour c = colour_of(pixel_at(image, left + i % 2, top + i / 2));
        sum = (scree__colour){sum.r + c.r / 4, sum.g + c.g / 4, sum.b + c.b / 4};
    }
    return sum;
}

/* Of an image, whose greys are its own. */
static int shade(scree__colour c)
{
    const double most = fmax(c.r, fmax(c.g, c.b)), least = fmin(c.r, fmin(c.g, c.b));
    return most - least < 0.06 ? GREYS + (int)fmin(23.0, 24.0 * most) : cube(c);
}

static cell blocks(cairo_surface_t *image, int left, int top, bool coloured)
{
    static const uint32_t shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};
    const scree__colour upper = mean_of(image, left, top), lower = mean_of(image, left, top + 2);
    if (coloured)
        return (cell){UPPER_HALF, shade(upper), shade(lower)};
    const double light = (upper.r + upper.g + upper.b + lower.r + lower.g + lower.b) / 6;
    return (cell){shades[(int)fmin(4.0, light * 5.0)], NONE, NONE};
}

static bool is_tile(const scree__canvas *canvas, double x, double y)
{
    const scree__box *tiles = (const scree__box *)canvas->tiles.data;
    for (int64_t i = 0; i < canvas->tiles.size / (int64_t)sizeof *tiles; i++)
        if (x >= tiles[i].x && x < tiles[i].x + tiles[i].w && y >= tiles[i].y && y < tiles[i].y + tiles[i].h)
            return true;
    return false;
}

static void put_utf8(scree__buffer *out, uint32_t code)
{
    unsigned char bytes[4];
    int count = 0;
    if (code < 0x80) {
        bytes[count++] = (unsigned char)(code ? code : ' ');
    } else if (code < 0x800) {
        bytes[count++] = (unsigned char)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        bytes[count++] = (unsigned char)(0xE0 | code >> 12);
        bytes[count++] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
    } else {
        bytes[count++] = (unsigned char)(0xF0 | code >> 18);
        bytes[count++] = (unsigned char)(0x80 | (code >> 12 & 0x3F));
        bytes[count++] = (unsigned char)(0x80 | (code >> 6 & 0x3F));
    }
    if (code >= 0x80)
        bytes[count++] = (unsigned char)(0x80 | (code & 0x3F));
    scree__buffer_add(out, bytes, count);
}

static void put_colours(scree__buffer *out, const cell *c)
{
    scree__buffer_print(out, "\033[0");
    if (c->ink != NONE)
        scree__buffer_print(out, ";38;5;%d", c->ink);
    if (c->paper != NONE)
        scree__buffer_print(out, ";48;5;%d", c->paper);
    scree__buffer_print(out, "m");
}

static bool is_blank(const cell *c)
{
    return (c->code == 0 || c->code == ' ') && c->paper == NONE;
}

/* Dots as the letter that looks most like them: lines across, lines up, where they meet, and points. */
static uint32_t ascii_of_dots(uint32_t bits)
{
    static const uint32_t rows[SCREE__CELL_HEIGHT] = {0x09, 0x12, 0x24, 0xC0}, left = 0x47, right = 0xB8;
    int across = 0, last = 0, count = 0;
    for (int y = 0; y < SCREE__CELL_HEIGHT; y++) {
        across += (bits & rows[y]) == rows[y];
        last = (bits & rows[y]) ? y : last;
        count += ((bits & rows[y] & left) != 0) + ((bits & rows[y] & right) != 0);
    }
    const bool upright = (bits & left) == left || (bits & right) == right;
    if (upright)
        return across > 0 ? '+' : '|';
    if (across == 1 && count <= 3)
        return last == SCREE__CELL_HEIGHT - 1 ? '_' : '-';
    if (count <= 2)
        return last >= 2 ? '.' : '\'';
    return count <= 4 ? '*' : '#';
}

/* Letters that pictures use beside those of ASCII, and what stands for them. */
static uint32_t ascii_of(uint32_t code)
{
    static const struct {
        uint32_t code;
        char letter;
    } known[] = {
        {0x2212, '-'}, {0x2013, '-'}, {0x2014, '-'}, {0xD7, 'x'},   {0xB7, '.'},   {0x2026, '~'}, {0x2264, '<'},
        {0x2265, '>'}, {0xB5, 'u'},   {0x3BC, 'u'},  {0x3BB, 'l'},  {0x3C3, 's'},  {0x3B5, 'e'},  {0x2223, '|'},
        {0xB2, '2'},   {0xB3, '3'},   {0xB9, '1'},   {0x202F, ' '}, {0xA0, ' '},   {0x2080, '0'}, {0x221A, 'v'},
        {0x207B, '-'}, {0x1D40, 'T'}, {0x3B8, '0'},  {0x2591, '.'}, {0x2592, '+'}, {0x2593, '*'}, {0x2588, '#'},
    };
    if (code < 0x80)
        return code;
    if ((code & ~(uint32_t)0xFF) == BRAILLE)
        return ascii_of_dots(code & 0xFF);
    if (code == 0x2070 || (code >= 0x2074 && code <= 0x2079)) /* raised digits */
        return '0' + (code - 0x2070);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (known[i].code == code)
            return (uint32_t)known[i].letter;
    return '?';
}

static void put_line(scree__buffer *out, const cell *line, int width, bool coloured)
{
    const cell plain = {0, NONE, NONE};
    const cell *last = &plain;
    while (width > 0 && is_blank(&line[width - 1]))
        width--;
    for (int x = 0; x < width; x++) {
        if (coloured && (line[x].ink != last->ink || line[x].paper != last->paper))
            put_colours(out, &line[x]);
        last = &line[x];
        put_utf8(out, line[x].code);
    }
    if (coloured && (last->ink != NONE || last->paper != NONE))
        put_colours(out, &plain);
    scree__buffer_print(out, "\n");
}

void scree__cells_encode(scree__buffer *out, const scree__canvas *canvas)
{
    const int width = (int)canvas->shape.width / SCREE__CELL_WIDTH;
    const int height = (int)canvas->shape.height / SCREE__CELL_HEIGHT;
    const bool coloured = canvas->shape.medium == SCREE__ANSI;
    const scree__glyph *glyphs = (const scree__glyph *)canvas->glyphs.data;
    cell *cells = calloc((size_t)width * (size_t)height + 1, sizeof *cells);
    out->failed |= !cells;
    for (int i = 0; cells && i < width * height; i++) {
        const int left = i % width * SCREE__CELL_WIDTH, top = i / width * SCREE__CELL_HEIGHT;
        cells[i] = is_tile(canvas, left + 1.0, top + 2.0) ? blocks(canvas->surface, left, top, coloured)
                                                          : dots(canvas->surface, left, top);
    }
    for (int64_t i = 0; cells && i < canvas->glyphs.size / (int64_t)sizeof *glyphs; i++) {
        const scree__glyph *g = &glyphs[i];
        if (g->x >= 0 && g->y >= 0 && g->x < width && g->y < height)
            cells[g->y * width + g->x] = (cell){g->code, cube(g->colour), NONE};
    }
    for (int i = 0; cells && canvas->shape.medium == SCREE__ASCII && i < width * height; i++)
        cells[i].code = ascii_of(cells[i].code);
    for (int y = 0; cells && y < height; y++)
        put_line(out, &cells[y * width], width, coloured);
    free(cells);
}
