/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that the model makes up (10.64, 10.66), or rows as they are, such as those that exploring has made up (10.7.3):
 * a grid of images, or lines over the columns. Of very many columns, the area that all rows fill, and the means of
 * stretches of columns of a few of them. */

#include "view/gather.h"
#include "view/lines.h"
#include "view/tiles.h"
#include "view/words.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IMAGES = 24, LINES = 40, MOST = 400, FEW = 3, TEXT = 256 };

/* What is drawn. */
typedef struct rows {
    double *data; /* count×D */
    int64_t count;
    const scree__points *names; /* of each row, under its image; NULL: they have none */
    const char *called;         /* "draw": one of them */
} rows;

/* As many as are asked for, or as look good. */
static int64_t count_of(const scree__plot *plot)
{
    const int64_t usual = plot->image_rows > 0 ? IMAGES : LINES;
    return plot->options.draws > 0 ? plot->options.draws : usual;
}

static double shape_of(const scree__plot *plot)
{
    return (double)plot->image_rows / (double)plot->image_cols;
}

/* Half as wide again as high. */
static int64_t across_of(const scree__plot *plot, int64_t count)
{
    const int64_t across = (int64_t)ceil(sqrt((double)count * 1.5 * shape_of(plot)));
    return across < 1 ? 1 : across < count ? across : count;
}

static double aspect(const scree__plot *plot, double em)
{
    const int64_t count = count_of(plot);
    if (plot->image_rows == 0)
        return scree__plot_aspect(plot, 0.6, em);
    return fmin(2.0, scree__grid_aspect(count, across_of(plot, count), shape_of(plot), 0, em));
}

/* There may be fewer rows than that; how many is not known of a pipe. */
static double rows_aspect(const scree__plot *plot, double em)
{
    const int64_t all = scree_source_rows(plot->rows), chosen = plot->options.highlight_count;
    int64_t count = chosen > 0 ? chosen : count_of(plot);
    if (all > 0 && all < count)
        count = all;
    if (plot->image_rows == 0)
        return scree__plot_aspect(plot, 0.6, em);
    return fmin(2.0, scree__grid_aspect(count, across_of(plot, count), shape_of(plot), 1, em));
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

/* The name of the row under its image. */
static void name_image(const scree__page *page, const scree__grid *grid, const scree__box *box, double below,
                       const char *name)
{
    const scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__MIDDLE);
    scree__page_text(page, box->x + box->w / 2, below + grid->text / 2, box->w, &type, name);
}

static scree_status draw_images(scree__plot *plot, const rows *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double *data = r->data;
    const int64_t count = r->count;
    const scree__grid grid =
        scree__grid_over(&plot->page, count, across_of(plot, count), shape_of(plot), r->names ? 1 : 0);
    /* What draws were made from has a range: the noise around it must not wash them out. */
    const scree__tone around = scree__tone_of(plot->view->mean, plot->view->d);
    scree__tone tone = scree__tone_of(data, count * plot->view->d);
    tone.low = r->names ? tone.low : fmax(tone.low, around.low);
    tone.high = r->names ? tone.high : fmin(tone.high, around.low + 1.6 * (around.high - around.low));
    for (int64_t i = 0; i < count; i++) {
        const scree__box box = scree__grid_at(&grid, i);
        scree__box drawn;
        char name[64];
        SCREE_TRY(scree__tile_draw(plot, &box, data + i * plot->view->d, &tone, &drawn, error));
        if (r->names)
            name_image(&plot->page, &grid, &box, drawn.y + drawn.h, scree__points_name(r->names, i, name, sizeof name));
    }
done:
    return status;
}

/* The area that all rows fill, and a few of them. */
static void draw_many(const scree__plot *plot, const scree__frame *frame, const double *data, int64_t count)
{
    const scree__page *page = &plot->page;
    const int64_t d = plot->view->d;
    scree__lines_band(frame, data, count, d, page->theme->other);
    for (int64_t i = 0; i < count && i < FEW; i++) {
        const scree__pen pen = scree__page_pen(scree__series(page->look, i, 1).colour, 0.09 * page->em);
        scree__lines_draw(frame, data + i * d, d, &pen);
    }
}

static void many_legend(scree__page *page, const rows *r, int64_t columns)
{
    const int64_t count = r->count;
    char all[64], some[96];
    snprintf(all, sizeof all, "least to greatest of all %ss", r->called);
    snprintf(some, sizeof some, "%lld %s%s, means of about %lld columns", (long long)(count < FEW ? count : FEW),
             r->called, count == 1 ? "" : "s", (long long)columns);
    const scree__legend_entry entries[] = {
        {{page->theme->other, 1, 1, SCREE__SQUARE, '#'}, false, false, all},
        {scree__series(page->look, 0, 1), true, false, some},
    };
    scree__page_legend(page, entries, 2);
}

