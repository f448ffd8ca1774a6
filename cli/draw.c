/* SPDX-License-Identifier: BSD-3-Clause */
/* Screens: cells are code points with two colours each, written as UTF-8 with as few escape sequences as possible, and
 * none without colours. A Braille cell has 2×4 dots. Images are drawn with the upper half block, whose foreground and
 * background are two pixels; without colours, with four shades, one pixel per cell. */

#include "draw.h"
#include "cli.h"
#include "table.h"

#include <stdarg.h>
#include <stdlib.h>

enum { BRAILLE = 0x2800, UPPER_HALF = 0x2580, TEXT = 256 };
enum { FIRST_GREY = 232, GREYS = 24 }; /* of the palette */

cli_screen *cli_screen_new(int width, int height, FILE *out)
{
    cli_screen *screen = cli_alloc(1, sizeof *screen);
    const int cells = width * height;
    screen->width = width;
    screen->height = height;
    screen->colour = *cli_bold(out, true) != '\0';
    screen->cells = cli_alloc((size_t)cells, sizeof *screen->cells);
    for (int i = 0; i < cells; i++)
        screen->cells[i] = (cli_cell){0, CLI_NO_COLOUR, CLI_NO_COLOUR};
    return screen;
}

void cli_screen_free(cli_screen *screen)
{
    if (screen)
        free(screen->cells);
    free(screen);
}

cli_cell *cli_screen_at(const cli_screen *screen, int x, int y)
{
    if (x < 0 || y < 0 || x >= screen->width || y >= screen->height)
        return NULL;
    return &screen->cells[y * screen->width + x];
}

static void put(cli_screen *screen, int x, int y, cli_cell value)
{
    cli_cell *cell = cli_screen_at(screen, x, y);
    if (cell)
        *cell = value;
}

/* Returns the first code point of the text, and advances past it. The text is our own, and valid. */
static uint32_t next_glyph(const char **text)
{
    const unsigned char lead = (unsigned char)*(*text)++;
    uint32_t glyph = lead < 0xC0 ? lead : lead < 0xE0 ? lead & 0x1Fu : lead < 0xF0 ? lead & 0x0Fu : lead & 0x07u;
    while (((unsigned char)**text & 0xC0) == 0x80)
        glyph = glyph << 6 | ((unsigned char)*(*text)++ & 0x3Fu);
    return glyph;
}

void cli_screen_text(cli_screen *screen, int x, int y, int ink, const char *format, ...)
{
    char text[TEXT];
    const char *at = text;
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    while (*at)
        put(screen, x++, y, (cli_cell){next_glyph(&at), ink, CLI_NO_COLOUR});
}

void cli_screen_dot(cli_screen *screen, int x, int y, int ink)
{
    /* Bits in the order of the Braille dots: the lowest row was added last. */
    static const uint32_t bits[CLI_DOTS_DOWN][CLI_DOTS_ACROSS] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    cli_cell *cell = x < 0 || y < 0 ? NULL : cli_screen_at(screen, x / CLI_DOTS_ACROSS, y / CLI_DOTS_DOWN);
    if (!cell)
        return;
    if (cell->glyph < BRAILLE || cell->glyph > BRAILLE + 0xFF)
        cell->glyph = BRAILLE;
    cell->glyph |= bits[y % CLI_DOTS_DOWN][x % CLI_DOTS_ACROSS];
    cell->ink = ink;
}

void cli_screen_line(cli_screen *screen, int x0, int y0, int x1, int y1)
{
    const int across = abs(x1 - x0), down = abs(y1 - y0);
    const int steps = across > down ? across : down;
    for (int i = 0; i <= steps; i++) {
        const double t = steps ? (double)i / steps : 0.0;
        cli_screen_dot(screen, (int)(x0 + t * (x1 - x0) + 0.5), (int)(y0 + t * (y1 - y0) + 0.5), CLI_BLUE);
    }
}

/* The mean of the pixels that become pixel (row, col) of an image of rows×cols. */
static double shrunk(const cli_image *image, int64_t row, int64_t col, int64_t rows, int64_t cols)
{
    const int64_t top = row * image->rows / rows, bottom = (row + 1) * image->rows / rows;
    const int64_t left = col * image->cols / cols, right = (col + 1) * image->cols / cols;
    double sum = 0.0;
    for (int64_t i = top; i < bottom; i++)
        for (int64_t j = left; j < right; j++)
            sum += image->pixels[i * image->cols + j];
    const int64_t count = (bottom - top) * (right - left);
    return count > 0 ? sum / (double)count : 0.0;
}

static int grey(double value)
{
    const int step = (int)(value / 256.0 * GREYS);
    return FIRST_GREY + (step < 0 ? 0 : step >= GREYS ? GREYS - 1 : step);
}

static uint32_t shade(double value)
{
    static const uint32_t shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588};
    return shades[value < 24 ? 0 : value < 80 ? 1 : value < 136 ? 2 : value < 192 ? 3 : 4];
}

void cli_screen_image(cli_screen *screen, int x, int y, int width, int height, const cli_image *image)
{
    for (int i = 0; i < height; i++)
        for (int j = 0; j < width; j++) {
            cli_cell cell = {shade(shrunk(image, i, j, height, width)), CLI_NO_COLOUR, CLI_NO_COLOUR};
            if (screen->colour) {
                cell.glyph = UPPER_HALF;
                cell.ink = grey(shrunk(image, 2 * i, j, 2 * height, width));
                cell.paper = grey(shrunk(image, 2 * i + 1, j, 2 * height, width));
            }
            put(screen, x + j, y + i, cell);
        }
}

static void print_glyph(uint32_t glyph, FILE *out)
{
    if (glyph < 0x80) {
        fputc((int)(glyph ? glyph : ' '), out);
    } else if (glyph < 0x800) {
        fputc((int)(0xC0 | glyph >> 6), out);
        fputc((int)(0x80 | (glyph & 0x3F)), out);
    } else { /* nothing here is beyond the basic plane */
        fputc((int)(0xE0 | glyph >> 12), out);
        fputc((int)(0x80 | (glyph >> 6 & 0x3F)), out);
        fputc((int)(0x80 | (glyph & 0x3F)), out);
    }
}

static void print_colours(const cli_cell *cell, FILE *out)
{
    fputs("\033[0", out);
    if (cell->ink != CLI_NO_COLOUR)
        fprintf(out, ";38;5;%d", cell->ink);
    if (cell->paper != CLI_NO_COLOUR)
        fprintf(out, ";48;5;%d", cell->paper);
    fputc('m', out);
}

static bool is_blank(const cli_cell *cell)
{
    return (cell->glyph == 0 || cell->glyph == ' ') && cell->paper == CLI_NO_COLOUR;
}

void cli_screen_print(const cli_screen *screen, FILE *out)
{
    const cli_cell plain = {0, CLI_NO_COLOUR, CLI_NO_COLOUR};
    for (int y = 0; y < screen->height; y++) {
        const cli_cell *line = cli_screen_at(screen, 0, y);
        const cli_cell *last = &plain; /* the current colours of the terminal */
        int end = screen->width;
        while (end > 0 && is_blank(&line[end - 1]))
            end--;
        for (int x = 0; x < end; x++) {
            if (screen->colour && (line[x].ink != last->ink || line[x].paper != last->paper))
                print_colours(&line[x], out);
            last = &line[x];
            print_glyph(line[x].glyph, out);
        }
        if (screen->colour && (last->ink != CLI_NO_COLOUR || last->paper != CLI_NO_COLOUR))
            print_colours(&plain, out);
        fputc('\n', out);
    }
}
