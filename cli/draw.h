/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_CLI_DRAW_H
#define SCREE_CLI_DRAW_H

/* Drawing in a terminal: a screen is a rectangle of cells that is filled in any order and printed once, line by line.
 * It uses the 256-colour palette if the terminal has it; otherwise it prints plain text, and callers use letters
 * instead of colours to tell things apart. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Colours; any other index of the palette works too. */
enum {
    CLI_NO_COLOUR = -1,
    CLI_BLACK = 16,
    CLI_BLUE = 39,
    CLI_ORANGE = 208,
    CLI_YELLOW = 226,
    CLI_GREY = 245,
};

/* Width and height of a Braille cell in dots. */
enum { CLI_DOTS_ACROSS = 2, CLI_DOTS_DOWN = 4 };

typedef struct cli_cell {
    uint32_t glyph; /* code point; 0: blank */
    int ink;
    int paper;
} cli_cell;

typedef struct cli_screen {
    int width;
    int height;
    bool colour;
    cli_cell *cells; /* height×width */
} cli_screen;

/* A grey image: rows×cols pixels, 0 black to 255 white. */
typedef struct cli_image {
    const double *pixels;
    int64_t rows;
    int64_t cols;
} cli_image;

/* In colour if out is a terminal that supports it and NO_COLOR is not set. */
cli_screen *cli_screen_new(int width, int height, FILE *out);
void cli_screen_print(const cli_screen *screen, FILE *out);
void cli_screen_free(cli_screen *screen);

/* The cell, or NULL outside the screen, so that callers need not clip. */
cli_cell *cli_screen_at(const cli_screen *screen, int x, int y);

/* Text that starts in a cell. */
void cli_screen_text(cli_screen *screen, int x, int y, int ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Adds a dot, counted in dots from the top left. */
void cli_screen_dot(cli_screen *screen, int x, int y, int ink);
/* A line of dots. */
void cli_screen_line(cli_screen *screen, int x0, int y0, int x1, int y1);

/* An image, shrunk to width×height cells: two pixels per cell in colour, otherwise one. */
void cli_screen_image(cli_screen *screen, int x, int y, int width, int height, const cli_image *image);

/* ---- pictures ---- */

/* Eigenvalues in descending order, on a logarithmic scale, joined by a line. */
void cli_draw_scree(FILE *out, const double *eigenvalues, int64_t count);

/* Points in the plane of the first two components. */
typedef struct cli_plane {
    const double *codes; /* count×stride; the first two of each row are its position */
    int64_t count;
    int64_t stride;
    const double *labels;  /* count: 0 or 1 */
    const int64_t *marked; /* four points, shown as A, B, C, D */
    const double *pixels;  /* count×(image_rows·image_cols) */
    int64_t image_rows;
    int64_t image_cols;
} cli_plane;

/* The points, coloured by label, next to the images of the marked ones: Figure 10.10. */
void cli_draw_plane(FILE *out, const cli_plane *plane);

#endif
