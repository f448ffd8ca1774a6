/* SPDX-License-Identifier: BSD-3-Clause */
/* Outliers: how far out a row lies within the subspace, T², against how far from it, Q, with the limits that one in 1/α
 * rows of the model passes, each by itself. Rows whose p-value is at most
 * α are marked, the farthest with their names, and the one farthest of all in any case. */

#include "view/plane.h"
#include "view/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { T2, Q, P, OUTLIER, COLUMNS, NAMED = 12, TEXT = 256 };

static const int64_t columns[COLUMNS] = {SCREE__GATHER_T2, SCREE__GATHER_Q, SCREE__GATHER_P, SCREE__GATHER_OUTLIER};
static const double wide = 30.0;  /* a ratio that asks for a logarithm */
static const double stripe = 0.5; /* least over greatest of values that lie far from 0 */

static double aspect(const scree__plot *plot, double em)
{
    return scree__plot_aspect(plot, 0.7, em);
}

static scree__axis axis_of(const scree__points *points, int64_t column, double limit, const char *const titles[2])
{
    double range[2];
    scree__range(points->values + column, points->count, points->cols, true, range);
    const bool limited = isfinite(limit) && limit > 0.0;
    const double low = limited ? fmin(range[0], limit) : range[0], high = limited ? fmax(range[1], limit) : range[1];
    const bool logarithmic = high / low > wide;
    scree__axis axis = {
        .title = titles[0], .short_title = titles[1], .scale = scree__scale_over(low, high, logarithmic)};
    if (!logarithmic && low < stripe * high)
        axis.scale.low = 0.0;
    return axis;
}

/* Of T² and Q, whole and short. */
static const char *const titles[][2] = {{"T²: how far out within the subspace", "T²"},
                                        {"Q: squared distance from it", "Q: distance"}};

/* Rows that have no place on a logarithmic axis stand at its lower end. */
static double at_least(const scree__scale *scale, double value)
{
    return scale->logarithmic && !(value > scale->low) ? scale->low : value;
}

/* Smaller and more transparent the more there are of their kind; a lone outlier is seen among many. */
static scree__mark mark_of(const scree__page *page, const scree__points *points, bool outlier)
{
    int64_t alike = 0;
    for (int64_t i = 0; i < points->count; i++)
        alike += (points->values[i * COLUMNS + OUTLIER] > 0.5) == outlier;
    const double many = fmax(1.0, (double)alike / 200.0);
    scree__mark mark = scree__series(page->look, outlier, page->em * fmax(0.1, 0.34 / pow(many, 0.22)));
    mark.alpha = fmax(outlier ? 0.12 : 0.05, 0.8 / pow(many, outlier ? 0.4 : 0.45));
    if (outlier)
        mark.colour = page->theme->alarm;
    return mark;
}

static void place_of(const scree__frame *frame, const scree__points *points, int64_t i, double at[2])
{
    const double *value = &points->values[i * COLUMNS];
    at[0] = scree__frame_x(frame, at_least(&frame->x, value[T2]));
    at[1] = scree__frame_y(frame, at_least(&frame->y, value[Q]));
}

static void draw_points(const scree__frame *frame, const scree__points *points, bool outliers)
{
    const scree__page *page = frame->page;
    const scree__mark mark = mark_of(page, points, outliers);
    scree__canvas_clip(page->canvas, &frame->inside, points->count > 5000);
    for (int64_t i = 0; i < points->count; i++) {
        double at[2];
        place_of(frame, points, i, at);
        if ((points->values[i * COLUMNS + OUTLIER] > 0.5) == outliers)
            scree__canvas_mark(page->canvas, at[0], at[1], &mark);
    }
    scree__canvas_unclip(page->canvas);
}

static void draw_limits(const scree__frame *frame, double t2, double q)
{
    const scree__page *page = frame->page;
    const scree__box *in = &frame->inside;
    scree__pen pen = scree__page_pen(page->theme->ink, 0.1 * page->em);
    pen.dashed = true;
    const double x = scree__frame_x(frame, t2), y = scree__frame_y(frame, q);
    if (isfinite(x))
        scree__canvas_line(page->canvas, x, in->y, x, in->y + in->h, &pen);
    if (isfinite(y))
        scree__canvas_line(page->canvas, in->x, y, in->x + in->w, y, &pen);
}

/* The outliers with the smallest p-values, smallest first. */
static int64_t farthest(const scree__points *points, int64_t *rows)
{
    int64_t count = 0;
    for (int64_t i = 0; i < points->count; i++) {
        const double *value = &points->values[i * COLUMNS];
        if (!(value[OUTLIER] > 0.5) || (count == NAMED && value[P] >= points->values[rows[count - 1] * COLUMNS + P]))
            continue;
        count += count < NAMED;
        int64_t at = count - 1;
        for (; at > 0 && points->values[rows[at - 1] * COLUMNS + P] > value[P]; at--)
            rows[at] = rows[at - 1];
        rows[at] = i;
    }
    return count;
}

