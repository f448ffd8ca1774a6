/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the plane of two components: z = Uᵀ(x - µ) (10.3) of each, as a point, coloured and shaped by its label. A
 * model of one component has no plane: its rows are shown one above another. */

#include "view/plane.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { TEXT = 256 };

scree_status scree__plane_gather(scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *small = NULL;
    scree__gather gather;
    const int64_t count = scree__plot_components(plot, plane->component, 2);
    if (count < 2)
        plane->component[1] = -1;
    const int64_t deepest = plane->component[0] > plane->component[1] ? plane->component[0] : plane->component[1];
    scree__gather_begin(&gather, plane->component, count, plot->options.points);
    gather.label = plot->options.label;
    if (!plot->view->network) /* all of a network makes each number of the code */
        SCREE_TRY(scree_model_truncate(&small, plot->model, deepest + 1, error));
    SCREE_TRY(scree_project(small ? small : plot->model, plot->rows, &gather.base, &plot->options.run, error));
    if (gather.points.total == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; there is nothing to show", scree_source_name(plot->rows));
    if (plot->options.labels)
        SCREE_TRY(scree__points_label(&gather.points, plot->options.labels, scree_source_name(plot->rows), error));
    SCREE_TRY(scree__labels_settle(&gather.points.labels, error));
    plane->points = gather.points;
    gather.points = (scree__points){0};
done:
    scree__points_clear(&gather.points);
    scree_model_free(small);
    return status;
}

static scree__axis axis_of(const scree__plane *plane, const scree__plot *plot, int which, char *text, size_t size)
{
    const scree__points *points = &plane->points;
    const int64_t component = plane->component[which];
    double range[2];
    scree__axis axis = {.title = text};
    if (component < 0) {
        snprintf(text, size, "row");
        axis.scale = scree__scale_over(1.0, (double)points->total, false);
        axis.scale.whole = true;
        return axis;
    }
    scree__plot_name(plot, component, " of the variance", text, size);
    scree__range(points->values + which, points->count, points->cols, false, range);
    axis.scale = scree__scale_over(range[0], range[1], false);
    return axis;
}

scree_status scree__plane_draw(scree__plane *plane, scree__plot *plot, const char *title, scree_error *error)
{
    char under[TEXT], x_title[TEXT], y_title[TEXT];
    scree__legend_entry entries[SCREE__LABELS_SHOWN + 2];
    scree__page *page = &plot->page;
    (void)error;
    scree__points_title(&plane->points, scree_source_name(plot->rows), under, sizeof under);
    scree__page_begin(page, plot->canvas, title, under);
    int64_t count = scree__points_legend(page, &plane->points, entries);
    if (plane->highlight_count > 0 && plane->component[1] >= 0 && plot->view->noise_variance > 0.0 &&
        !scree__canvas_is_cells(plot->canvas))
        entries[count++] =
            (scree__legend_entry){{page->theme->alarm, 1, 1, SCREE__CIRCLE, 'o'}, true, false, "95 % of p(z∣x)"};
    scree__page_legend(page, entries, count);
    const scree__axis x = axis_of(plane, plot, 0, x_title, sizeof x_title);
    const scree__axis y = axis_of(plane, plot, 1, y_title, sizeof y_title);
    scree__box box = page->room;
    box.w -= scree__highlight_width(plane, plot);
    scree__frame_draw(&plane->frame, page, &box, &x, &y, NULL);
    scree__points_draw(&plane->frame, &plane->points, 0, plane->component[1] < 0 ? -1 : 1);
    return SCREE_OK;
}

void scree__plane_clear(scree__plane *plane)
{
    scree__points_clear(&plane->points);
    free(plane->images);
    plane->images = NULL;
}
