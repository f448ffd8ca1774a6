/* SPDX-License-Identifier: BSD-3-Clause */
/* The embedding: rows in the plane of two components, with some of them shown by themselves (Figure 10.10). */

#include "view/plane.h"

#include <inttypes.h>
#include <stdio.h>

static double aspect(const scree__plot *plot, double em)
{
    (void)plot;
    (void)em;
    return 0.7;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__plane plane = {.highlight_count = 0};
    char title[96];
    SCREE_TRY(scree__plane_gather(&plane, plot, error));
    SCREE_TRY(scree__highlight_choose(&plane, plot, error));
    if (plane.component[1] < 0)
        snprintf(title, sizeof title, "Rows along %s %" PRId64, plot->is_ordered ? "component" : "code",
                 plane.component[0] + 1);
    else
        snprintf(title, sizeof title, "Rows in the plane of %s %" PRId64 " and %" PRId64,
                 plot->is_ordered ? "components" : "codes", plane.component[0] + 1, plane.component[1] + 1);
    SCREE_TRY(scree__plane_draw(&plane, plot, title, error));
    SCREE_TRY(scree__highlight_draw(&plane, plot, error));
done:
    scree__plane_clear(&plane);
    return status;
}

const scree__plot_kind scree__plot_embedding = {"embedding", true, SCREE_CAN_PROJECT, aspect, draw};
