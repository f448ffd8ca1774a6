/* SPDX-License-Identifier: BSD-3-Clause */
/* The biplot (Gabriel, 1971): rows as points, columns as arrows. The arrow of column j goes from the mean towards
 * (√λ_a u_ja, √λ_b u_jb), the covariance of the column with the two components of unit variance, all of them lengthened
 * by one factor to fill the plane. Of many columns the longest arrows are shown. */

#include "view/plane.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

enum { ARROWS = 20, ARROWS_NARROW = 10 };

typedef struct arrow {
    int64_t column;
    double tip[2];  /* in the units of the codes, before they are lengthened */
    double part[2]; /* the same in parts of the frame */
    double length;  /* of that */
} arrow;

static const double apart = 0.08; /* tips, in lengths of the longest arrow */

static double aspect(const scree__plot *plot, double em)
{
    (void)plot;
    (void)em;
    return 0.8;
}

static arrow arrow_of(const scree__plane *plane, const scree__plot *plot, int64_t j)
{
    const double span[] = {plane->frame.x.high - plane->frame.x.low, plane->frame.y.high - plane->frame.y.low};
    arrow made = {.column = j};
    for (int k = 0; k < 2; k++) {
        made.tip[k] = plot->slopes[j * plot->view->m + plane->component[k]];
        made.part[k] = made.tip[k] / span[k];
    }
    made.length = hypot(made.part[0], made.part[1]);
    return made;
}

/* Is its tip near that of one that is chosen already? The first chosen is the longest. */
static bool is_near(const arrow *new, const arrow *chosen, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (hypot(new->part[0] - chosen[i].part[0], new->part[1] - chosen[i].part[1]) < apart * chosen[0].length)
            return true;
    return false;
}

/* The longest, longest first, that are not near another: columns that say the same need one arrow. O(D most²). */
static int64_t longest(const scree__plane *plane, const scree__plot *plot, arrow *arrows, int64_t most)
{
    int64_t count = 0;
    while (count < most) {
        arrow best = {.length = 0.0};
        for (int64_t j = 0; j < plot->view->d; j++) {
            const arrow new = arrow_of(plane, plot, j);
            if (new.length > best.length && !is_near(&new, arrows, count))
                best = new;
        }
        if (!(best.length > 0.0))
            break;
        arrows[count++] = best;
    }
    return count;
}

/* How much longer arrows may be and stay inside. */
static double factor_of(const scree__plane *plane, const arrow *arrows, int64_t count)
{
    const scree__scale *scales[] = {&plane->frame.x, &plane->frame.y};
    double factor = HUGE_VAL;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const double tip = arrows[i].tip[k], edge = tip > 0.0 ? scales[k]->high : scales[k]->low;
            if (tip != 0.0 && edge / tip > 0.0)
                factor = fmin(factor, 0.75 * edge / tip);
        }
    return isfinite(factor) ? factor : 1.0;
}

static void draw_arrow(const scree__plot *plot, const double from[2], const double to[2])
{
    const scree__page *page = &plot->page;
    const scree__pen pen = scree__page_pen(page->theme->alarm, 0.13 * page->em);
    const double angle = atan2(to[1] - from[1], to[0] - from[0]), head = 0.55 * page->em;
    const double tip[] = {to[0] - head * cos(angle - 0.4), to[1] - head * sin(angle - 0.4), to[0], to[1],
                          to[0] - head * cos(angle + 0.4), to[1] - head * sin(angle + 0.4)};
    scree__canvas_line(plot->canvas, from[0], from[1], to[0], to[1], &pen);
    if (!scree__canvas_is_cells(plot->canvas))
        scree__canvas_path(plot->canvas, tip, 3, &pen);
}

static scree_status draw_arrows(const scree__plane *plane, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    arrow arrows[ARROWS];
    scree__placer placer = {.count = 0};
    const scree__frame *frame = &plane->frame;
    const int64_t count = longest(plane, plot, arrows, plot->page.narrow ? ARROWS_NARROW : ARROWS);
    const double factor = factor_of(plane, arrows, count);
    const double from[] = {scree__frame_x(frame, 0.0), scree__frame_y(frame, 0.0)};
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &frame->inside, error));
    scree__points_mark(frame, &plane->points, 0, 1, &placer);
    for (int64_t i = 0; i < count; i++) {
        const double to[] = {scree__frame_x(frame, factor * arrows[i].tip[0]),
                             scree__frame_y(frame, factor * arrows[i].tip[1])};
        scree__placer_line(&placer, from, to, 2);
    }
    for (int64_t i = 0; i < count; i++) {
        char name[128];
        const double to[] = {scree__frame_x(frame, factor * arrows[i].tip[0]),
                             scree__frame_y(frame, factor * arrows[i].tip[1])};
        const scree__wish wish = {.at = {to[0], to[1]}, .leftwards = to[0] < from[0], .near = true, .must = true};
        scree__plot_short_column(plot, arrows[i].column, name, sizeof name);
        if (scree__placer_find(&placer, &wish, name))
            draw_arrow(plot, from, to);
    }
    scree__placer_draw_paper(&placer);
    scree__placer_draw_names(&placer, true);
done:
    scree__placer_close(&placer);
    return status;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__plane plane = {.highlight_count = 0};
    if (plot->view->m < 2)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "a biplot needs two components and the model has one; fit two, or draw the embedding");
    if (plot->options.component_count == 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a biplot needs two components; name two");
    if (plot->options.highlight_count < 0)
        plot->options.highlight_count = 0; /* none unless they are asked for: there is enough to see */
    SCREE_ALLOC(plot->slopes, plot->view->d * plot->view->m, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_STRUCTURE, plot->slopes, error));
    SCREE_TRY(scree__plane_gather(&plane, plot, error));
    SCREE_TRY(scree__highlight_choose(&plane, plot, error));
    SCREE_TRY(scree__plane_draw(&plane, plot, "Biplot: rows as points, columns as arrows", error));
    SCREE_TRY(draw_arrows(&plane, plot, error));
    SCREE_TRY(scree__highlight_draw(&plane, plot, error));
done:
    scree__plane_clear(&plane);
    return status;
}

const scree__plot_kind scree__plot_biplot = {"biplot", true, SCREE_CAN_EXPLAIN, aspect, draw};
