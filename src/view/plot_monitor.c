/* SPDX-License-Identifier: BSD-3-Clause */
/* A control chart: T² and Q of rows in their order, one above the other, with the limits that one in 1/α rows of the
 * model passes by chance. Outliers, rows whose p-value is at most α, are marked, and beside the worst of them stands
 * the column most to blame. Where there are many rows a stroke shows the range of some that follow each other
 * (monitor.h). */

#include "view/monitor.h"
#include "view/placer.h"
#include "view/plot.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 256, BLAMED = 1 };

static const double wide = 30.0;   /* a ratio that asks for a logarithm */
static const double depth = 200.0; /* how far below the limit one looks */

static double aspect(const scree__plot *plot, double em)
{
    return scree__plot_aspect(plot, 0.75, em);
}

static scree__axis axis_of(const scree__monitor *monitor, int chart, double limit)
{
    static const char *const titles[] = {"T²: within the subspace", "Q: distance from it"};
    static const char *const short_titles[] = {"T²", "Q"};
    const int64_t stride = sizeof *monitor->bins / sizeof monitor->bins->high[0];
    double low[2], high[2];
    scree__range(monitor->bins->low + chart, monitor->count, stride, true, low);
    scree__range(monitor->bins->high + chart, monitor->count, stride, true, high);
    if (isfinite(limit) && limit > 0.0) {
        low[0] = fmax(fmin(low[0], limit), limit / depth);
        high[1] = fmax(high[1], limit);
    }
    const bool logarithmic = high[1] / low[0] > wide;
    scree__axis axis = {.title = titles[chart],
                        .short_title = short_titles[chart],
                        .scale = scree__scale_over(low[0], high[1], logarithmic)};
    if (!logarithmic)
        axis.scale.low = 0.0;
    return axis;
}

/* The middle of the rows of a bin, counted from 1. */
static double row_of(const scree__monitor *monitor, int64_t bin)
{
    const int64_t first = bin * monitor->every;
    const int64_t rows = monitor->total - first < monitor->every ? monitor->total - first : monitor->every;
    return (double)first + 0.5 * (double)(rows + 1);
}

/* Values that have no place on a logarithmic axis stand at its lower end. */
static double height_of(const scree__frame *frame, double value)
{
    return scree__frame_y(frame, frame->y.logarithmic && !(value > frame->y.low) ? frame->y.low : value);
}

static void draw_rows(const scree__frame *frame, const scree__monitor *monitor, int chart)
{
    const scree__page *page = frame->page;
    const double many = fmax(1.0, (double)monitor->count / 100.0);
    const scree__mark mark = scree__series(page->look, 0, page->em * fmax(0.08, 0.3 / pow(many, 0.4)));
    scree__pen pen = scree__page_pen(mark.colour, page->em * fmax(0.05, 0.12 / pow(many, 0.3)));
    double before[2] = {NAN, NAN};
    pen.alpha = 0.6;
    for (int64_t i = 0; i < monitor->count; i++) {
        const scree__monitor_bin *bin = &monitor->bins[i];
        const double at[2] = {scree__frame_x(frame, row_of(monitor, i)), height_of(frame, bin->high[chart])};
        if (isnan(bin->high[chart]))
            continue;
        if (monitor->every > 1)
            scree__canvas_line(page->canvas, at[0], height_of(frame, bin->low[chart]), at[0], at[1], &pen);
        else if (isfinite(before[0]))
            scree__canvas_line(page->canvas, before[0], before[1], at[0], at[1], &pen);
        if (monitor->every == 1)
            scree__canvas_mark(page->canvas, at[0], at[1], &mark);
        before[0] = at[0];
        before[1] = at[1];
    }
}

static scree__mark alarm_of(const scree__page *page)
{
    scree__mark mark = scree__series(page->look, 1, 0.3 * page->em);
    mark.colour = page->theme->alarm;
    return mark;
}

static void draw_outliers(const scree__frame *frame, const scree__monitor *monitor, int chart)
{
    const scree__mark mark = alarm_of(frame->page);
    for (int64_t i = 0; i < monitor->count; i++)
        if (isfinite(monitor->bins[i].far[chart]))
            scree__canvas_mark(frame->page->canvas, scree__frame_x(frame, row_of(monitor, i)),
                               height_of(frame, monitor->bins[i].far[chart]), &mark);
}

static void draw_limit(const scree__frame *frame, double limit)
{
    const scree__page *page = frame->page;
    const scree__box *in = &frame->inside;
    scree__pen pen = scree__page_pen(page->theme->ink, 0.1 * page->em);
    const double y = scree__frame_y(frame, limit);
    pen.dashed = true;
    if (isfinite(y))
        scree__canvas_line(page->canvas, in->x, y, in->x + in->w, y, &pen);
}

/* The chart in which a row stands out most. */
static int chart_of(const scree__score *score, const double limits[SCREE__MONITOR_CHARTS])
{
    const double t2 = score->t2 / limits[SCREE__MONITOR_T2], q = score->q / limits[SCREE__MONITOR_Q];
    return q > t2 || isnan(t2) ? SCREE__MONITOR_Q : SCREE__MONITOR_T2;
}

