/* SPDX-License-Identifier: BSD-3-Clause */
/* The embedding: rows in the plane of two components, with some of them shown by themselves (Figure 10.10). */

#include "view/plane.h"

#include <inttypes.h>
#include <stdio.h>

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__plane *plane = plot->plane;
    scree__placer placer = {.count = 0};
    char title[96];
    if (plane->component[1] < 0)
        snprintf(title, sizeof title, "Rows along %s %" PRId64, plot->is_ordered ? "component" : "code",
                 plane->component[0] + 1);
    else
        snprintf(title, sizeof title, "Rows in the plane of %s %" PRId64 " and %" PRId64,
                 plot->is_ordered ? "components" : "codes", plane->component[0] + 1, plane->component[1] + 1);
    scree__plane_draw(plot, title, scree__names_are_shown(plane, plot) ? "names where there is room" : NULL);
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &plane->frame.inside, error));
    scree__points_mark(plane, &placer);
    scree__extra_mark(plane, &placer);
    scree__groups_mark(plane, &placer);
    scree__highlight_mark(plane, plot, &placer);
    scree__extra_place(plane, &placer);
    scree__names_place(plane, plot, &placer);
    scree__placer_draw_lines(&placer);
    scree__highlight_rings(plane, plot);
    scree__placer_draw_names(&placer);
    SCREE_TRY(scree__highlight_images(plane, plot, error));
done:
    scree__placer_close(&placer);
    return status;
}

const scree__plot_kind scree__plot_embedding = {"embedding",         true, SCREE_CAN_PROJECT,
                                                scree__plane_aspect, draw, scree__plane_gather};
