/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines, areas and bars over columns. Where a picture has fewer pixels than there are columns, these are taken together
 * in stretches: a line goes through their means, an area from the least to the greatest value of each, so that no peak
 * is lost and no line becomes a solid block. O(D). */

#include "view/lines.h"

#include "scree_private.h"
#include "view/in_model.h"

#include <math.h>

enum { NAMED = 60, STRETCHES = 600 };

void scree__lines_standardise(const scree_model_view *view, const double *row, double *out)
{
    for (int64_t j = 0; j < view->d; j++) {
        const double spread = sqrt(view->variances[j]);
        out[j] = spread > 0.0 ? (scree__in_model(view, row[j]) - view->mean[j]) / spread : 0.0;
    }
}

scree_status scree__lines_names_make(scree__lines_names *names, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    names->count = plot->view->d;
    if (names->count > NAMED)
        return SCREE_OK;
    SCREE_TRY(scree__plot_columns(&names->whole, plot, false, error));
    SCREE_TRY(scree__plot_columns(&names->shortened, plot, true, error));
done:
    return status;
}

void scree__lines_names_free(scree__lines_names *names)
{
    scree__strings_free(names->whole, names->count);
    scree__strings_free(names->shortened, names->count);
    *names = (scree__lines_names){0};
}

scree__axis scree__lines_axis(const scree__plot *plot, const scree__lines_names *names, bool titled)
{
    const int64_t d = plot->view->d;
    const double edge = d <= NAMED ? 0.5 : 0.01 * (double)d;
    return (scree__axis){.title = titled && d > NAMED ? "column" : "",
                         .scale = {.low = 1.0 - edge, .high = (double)d + edge, .whole = true},
                         .names = (const char *const *)names->whole,
                         .short_names = (const char *const *)names->shortened,
                         .name_count = d};
}

bool scree__lines_are_many(const scree__plot *plot)
{
    return (double)plot->view->d > scree__canvas_shape_of(plot->canvas)->width;
}

/* How many stretches the columns are drawn as; as many as columns where these are few. */
static int64_t stretches(const scree__page *page, int64_t d)
{
    const double width = scree__canvas_shape_of(page->canvas)->width;
    return (double)d <= width ? d : (int64_t)fmin(STRETCHES, width / 2.0);
}

int64_t scree__lines_stretch(const scree__page *page, int64_t d)
{
    return (d + stretches(page, d) / 2) / stretches(page, d);
}

static double mean_of(const double *values, int64_t count)
{
    double sum = 0.0, there = 0.0;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            sum += values[i];
            there += 1.0;
        }
    return sum / there; /* NaN: a break in the line */
}

void scree__lines_draw(const scree__frame *frame, const double *values, int64_t d, const scree__pen *pen)
{
    double xy[2 * STRETCHES];
    const int64_t count = stretches(frame->page, d);
    if (d == 1) { /* a level: one point is no line */
        const double x[] = {scree__frame_x(frame, 0.75), scree__frame_x(frame, 1.25)};
        const double y = scree__frame_y(frame, values[0]);
        scree__canvas_line(frame->page->canvas, x[0], y, x[1], y, pen);
        return;
    }
    if (count == d) {
        scree__frame_curve(frame, 1.0, values, d, false, pen);
        return;
    }
    for (int64_t k = 0; k < count; k++) {
        const int64_t first = k * d / count, last = (k + 1) * d / count;
        xy[2 * k] = scree__frame_x(frame, (double)(first + last + 1) / 2);
        xy[2 * k + 1] = scree__frame_y(frame, mean_of(values + first, last - first));
    }
    scree__canvas_clip(frame->page->canvas, &frame->inside, false);
    scree__canvas_path(frame->page->canvas, xy, count, pen);
    scree__canvas_unclip(frame->page->canvas);
}

/* The least and the greatest of columns first..last-1 in all rows; false: nothing is there. */
static bool reach(const double *values, int64_t rows, int64_t d, const int64_t stretch[2], double range[2])
{
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = stretch[0]; j < stretch[1]; j++)
            if (isfinite(values[i * d + j])) {
                range[0] = fmin(range[0], values[i * d + j]);
                range[1] = fmax(range[1], values[i * d + j]);
            }
    return range[0] <= range[1];
}

/* A stretch of columns from one value to another. */
static void fill(const scree__frame *frame, const int64_t stretch[2], const double range[2], double air,
                 scree__colour colour)
{
    const double left = scree__frame_x(frame, (double)stretch[0] + 0.5 + air / 2);
    const double right = scree__frame_x(frame, (double)stretch[1] + 0.5 - air / 2);
    const double top = scree__frame_y(frame, range[1]), bottom = scree__frame_y(frame, range[0]);
    const double seam = air > 0.0 ? 0.0 : 0.7; /* px that neighbours overlap, or paper would shine through */
    const scree__box box = {left, top, fmax(right - left + seam, 1.0), bottom - top};
    scree__canvas_fill(frame->page->canvas, &box, colour, 1.0);
}

static scree__colour towards(scree__colour from, scree__colour to, double t)
{
    return (scree__colour){from.r + t * (to.r - from.r), from.g + t * (to.g - from.g), from.b + t * (to.b - from.b)};
}

void scree__lines_band(const scree__frame *frame, const double *values, int64_t rows, int64_t d, scree__colour colour)
{
    const int64_t count = stretches(frame->page, d);
    for (int64_t k = 0; k < count; k++) {
        const int64_t stretch[] = {k * d / count, (k + 1) * d / count};
        double range[2];
        if (reach(values, rows, d, stretch, range)) /* opaque: areas that meet would show their seams */
            fill(frame, stretch, range, 0.0, towards(frame->page->theme->paper, colour, 0.3));
    }
}

void scree__lines_bars(const scree__frame *frame, const double *values, int64_t d)
{
    const int64_t count = stretches(frame->page, d);
    for (int64_t k = 0; k < count; k++) {
        const int64_t stretch[] = {k * d / count, (k + 1) * d / count};
        double range[2];
        if (!reach(values, 1, d, stretch, range))
            continue;
        const double below[] = {fmin(range[0], 0.0), 0.0}, above[] = {0.0, fmax(range[1], 0.0)};
        const double air = count == d ? 0.25 : 0.0;
        fill(frame, stretch, below, air, scree__signed(frame->page->look, true));
        fill(frame, stretch, above, air, scree__signed(frame->page->look, false));
    }
}
