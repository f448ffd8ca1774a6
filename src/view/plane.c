/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the plane of two components: z = Uᵀ(x - µ) (10.3) of each, as a point, coloured and shaped by its label. A
 * unit is as long along one axis as along the other, so that distances and angles are those of the codes. A model of
 * one component has no plane: its rows are shown one above another. */

#include "view/plane.h"

#include "scree_private.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 256 };

/* Codes of all rows by the model, or its first components. */
static scree_status project(scree__points *points, const scree_model *model, const scree__plane *plane,
                            const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gather gather;
    scree__gather_begin(&gather, plane->component, plane->component[1] < 0 ? 1 : 2, plot->options.points);
    SCREE_TRY(scree__gather_codes(&gather, model, plot->rows, plot->options.run, error));
    if (gather.points.total == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    *points = gather.points;
    gather.points = (scree__points){0};
done:
    scree__points_clear(&gather.points);
    return status;
}

/* The code of a whole row needs no more than the components that are shown; that of a row with gaps is a matter of the
 * whole model. Where rows can be read again, it is known only afterwards which it is. */
static scree_status gather_points(scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *small = NULL;
    scree_gaps gaps = SCREE_GAPS_INIT;
    scree__points *points = &plane->points;
    const int64_t deepest = plane->component[0] > plane->component[1] ? plane->component[0] : plane->component[1];
    const bool rewinds = scree__source_rewinds(plot->rows);
    if (plot->is_ordered && rewinds) /* else each number of the code is made by all of the model */
        SCREE_TRY(scree_model_truncate(&small, plot->model, deepest + 1, error));
    SCREE_TRY(project(points, small ? small : plot->model, plane, plot, error));
    SCREE_TRY(scree_source_gaps(plot->rows, &gaps, error));
    if (gaps.cells > 0 && small && scree_model_get(small)->m < plot->view->m) {
        scree__points_clear(points);
        SCREE_TRY(project(points, plot->model, plane, plot, error));
    }
    scree__points_choose(points, plot->rows, plot->options.label);
    if (plot->options.labels)
        SCREE_TRY(scree__points_label(points, plot->options.labels, scree_source_name(plot->rows), error));
    SCREE_TRY(scree__labels_settle(&points->labels, error));
done:
    scree_model_free(small);
    return status;
}

scree_status scree__plane_gather(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(plot->plane, 1, error);
    if (scree__plot_components(plot, plot->plane->component, 2) < 2)
        plot->plane->component[1] = -1;
    SCREE_TRY(gather_points(plot->plane, plot, error));
    SCREE_TRY(scree__values_gather(plot->plane, plot, error));
    SCREE_TRY(scree__extra_gather(plot->plane, plot, error));
    SCREE_TRY(scree__groups_gather(plot->plane, plot, error));
    SCREE_TRY(scree__highlight_choose(plot->plane, plot, error));
done:
    return status;
}

void scree__plane_free(scree__plane *plane)
{
    if (!plane)
        return;
    scree__points_clear(&plane->points);
    scree__groups_clear(&plane->groups);
    scree__values_clear(plane);
    scree__extra_clear(plane);
    free(plane->images);
    free(plane);
}

/* What is drawn of the rows, along an axis. */
static void range_of(const scree__plane *plane, int axis, double range[2])
{
    scree__range(plane->points.values + axis, plane->points.count, plane->points.cols, false, range);
    scree__groups_widen(&plane->groups, axis, range);
    scree__extra_widen(plane, axis, range);
    range[0] = fmin(range[0], plane->arrows[axis][0]);
    range[1] = fmax(range[1], plane->arrows[axis][1]);
}

/* Letters of the legend, with what its keys take. */
static int64_t legend_letters(const scree__plane *plane)
{
    enum { KEY = 5 };
    const scree__labels *labels = &plane->points.labels;
    int64_t letters = *plane->groups.legend ? KEY + scree__words_letters(plane->groups.legend) : 0;
    for (int64_t s = 0; s < labels->shown; s++)
        letters += KEY + scree__words_letters(labels->names[labels->order[s]]);
    letters += plane->size.values ? SCREE__SIZES * 2 * KEY + scree__words_letters(plane->size.title) : 0;
    letters += plane->extra.count > 0 ? KEY + 18 : 0;
    return letters + (plane->supplement ? KEY + 15 : 0);
}

double scree__plane_aspect(const scree__plot *plot, double em)
{
    static const double usual = 0.7, flattest = 0.5, tallest = 1.1, beside = 6.0, above_and_below = 7.0; /* em */
    const scree__plane *plane = plot->plane;
    double span[2];
    if (plane->component[1] < 0 || plane->images)
        return scree__plot_aspect(plot, usual, em);
    for (int k = 0; k < 2; k++) {
        double range[2];
        range_of(plane, k, range);
        span[k] = range[1] - range[0];
    }
    if (!(span[0] > 0.0))
        return usual;
    const double shape = fmin(fmax(span[1] / span[0], flattest), tallest);
    if (plot->cells)
        return (1.0 - beside * em) * shape + above_and_below * em;
    const scree__surroundings around = {.shape = shape,
                                        .beside = beside,
                                        .under = plane->points.text.id >= 0 ? 56 : 30,
                                        .note = scree__words_letters(plane->groups.note),
                                        .legend = legend_letters(plane)};
    return scree__plot_around(plot, &around, em) + (plane->colour.values ? 2.5 * em : 0.0);
}

typedef struct titles {
    char whole[TEXT];
    char brief[64];
} titles;

static scree__axis axis_of(const scree__plane *plane, const scree__plot *plot, int which, titles *text)
{
    const scree__points *points = &plane->points;
    const int64_t component = plane->component[which];
    double range[2];
    scree__axis axis = {.title = text->whole};
    if (component < 0) {
        snprintf(text->whole, sizeof text->whole, "row");
        axis.scale = scree__scale_over(1.0, (double)points->total, false);
        axis.scale.whole = true;
        return axis;
    }
    scree__plot_name(plot, component, " of the variance", text->whole, sizeof text->whole);
    scree__plot_name(plot, component, "", text->brief, sizeof text->brief);
    axis.short_title = text->brief;
    range_of(plane, which, range);
    scree__highlight_widen(plane, plot, which, range);
    axis.scale = scree__scale_over(range[0], range[1], false);
    return axis;
}

void scree__plane_draw(scree__plot *plot, const char *title, const char *said)
{
    char rows[TEXT], under[2 * TEXT], other[64], sizes[SCREE__SIZES][160];
    titles x_title = {.whole = ""}, y_title = {.whole = ""};
    scree__legend_entry entries[SCREE__LABELS_SHOWN + 5 + SCREE__SIZES];
    scree__plane *plane = plot->plane;
    scree__page *page = &plot->page;
    scree__points_title(&plane->points, scree_source_name(plot->rows), rows, sizeof rows);
    snprintf(under, sizeof under, "%s%s%s", rows, said ? "; " : "", said ? said : "");
    scree__page_begin(page, plot->canvas, title, under);
    if (*plane->groups.note)
        scree__page_note(page, plane->groups.note);
    int64_t count = scree__points_legend(page, plane, entries, other);
    const char *posterior = scree__highlight_legend(plane, plot);
    if (posterior)
        entries[count++] =
            (scree__legend_entry){{page->theme->alarm, 1, 1, SCREE__CIRCLE, 'o'}, true, false, posterior};
    count += scree__groups_legend(&plane->groups, page, &entries[count]);
    count += scree__extra_legend(plane, page, &entries[count]);
    count += scree__values_legend(plane, page, scree__points_radius(page, &plane->points), &entries[count], sizes);
    scree__page_legend(page, entries, count);
    if (plane->colour.values)
        scree__ramp_bar(page, &plane->colour.ramp);
    const scree__axis x = axis_of(plane, plot, 0, &x_title);
    scree__axis y = axis_of(plane, plot, 1, &y_title);
    y.equal = plane->component[1] >= 0;
    scree__box box = page->room;
    box.w -= scree__highlight_width(plane, plot);
    scree__frame_draw(&plane->frame, page, &box, &x, &y, NULL);
    scree__groups_fill(plane);
    scree__points_draw(plane);
    scree__groups_draw(plane);
    scree__extra_draw(plane);
}
