/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows shown by themselves, as in Figure 10.10: a ring, the 95 % ellipse of the posterior p(z|x) (10.74), and the image
 * of the row at the edge with a line to its point; without images, the row's number. In the plane of the codes the
 * posterior has, along component j, the mean (1 - σ²/λ) z_j and the variance σ²(1 - σ²/λ). Chosen by themselves are, of
 * the two commonest labels, the lowest row and the highest; without labels, the outermost along both axes. */

#include "view/placer.h"
#include "view/plane.h"
#include "view/tiles.h"
#include "view/words.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const double chi_square_95 = 5.991464547107979; /* two degrees of freedom */

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

/* Codes of the highlighted rows, from the rows themselves: they need not be among the points. */
static scree_status find_places(scree__plane *plane, const scree__plot *plot, const double *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = plot->view->m, d = plot->view->d, count = plane->highlight_count;
    double *codes = NULL;
    SCREE_ALLOC(codes, count * m, error);
    SCREE_TRY(scree_project_rows(plot->model, rows, SCREE_F64, count, d, codes, error));
    for (int64_t i = 0; i < count; i++) {
        plane->whole[i] = true;
        for (int64_t j = 0; j < d; j++)
            plane->whole[i] = plane->whole[i] && !isnan(rows[i * d + j]);
        for (int k = 0; k < 2; k++)
            plane->place[i][k] =
                plane->component[k] < 0 ? (double)plane->highlight[i] + 1.0 : codes[i * m + plane->component[k]];
    }
done:
    free(codes);
    return status;
}

scree_status scree__highlight_choose(scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_plot_options *options = &plot->options;
    double *rows = NULL;
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
    const bool rewinds = (plot->rows->can & SCREE__CAN_REWIND) != 0;
    if (options->highlight_count < 0 && wants_images(plot) && rewinds)
        choose_some(plane);
    if (plane->highlight_count == 0)
        goto done;
    SCREE_TRY(scree__rows_keep(&rows, plot->model, plot->rows, plane->highlight, plane->highlight_count, error));
    SCREE_TRY(find_places(plane, plot, rows, error));
    if (wants_images(plot)) {
        plane->images = rows;
        rows = NULL;
    }
done:
    free(rows);
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

void scree__highlight_posterior(const scree_model_view *view, int64_t component, double code, double *mean,
                                double *half)
{
    const double lambda = view->eigenvalues[component], noise = view->noise_variance;
    const double kept = lambda > noise ? 1.0 - noise / lambda : 0.0;
    *mean = kept * code;
    *half = sqrt(chi_square_95 * noise * kept);
}

static void draw_ring(const scree__plane *plane, const scree__plot *plot, int64_t i)
{
    const scree__page *page = &plot->page;
    const scree__frame *frame = &plane->frame;
    const double x = scree__frame_x(frame, plane->place[i][0]), y = scree__frame_y(frame, plane->place[i][1]);
    const double r = 0.5 * page->em;
    const scree__box ring = {x - r, y - r, 2 * r, 2 * r};
    scree__pen pen = scree__page_pen(page->theme->alarm, 0.14 * page->em);
    if (!scree__canvas_is_cells(plot->canvas))
        scree__canvas_ellipse(plot->canvas, &ring, &pen);
    double mean[2], half[2];
    for (int k = 0; k < 2; k++) {
        if (plane->component[k] < 0 || !plane->whole[i] || plot->view->network) /* gaps make the posterior another */
            return;
        scree__highlight_posterior(plot->view, plane->component[k], plane->place[i][k], &mean[k], &half[k]);
    }
    const double left = scree__frame_x(frame, mean[0] - half[0]), right = scree__frame_x(frame, mean[0] + half[0]);
    const double top = scree__frame_y(frame, mean[1] + half[1]), bottom = scree__frame_y(frame, mean[1] - half[1]);
    const scree__box ellipse = {left, top, right - left, bottom - top};
    pen.width = 0.1 * page->em;
    if (scree__canvas_is_cells(plot->canvas))
        return;
    scree__canvas_clip(plot->canvas, &frame->inside, false);
    scree__canvas_ellipse(plot->canvas, &ellipse, &pen);
    scree__canvas_unclip(plot->canvas);
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

static scree_status draw_images(const scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__page *page = &plot->page;
    const int64_t count = plane->highlight_count, d = plot->view->d;
    const bool cells = scree__canvas_is_cells(plot->canvas);
    const double width = scree__highlight_width(plane, plot), text = (cells ? 1.0 : 1.3) * page->em;
    const double each = plane->frame.inside.h / (double)count;
    const scree__tone tone = scree__tone_of(plane->images, count * d);
    scree__pen pen = scree__page_pen(page->theme->alarm, 0.07 * page->em);
    scree__type type = scree__page_type(page, page->theme->muted, SCREE__MIDDLE);
    int64_t order[SCREE__HIGHLIGHTS_MOST];
    type.size = 0.85;
    sort_by_height(plane, order);
    for (int64_t k = 0; k < count; k++) {
        const int64_t i = order[k];
        const double left = page->room.x + page->room.w - width + (cells ? 0.0 : 0.6 * page->em);
        const scree__box room = {left, plane->frame.inside.y + (double)k * each, page->room.x + page->room.w - left,
                                 fmax(each - text - (cells ? 0.0 : 0.3 * page->em), 1.0)};
        scree__box drawn;
        char name[64];
        SCREE_TRY(scree__tile_draw(plot, &room, plane->images + i * d, &tone, &drawn, error));
        const double x = scree__frame_x(&plane->frame, plane->place[i][0]);
        const double y = scree__frame_y(&plane->frame, plane->place[i][1]);
        snprintf(name, sizeof name, "row %" PRId64, plane->highlight[i] + 1);
        scree__canvas_text(plot->canvas, drawn.x + drawn.w / 2, drawn.y + drawn.h + text / 2, &type, name);
        if (!cells)
            scree__canvas_line(plot->canvas, x + 0.5 * page->em, y, drawn.x, drawn.y + drawn.h / 2, &pen);
    }
done:
    return status;
}

scree_status scree__highlight_draw(const scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__placer placer = {.count = 0};
    for (int64_t i = 0; i < plane->highlight_count; i++)
        draw_ring(plane, plot, i);
    if (plane->images)
        SCREE_TRY(draw_images(plane, plot, error));
    for (int64_t i = 0; i < plane->highlight_count && !plane->images; i++) {
        const double at[] = {scree__frame_x(&plane->frame, plane->place[i][0]) + 0.2 * plot->page.em,
                             scree__frame_y(&plane->frame, plane->place[i][1])};
        char name[64];
        scree__placed placed;
        snprintf(name, sizeof name, "row %" PRId64, plane->highlight[i] + 1);
        if (scree__placer_find(&placer, &plot->page, &plane->frame.inside, at, false, name, &placed))
            scree__placed_draw(&plot->page, &placed, false);
    }
done:
    return status;
}
