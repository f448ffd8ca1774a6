/* SPDX-License-Identifier: BSD-3-Clause */
/* The biplot (Gabriel, 1971): rows as points, columns as arrows. The arrow of column j goes from the mean towards
 * (√λ_a u_ja, √λ_b u_jb), the covariance of the column with the two components of unit variance, all of them lengthened
 * by one factor to fill the plane. The square of its length is what the column contributes to the two components: of
 * many columns those with the largest contributions are shown, and the picture says so. */

#include "view/plane.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARROWS = 30, ARROWS_NARROW = 15, CHOSEN = 20, CHOSEN_NARROW = 8, ON_ARROW = 4, ON_HEAD = 40 };

typedef struct arrow {
    int64_t column;
    double tip[2]; /* in the units of the codes, before they are lengthened */
    double length; /* of that */
    double to[2];  /* on the canvas */
} arrow;

typedef struct arrows {
    arrow *all; /* longest first */
    int64_t count;
    int64_t zero; /* columns that have no part in the plane */
    double from[2];
} arrows;

/* Longest first, the first column of equals before the others. */
static int compare(const void *a, const void *b)
{
    const arrow *x = a, *y = b;
    return x->length != y->length ? (x->length < y->length) - (x->length > y->length)
                                  : (x->column > y->column) - (x->column < y->column);
}

/* All of few columns, of many the longest. */
static scree_status choose(arrows *chosen, const scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    const bool narrow = scree__page_is_narrow(plot->canvas);
    SCREE_ALLOC(chosen->all, d, error);
    for (int64_t j = 0; j < d; j++) {
        arrow *made = &chosen->all[j];
        made->column = j;
        for (int k = 0; k < 2; k++)
            made->tip[k] = plot->slopes[j * m + plot->plane->component[k]];
        made->length = hypot(made->tip[0], made->tip[1]);
        chosen->zero += !(made->length > 0.0);
    }
    qsort(chosen->all, (size_t)d, sizeof *chosen->all, compare);
    chosen->count = d - chosen->zero;
    if (chosen->count > (narrow ? ARROWS_NARROW : ARROWS))
        chosen->count = narrow ? CHOSEN_NARROW : CHOSEN;
done:
    return status;
}

/* What is not in the picture. */
static const char *describe(const arrows *chosen, const scree__plot *plot, char *text, size_t size)
{
    const int64_t d = plot->view->d, left = d - chosen->zero - chosen->count;
    const bool names = scree__names_are_shown(plot->plane, plot);
    char zero[96] = "";
    if (chosen->zero > 0)
        snprintf(zero, sizeof zero, "%s%" PRId64 " column%s without a part in this plane", left > 0 ? ", " : "",
                 chosen->zero, chosen->zero == 1 ? "" : "s");
    if (left > 0)
        snprintf(text, size, "%" PRId64 " of %" PRId64 " columns shown: the largest contributions%s%s", chosen->count,
                 d, zero, names ? "; names of rows where there is room" : "");
    else
        snprintf(text, size, "%s%s%s", zero, *zero && names ? "; " : "",
                 names ? "names of rows where there is room" : "");
    return *text ? text : NULL;
}

/* Arrows become as long as they may be and stay inside. */
static void lengthen(arrows *chosen, const scree__frame *frame)
{
    const scree__scale *scales[] = {&frame->x, &frame->y};
    double factor = HUGE_VAL;
    for (int64_t i = 0; i < chosen->count; i++)
        for (int k = 0; k < 2; k++) {
            const double tip = chosen->all[i].tip[k], edge = tip > 0.0 ? scales[k]->high : scales[k]->low;
            if (tip != 0.0 && edge / tip > 0.0)
                factor = fmin(factor, 0.75 * edge / tip);
        }
    if (!isfinite(factor))
        factor = 1.0;
    chosen->from[0] = scree__frame_x(frame, 0.0);
    chosen->from[1] = scree__frame_y(frame, 0.0);
    for (int64_t i = 0; i < chosen->count; i++) {
        arrow *a = &chosen->all[i];
        a->to[0] = scree__frame_x(frame, factor * a->tip[0]);
        a->to[1] = scree__frame_y(frame, factor * a->tip[1]);
    }
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

/* Names keep away from arrows, and from their heads above all. */
static void place_names(scree__placer *placer, const arrows *chosen, const scree__plot *plot)
{
    for (int64_t i = 0; i < chosen->count; i++) {
        const double *to = chosen->all[i].to;
        scree__placer_line(placer, chosen->from, to, ON_ARROW);
        scree__placer_mark(placer, to[0], to[1], 0.3 * plot->page.em, ON_HEAD);
    }
    for (int64_t i = 0; i < chosen->count; i++) {
        char name[128];
        const double *to = chosen->all[i].to;
        const scree__wish wish = {
            .at = {to[0], to[1]}, .leftwards = to[0] < chosen->from[0], .must = true, .bold = true};
        scree__plot_short_column(plot, chosen->all[i].column, name, sizeof name);
        scree__placer_find(placer, &wish, name);
    }
}

static scree_status draw_inside(arrows *chosen, scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__plane *plane = plot->plane;
    scree__placer placer = {.count = 0};
    lengthen(chosen, &plane->frame);
    SCREE_TRY(scree__placer_open(&placer, &plot->page, &plane->frame.inside, error));
    scree__points_mark(&plane->frame, &plane->points, 0, 1, &placer);
    scree__highlight_mark(plane, plot, &placer);
    place_names(&placer, chosen, plot);
    scree__names_place(plane, plot, &placer);
    scree__placer_draw_paper(&placer);
    for (int64_t i = 0; i < chosen->count; i++)
        draw_arrow(plot, chosen->from, chosen->all[i].to);
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
done:
    return status;
}

static scree_status draw(scree__plot *plot, scree_error *error)
{
    scree_status status = SCREE_OK;
    arrows chosen = {.count = 0};
    char said[256];
    SCREE_TRY(choose(&chosen, plot, error));
    scree__plane_draw(plot, "Biplot: rows as points, columns as arrows", describe(&chosen, plot, said, sizeof said));
    SCREE_TRY(draw_inside(&chosen, plot, error));
done:
    free(chosen.all);
    return status;
}

const scree__plot_kind scree__plot_biplot = {"biplot", true, SCREE_CAN_EXPLAIN, scree__plane_aspect, draw, gather};
