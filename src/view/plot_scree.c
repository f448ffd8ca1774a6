/* SPDX-License-Identifier: BSD-3-Clause */
/* The scree plot: eigenvalues λ_M and the error J_M = tr S - Σ λ_j (10.44) that M components leave, on a logarithmic
 * axis, and the share of the variance that they keep, on the right. Upright lines stand where the criteria that need no
 * more than the eigenvalues would stop (scree_selection_from_model). A bar through an eigenvalue is the 95 % interval
 * of the population's (scree_model_sampling); what cannot be told from noise has none. Its plain sister, the error
 * curve, is J_M alone (Figure 10.13 of the book), with the values at those M that were asked for. */

#include "view/plot.h"

#include "scree_private.h"
#include "view/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 256, FEW = 60, VALUE = 0, LEFT = 1, KEPT = 2 };

static const double most_flops = 2e9;

static double aspect(const scree__plot *plot, double em)
{
    static const scree__surroundings around = {.shape = 0.55, .beside = 8.0, .under = 60, .note = 60, .legend = 105};
    return plot->cells ? 0.62 : scree__plot_around(plot, &around, em);
}

/* J_M and the share for M = 1..m. What rounding leaves of nothing is nothing. */
static void accumulate(const scree_model_view *view, double *left, double *share)
{
    double kept = 0.0;
    for (int64_t j = 0; j < view->m; j++) {
        kept += view->eigenvalues[j];
        const double rest = view->total_variance - kept;
        left[j] = rest > 1e-12 * view->total_variance ? rest : 0.0;
        share[j] = view->total_variance > 0.0 ? fmin(100.0, 100.0 * kept / view->total_variance) : 100.0;
    }
}

/* Whether component j has an interval, and a place to draw it. */
static bool interval_of(const scree__plot *plot, int64_t j, scree_sampling *s)
{
    *s = (scree_sampling)SCREE_SAMPLING_INIT;
    return plot->view->m <= FEW && scree_model_sampling(plot->model, j, s, NULL) == SCREE_OK && s->low > 0.0 &&
           s->high > s->low;
}

static bool has_intervals(const scree__plot *plot)
{
    scree_sampling s;
    for (int64_t j = 0; j < plot->view->m; j++)
        if (interval_of(plot, j, &s))
            return true;
    return false;
}

static void draw_intervals(const scree__plot *plot, const scree__frame *frame)
{
    const scree__page *page = frame->page;
    const scree__pen pen = scree__page_pen(scree__series(page->look, VALUE, 1).colour, 0.1 * page->em);
    const double tick = 0.25 * page->em;
    scree_sampling s;
    for (int64_t j = 0; j < plot->view->m; j++) {
        if (!interval_of(plot, j, &s) || s.low < frame->y.low)
            continue;
        const double x = scree__frame_x(frame, (double)j + 1.0);
        const double low = scree__frame_y(frame, s.low), high = scree__frame_y(frame, fmin(s.high, frame->y.high));
        scree__canvas_line(page->canvas, x, low, x, high, &pen);
        scree__canvas_line(page->canvas, x - tick, low, x + tick, low, &pen);
        scree__canvas_line(page->canvas, x - tick, high, x + tick, high, &pen);
    }
}

static scree__scale variance_scale(const scree__plot *plot, const double *left)
{
    const scree_model_view *view = plot->view;
    double range[2], other[2];
    scree_sampling s;
    scree__range(left, view->m, 1, true, range);
    scree__range(view->eigenvalues, view->m, 1, true, other);
    const bool any = left[0] > 0.0;
    range[0] = any ? fmin(range[0], other[0]) : other[0];
    range[1] = any ? fmax(range[1], other[1]) : other[1];
    for (int64_t j = 0; j < view->m; j++)
        if (interval_of(plot, j, &s)) {
            range[0] = fmin(range[0], s.low);
            range[1] = fmax(range[1], s.high);
        }
    const double floor_at = range[1] * 1e-12; /* below is rounding */
    return scree__scale_over(fmax(range[0], floor_at), range[1], true);
}

static void dots(const scree__frame *frame, const double *values, int64_t count, int series)
{
    const scree__page *page = frame->page;
    const scree__mark mark = scree__series(page->look, series, (count > 25 ? 0.22 : 0.32) * page->em);
    for (int64_t j = 0; j < count && count <= FEW; j++) {
        const double y = series == KEPT ? scree__frame_right(frame, values[j]) : scree__frame_y(frame, values[j]);
        if (series == KEPT || values[j] >= frame->y.low)
            scree__canvas_mark(page->canvas, scree__frame_x(frame, (double)j + 1.0), y, &mark);
    }
}

/* Where a line stands for M components: not for none, nor where a criterion may want more than the model has. */
static bool is_open(const scree_selection_view *chosen, int64_t m)
{
    return m == chosen->max_components && m < chosen->directions;
}

