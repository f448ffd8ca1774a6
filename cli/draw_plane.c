/* SPDX-License-Identifier: BSD-3-Clause */
/* Figure 10.10: rows in the plane of their first two principal components, a Braille dot per row in the colour of its
 * label, next to the images of four rows, whose positions are marked with letters. A cell shared by both labels has the
 * colour of the more frequent one. Without colours, a cell shows the digit of its label instead. */

#include "cli.h"
#include "draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 80, HEIGHT = 23, RIGHT = 48, BOTTOM = HEIGHT }; /* the plane: cells 0..RIGHT-1 × 0..BOTTOM-1 */
enum { IMAGE_LEFT = 50, IMAGE_WIDTH = 14, IMAGE_HEIGHT = 7, IMAGE_GAP = 2, MARKED = 4 };

static const int inks[] = {CLI_BLUE, CLI_ORANGE};

typedef struct range {
    double low;
    double high;
} range;

static range range_of(const cli_plane *plane, int axis)
{
    range r = {HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < plane->count; i++) {
        const double value = plane->codes[i * plane->stride + axis];
        r.low = fmin(r.low, value);
        r.high = fmax(r.high, value);
    }
    return r;
}

/* The position of value on a scale of count steps. */
static int position(range r, double value, int count)
{
    const double span = r.high - r.low;
    return span > 0.0 ? (int)lround((value - r.low) / span * (double)(count - 1)) : count / 2;
}

static void dots_of(const cli_plane *plane, range across, range up, int64_t i, int dot[2])
{
    const double *code = &plane->codes[i * plane->stride];
    dot[0] = position(across, code[0], CLI_DOTS_ACROSS * RIGHT);
    dot[1] = CLI_DOTS_DOWN * BOTTOM - 1 - position(up, code[1], CLI_DOTS_DOWN * BOTTOM);
}

static int label_of(const cli_plane *plane, int64_t i)
{
    return plane->labels[i] > 0.5;
}

static void draw_points(cli_screen *screen, const cli_plane *plane, range across, range up)
{
    int(*counts)[2] = cli_alloc((size_t)RIGHT * BOTTOM, sizeof *counts);
    for (int64_t i = 0; i < plane->count; i++) {
        int dot[2];
        dots_of(plane, across, up, i, dot);
        const int cell = dot[1] / CLI_DOTS_DOWN * RIGHT + dot[0] / CLI_DOTS_ACROSS;
        counts[cell][label_of(plane, i)]++;
        const int majority = counts[cell][1] > counts[cell][0];
        cli_screen_dot(screen, dot[0], dot[1], inks[majority]);
    }
    for (int cell = 0; cell < RIGHT * BOTTOM && !screen->colour; cell++)
        if (counts[cell][0] + counts[cell][1] > 0)
            cli_screen_text(screen, cell % RIGHT, cell / RIGHT, CLI_NO_COLOUR, "%d", counts[cell][1] > counts[cell][0]);
    free(counts);
}

static void draw_mark(cli_screen *screen, const cli_plane *plane, const int dot[2], int mark)
{
    const int row = mark / 2 * (IMAGE_HEIGHT + 2), left = IMAGE_LEFT + mark % 2 * (IMAGE_WIDTH + IMAGE_GAP);
    const int64_t i = plane->marked[mark], size = plane->image_rows * plane->image_cols;
    const cli_image image = {&plane->pixels[i * size], plane->image_rows, plane->image_cols};
    cli_cell *cell = cli_screen_at(screen, dot[0] / CLI_DOTS_ACROSS, dot[1] / CLI_DOTS_DOWN);
    *cell = (cli_cell){(uint32_t)('A' + mark), CLI_BLACK, CLI_YELLOW};
    cli_screen_text(screen, left, row, inks[label_of(plane, i)], "%c row %" PRId64, 'A' + mark, i + 1);
    cli_screen_image(screen, left, row + 1, IMAGE_WIDTH, IMAGE_HEIGHT, &image);
}

static void draw_legend(cli_screen *screen, range across, range up)
{
    const int line = 2 * (IMAGE_HEIGHT + 2) + 1;
    for (int label = 0; label < 2; label++)
        cli_screen_text(screen, IMAGE_LEFT, line + label, inks[label], "%s %s",
                        screen->colour ? "⣿"
                        : label        ? "1"
                                       : "0",
                        label ? "a one" : "a zero");
    cli_screen_text(screen, IMAGE_LEFT, line + 2, CLI_GREY, "across pc1 %.0f … %.0f", across.low, across.high);
    cli_screen_text(screen, IMAGE_LEFT, line + 3, CLI_GREY, "up     pc2 %.0f … %.0f", up.low, up.high);
}

void cli_draw_plane(FILE *out, const cli_plane *plane)
{
    const range across = range_of(plane, 0), up = range_of(plane, 1);
    cli_screen *screen = cli_screen_new(WIDTH, HEIGHT, out);
    draw_points(screen, plane, across, up);
    for (int mark = 0; mark < MARKED; mark++) {
        int dot[2];
        dots_of(plane, across, up, plane->marked[mark], dot);
        draw_mark(screen, plane, dot, mark);
    }
    draw_legend(screen, across, up);
    cli_screen_print(screen, out);
    cli_screen_free(screen);
}
