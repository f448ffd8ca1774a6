/* SPDX-License-Identifier: BSD-3-Clause */
/* What share of the variance each component explains, as bars with their numbers. A line through the end of a bar is
 * the 95 % interval of the eigenvalue in the population (scree_model_sampling) over the same total; what cannot be told
 * from noise has none. The dashed line is the share that each would have if all were alike, 100 % over the number of
 * directions: the criterion of Kaiser (1960) where columns are standardised. */

#include "view/plot.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { TEXT = 256, USUAL = 10, MOST = 60 };

static int64_t count_of(const scree__plot *plot)
{
    const int64_t wanted = plot->options.top > 0 ? plot->options.top : USUAL, most = wanted < MOST ? wanted : MOST;
    return plot->view->m < most ? plot->view->m : most;
}

static double aspect(const scree__plot *plot, double em)
{
    static const scree__surroundings around = {.shape = 0.6, .beside = 5.0, .under = 60, .legend = 60};
    return plot->cells ? 0.62 : scree__plot_around(plot, &around, em);
}

/* The ends of the interval of a share, in percent; false: there is none. */
static bool interval_of(const scree__plot *plot, int64_t j, double ends[2])
{
    scree_sampling s = SCREE_SAMPLING_INIT;
    const double total = plot->view->total_variance;
    if (!(total > 0.0) || scree_model_sampling(plot->model, j, &s, NULL) != SCREE_OK || !(s.high > s.low))
        return false;
    ends[0] = fmax(100.0 * s.low / total, 0.0);
    ends[1] = 100.0 * s.high / total;
    return isfinite(ends[0]) && isfinite(ends[1]);
}

static double mean_share(const scree__plot *plot)
{
    const int64_t n = plot->view->n - 1, d = plot->view->d;
    return 100.0 / (double)(n < d && n > 0 ? n : d);
}

static void draw_interval(const scree__frame *frame, double x, const double ends[2])
{
    const scree__page *page = frame->page;
    const scree__pen pen = scree__page_pen(page->theme->ink, 0.1 * page->em);
    const double tick = 0.3 * page->em, low = scree__frame_y(frame, ends[0]), high = scree__frame_y(frame, ends[1]);
    scree__canvas_line(page->canvas, x, low, x, high, &pen);
    scree__canvas_line(page->canvas, x - tick, low, x + tick, low, &pen);
    scree__canvas_line(page->canvas, x - tick, high, x + tick, high, &pen);
}

/* A bar and its interval. */
static void draw_bar(const scree__plot *plot, const scree__frame *frame, int64_t j)
{
    const scree__page *page = frame->page;
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double share = 100.0 * scree__plot_share(plot, j), x = scree__frame_x(frame, (double)j + 1.0);
    const double step = scree__frame_x(frame, 2.0) - scree__frame_x(frame, 1.0), wide = 0.7 * step;
    const double top = scree__frame_y(frame, share), bottom = frame->inside.y + frame->inside.h;
    const scree__box bar = {x - wide / 2, top, wide, bottom - top};
    double ends[2];
    scree__canvas_fill(page->canvas, &bar, scree__series(page->look, 0, 1).colour, 1.0);
    if (!cells && interval_of(plot, j, ends))
        draw_interval(frame, x, ends);
}

/* Its number above both, and between spaces where it is made of cells, or a dash of the line would be its minus. */
static void draw_number(const scree__plot *plot, const scree__frame *frame, int64_t j)
{
    const scree__page *page = frame->page;
    const bool cells = scree__canvas_is_cells(page->canvas);
    const double share = 100.0 * scree__plot_share(plot, j), x = scree__frame_x(frame, (double)j + 1.0);
    const double step = scree__frame_x(frame, 2.0) - scree__frame_x(frame, 1.0);
    double ends[2] = {share, share};
    char number[32], apart[40];
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    type.size = cells ? 1.0 : 0.85;
    type.cased = true;
    if (!cells)
        interval_of(plot, j, ends);
    scree__words_number(number, sizeof number, share, share < 10.0 ? 2 : 3);
    snprintf(apart, sizeof apart, " %s ", number);
    const double wide = scree__canvas_text_width(page->canvas, &type, number);
    const bool room = cells && scree__canvas_text_width(page->canvas, &type, apart) < step;
    if (wide < 1.05 * step)
        scree__canvas_text(page->canvas, x, scree__frame_y(frame, fmax(share, ends[1])) - 0.65 * page->em, &type,
                           room ? apart : number);
}

static double highest(const scree__plot *plot, int64_t count)
{
    double high = mean_share(plot);
    for (int64_t j = 0; j < count; j++) {
        double ends[2] = {0.0, 0.0};
        interval_of(plot, j, ends);
        high = fmax(high, fmax(ends[1], 100.0 * scree__plot_share(plot, j)));
    }
    return high;
}

static void legend(const scree__plot *plot, scree__page *page, int64_t count)
{
    char mean[64];
    scree__legend_entry entries[2];
    int64_t used = 0;
    bool any = false;
    for (int64_t j = 0; j < count; j++) {
        double ends[2];
        any |= interval_of(plot, j, ends);
    }
    scree__format(mean, sizeof mean, "if all were alike: %.3g %%", mean_share(plot));
    if (any && !scree__canvas_is_cells(page->canvas))
        entries[used++] =
            (scree__legend_entry){{page->theme->ink, 1, 1, 0, '|'}, true, false, "95 % interval of the eigenvalue"};
    entries[used++] = (scree__legend_entry){{page->theme->alarm, 1, 1, 0, '|'}, true, true, mean};
    scree__page_legend(page, entries, used);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    (void)error;
    const int64_t count = count_of(plot), m = plot->view->m;
    scree__page *page = &plot->page;
    char under[TEXT], numbers[MOST][8];
    const char *names[MOST];
    double kept = 0.0;
    scree__frame frame;
    for (int64_t j = 0; j < count; j++) {
        snprintf(numbers[j], sizeof numbers[j], "%d", (int)j + 1);
        names[j] = numbers[j];
    }
    for (int64_t j = 0; j < count; j++)
        kept += 100.0 * scree__plot_share(plot, j);
    scree__format(under, sizeof under, "%" PRId64 " of %" PRId64 " component%s explain%s %.4g %%", count, m,
                  m == 1 ? "" : "s", m == 1 ? "s" : "", fmin(kept, 100.0));
    scree__page_begin(page, plot->canvas, "Explained variance", under);
    legend(plot, page, count);
    const scree__axis x = {
        .title = "component", .scale = {.low = 0.4, .high = (double)count + 0.6}, .names = names, .name_count = count};
    const scree__axis y = {.title = "variance, %", .scale = {.low = 0.0, .high = 1.12 * highest(plot, count)}};
    scree__frame_draw(&frame, page, &page->room, &x, &y, NULL);
    for (int64_t j = 0; j < count; j++)
        draw_bar(plot, &frame, j);
    scree__pen pen = scree__page_pen(page->theme->alarm, 0.12 * page->em);
    pen.dashed = true;
    const double at = scree__frame_y(&frame, mean_share(plot));
    scree__canvas_line(page->canvas, frame.inside.x, at, frame.inside.x + frame.inside.w, at, &pen);
    for (int64_t j = 0; j < count; j++)
        draw_number(plot, &frame, j);
    return SCREE_OK;
}

const scree__plot_kind scree__plot_variance = {"variance", false, SCREE_CAN_ORDER, aspect, draw, NULL};