static bool has_line(const scree_model_view *view, const scree_selection *selection, int64_t m)
{
    bool any = false;
    const scree_criterion *criterion;
    for (int64_t i = 0; (criterion = scree_selection_criterion(selection, i)); i++)
        any |= criterion->votes && criterion->choice == m;
    return any && m > 0 && m <= view->m && !is_open(scree_selection_get(selection), m);
}

/* "minka, bic 12; gavish 9". */
static void choices(const scree_selection *selection, char *text, size_t size)
{
    const scree_selection_view *chosen = scree_selection_get(selection);
    const scree_criterion *criterion;
    size_t used = 0;
    text[0] = '\0';
    for (int64_t m = 0; m <= chosen->max_components; m++) {
        bool any = false;
        for (int64_t i = 0; (criterion = scree_selection_criterion(selection, i)); i++) {
            const bool is_last = criterion->beyond && m == chosen->max_components;
            if (!criterion->votes || (criterion->choice != m && !is_last) || used >= size)
                continue;
            used += (size_t)snprintf(text + used, size - used, "%s%s",
                                     any        ? ", "
                                     : used > 0 ? "; "
                                                : "",
                                     criterion->name);
            any = true;
        }
        if (any && used < size)
            used += (size_t)snprintf(text + used, size - used, is_open(chosen, m) ? " ≥ %" PRId64 : " %" PRId64, m);
    }
}

/* What is drawn, and nothing else. */
static void legend(scree__plot *plot, const double *left, const scree_selection *chosen)
{
    scree__page *page = &plot->page;
    const scree_model_view *view = plot->view;
    const bool one = view->m == 1; /* a dot, not a line */
    scree__legend_entry entries[5];
    int64_t count = 0;
    bool any = false;
    entries[count++] = (scree__legend_entry){scree__series(page->look, VALUE, 1), !one, false, "eigenvalue λ"};
    if (has_intervals(plot))
        entries[count++] = (scree__legend_entry){{scree__series(page->look, VALUE, 1).colour, 1, 1, 0, '|'},
                                                 false,
                                                 false,
                                                 "bar: 95 % interval in the population"};
    if (left[0] > 0.0)
        entries[count++] = (scree__legend_entry){scree__series(page->look, LEFT, 1), !one, false, "error J_M"};
    entries[count++] = (scree__legend_entry){scree__series(page->look, KEPT, 1), !one, true, "variance kept"};
    for (int64_t m = 1; chosen && m <= view->m; m++)
        any |= has_line(view, chosen, m);
    if (any)
        entries[count++] =
            (scree__legend_entry){{page->theme->alarm, 1, 1, 0, '|'}, true, true, "chosen by a criterion"};
    scree__page_legend(page, entries, count);
}

static scree__axis component_axis(const scree_model_view *view)
{
    scree__axis axis = {.title = "number of components M",
                        .scale = {.low = 0.5, .high = (double)view->m + 0.5, .whole = true}};
    if (view->m > FEW) {
        axis.scale.low = 0.0;
        axis.scale.high = (double)view->m * 1.01;
    }
    return axis;
}

static void under_title(const scree__plot *plot, char *text, size_t size)
{
    const scree_model_view *view = plot->view;
    char rows[32], columns[32];
    scree__words_count(rows, sizeof rows, view->n);
    scree__words_count(columns, sizeof columns, view->d);
    scree__format(text, size, "%s row%s × %s column%s; %" PRId64 " component%s keep%s %.4g %% of the variance", rows,
                  view->n == 1 ? "" : "s", columns, view->d == 1 ? "" : "s", view->m, view->m == 1 ? "" : "s",
                  view->m == 1 ? "s" : "",
                  view->total_variance > 0.0 ? 100.0 * (1.0 - view->reconstruction_error / view->total_variance)
                                             : 100.0);
}

/* What the criteria choose, or NULL in *out: a spectrum that says nothing, or one so large that the eigenvalues of
 * noise beside it (parallel analysis, q²D flops a draw) would keep the picture waiting. */
static scree_status ask_criteria(scree_selection **out, const scree__plot *plot, scree_error *error)
{
    scree_select_options options = SCREE_SELECT_OPTIONS_INIT;
    scree_run run = SCREE_RUN_INIT;
    const double n = (double)plot->view->n, d = (double)plot->view->d, q = fmin(n, d);
    run.threads = plot->options.run->threads;
    options.run = &run;
    if (q * q * d > most_flops)
        return SCREE_OK;
    const scree_status status = scree_selection_from_model(out, plot->model, &options, error);
    return status == SCREE_ERR_MEMORY ? status : SCREE_OK;
}

/* Curves, and a dot for each M where they are few. */
static void draw_curves(const scree__frame *frame, const scree_model_view *view, const double *left,
                        const double *share)
{
    const scree__page *page = frame->page;
    const double *const curves[] = {view->eigenvalues, left, share};
    for (int series = KEPT; series >= VALUE; series--) {
        scree__pen pen = scree__page_pen(scree__series(page->look, series, 1).colour, 0.14 * page->em);
        pen.dashed = series == KEPT;
        scree__frame_curve(frame, 1.0, curves[series], view->m, series == KEPT, &pen);
        if (series != KEPT || view->m == 1)
            dots(frame, curves[series], view->m, series);
    }
}

