/* SPDX-License-Identifier: BSD-3-Clause */
/* The scree plot: log λ_j over j, as a Braille line, with ticks at powers of ten and at every tenth component. 80
 * columns wide. */

#include "cli.h"
#include "draw.h"

#include <inttypes.h>
#include <math.h>

enum { WIDTH = 80, HEIGHT = 14, LEFT = 8, RIGHT = 78, BOTTOM = 12, TICK = 10 };

/* Maps component j and value v to dots. */
typedef struct frame {
    int64_t count;
    double low; /* of log10 v */
    double high;
} frame;

static int dot_x(const frame *f, int64_t j)
{
    const double span = (double)(f->count > 1 ? f->count - 1 : 1);
    return CLI_DOTS_ACROSS * (LEFT + 1) +
           (int)lround((double)j / span * (double)(CLI_DOTS_ACROSS * (RIGHT - LEFT - 1) - 1));
}

static int dot_y(const frame *f, double value)
{
    const double t = (f->high - log10(value)) / (f->high - f->low);
    return (int)lround(t * (double)(CLI_DOTS_DOWN * BOTTOM - 1));
}

/* Zeros have no logarithm and are ignored. */
static frame frame_of(const double *eigenvalues, int64_t count)
{
    frame f = {.count = count, .low = HUGE_VAL, .high = -HUGE_VAL};
    for (int64_t j = 0; j < count; j++)
        if (eigenvalues[j] > 0.0) {
            f.low = fmin(f.low, log10(eigenvalues[j]));
            f.high = fmax(f.high, log10(eigenvalues[j]));
        }
    if (f.low > f.high) /* no value */
        f.low = f.high = 0.0;
    if (f.low == f.high) { /* only one value */
        f.low -= 1.0;
        f.high += 1.0;
    }
    return f;
}

static void draw_axes(cli_screen *screen, const frame *f)
{
    for (int y = 0; y < BOTTOM; y++)
        cli_screen_text(screen, LEFT, y, CLI_GREY, "│");
    for (int x = LEFT; x < RIGHT; x++)
        cli_screen_text(screen, x, BOTTOM, CLI_GREY, "%s", x == LEFT ? "└" : "─");
    for (int power = (int)ceil(f->low); power <= (int)floor(f->high); power++) {
        const int y = dot_y(f, pow(10.0, power)) / CLI_DOTS_DOWN;
        cli_screen_text(screen, LEFT, y, CLI_GREY, "┤");
        cli_screen_text(screen, LEFT - 6, y, CLI_GREY, "1e%+03d", power);
    }
    for (int64_t j = 0; j < f->count; j = j ? j + TICK : TICK - 1) {
        const int x = dot_x(f, j) / CLI_DOTS_ACROSS;
        cli_screen_text(screen, x, BOTTOM, CLI_GREY, "┴");
        cli_screen_text(screen, x, BOTTOM + 1, CLI_GREY, "%" PRId64, j + 1);
    }
    cli_screen_text(screen, 0, 0, CLI_NO_COLOUR, "λ");
}

void cli_draw_scree(FILE *out, const double *eigenvalues, int64_t count)
{
    const frame f = frame_of(eigenvalues, count);
    cli_screen *screen = cli_screen_new(WIDTH, HEIGHT, out);
    draw_axes(screen, &f);
    for (int64_t j = 0; j < count; j++) {
        if (!(eigenvalues[j] > 0.0))
            continue;
        const int64_t from = j > 0 && eigenvalues[j - 1] > 0.0 ? j - 1 : j;
        cli_screen_line(screen, dot_x(&f, from), dot_y(&f, eigenvalues[from]), dot_x(&f, j), dot_y(&f, eigenvalues[j]));
    }
    cli_screen_print(screen, out);
    cli_screen_free(screen);
}
