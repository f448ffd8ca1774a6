/* SPDX-License-Identifier: BSD-3-Clause */
/* Names beside points. The bounds are cut into little squares, each of which counts what is drawn in it. For a name,
 * eight directions are tried, right and left first, near the point and farther out; the place that covers least is
 * taken, the nearest of equals, and at once if it covers nothing. Those who come first are served first;
 * O(names² + names × squares of a name). */

#include "view/placer.h"

#include "scree_private.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum { LETTERS = 24, DIRECTIONS = 8, RINGS = 4, CROWDED = 60000 };

static const double squares_an_em = 4.0;
static const double rings[RINGS] = {0.5, 1.1, 2.0, 3.2}; /* em between point and name */

scree_status scree__placer_open(scree__placer *placer, const scree__page *page, const scree__box *bounds,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    *placer = (scree__placer){.page = page, .bounds = *bounds, .step = page->em / squares_an_em};
    placer->across = (int64_t)ceil(bounds->w / placer->step) + 1;
    placer->down = (int64_t)ceil(bounds->h / placer->step) + 1;
    SCREE_ALLOC(placer->crowd, placer->across * placer->down, error);
done:
    return status;
}

void scree__placer_close(scree__placer *placer)
{
    free(placer->crowd);
    placer->crowd = NULL;
}

static int64_t square(double place, double step, int64_t count)
{
    const double at = floor(place / step);
    return at < 0.0 ? 0 : at > (double)(count - 1) ? count - 1 : (int64_t)at;
}

/* The squares of a box: first and last across, first and last down. */
static void squares_of(const scree__placer *placer, const scree__box *box, int64_t out[4])
{
    const double x = box->x - placer->bounds.x, y = box->y - placer->bounds.y;
    out[0] = square(x, placer->step, placer->across);
    out[1] = square(x + box->w, placer->step, placer->across);
    out[2] = square(y, placer->step, placer->down);
    out[3] = square(y + box->h, placer->step, placer->down);
}

void scree__placer_mark(scree__placer *placer, double x, double y, double radius, int weight)
{
    const scree__box box = {x - radius, y - radius, 2.0 * radius, 2.0 * radius};
    int64_t range[4];
    if (!isfinite(x) || !isfinite(y) || x < placer->bounds.x || y < placer->bounds.y ||
        x > placer->bounds.x + placer->bounds.w || y > placer->bounds.y + placer->bounds.h)
        return;
    squares_of(placer, &box, range);
    for (int64_t i = range[2]; i <= range[3]; i++)
        for (int64_t j = range[0]; j <= range[1]; j++) {
            uint16_t *count = &placer->crowd[i * placer->across + j];
            if (*count < CROWDED)
                *count = (uint16_t)(*count + weight);
        }
}

void scree__placer_line(scree__placer *placer, const double from[2], const double to[2], int weight)
{
    const double length = hypot(to[0] - from[0], to[1] - from[1]);
    const int64_t steps = isfinite(length) ? (int64_t)ceil(length / placer->step) : 0;
    for (int64_t i = 0; i < steps; i++) {
        const double t = ((double)i + 0.5) / (double)steps;
        scree__placer_mark(placer, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), 0.0, weight);
    }
}

static double covered(const scree__placer *placer, const scree__box *box)
{
    int64_t range[4];
    double sum = 0.0;
    squares_of(placer, box, range);
    for (int64_t i = range[2]; i <= range[3]; i++)
        for (int64_t j = range[0]; j <= range[1]; j++)
            sum += placer->crowd[i * placer->across + j];
    return sum;
}

static bool overlap(const scree__box *a, const scree__box *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static bool is_free(const scree__placer *placer, const scree__box *box)
{
    const scree__box *bounds = &placer->bounds;
    if (box->x < bounds->x || box->y < bounds->y || box->x + box->w > bounds->x + bounds->w ||
        box->y + box->h > bounds->y + bounds->h)
        return false;
    for (int i = 0; i < placer->count; i++)
        if (overlap(&placer->placed[i].box, box))
            return false;
    return true;
}

/* Where a name of that size lies in a direction, so far from the point. */
static scree__box box_at(const scree__wish *wish, int direction, double gap, double w, double h)
{
    static const double sides[DIRECTIONS][2] = {{1, 0}, {0, -1}, {0, 1}, {-1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
    const double x = sides[direction][0] * (wish->leftwards ? -1.0 : 1.0), y = sides[direction][1];
    const double slant = x != 0.0 && y != 0.0 ? 0.7 : 1.0;
    return (scree__box){wish->at[0] + x * (slant * gap + w / 2) - w / 2,
                        wish->at[1] + y * (slant * gap + h / 2) - h / 2, w, h};
}

bool scree__placer_find(scree__placer *placer, const scree__wish *wish, const char *text)
{
    const scree__page *page = placer->page;
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    scree__placed *placed = &placer->placed[placer->count];
    double least = HUGE_VAL;
    char clean[256];
    if (placer->count == SCREE__PLACED_MOST)
        return false;
    placed->bold = type.bold = wish->bold;
    placed->size = type.size = wish->size > 0.0 ? wish->size : 1.0;
    scree__words_clean(clean, sizeof clean, text);
    scree__words_cut(placed->text, sizeof placed->text, clean, LETTERS);
    const double w = 1.12 * scree__canvas_text_width(page->canvas, &type, placed->text);
    const double h = scree__canvas_is_cells(page->canvas) ? page->em : 1.15 * type.size * page->em;
    for (int ring = 0; ring < (wish->near ? 1 : RINGS) && least > 0.0; ring++)
        for (int direction = 0; direction < DIRECTIONS && least > 0.0; direction++) {
            const scree__box box = box_at(wish, direction, rings[ring] * page->em, w, h);
            const double cost = is_free(placer, &box) ? covered(placer, &box) : HUGE_VAL;
            if (!(cost < least))
                continue;
            least = cost;
            placed->box = box;
            placed->far = ring > 1;
        }
    if (!(least < HUGE_VAL) || (least > 0.0 && !wish->must))
        return false;
    placed->from[0] = wish->at[0];
    placed->from[1] = wish->at[1];
    placed->covers = least > 0.0;
    placer->count++;
    return true;
}

/* The point of the box that is nearest to where its line comes from. */
static double nearest(double value, double low, double size)
{
    return fmin(fmax(value, low), low + size);
}

void scree__placer_draw_paper(const scree__placer *placer)
{
    const scree__page *page = placer->page;
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.06 * page->em);
    if (scree__canvas_is_cells(page->canvas))
        return;
    for (int i = 0; i < placer->count; i++) {
        const scree__placed *placed = &placer->placed[i];
        if (placed->far)
            scree__canvas_line(page->canvas, placed->from[0], placed->from[1],
                               nearest(placed->from[0], placed->box.x, placed->box.w),
                               nearest(placed->from[1], placed->box.y, placed->box.h), &pen);
        if (placed->covers)
            scree__canvas_fill(page->canvas, &placed->box, page->theme->paper, 0.75);
    }
}

void scree__placer_draw_names(const scree__placer *placer)
{
    const scree__page *page = placer->page;
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    for (int i = 0; i < placer->count; i++) {
        const scree__box *box = &placer->placed[i].box;
        type.bold = placer->placed[i].bold;
        type.size = placer->placed[i].size;
        scree__canvas_text(page->canvas, box->x + box->w / 2, box->y + box->h / 2, &type, placer->placed[i].text);
    }
}