static void draw_choices(const scree__frame *frame, const scree_model_view *view, const scree_selection *chosen)
{
    const scree__box *in = &frame->inside;
    scree__pen pen = scree__page_pen(frame->page->theme->alarm, 0.1 * frame->page->em);
    pen.dashed = true;
    for (int64_t m = 1; m <= view->m; m++)
        if (has_line(view, chosen, m)) {
            const double x = scree__frame_x(frame, (double)m);
            scree__canvas_line(frame->page->canvas, x, in->y, x, in->y + in->h, &pen);
        }
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = plot->view;
    scree__page *page = &plot->page;
    scree_selection *selection = NULL;
    double *left = NULL, *share = NULL;
    char text[TEXT], note[TEXT + 64];
    scree__frame frame;
    SCREE_ALLOC(left, view->m, error);
    SCREE_ALLOC(share, view->m, error);
    accumulate(view, left, share);
    SCREE_TRY(ask_criteria(&selection, plot, error));
    under_title(plot, text, sizeof text);
    scree__page_begin(page, plot->canvas, "Eigenvalues", text);
    if (selection) {
        choices(selection, text, sizeof text);
        snprintf(note, sizeof note, "%s%s",
                 *text ? "criteria: " : "no criterion can be computed from these eigenvalues", text);
        scree__page_note(page, note);
    }
    legend(plot, left, selection);
    const scree__axis x = component_axis(view);
    const scree__axis y = {.title = "variance", .scale = variance_scale(plot, left)};
    const scree__axis right = {.title = "variance kept, %", .scale = {.low = 0.0, .high = 104.0}};
    scree__frame_draw(&frame, page, &page->room, &x, &y, &right);
    if (selection)
        draw_choices(&frame, view, selection);
    draw_curves(&frame, view, left, share);
    draw_intervals(plot, &frame);
done:
    scree_selection_free(selection);
    free(left);
    free(share);
    return status;
}

/* The marks that were asked for, each with its M and J_M. */
static void mark_steps(const scree__frame *frame, const scree_plot_options *options, const double *curve)
{
    const scree__page *page = frame->page;
    const scree__mark mark = scree__series(page->look, LEFT, 0.45 * page->em);
    const double middle = frame->inside.x + frame->inside.w / 2;
    for (int64_t i = 0; i < options->step_count; i++) {
        const int64_t m = options->steps[i];
        const double x = scree__frame_x(frame, (double)m), y = scree__frame_y(frame, curve[m]);
        char number[48], text[TEXT];
        scree__words_number(number, sizeof number, curve[m], 4);
        snprintf(text, sizeof text, "M = %" PRId64 ": %s", m, number);
        scree__canvas_mark(page->canvas, x, y, &mark);
        const double side = x < middle ? 1.0 : -1.0; /* where there is more room */
        const scree__text_style type =
            scree__page_text_style(page, page->theme->ink, side > 0.0 ? SCREE__LEFT : SCREE__RIGHT);
        scree__page_text(page, x + side * page->em, y - page->em, frame->inside.w / 2, &type, text);
    }
}

static scree_status draw_error(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = plot->view;
    double *curve = NULL, *share = NULL;
    char text[TEXT];
    scree__frame frame;
    SCREE_ALLOC(curve, view->m + 1, error);
    SCREE_ALLOC(share, view->m, error);
    curve[0] = view->total_variance;
    accumulate(view, curve + 1, share);
    under_title(plot, text, sizeof text);
    scree__page_begin(&plot->page, plot->canvas, "Reconstruction error J_M", text);
    scree__page *page = &plot->page;
    const scree__axis x = {.title = "number of components M",
                           .scale = {.low = -0.02 * (double)view->m, .high = 1.02 * (double)view->m, .whole = true}};
    const scree__axis y = {.title = "mean squared error J_M",
                           .scale = {.low = 0.0, .high = fmax(1.04 * curve[0], 1e-300)}};
    const scree__axis right = {.title = "variance lost, %", .scale = {.low = 0.0, .high = 104.0}};
    scree__frame_draw(&frame, page, &page->room, &x, &y, &right);
    const scree__pen pen = scree__page_pen(scree__series(page->look, 0, 1).colour, 0.16 * page->em);
    scree__frame_curve(&frame, 0.0, curve, view->m + 1, false, &pen);
    const scree__mark mark = scree__series(page->look, 0, 0.3 * page->em);
    for (int64_t j = 0; j <= view->m && view->m <= FEW; j++)
        scree__canvas_mark(page->canvas, scree__frame_x(&frame, (double)j), scree__frame_y(&frame, curve[j]), &mark);
    mark_steps(&frame, &plot->options, curve);
done:
    free(curve);
    free(share);
    return status;
}

const scree__plot_kind scree__plot_scree = {"scree", false, SCREE_CAN_ORDER, aspect, draw, NULL};
const scree__plot_kind scree__plot_error = {"error", false, SCREE_CAN_ORDER, aspect, draw_error, NULL};
