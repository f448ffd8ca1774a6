/* SPDX-License-Identifier: BSD-3-Clause */
/* An image as sixels: bands of six lines; in each band, for every colour that it has, a letter a column whose six bits
 * say which lines have that colour; repeats are counted. Colours are a cube of 6×7×6, so that no palette has to be
 * found; O(pixels × colours of a band). */

#include "view/canvas_inner.h"

#include <stdlib.h>
#include <string.h>

enum { RED = 6, GREEN = 7, BLUE = 6, COLOURS = RED * GREEN * BLUE, BAND = 6, FEW = 3 };

static int index_of(uint32_t pixel)
{
    const int r = (int)(pixel >> 16 & 255), g = (int)(pixel >> 8 & 255), b = (int)(pixel & 255);
    return ((r * (RED - 1) + 127) / 255 * GREEN + (g * (GREEN - 1) + 127) / 255) * BLUE + (b * (BLUE - 1) + 127) / 255;
}

static void put_run(scree__buffer *out, int letter, int count)
{
    const char byte = (char)(63 + letter);
    if (count > FEW)
        scree__buffer_print(out, "!%d%c", count, byte);
    for (int i = 0; count <= FEW && i < count; i++)
        scree__buffer_add(out, &byte, 1);
}

/* bits: a byte a column. */
static void put_colour(scree__buffer *out, int colour, const unsigned char *bits, int width)
{
    int run = 0;
    scree__buffer_print(out, "#%d", colour);
    for (int x = 0; x < width; x++) {
        run++;
        if (x + 1 == width || bits[x + 1] != bits[x]) {
            put_run(out, bits[x], run);
            run = 0;
        }
    }
    scree__buffer_print(out, "$");
}

static void put_band(scree__buffer *out, cairo_surface_t *image, int top, unsigned char *bits)
{
    const int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
    bool has[COLOURS] = {false};
    memset(bits, 0, (size_t)COLOURS * (size_t)width);
    for (int y = top; y < top + BAND && y < height; y++)
        for (int x = 0; x < width; x++) {
            uint32_t pixel;
            memcpy(&pixel, cairo_image_surface_get_data(image) + y * cairo_image_surface_get_stride(image) + 4 * x, 4);
            const int colour = index_of(pixel);
            has[colour] = true;
            bits[colour * width + x] |= (unsigned char)(1 << (y - top));
        }
    for (int colour = 0; colour < COLOURS; colour++)
        if (has[colour])
            put_colour(out, colour, &bits[colour * width], width);
    scree__buffer_print(out, "-");
}

void scree__sixel_encode(scree__buffer *out, cairo_surface_t *image)
{
    const int width = cairo_image_surface_get_width(image), height = cairo_image_surface_get_height(image);
    unsigned char *bits = malloc((size_t)COLOURS * (size_t)width + 1);
    out->failed |= !bits;
    scree__buffer_print(out, "\033Pq\"1;1;%d;%d", width, height);
    for (int i = 0; i < COLOURS; i++)
        scree__buffer_print(out, "#%d;2;%d;%d;%d", i, i / (GREEN * BLUE) * 100 / (RED - 1),
                            i / BLUE % GREEN * 100 / (GREEN - 1), i % BLUE * 100 / (BLUE - 1));
    for (int top = 0; bits && top < height; top += BAND)
        put_band(out, image, top, bits);
    scree__buffer_print(out, "\033\\\n");
    free(bits);
}
