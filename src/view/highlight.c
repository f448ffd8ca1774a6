/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows shown by themselves, as in Figure 10.10: a ring, the 95 % ellipse of the posterior p(z|x) (10.74) given the
 * cells that are there (ellipse.c), or the interval where there is one component, and the image of the row at the edge
 * with a line to its point; without images, its name. The ring of an empty row is dashed: its place is nobody's
 * measurement. Chosen by themselves are, of the two commonest labels, the lowest row and the highest; without labels,
 * the outermost along both axes. */

#include "view/plane.h"
#include "view/tiles.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { CORNERS = 96 }; /* of what is drawn as an ellipse */

static const double ring_radius = 0.5; /* em */

static bool wants_images(const scree__plot *plot)
{
    return plot->image_rows > 0;
}

static void add(scree__plane *plane, int64_t row)
{
    int64_t at = plane->highlight_count;
    for (int64_t i = 0; i < plane->highlight_count; i++)
        if (plane->highlight[i] == row)
            return;
    if (row < 0 || at == SCREE__HIGHLIGHTS_MOST)
        return;
    for (; at > 0 && plane->highlight[at - 1] > row; at--)
        plane->highlight[at] = plane->highlight[at - 1];
    plane->highlight[at] = row;
    plane->highlight_count++;
}

/* The row of the series (-2: any) that is lowest, or highest, along an axis. */
static int64_t outermost(const scree__points *points, int64_t series, int64_t axis, double sign)
{
    double best = HUGE_VAL;
    int64_t row = -1;
    for (int64_t i = 0; i < points->count; i++) {
        const double value = sign * points->values[i * points->cols + axis];
        if ((series == -2 || scree__labels_series(&points->labels, points->label[i]) == series) && value < best) {
            best = value;
            row = points->rows[i];
        }
    }
    return row;
}

static void choose_some(scree__plane *plane)
{
    const scree__points *points = &plane->points;
    const int64_t up = plane->component[1] < 0 ? 0 : 1;
    const int64_t groups = points->labels.shown > 4 ? 4 : points->labels.shown;
    for (int64_t s = 0; s < groups; s++) {
        add(plane, outermost(points, s, up, 1.0));
        if (groups <= 2)
            add(plane, outermost(points, s, up, -1.0));
    }
    for (int64_t axis = 0; axis <= up && groups < 2; axis++) {
        add(plane, outermost(points, -2, axis, 1.0));
        add(plane, outermost(points, -2, axis, -1.0));
    }
}

/* Codes and posteriors of the highlighted rows, from the rows themselves: they need not be among the points. */
static scree_status find_places(scree__plane *plane, const scree__plot *plot, scree__points *kept, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = plot->view->m, d = plot->view->d, count = plane->highlight_count;
    double *codes = NULL;
    SCREE_ALLOC(codes, count * m, error);
    const scree_block rows = {.size = sizeof rows, .data = kept->values, .type = SCREE_F64, .rows = count, .cols = d};
    SCREE_TRY(scree__project_shown(plot->model, &rows, codes, plot->options.run, error));
    kept->text.id = plane->points.text.id; /* which it is, only all rows tell */
    for (int64_t i = 0; i < count; i++) {
        scree__ellipse *posterior = &plane->posterior[i];
        status = scree__ellipse_of(posterior, plot->model, kept->values + i * d, plane->component, error);
        if (status != SCREE_ERR_UNSUPPORTED) /* no p(z|x) to draw */
            SCREE_TRY(status);
        status = SCREE_OK;
        for (int k = 0; k < 2; k++)
            plane->place[i][k] =
                plane->component[k] < 0 ? (double)plane->highlight[i] + 1.0 : codes[i * m + plane->component[k]];
        char name[48];
        scree__points_name(kept, i, name, sizeof name);
        snprintf(plane->names[i], sizeof plane->names[i], "%s%s", name,
                 posterior->seen == SCREE__SEEN_NONE ? " (empty)" : "");
    }
done:
    free(codes);
    return status;
}

