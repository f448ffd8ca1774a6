/* SPDX-License-Identifier: BSD-3-Clause */
/* Names in the plane of two components: those of highlighted rows in any case, and those of all rows where they are few
 * and have names, small, and where there is room. */

#include "view/plane.h"

enum { NAMED = 64 };

static const double small = 0.8; /* em */

bool scree__names_are_shown(const scree__plane *plane, const scree__plot *plot)
{
    const scree__points *points = &plane->points;
    return points->text.id >= 0 && points->text.count > 0 && points->count <= NAMED && !plane->images &&
           !scree__canvas_is_cells(plot->canvas);
}

static bool is_highlighted(const scree__plane *plane, int64_t row)
{
    for (int64_t i = 0; i < plane->highlight_count; i++)
        if (plane->highlight[i] == row)
            return true;
    return false;
}

static void place_all(const scree__plane *plane, scree__placer *placer)
{
    const scree__frame *frame = &plane->frame;
    const scree__points *points = &plane->points;
    for (int64_t i = 0; i < points->count; i++) {
        char name[64];
        const double *code = points->values + i * points->cols;
        const double up = plane->component[1] < 0 ? (double)points->rows[i] + 1.0 : code[1];
        const scree__wish wish = {
            .at = {scree__frame_x(frame, code[0]), scree__frame_y(frame, up)}, .crosses = true, .size = small};
        if (!is_highlighted(plane, points->rows[i]))
            scree__placer_ask(placer, &wish, scree__points_name(points, i, name, sizeof name));
    }
}

void scree__names_place(const scree__plane *plane, const scree__plot *plot, scree__placer *placer)
{
    const scree__frame *frame = &plane->frame;
    for (int64_t i = 0; i < plane->highlight_count && !plane->images; i++) {
        const scree__wish wish = {
            .at = {scree__frame_x(frame, plane->place[i][0]), scree__frame_y(frame, plane->place[i][1])}, .must = true};
        scree__placer_ask(placer, &wish, plane->names[i]);
    }
    if (scree__names_are_shown(plane, plot))
        place_all(plane, placer);
    scree__placer_settle(placer);
}
