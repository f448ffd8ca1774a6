/* SPDX-License-Identifier: BSD-3-Clause */
/* The biplot (Gabriel, 1971): rows as points, columns as arrows. The arrow of column j goes from the mean towards
 * (√λ_a u_ja, √λ_b u_jb), the covariance of the column with the two components of unit variance, all of them lengthened
 * by one factor to fill the plane. The square of its length is what the column contributes to the two components. */

#include "view/arrows.h"
#include "view/plane.h"
#include "view/supplement.h"

#include "scree_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is not in the picture; NULL: nothing. */
static const char *describe(const scree__arrows *arrows, const scree__plot *plot, char *text, size_t size)
{
    scree__arrows_describe(arrows, plot, text, size);
    const size_t used = strlen(text);
    if (scree__names_are_shown(plot->plane, plot))
        snprintf(text + used, size - used, "%snames of rows where there is room", used > 0 ? "; " : "");
    return *text ? text : NULL;
}

static void widen(scree__plane *plane, const double tip[2])
{
    static const double with_name = 1.12;
    for (int k = 0; k < 2; k++) {
        plane->arrows[k][0] = fmin(plane->arrows[k][0], with_name * plane->lengthened * tip[k]);
        plane->arrows[k][1] = fmax(plane->arrows[k][1], with_name * plane->lengthened * tip[k]);
    }
}

/* Columns of the model, then supplementary ones. */
static int64_t tips_of(const scree__plot *plot)
{
    return plot->view->d + scree__supplement_arrows(plot->plane->supplement);
}

static void tip_of(const scree__plot *plot, int64_t j, double tip[2])
{
    const int64_t d = plot->view->d, m = plot->view->m;
    for (int k = 0; k < 2; k++)
        tip[k] = j < d ? plot->slopes[j * m + plot->plane->component[k]]
                       : scree__supplement_tip(plot->plane->supplement, j - d, plot->plane->component[k],
                                               plot->view->scale != NULL);
}

/* Lengthens arrows so that the longest goes nearly as far as the rows do, and makes room for all of them. */
static void lengthen(scree__plane *plane, const scree__plot *plot)
{
    static const double as_far = 0.85;
    double rows = 0.0, longest = 0.0, tip[2];
    for (int64_t i = 0; i < plane->points.count; i++)
        rows = fmax(rows, hypot(plane->points.values[i * plane->points.cols],
                                plane->points.values[i * plane->points.cols + 1]));
    for (int64_t j = 0; j < tips_of(plot); j++) {
        tip_of(plot, j, tip);
        longest = fmax(longest, hypot(tip[0], tip[1]));
    }
    plane->lengthened = longest > 0.0 && rows > 0.0 ? as_far * rows / longest : 1.0;
    for (int64_t j = 0; j < tips_of(plot); j++) {
        tip_of(plot, j, tip);
        widen(plane, tip);
    }
}

static scree_status draw_inside(scree__arrows *arrows, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__plane *plane = plot->plane;
    scree__placer placer = {.count = 0};
    scree__arrows_settle(arrows, &plane->frame, plane->lengthened);
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &plane->frame.inside, error));
    scree__points_mark(plane, &placer);
    scree__extra_mark(plane, &placer);
    scree__groups_mark(plane, &placer);
    scree__highlight_mark(plane, plot, &placer);
    scree__arrows_place(arrows, plot, &placer);
    scree__extra_place(plane, &placer);
    scree__names_place(plane, plot, &placer);
    scree__placer_draw_lines(&placer);
    scree__arrows_draw(arrows, plot);
    scree__highlight_rings(plane, plot);
    scree__placer_draw_names(&placer);
    SCREE_TRY(scree__highlight_images(plane, plot, error));
done:
    scree__placer_close(&placer);
    return status;
}

static scree_status gather(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (plot->view->m < 2)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "a biplot needs two components and the model has one; fit two, or draw the embedding");
    if (plot->options.component_count == 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a biplot needs two components; name two");
    if (plot->options.highlight_count < 0)
        plot->options.highlight_count = 0; /* none unless they are asked for: there is enough to see */
    SCREE_ALLOC(plot->slopes, plot->view->d * plot->view->m, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_STRUCTURE, plot->slopes, error));
    SCREE_TRY(scree__plane_gather(plot, error));
    lengthen(plot->plane, plot);
done:
    return status;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__arrows arrows = {.count = 0};
    char said[256];
    SCREE_TRY(scree__arrows_choose(&arrows, plot, plot->slopes, plot->plane->component,
                                   scree__supplement_arrows(plot->plane->supplement), error));
    scree__supplement_add(plot->plane->supplement, &arrows, plot->plane->component, plot->view->scale != NULL);
    scree__plane_draw(plot, "Biplot: rows as points, columns as arrows", describe(&arrows, plot, said, sizeof said));
    SCREE_TRY(draw_inside(&arrows, plot, error));
done:
    scree__arrows_clear(&arrows);
    return status;
}

const scree__plot_kind scree__plot_biplot = {"biplot", true, SCREE_CAN_EXPLAIN, scree__plane_aspect, draw, gather};
