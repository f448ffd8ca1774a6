/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns as arrows. Of many columns those are shown that contribute most to the two components: column j by
 * cov(c_j, z_a)² + cov(c_j, z_b)² with codes of unit variance, λ_a u_ja² + λ_b u_jb². Supplementary columns are dashed,
 * and all of them are shown. */

#include "view/arrows.h"

#include "scree_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ARROWS = 30, ARROWS_NARROW = 15, CHOSEN = 20, CHOSEN_NARROW = 8, ON_ARROW = 4, ON_HEAD = 40 };

static const double small = 0.9; /* em, of names where there is little room */

/* Largest contribution first, the first column of equals before the others. */
static int compare(const void *a, const void *b)
{
    const scree__arrow *x = a, *y = b;
    return x->weight != y->weight ? (x->weight < y->weight) - (x->weight > y->weight)
                                  : (x->column > y->column) - (x->column < y->column);
}

static int64_t how_many(const scree__plot *plot, int64_t there)
{
    const bool narrow = scree__page_is_narrow(plot->canvas);
    if (plot->options.top > 0)
        return plot->options.top < there ? plot->options.top : there;
    return there <= (narrow ? ARROWS_NARROW : ARROWS) ? there : narrow ? CHOSEN_NARROW : CHOSEN;
}

scree_status scree__arrows_choose(scree__arrows *arrows, const scree__plot *plot, const double *tips,
                                  const int64_t component[2], int64_t room, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = plot->view->d, m = plot->view->m;
    double *structure = NULL;
    SCREE_ALLOC(structure, d * m, error);
    SCREE_ALLOC(arrows->all, d + room, error);
    SCREE_TRY(scree_model_meaning(plot->model, SCREE_MEANING_STRUCTURE, structure, error));
    for (int64_t j = 0; j < d; j++) {
        scree__arrow *made = &arrows->all[j];
        made->column = j;
        for (int k = 0; k < 2; k++)
            made->tip[k] = tips[j * m + component[k]];
        made->weight = hypot(structure[j * m + component[0]], structure[j * m + component[1]]);
        if (!(hypot(made->tip[0], made->tip[1]) > 0.0)) /* also of a constant column, which has no correlation */
            made->weight = 0.0;
        arrows->zero += !(made->weight > 0.0);
    }
    qsort(arrows->all, (size_t)d, sizeof *arrows->all, compare);
    arrows->own = arrows->count = how_many(plot, d - arrows->zero);
done:
    free(structure);
    return status;
}

void scree__arrows_clear(scree__arrows *arrows)
{
    free(arrows->all);
    *arrows = (scree__arrows){0};
}

void scree__arrows_describe(const scree__arrows *arrows, const scree__plot *plot, char *text, size_t size)
{
    const int64_t d = plot->view->d, left = d - arrows->zero - arrows->own;
    size_t used = 0;
    *text = '\0';
    if (left > 0)
        used = (size_t)snprintf(text, size, "%" PRId64 " of %" PRId64 " columns shown: the largest contributions",
                                arrows->own, d);
    if (arrows->zero > 0 && used < size)
        snprintf(text + used, size - used, "%s%" PRId64 " column%s without a part in it", used > 0 ? ", " : "",
                 arrows->zero, arrows->zero == 1 ? "" : "s");
}

void scree__arrows_settle(scree__arrows *arrows, const scree__frame *frame, double factor)
{
    arrows->from[0] = scree__frame_x(frame, 0.0);
    arrows->from[1] = scree__frame_y(frame, 0.0);
    for (int64_t i = 0; i < arrows->count; i++) {
        scree__arrow *a = &arrows->all[i];
        a->to[0] = scree__frame_x(frame, factor * a->tip[0]);
        a->to[1] = scree__frame_y(frame, factor * a->tip[1]);
    }
}

void scree__arrows_place(const scree__arrows *arrows, const scree__plot *plot, scree__placer *placer)
{
    for (int64_t i = 0; i < arrows->count; i++) {
        const double *to = arrows->all[i].to;
        scree__placer_line(placer, arrows->from, to, ON_ARROW);
        scree__placer_mark(placer, to[0], to[1], 0.3 * plot->page.em, ON_HEAD);
    }
    for (int64_t i = 0; i < arrows->count; i++) {
        char name[128];
        const scree__arrow *a = &arrows->all[i];
        const scree__wish wish = {.at = {a->to[0], a->to[1]},
                                  .along = true,
                                  .angle = atan2(arrows->from[1] - a->to[1], a->to[0] - arrows->from[0]),
                                  .must = true,
                                  .bold = !a->name,
                                  .size = scree__page_is_narrow(plot->canvas) ? small : 0.0};
        if (!a->name)
            scree__plot_short_column(plot, a->column, name, sizeof name);
        scree__placer_ask(placer, &wish, a->name ? a->name : name);
    }
}

void scree__arrows_draw(const scree__arrows *arrows, const scree__plot *plot)
{
    const scree__page *page = &plot->page;
    const double *from = arrows->from, head = 0.55 * page->em;
    for (int64_t i = arrows->count - 1; i >= 0; i--) { /* the largest contributions above the others */
        const scree__arrow *a = &arrows->all[i];
        const double *to = a->to;
        const bool coloured = arrows->ramp.title && !a->name;
        scree__pen pen = scree__page_pen(coloured  ? scree__ramp_colour(&arrows->ramp, a->value, page->dark)
                                         : a->name ? page->theme->muted
                                                   : page->theme->alarm,
                                         0.13 * page->em);
        const double angle = atan2(to[1] - from[1], to[0] - from[0]);
        const double tip[] = {to[0] - head * cos(angle - 0.4), to[1] - head * sin(angle - 0.4), to[0], to[1],
                              to[0] - head * cos(angle + 0.4), to[1] - head * sin(angle + 0.4)};
        pen.dashed = a->name != NULL;
        scree__canvas_line(plot->canvas, from[0], from[1], to[0], to[1], &pen);
        pen.dashed = false;
        if (!scree__canvas_is_cells(plot->canvas))
            scree__canvas_path(plot->canvas, tip, 3, &pen);
    }
}