static scree_status draw_lines(scree__plot *plot, const rows *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *data = r->data;
    const int64_t count = r->count;
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
        many_legend(page, r, scree__lines_stretch(page, d));
    const scree__axis x = scree__lines_axis(plot, &names, true);
    const scree__axis y = {.title = "(x − µ)/s",
                           .scale = scree__scale_over(fmin(range[0], -1.0), fmax(range[1], 1.0), false)};
    scree__frame_draw(&frame, page, &page->room, &x, &y, NULL);
    scree__pen pen = scree__page_pen(scree__series(page->look, 0, 1).colour, 0.09 * page->em);
    pen.alpha = 0.6;
    if (many)
        draw_many(plot, &frame, data, count);
    for (int64_t i = 0; i < count && !many; i++)
        scree__lines_draw(&frame, data + i * d, d, &pen);
done:
    scree__lines_names_free(&names);
    return status;
}

static scree_status check_count(int64_t count, const char *what, scree_error *error)
{
    if (count > MOST)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%" PRId64 " %s are to be shown; ask for at most %d", count, what,
                           MOST);
    return SCREE_OK;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    rows r = {.count = count_of(plot), .called = "draw"};
    char under[TEXT];
    SCREE_TRY(check_count(r.count, "draws", error));
    SCREE_TRY(make_draws(&r.data, plot, r.count, error));
    snprintf(under, sizeof under, "%" PRId64 " draws of x = Bz + µ + ε, seed %" PRIu64, r.count, plot->options.seed);
    scree__page_begin(&plot->page, plot->canvas, "Rows that the model makes up", under);
    if (plot->image_rows > 0)
        SCREE_TRY(draw_images(plot, &r, error));
    else
        SCREE_TRY(draw_lines(plot, &r, error));
done:
    free(r.data);
    return status;
}

static int by_number(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The rows that were asked for, ascending, or some from all over the data; *count is 0 where how many there are is not
 * known. */
static scree_status choose_rows(int64_t **wanted, int64_t *count, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_plot_options *options = &plot->options;
    const int64_t asked = options->highlight_count > 0 ? options->highlight_count : 0;
    if (asked == 0 && scree_source_rows(plot->rows) < 0 && scree__source_rewinds(plot->rows))
        SCREE_TRY(scree_source_copy(plot->rows, NULL, options->run, error)); /* counts them */
    const int64_t all = scree_source_rows(plot->rows), most = count_of(plot), some = all < most ? all : most;
    *count = 0;
    SCREE_ALLOC(*wanted, asked + most, error);
    if (asked > 0) {
        memcpy(*wanted, options->highlight, (size_t)asked * sizeof **wanted);
        qsort(*wanted, (size_t)asked, sizeof **wanted, by_number);
    }
    for (int64_t i = 0; i < asked; i++)
        if (*count == 0 || (*wanted)[i] != (*wanted)[*count - 1])
            (*wanted)[(*count)++] = (*wanted)[i];
    for (int64_t i = 0; i < some && asked == 0; i++)
        (*wanted)[(*count)++] = i * all / some;
done:
    return status;
}

/* Of a pipe, every other row is left out again and again. */
static scree_status keep_rows(scree__points *kept, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *wanted = NULL;
    int64_t count = 0;
    scree__gather gather = {0};
    SCREE_TRY(choose_rows(&wanted, &count, plot, error));
    if (count > 0) {
        SCREE_TRY(scree__rows_keep(kept, plot->model, plot->rows, wanted, count, error));
    } else {
        scree__gather_begin(&gather, NULL, plot->view->d, count_of(plot));
        SCREE_TRY(scree__gather_cells(&gather, plot->model, plot->rows, plot->options.run, error));
        *kept = gather.points;
        gather.points = (scree__points){0};
    }
done:
    scree__points_clear(&gather.points);
    free(wanted);
    return status;
}

static scree_status draw_rows(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__points kept = {0};
    char under[TEXT];
    SCREE_TRY(check_count(count_of(plot), "rows", error));
    SCREE_TRY(keep_rows(&kept, plot, error));
    const char *name = scree__words_base(scree_source_name(plot->rows));
    if (kept.count == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    const rows r = {.data = kept.values, .count = kept.count, .names = &kept, .called = "row"};
    if (kept.count < kept.total)
        snprintf(under, sizeof under, "%s; %" PRId64 " of %" PRId64 " rows", name, kept.count, kept.total);
    else
        snprintf(under, sizeof under, "%s; %" PRId64 " row%s", name, kept.count, kept.count == 1 ? "" : "s");
    scree__page_begin(&plot->page, plot->canvas, "Rows", under);
    if (plot->image_rows > 0)
        SCREE_TRY(draw_images(plot, &r, error));
    else
        SCREE_TRY(draw_lines(plot, &r, error));
done:
    scree__points_clear(&kept);
    return status;
}

const scree__plot_kind scree__plot_samples = {"samples", false, SCREE_CAN_DENSITY, aspect, draw, NULL};
const scree__plot_kind scree__plot_rows = {"rows", true, SCREE_CAN_PROJECT, rows_aspect, draw_rows, NULL};