scree_status scree__highlight_choose(scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_plot_options *options = &plot->options;
    scree__points kept = {0};
    if (options->highlight_count > SCREE__HIGHLIGHTS_MOST)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%" PRId64 " rows are to be highlighted; choose at most %d",
                   options->highlight_count, SCREE__HIGHLIGHTS_MOST);
    for (int64_t i = 0; i < options->highlight_count; i++) {
        if (options->highlight[i] < 0 || options->highlight[i] >= plane->points.total)
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                       "%s: row %" PRId64 " is to be highlighted, but there are only %" PRId64 " rows",
                       scree_source_name(plot->rows), options->highlight[i] + 1, plane->points.total);
        add(plane, options->highlight[i]);
    }
    const bool rewinds = scree__source_rewinds(plot->rows);
    if (options->highlight_count < 0 && wants_images(plot) && rewinds)
        choose_some(plane);
    if (plane->highlight_count == 0)
        goto done;
    SCREE_TRY(scree__rows_keep(&kept, plot->model, plot->rows, plane->highlight, plane->highlight_count, error));
    SCREE_TRY(find_places(plane, plot, &kept, error));
    if (wants_images(plot)) {
        plane->images = kept.values;
        kept.values = NULL;
    }
done:
    scree__points_clear(&kept);
    return status;
}

double scree__highlight_width(const scree__plane *plane, const scree__plot *plot)
{
    if (!plane->images)
        return 0.0;
    const double each = plot->page.room.h / (double)(plane->highlight_count > 3 ? plane->highlight_count : 3);
    const double wide = each * (double)plot->image_cols / (double)plot->image_rows;
    return fmin(wide, 0.26 * plot->page.room.w) + (scree__canvas_is_cells(plot->canvas) ? 0.0 : 0.8 * plot->page.em);
}

static bool is_drawn(const scree__plane *plane, const scree__plot *plot, int64_t i)
{
    const double *covariance = plane->posterior[i].covariance;
    return !scree__canvas_is_cells(plot->canvas) && covariance[0] + covariance[2] > 0.0;
}

void scree__highlight_widen(const scree__plane *plane, const scree__plot *plot, int axis, double range[2])
{
    for (int64_t i = 0; i < plane->highlight_count; i++) {
        const double reach = scree__ellipse_reach(&plane->posterior[i], axis, plane->component[1] >= 0);
        const bool drawn = is_drawn(plane, plot, i);
        const double mean = plane->posterior[i].mean[axis], place = plane->place[i][axis];
        range[0] = fmin(range[0], drawn ? fmin(place, mean - reach) : place);
        range[1] = fmax(range[1], drawn ? fmax(place, mean + reach) : place);
    }
}

const char *scree__highlight_legend(const scree__plane *plane, const scree__plot *plot)
{
    bool any = false, gaps = false;
    for (int64_t i = 0; i < plane->highlight_count; i++) {
        any |= is_drawn(plane, plot, i);
        gaps |= plane->posterior[i].seen != SCREE__SEEN_ALL;
    }
    return !any ? NULL : gaps ? "95 % of p(z∣what is observed)" : "95 % of p(z∣x)";
}

/* Of one component: the interval, with its ends. */
static void draw_interval(const scree__plane *plane, const scree__plot *plot, int64_t i, const scree__pen *pen)
{
    const scree__ellipse *posterior = &plane->posterior[i];
    const double reach = scree__ellipse_reach(posterior, 0, false), end = 0.3 * plot->page.em;
    const double left = scree__frame_x(&plane->frame, posterior->mean[0] - reach);
    const double right = scree__frame_x(&plane->frame, posterior->mean[0] + reach);
    const double y = scree__frame_y(&plane->frame, plane->place[i][1]);
    scree__canvas_line(plot->canvas, left, y, right, y, pen);
    scree__canvas_line(plot->canvas, left, y - end, left, y + end, pen);
    scree__canvas_line(plot->canvas, right, y - end, right, y + end, pen);
}

static void draw_ellipse(const scree__plane *plane, const scree__plot *plot, int64_t i, const scree__pen *pen)
{
    double xy[2 * (CORNERS + 1)];
    for (int k = 0; k <= CORNERS; k++) {
        double corner[2];
        scree__ellipse_point(&plane->posterior[i], 2.0 * acos(-1.0) * k / CORNERS, corner);
        xy[2 * k] = scree__frame_x(&plane->frame, corner[0]);
        xy[2 * k + 1] = scree__frame_y(&plane->frame, corner[1]);
    }
    scree__canvas_path(plot->canvas, xy, CORNERS + 1, pen);
}

