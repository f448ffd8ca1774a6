/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that the model makes up (10.64, 10.66): a grid of images, or lines over the columns. Of very many columns, the
 * area that all draws fill, and the means of stretches of columns of a few of them. */

#include "view/lines.h"
#include "view/tiles.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { IMAGES = 24, LINES = 40, MOST = 400, FEW = 3, TEXT = 256 };

static int64_t draws_of(const scree__plot *plot)
{
    const int64_t usual = plot->image_rows > 0 ? IMAGES : LINES;
    return plot->options.draws > 0 ? plot->options.draws : usual;
}

static double shape_of(const scree__plot *plot)
{
    return (double)plot->image_rows / (double)plot->image_cols;
}

/* Half as wide again as high. */
static int64_t across_of(const scree__plot *plot)
{
    const int64_t count = draws_of(plot), across = (int64_t)ceil(sqrt((double)count * 1.5 * shape_of(plot)));
    return across < 1 ? 1 : across < count ? across : count;
}

static double aspect(const scree__plot *plot, double em)
{
    if (plot->image_rows == 0)
        return 0.6;
    return fmin(2.0, scree__grid_aspect(draws_of(plot), across_of(plot), shape_of(plot), 0, em));
}

static scree_status make_draws(double **out, const scree__plot *plot, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *draws = NULL;
    scree_sink *sink = NULL;
    double *data = NULL;
    SCREE_ALLOC(data, count * plot->view->d, error);
    const scree_sample_options how = {
        .size = sizeof how, .rows = count, .seed = plot->options.seed, .run = plot->options.run};
    SCREE_TRY(scree_source_sample(&draws, plot->model, &how, error));
    SCREE_TRY(scree_sink_to_memory(&sink, data, count, plot->view->d, error));
    SCREE_TRY(scree_source_copy(draws, sink, plot->options.run, error));
    *out = data;
    data = NULL;
done:
    free(data);
    scree_sink_free(sink);
    scree_source_free(draws);
    return status;
}

static scree_status draw_images(scree__plot *plot, const double *data, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__grid grid = scree__grid_over(&plot->page, count, across_of(plot), shape_of(plot), 0);
    /* What the images were made from has a range: the noise around it must not wash them out. */
    const scree__tone around = scree__tone_of(plot->view->mean, plot->view->d);
    scree__tone tone = scree__tone_of(data, count * plot->view->d);
    tone.low = fmax(tone.low, around.low);
    tone.high = fmin(tone.high, around.low + 1.6 * (around.high - around.low));
    for (int64_t i = 0; i < count; i++) {
        const scree__box box = scree__grid_at(&grid, i);
        SCREE_TRY(scree__tile_draw(plot, &box, data + i * plot->view->d, &tone, NULL, error));
    }
done:
    return status;
}

/* The area that all draws fill, and a few of them. */
static void draw_many(const scree__plot *plot, const scree__frame *frame, const double *data, int64_t count)
{
    const scree__page *page = &plot->page;
    const int64_t d = plot->view->d;
    scree__lines_band(frame, data, count, d, page->theme->other);
    for (int64_t i = 0; i < count && i < FEW; i++) {
        const scree__pen pen = scree__page_pen(scree__series(page->dark, i, 1).colour, 0.09 * page->em);
        scree__lines_draw(frame, data + i * d, d, &pen);
    }
}

static void many_legend(scree__page *page, int64_t count, int64_t columns)
{
    char all[64], some[96];
    snprintf(all, sizeof all, "least to greatest of all draws");
    snprintf(some, sizeof some, "%lld draw%s, means of about %lld columns", (long long)(count < FEW ? count : FEW),
             count == 1 ? "" : "s", (long long)columns);
    const scree__legend_entry entries[] = {
        {{page->theme->other, 1, 1, SCREE__SQUARE, '#'}, false, false, all},
        {scree__series(page->dark, 0, 1), true, false, some},
    };
    scree__page_legend(page, entries, 2);
}

static scree_status draw_lines(scree__plot *plot, double *data, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__page *page = &plot->page;
    const int64_t d = plot->view->d;
    const bool many = scree__lines_are_many(plot);
    scree__lines_names names = {0};
    double range[2];
    scree__frame frame;
    SCREE_TRY(scree__lines_names_make(&names, plot, error));
    for (int64_t i = 0; i < count; i++)
        scree__lines_standardise(plot->view, data + i * d, data + i * d);
    scree__range(data, count * d, 1, false, range);
    if (many)
        many_legend(page, count, scree__lines_stretch(page, d));
    const scree__axis x = scree__lines_axis(plot, &names, true);
    const scree__axis y = {.title = "(x − µ)/s",
                           .scale = scree__scale_over(fmin(range[0], -1.0), fmax(range[1], 1.0), false)};
    scree__frame_draw(&frame, page, &page->room, &x, &y, NULL);
    scree__pen pen = scree__page_pen(scree__series(page->dark, 0, 1).colour, 0.09 * page->em);
    pen.alpha = 0.6;
    if (many)
        draw_many(plot, &frame, data, count);
    for (int64_t i = 0; i < count && !many; i++)
        scree__lines_draw(&frame, data + i * d, d, &pen);
done:
    scree__lines_names_free(&names);
    return status;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = draws_of(plot);
    double *data = NULL;
    char under[TEXT];
    if (count > MOST)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " draws are to be shown; ask for at most %d", count, MOST);
    SCREE_TRY(make_draws(&data, plot, count, error));
    snprintf(under, sizeof under, "%" PRId64 " draws of x = Bz + µ + ε, seed %" PRIu64, count, plot->options.seed);
    scree__page_begin(&plot->page, plot->canvas, "Rows that the model makes up", under);
    if (plot->image_rows > 0)
        SCREE_TRY(draw_images(plot, data, count, error));
    else
        SCREE_TRY(draw_lines(plot, data, count, error));
done:
    free(data);
    return status;
}

const scree__plot_kind scree__plot_samples = {"samples", false, SCREE_CAN_DENSITY, aspect, draw};
