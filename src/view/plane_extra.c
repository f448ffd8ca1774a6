/* SPDX-License-Identifier: BSD-3-Clause */
/* What is in a plane beside the rows: other rows, which say nothing of the ranges of groups nor of what is around them,
 * as crosses; and the means of the groups that supplementary columns of text make, as diamonds, with their names. */

#include "view/plane.h"
#include "view/supplement.h"

#include "scree_private.h"

#include <math.h>

enum { NAMED = 64 };

static const double small = 0.8; /* em */

static int64_t groups_of(const scree__plane *plane)
{
    return plane->supplement ? scree_supplement_get(plane->supplement)->groups : 0;
}

scree_status scree__extra_gather(scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *other = plot->options.supplementary_rows;
    scree__gather gather = {.points = {.count = 0}};
    SCREE_TRY(scree__supplement_gather(&plane->supplement, plot, error));
    if (plane->supplement && plane->component[1] < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "supplementary columns are drawn in the plane of two components; show two");
    if (plane->supplement && !plot->slopes && groups_of(plane) == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: the supplementary columns are numbers, and an embedding shows the groups of texts; draw a "
                   "biplot or a circle",
                   scree_source_name(plot->rows));
    if (!other)
        goto done;
    scree__gather_begin(&gather, plane->component, plane->component[1] < 0 ? 1 : 2, plot->options.points);
    SCREE_TRY(scree__gather_codes(&gather, plot->model, other, plot->options.run, error));
    scree__points_choose(&gather.points, other, plot->options.label);
    plane->extra = gather.points;
    gather.points = (scree__points){0};
done:
    scree__points_clear(&gather.points);
    return status;
}

void scree__extra_clear(scree__plane *plane)
{
    scree__points_clear(&plane->extra);
    scree_supplement_free(plane->supplement);
    plane->supplement = NULL;
}

static double mean_of(const scree__plane *plane, int64_t group, int axis)
{
    const scree_supplement_view *view = scree_supplement_get(plane->supplement);
    return view->coordinates[group * view->m + plane->component[axis]];
}

void scree__extra_widen(const scree__plane *plane, int axis, double range[2])
{
    for (int64_t i = 0; i < plane->extra.count; i++) {
        range[0] = fmin(range[0], plane->extra.values[i * plane->extra.cols + axis]);
        range[1] = fmax(range[1], plane->extra.values[i * plane->extra.cols + axis]);
    }
}

static scree__mark cross_of(const scree__page *page)
{
    return (scree__mark){page->theme->ink, 1.0, 0.3 * page->em, SCREE__CROSS, '*'};
}

static scree__mark diamond_of(const scree__page *page)
{
    return (scree__mark){page->theme->ink, 1.0, 0.36 * page->em, SCREE__DIAMOND, '#'};
}

/* Of other rows; of one component, up is the number of the row. */
static void place_of(const scree__plane *plane, int64_t i, double at[2])
{
    const double *code = plane->extra.values + i * plane->extra.cols;
    at[0] = scree__frame_x(&plane->frame, code[0]);
    at[1] = scree__frame_y(&plane->frame, plane->component[1] < 0 ? (double)plane->extra.rows[i] + 1.0 : code[1]);
}

static void mean_place(const scree__plane *plane, int64_t group, double at[2])
{
    at[0] = scree__frame_x(&plane->frame, mean_of(plane, group, 0));
    at[1] = scree__frame_y(&plane->frame, mean_of(plane, group, 1));
}

void scree__extra_draw(const scree__plane *plane)
{
    const scree__page *page = plane->frame.page;
    const scree__mark cross = cross_of(page), diamond = diamond_of(page);
    double at[2];
    scree__canvas_clip(page->canvas, &plane->frame.inside, false);
    for (int64_t i = 0; i < plane->extra.count; i++) {
        place_of(plane, i, at);
        scree__canvas_mark(page->canvas, at[0], at[1], &cross);
    }
    for (int64_t g = 0; g < groups_of(plane); g++) {
        mean_place(plane, g, at);
        scree__canvas_mark(page->canvas, at[0], at[1], &diamond);
    }
    scree__canvas_unclip(page->canvas);
}

int64_t scree__extra_legend(const scree__plane *plane, const scree__page *page, scree__legend_entry entries[2])
{
    int64_t count = 0;
    scree__mark cross = cross_of(page), diamond = diamond_of(page);
    cross.radius = diamond.radius = 1.0;
    if (plane->extra.count > 0)
        entries[count++] = (scree__legend_entry){cross, false, false, "supplementary rows"};
    if (groups_of(plane) > 0)
        entries[count++] = (scree__legend_entry){diamond, false, false, "means of groups"};
    return count;
}

void scree__extra_mark(const scree__plane *plane, scree__placer *placer)
{
    double at[2];
    for (int64_t i = 0; i < plane->extra.count; i++) {
        place_of(plane, i, at);
        scree__placer_mark(placer, at[0], at[1], 0.3 * plane->frame.page->em, 2);
    }
    for (int64_t g = 0; g < groups_of(plane); g++) {
        mean_place(plane, g, at);
        scree__placer_mark(placer, at[0], at[1], 0.36 * plane->frame.page->em, 4);
    }
}

void scree__extra_place(const scree__plane *plane, scree__placer *placer)
{
    const bool named = plane->extra.text.id >= 0 && plane->extra.count <= NAMED;
    scree__wish wish = {.size = small, .must = true};
    for (int64_t g = 0; g < groups_of(plane) && g < NAMED; g++) {
        mean_place(plane, g, wish.at);
        scree__placer_ask(placer, &wish, scree_supplement_get(plane->supplement)->group_names[g]);
    }
    wish.must = false;
    wish.crosses = true;
    for (int64_t i = 0; i < plane->extra.count && named; i++) {
        char name[64];
        place_of(plane, i, wish.at);
        scree__placer_ask(placer, &wish, scree__points_name(&plane->extra, i, name, sizeof name));
    }
}
