/* SPDX-License-Identifier: BSD-3-Clause */
/* The circle of correlations: column j goes to its correlations with two components, √λ_k u_jk / sd c_j, which is right
 * for columns that were scaled and for those that were not. The square of an arrow's length is the cos² of the column:
 * what the plane keeps of its variance, all of it where the arrow reaches the circle. Supplementary columns are dashed.
 */

#include "view/arrows.h"
#include "view/described.h"
#include "view/supplement.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT = 256, ON_CIRCLE = 2, CORNERS = 180 };

static const double reach = 1.1, reach_narrow = 1.2; /* names have room beyond the circle */

static double aspect(const scree__plot *plot, double em)
{
    return plot->cells ? 1.0 : 1.0 + 3.0 * em;
}

/* By cos² of the plane, or what the column contributes to it. */
static scree_status colour(scree__arrows *arrows, const scree__plot *plot, const int64_t component[2],
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *by = plot->options.colour_by;
    const bool cos2 = by && strcmp(by, "cos2") == 0;
    scree__together together;
    double *values = NULL;
    if (!by)
        return SCREE_OK;
    if (!cos2 && strcmp(by, "contribution") != 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "columns are coloured by cos2 or contribution, not by '%s'", by);
    SCREE_TRY(scree__together_of(&together, plot, cos2, component, 2, error));
    SCREE_TRY(scree__described_columns(&values, plot, &together, error));
    arrows->ramp = (scree__ramp){0.0, cos2 ? 1.0 : 0.0, scree__together_title(&together), NULL};
    for (int64_t i = 0; i < arrows->own; i++) {
        arrows->all[i].value = values[arrows->all[i].column];
        arrows->ramp.high = fmax(arrows->ramp.high, arrows->all[i].value);
    }
done:
    free(values);
    return status;
}

static void axes(const scree__plot *plot, const int64_t component[2], scree__frame *frame)
{
    char titles[2][TEXT], brief[64];
    for (int k = 0; k < 2; k++)
        scree__plot_name(plot, component[k], " of the variance", titles[k], TEXT);
    scree__plot_name(plot, component[1], "", brief, sizeof brief);
    const double far = plot->page.narrow ? reach_narrow : reach;
    const scree__scale scale = {.low = -far, .high = far};
    const scree__axis x = {.title = titles[0], .scale = scale};
    const scree__axis y = {.title = titles[1], .short_title = brief, .scale = scale, .equal = true};
    scree__frame_draw(frame, &plot->page, &plot->page.room, &x, &y, NULL);
}

/* The circle, and a cross through its middle. */
static void draw_circle(const scree__plot *plot, const scree__frame *frame)
{
    const scree__page *page = &plot->page;
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.1 * page->em);
    const double left = scree__frame_x(frame, -1.0), right = scree__frame_x(frame, 1.0);
    const double top = scree__frame_y(frame, 1.0), bottom = scree__frame_y(frame, -1.0);
    const scree__box box = {left, top, right - left, bottom - top};
    scree__canvas_ellipse(plot->canvas, &box, &pen);
    if (scree__canvas_is_cells(plot->canvas))
        return;
    scree__pen cross = pen;
    cross.dashed = true;
    const double x = scree__frame_x(frame, 0.0), y = scree__frame_y(frame, 0.0);
    scree__canvas_line(plot->canvas, left, y, right, y, &cross);
    scree__canvas_line(plot->canvas, x, top, x, bottom, &cross);
}

static scree_status draw_inside(scree__arrows *arrows, const scree__plot *plot, const scree__frame *frame,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__placer placer = {.count = 0};
    scree__arrows_settle(arrows, frame, 1.0);
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &frame->inside, error));
    for (int i = 0; i < CORNERS; i++) {
        const double angle = 2.0 * acos(-1.0) * i / CORNERS;
        scree__placer_mark(&placer, scree__frame_x(frame, cos(angle)), scree__frame_y(frame, sin(angle)), 0.0,
                           ON_CIRCLE);
    }
    scree__arrows_place(arrows, plot, &placer);
    scree__placer_settle(&placer);
    scree__placer_draw_lines(&placer);
    draw_circle(plot, frame);
    scree__arrows_draw(arrows, plot);
    scree__placer_draw_names(&placer);
done:
    scree__placer_close(&placer);
    return status;
}

/* What the picture is about, and what it leaves out. */
static void describe(const scree__arrows *arrows, const scree__plot *plot, char *text, size_t size)
{
    const scree_rotation_view *rotation = scree_model_rotation(plot->model);
    char shown[TEXT];
    scree__arrows_describe(arrows, plot, shown, sizeof shown);
    if (*shown)
        snprintf(text, size, "%s%s", shown, rotation && rotation->oblique ? "; components are correlated" : "");
    else
        snprintf(text, size, "%" PRId64 " column%s; an arrow that reaches the circle lies in the plane%s", arrows->own,
                 arrows->own == 1 ? "" : "s", rotation && rotation->oblique ? "; components are correlated" : "");
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__arrows arrows = {.count = 0};
    scree_supplement *supplement = NULL;
    int64_t component[2];
    char title[TEXT], under[TEXT + 64];
    scree__frame frame;
    if (scree__plot_components(plot, component, 2) < 2)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a circle of correlations needs two components; %s",
                   plot->view->m < 2 ? "the model has one: fit two" : "name two");
    SCREE_TRY(scree__supplement_gather(&supplement, plot, error));
    if (supplement && scree__supplement_arrows(supplement) == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: the supplementary columns are texts, and a circle shows columns of numbers; draw a biplot",
                   scree_source_name(plot->rows));
    SCREE_ALLOC(plot->slopes, plot->view->d * plot->view->m, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_CORRELATIONS, plot->slopes, error));
    SCREE_TRY(
        scree__arrows_choose(&arrows, plot, plot->slopes, component, scree__supplement_arrows(supplement), error));
    scree__supplement_add(supplement, &arrows, component, true);
    SCREE_TRY(colour(&arrows, plot, component, error));
    const char *prefix = scree__model_code_prefix(plot->model);
    snprintf(title, sizeof title, "Correlations with %s%" PRId64 " and %s%" PRId64, prefix, component[0] + 1, prefix,
             component[1] + 1);
    describe(&arrows, plot, under, sizeof under);
    scree__page_begin(&plot->page, plot->canvas, title, under);
    if (arrows.ramp.title)
        scree__ramp_bar(&plot->page, &arrows.ramp);
    axes(plot, component, &frame);
    SCREE_TRY(draw_inside(&arrows, plot, &frame, error));
done:
    scree__arrows_clear(&arrows);
    scree_supplement_free(supplement);
    return status;
}

const scree__plot_kind scree__plot_circle = {"circle", false, SCREE_CAN_EXPLAIN, aspect, draw, NULL};