static scree_status draw_chart(const scree__frame *frame, const scree__monitor *monitor, int chart,
                               const double limits[SCREE__MONITOR_CHARTS], scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__placer placer = {.count = 0};
    const scree__box *in = &frame->inside;
    const double limit = scree__frame_y(frame, limits[chart]);
    SCREE_TRY(scree__placer_open(&placer, frame->page, in, error));
    for (int64_t i = 0; i < monitor->count; i++) {
        const double x = scree__frame_x(frame, row_of(monitor, i));
        scree__placer_mark(&placer, x, height_of(frame, monitor->bins[i].high[chart]), 0.2 * frame->page->em, 1);
        if (isfinite(monitor->bins[i].far[chart]))
            scree__placer_mark(&placer, x, height_of(frame, monitor->bins[i].far[chart]), 0.3 * frame->page->em, 20);
    }
    scree__placer_line(&placer, (double[]){in->x, limit}, (double[]){in->x + in->w, limit}, 1);
    for (int64_t k = 0; k < monitor->worst_count; k++) {
        const scree__monitor_row *row = &monitor->worst[k];
        char text[TEXT];
        scree__wish wish = {.must = k == 0};
        if (chart_of(&row->score, limits) != chart)
            continue;
        wish.at[0] = scree__frame_x(frame, row_of(monitor, row->row / monitor->every));
        wish.at[1] = height_of(frame, chart == SCREE__MONITOR_T2 ? row->score.t2 : row->score.q);
        snprintf(text, sizeof text, "%s: %s", row->name, monitor->blame[k]);
        scree__placer_find(&placer, &wish, text);
    }
    draw_rows(frame, monitor, chart);
    draw_limit(frame, limits[chart]);
    scree__placer_draw_lines(&placer);
    draw_outliers(frame, monitor, chart);
    scree__placer_draw_names(&placer);
done:
    scree__placer_close(&placer);
    return status;
}

static void draw_legend(scree__page *page, const scree__monitor *monitor, double alpha)
{
    char outliers[96], limits[96], others[64], count[32];
    const bool strokes = monitor->every > 1;
    scree__mark alarm = alarm_of(page);
    alarm.radius = 1;
    scree__words_count(count, sizeof count, monitor->outliers);
    scree__format(outliers, sizeof outliers, "outlier (p ≤ %g): %s", alpha, count);
    scree__words_count(count, sizeof count, strokes ? monitor->every : monitor->total - monitor->outliers);
    snprintf(others, sizeof others, strokes ? "range of %s rows" : "other rows: %s", count);
    scree__format(limits, sizeof limits, "limits at %g %%", 100.0 * alpha);
    const scree__legend_entry entries[] = {
        {scree__series(page->look, 0, 1), strokes, false, others},
        {alarm, false, false, outliers},
        {{page->theme->ink, 1, 1, 0, '-'}, true, true, limits},
    };
    scree__page_note(page,
                     monitor->outliers > 0
                         ? "Beside the worst rows stands the column most to blame. The limits are for T² and Q each "
                           "alone; p is for both together."
                         : "The limits are for T² and Q each alone; p is for both together.");
    scree__page_legend(page, entries, 3);
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__monitor monitor = {0};
    const double alpha = plot->options.alpha > 0.0 ? plot->options.alpha : 0.01;
    const scree_score_options how = {
        .size = sizeof how, .training = plot->options.training, .alpha = alpha, .blame_columns = BLAMED};
    double limits[SCREE__MONITOR_CHARTS];
    char under[TEXT], count[32];
    SCREE_TRY(scree__monitor_watch(&monitor, plot->model, plot->rows, &how, plot->options.run, error));
    if (monitor.total == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    scree__score_limits(plot->model, plot->options.training, alpha, &limits[0], &limits[1]);
    scree__words_count(count, sizeof count, monitor.total);
    snprintf(under, sizeof under, "%s, %s row%s", scree__words_base(scree_source_name(plot->rows)), count,
             monitor.total == 1 ? "" : "s");
    scree__page_begin(&plot->page, plot->canvas, "Monitor: how far out rows lie, one after the other", under);
    draw_legend(&plot->page, &monitor, alpha);
    for (int chart = 0; chart < SCREE__MONITOR_CHARTS; chart++) {
        scree__frame frame;
        scree__box half = plot->page.room;
        half.h *= 0.5;
        half.y += chart * half.h;
        const scree__axis x = {.title = chart == SCREE__MONITOR_Q ? "row" : "",
                               .scale = {.low = 0.5, .high = (double)monitor.total + 0.5, .whole = true}};
        const scree__axis y = axis_of(&monitor, chart, limits[chart]);
        scree__frame_draw(&frame, &plot->page, &half, &x, &y, NULL);
        SCREE_TRY(draw_chart(&frame, &monitor, chart, limits, error));
    }
done:
    scree__monitor_clear(&monitor);
    return status;
}

const scree__plot_kind scree__plot_monitor = {"monitor", true, SCREE_CAN_DENSITY, aspect, draw, NULL};