/* Names keep away from points, from other outliers above all, and from the limits. */
static void mark_all(scree__placer *placer, const scree__frame *frame, const scree__points *points, const double at[2])
{
    const scree__box *in = &frame->inside;
    const double radius[] = {mark_of(frame->page, points, false).radius, mark_of(frame->page, points, true).radius};
    for (int64_t i = 0; i < points->count; i++) {
        const bool outlier = points->values[i * COLUMNS + OUTLIER] > 0.5;
        double place[2];
        place_of(frame, points, i, place);
        scree__placer_mark(placer, place[0], place[1], radius[outlier], outlier ? 20 : 1);
    }
    scree__placer_line(placer, (double[]){at[0], in->y}, (double[]){at[0], in->y + in->h}, 1);
    scree__placer_line(placer, (double[]){in->x, at[1]}, (double[]){in->x + in->w, at[1]}, 1);
}

/* Points, with the outliers above the paper of the names. */
static scree_status draw_inside(const scree__frame *frame, const scree__points *points, const double limits[2],
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__placer placer = {.count = 0};
    int64_t rows[NAMED];
    const int64_t count = farthest(points, rows);
    const double at[] = {scree__frame_x(frame, limits[0]), scree__frame_y(frame, limits[1])};
    SCREE_TRY(scree__placer_open(&placer, frame->page, &frame->inside, error));
    mark_all(&placer, frame, points, at);
    for (int64_t k = 0; k < count; k++) {
        char name[64];
        scree__wish wish = {.must = k == 0};
        place_of(frame, points, rows[k], wish.at);
        scree__placer_find(&placer, &wish, scree__points_name(points, rows[k], name, sizeof name));
    }
    draw_points(frame, points, false);
    draw_limits(frame, limits[0], limits[1]);
    scree__placer_draw_lines(&placer);
    draw_points(frame, points, true);
    scree__placer_draw_names(&placer);
done:
    scree__placer_close(&placer);
    return status;
}

static scree_status gather(scree__points *points, const scree__plot *plot, double alpha, int64_t *outliers,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_score_options how = {.size = sizeof how, .training = plot->options.training, .alpha = alpha};
    scree_scorer *scorer = NULL;
    scree__gather all;
    scree__gather_begin(&all, columns, COLUMNS, plot->options.points);
    SCREE_TRY(scree_scorer_make(&scorer, plot->model, &how, error));
    SCREE_TRY(scree__gather_scores(&all, scorer, alpha, plot->rows, plot->options.run, error));
    if (all.points.total == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    *points = all.points;
    *outliers = all.outliers;
    all.points = (scree__points){0};
    scree__points_choose(points, plot->rows, plot->options.label);
done:
    scree__points_clear(&all.points);
    scree_scorer_free(scorer);
    return status;
}

static void draw_legend(scree__page *page, int64_t total, int64_t found, double alpha)
{
    char outliers[96], limits[96], others[64], note[128], count[32];
    scree__mark alarm = scree__series(page->look, 1, 1);
    alarm.colour = page->theme->alarm;
    scree__words_count(count, sizeof count, found);
    scree__format(outliers, sizeof outliers, "outlier (p ≤ %g): %s", alpha, count);
    scree__words_count(count, sizeof count, total - found);
    snprintf(others, sizeof others, "other rows: %s", count);
    scree__format(limits, sizeof limits, "limits at %g %%", 100.0 * alpha);
    snprintf(note, sizeof note, "The limits are for T² and Q each alone, and for whole rows; p is for both together.");
    const scree__legend_entry entries[] = {
        {scree__series(page->look, 0, 1), false, false, others},
        {alarm, false, false, outliers},
        {{page->theme->ink, 1, 1, 0, '-'}, true, true, limits},
    };
    scree__page_note(page, note);
    scree__page_legend(page, entries, 3);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double alpha = plot->options.alpha > 0.0 ? plot->options.alpha : 0.01;
    scree__points points = {0};
    int64_t found = 0;
    scree__frame frame;
    char under[TEXT];
    double limits[2];
    SCREE_TRY(gather(&points, plot, alpha, &found, error));
    scree__score_limits(plot->model, plot->options.training, alpha, &limits[0], &limits[1]);
    scree__points_title(&points, scree_source_name(plot->rows), under, sizeof under);
    scree__page_begin(&plot->page, plot->canvas, "Outliers: within the subspace, and away from it", under);
    draw_legend(&plot->page, points.total, found, alpha);
    const scree__axis x = axis_of(&points, T2, limits[0], titles[0]), y = axis_of(&points, Q, limits[1], titles[1]);
    scree__frame_draw(&frame, &plot->page, &plot->page.room, &x, &y, NULL);
    SCREE_TRY(draw_inside(&frame, &points, limits, error));
done:
    scree__points_clear(&points);
    return status;
}

const scree__plot_kind scree__plot_outliers = {"outliers", true, SCREE_CAN_DENSITY, aspect, draw, NULL};