static void draw_ring(const scree__plane *plane, const scree__plot *plot, int64_t i)
{
    const scree__page *page = &plot->page;
    const scree__frame *frame = &plane->frame;
    const double x = scree__frame_x(frame, plane->place[i][0]), y = scree__frame_y(frame, plane->place[i][1]);
    const double r = ring_radius * page->em;
    const scree__box ring = {x - r, y - r, 2 * r, 2 * r};
    scree__pen pen = scree__page_pen(page->theme->alarm, 0.14 * page->em);
    if (scree__canvas_is_cells(plot->canvas))
        return;
    pen.dashed = plane->posterior[i].seen == SCREE__SEEN_NONE;
    scree__canvas_ellipse(plot->canvas, &ring, &pen);
    pen.dashed = false;
    pen.width = 0.1 * page->em;
    if (!is_drawn(plane, plot, i))
        return;
    if (plane->component[1] < 0)
        draw_interval(plane, plot, i, &pen);
    else
        draw_ellipse(plane, plot, i, &pen);
}

/* Images from top to bottom in the order of their points, so that the lines to them do not cross more than they must.
 */
static void sort_by_height(const scree__plane *plane, int64_t *order)
{
    for (int64_t i = 0; i < plane->highlight_count; i++) {
        int64_t at = i;
        for (; at > 0 && plane->place[order[at - 1]][1] < plane->place[i][1]; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

scree_status scree__highlight_images(const scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!plane->images)
        return status;
    const scree__page *page = &plot->page;
    const int64_t count = plane->highlight_count, d = plot->view->d;
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const double width = scree__highlight_width(plane, plot), text = (cells ? 1.0 : 1.3) * page->em;
    const double each = plane->frame.inside.h / (double)count;
    const scree__tone tone = scree__tone_of(plane->images, count * d);
    scree__pen pen = scree__page_pen(page->theme->alarm, 0.07 * page->em);
    scree__text_style type = scree__page_text_style(page, page->theme->muted, SCREE__MIDDLE);
    int64_t order[SCREE__HIGHLIGHTS_MOST];
    type.size = 0.85;
    sort_by_height(plane, order);
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = order[k];
        const double left = page->room.x + page->room.w - width + (cells ? 0.0 : 0.6 * page->em);
        const scree__box room = {left, plane->frame.inside.y + (double)k * each, page->room.x + page->room.w - left,
                                 fmax(each - text - (cells ? 0.0 : 0.3 * page->em), 1.0)};
        scree__box drawn;
        SCREE_TRY(scree__tile_draw(plot, &room, plane->images + i * d, &tone, &drawn, error));
        const double x = scree__frame_x(&plane->frame, plane->place[i][0]);
        const double y = scree__frame_y(&plane->frame, plane->place[i][1]);
        scree__page_text(page, room.x + room.w / 2, drawn.y + drawn.h + text / 2, room.w, &type, plane->names[i]);
        if (!cells)
            scree__canvas_line(plot->canvas, x + 0.5 * page->em, y, drawn.x, drawn.y + drawn.h / 2, &pen);
    }
done:
    return status;
}

void scree__highlight_mark(const scree__plane *plane, const scree__plot *plot, scree__placer *placer)
{
    const scree__frame *frame = &plane->frame;
    const bool line = plane->component[1] < 0;
    for (int64_t i = 0; i < plane->highlight_count; i++) {
        const double up = scree__frame_y(frame, plane->place[i][1]);
        scree__placer_mark(placer, scree__frame_x(frame, plane->place[i][0]), up, ring_radius * plot->page.em, 50);
        for (int k = 0; k < CORNERS && is_drawn(plane, plot, i); k++) {
            double corner[2];
            scree__ellipse_point(&plane->posterior[i], 2.0 * acos(-1.0) * k / CORNERS, corner);
            scree__placer_mark(placer, scree__frame_x(frame, corner[0]), line ? up : scree__frame_y(frame, corner[1]),
                               0.1 * placer->step, 2);
        }
    }
}

void scree__highlight_rings(const scree__plane *plane, scree__plot *plot)
{
    for (int64_t i = 0; i < plane->highlight_count; i++)
        draw_ring(plane, plot, i);
}
