/* SPDX-License-Identifier: BSD-3-Clause */
/* Names beside points. The bounds are cut into little squares, each of which counts what is drawn in it. For a name,
 * places in sixteen directions are tried, near the point and farther out: right and left first or, at the head of an
 * arrow, along it. None is over another name nor, unless the name must be drawn, over the line that leads to one. Of
 * the others that is taken which costs least: by what it covers, how far it is, and by other points that it is nearer
 * to than to its own, for which it might be taken. Those who come first are served first; then, in a few rounds, each
 * looks for a better place among the others, as in the repelled labels of Slowikowski's ggrepel. O(rounds × names ×
 * (names + squares of a name)). */

#include "view/placer.h"

#include "scree_private.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum {
    LETTERS = 24,
    DIRECTIONS = 16,
    RINGS = 7,
    NOT_FARTHER = 5 /* than these, unless it must be somewhere */,
    CROWDED = 60000,
    ROUNDS = 4,
    FAR = 2
};

static const double squares_an_em = 4.0;
static const double rings[RINGS] = {0.42, 0.9, 1.7, 2.7, 4.0, 5.5, 7.5};        /* em between point and name */
static const double ring_costs[RINGS] = {0.0, 1.0, 3.0, 6.0, 10.0, 16.0, 24.0}; /* in squares that are covered once */
static const double turn_cost = 0.05, mistaken_cost = 8.0, entangled_cost = 30.0, touches = 0.6 /* em */;

scree_status scree__placer_open(scree__placer *placer, const scree__page *page, const scree__box *bounds,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    *placer = (scree__placer){.page = page, .bounds = *bounds, .step = page->em / squares_an_em};
    placer->across = (int64_t)ceil(bounds->w / placer->step) + 1;
    placer->down = (int64_t)ceil(bounds->h / placer->step) + 1;
    SCREE_ALLOC(placer->crowd, placer->across * placer->down, error);
    SCREE_ALLOC(placer->lines, placer->across * placer->down, error);
done:
    return status;
}

void scree__placer_close(scree__placer *placer)
{
    free(placer->crowd);
    free(placer->lines);
    placer->crowd = placer->lines = NULL;
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

static void mark(const scree__placer *placer, uint16_t *grid, double x, double y, double radius, int weight)
{
    const scree__box box = {x - radius, y - radius, 2.0 * radius, 2.0 * radius};
    int64_t range[4];
    if (!isfinite(x) || !isfinite(y) || x < placer->bounds.x || y < placer->bounds.y ||
        x > placer->bounds.x + placer->bounds.w || y > placer->bounds.y + placer->bounds.h)
        return;
    squares_of(placer, &box, range);
    for (int64_t i = range[2]; i <= range[3]; i++)
        for (int64_t j = range[0]; j <= range[1]; j++) {
            uint16_t *count = &grid[i * placer->across + j];
            if (*count < CROWDED)
                *count = (uint16_t)(*count + weight);
        }
}

void scree__placer_mark(scree__placer *placer, double x, double y, double radius, int weight)
{
    mark(placer, placer->crowd, x, y, radius, weight);
}

void scree__placer_line(scree__placer *placer, const double from[2], const double to[2], int weight)
{
    const double length = hypot(to[0] - from[0], to[1] - from[1]);
    const int64_t steps = isfinite(length) ? (int64_t)ceil(length / placer->step) : 0;
    for (int64_t i = 0; i < steps; i++) {
        const double t = ((double)i + 0.5) / (double)steps;
        mark(placer, placer->lines, from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1]), 0.0, weight);
    }
}

static double covered(const scree__placer *placer, const uint16_t *grid, const scree__box *box)
{
    int64_t range[4];
    double sum = 0.0;
    squares_of(placer, box, range);
    for (int64_t i = range[2]; i <= range[3]; i++)
        for (int64_t j = range[0]; j <= range[1]; j++)
            sum += grid[i * placer->across + j];
    return sum;
}

static bool overlap(const scree__box *a, const scree__box *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static double nearest(double value, double low, double size)
{
    return fmin(fmax(value, low), low + size);
}

static double distance_to(const scree__box *box, const double point[2])
{
    return hypot(nearest(point[0], box->x, box->w) - point[0], nearest(point[1], box->y, box->h) - point[1]);
}

/* Whether a line passes through a box (Liang and Barsky, 1984). */
static bool passes(const double from[2], const double to[2], const scree__box *box)
{
    const double low[] = {box->x, box->y}, size[] = {box->w, box->h};
    double first = 0.0, last = 1.0;
    for (int k = 0; k < 2; k++) {
        const double step = to[k] - from[k];
        if (step == 0.0 && (from[k] <= low[k] || from[k] >= low[k] + size[k]))
            return false;
        if (step == 0.0)
            continue;
        const double a = (low[k] - from[k]) / step, b = (low[k] + size[k] - from[k]) / step;
        first = fmax(first, fmin(a, b));
        last = fmin(last, fmax(a, b));
    }
    return first < last;
}

static double side_of(const double a[2], const double b[2], const double point[2])
{
    return (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0]);
}

static bool cross(const double a[2], const double b[2], const double c[2], const double d[2])
{
    return side_of(a, b, c) * side_of(a, b, d) < 0.0 && side_of(c, d, a) * side_of(c, d, b) < 0.0;
}

/* Where a line to the name ends. */
static void end_of(const scree__placed *placed, double to[2])
{
    to[0] = nearest(placed->from[0], placed->box.x, placed->box.w);
    to[1] = nearest(placed->from[1], placed->box.y, placed->box.h);
}

/* A line to one of them goes over the other, or over the line to that. */
static bool entangled(const scree__placed *a, const scree__placed *b)
{
    double to_a[2], to_b[2];
    end_of(a, to_a);
    end_of(b, to_b);
    return (a->far && passes(a->from, to_a, &b->box)) || (b->far && passes(b->from, to_b, &a->box)) ||
           (a->far && b->far && cross(a->from, to_a, b->from, to_b));
}

/* What the place costs beside other names; infinity: there is none for it. */
static double cost_beside(const scree__placer *placer, const scree__placed *own, int except)
{
    const scree__box *bounds = &placer->bounds, *box = &own->box;
    double cost = 0.0;
    if (box->x < bounds->x || box->y < bounds->y || box->x + box->w > bounds->x + bounds->w ||
        box->y + box->h > bounds->y + bounds->h)
        return HUGE_VAL;
    for (int i = 0; i < placer->count; i++) {
        const scree__placed *other = &placer->placed[i];
        if (i == except || !other->there)
            continue;
        if (overlap(&other->box, box))
            return HUGE_VAL;
        if (entangled(other, own))
            cost += own->wish.must ? entangled_cost : HUGE_VAL;
    }
    return cost;
}

/* Points that the name lies nearer to than to its own; where a line says whose it is, those that it touches. */
static int mistaken(const scree__placer *placer, const scree__placed *own, int except)
{
    const double distance = own->far ? touches * placer->page->em : distance_to(&own->box, own->from);
    int count = 0;
    for (int i = 0; i < placer->count; i++)
        count += i != except && distance_to(&own->box, placer->placed[i].from) < distance;
    return count;
}

/* Where a name lies in a direction, so far from the point. */
static scree__box box_at(const scree__placed *own, double angle, double gap)
{
    const double x = cos(angle), y = -sin(angle), w = own->box.w, h = own->box.h;
    const double reach = fmin(w / 2 / fmax(fabs(x), 1e-9), h / 2 / fmax(fabs(y), 1e-9));
    return (scree__box){own->from[0] + x * (gap + reach) - w / 2, own->from[1] + y * (gap + reach) - h / 2, w, h};
}

/* The direction that is tried as the k-th. */
static double angle_of(const scree__wish *wish, int k)
{
    static const int order[DIRECTIONS] = {0, 4, 12, 8, 2, 6, 14, 10, 1, 15, 3, 13, 5, 11, 7, 9}; /* sixteenths */
    const double sixteenth = acos(-1.0) / 8.0;
    if (wish->along) /* from its own to both sides */
        return wish->angle + (k % 2 ? 1.0 : -1.0) * ((k + 1) / 2) * sixteenth;
    return (wish->leftwards ? 8.0 - order[k] : order[k]) * sixteenth;
}

/* Looks for the best place of a name among the others; false: there is none. */
static bool place(const scree__placer *placer, int which, scree__placed *best)
{
    const scree__wish *wish = &placer->placed[which].wish;
    double least = HUGE_VAL;
    for (int ring = 0; ring < (wish->near ? 1 : wish->must ? RINGS : NOT_FARTHER); ring++)
        for (int k = 0; k < DIRECTIONS; k++) {
            scree__placed tried = placer->placed[which];
            tried.far = ring >= FAR;
            tried.box = box_at(&tried, angle_of(wish, k), rings[ring] * placer->page->em);
            const double already = ring_costs[ring] + turn_cost * k;
            if (already >= least)
                continue;
            const double marks = covered(placer, placer->crowd, &tried.box);
            const double over = marks + covered(placer, placer->lines, &tried.box);
            const double cost =
                already + over + cost_beside(placer, &tried, which) + mistaken_cost * mistaken(placer, &tried, which);
            if (cost >= least || ((wish->crosses ? marks : over) > 0.0 && !wish->must))
                continue;
            least = cost;
            tried.covers = over > 0.0;
            tried.there = true;
            *best = tried;
        }
    return least < HUGE_VAL;
}

bool scree__placer_ask(scree__placer *placer, const scree__wish *wish, const char *text)
{
    const scree__page *page = placer->page;
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    char clean[256];
    if (placer->count == SCREE__PLACED_MOST)
        return false;
    scree__placed *placed = &placer->placed[placer->count++];
    *placed = (scree__placed){.wish = *wish, .from = {wish->at[0], wish->at[1]}};
    type.bold = wish->bold;
    placed->wish.size = type.size = wish->size > 0.0 ? wish->size : 1.0;
    scree__words_clean(clean, sizeof clean, text);
    scree__words_cut(placed->text, sizeof placed->text, clean, LETTERS);
    placed->box.w = 1.06 * scree__canvas_text_width(page->canvas, &type, placed->text);
    placed->box.h = scree__canvas_is_cells(page->canvas) ? page->em : 1.1 * type.size * page->em;
    return place(placer, placer->count - 1, placed);
}

bool scree__placer_find(scree__placer *placer, const scree__wish *wish, const char *text)
{
    const int before = placer->count;
    const bool found = scree__placer_ask(placer, wish, text);
    if (!found)
        placer->count = before;
    return found;
}

void scree__placer_settle(scree__placer *placer)
{
    for (int i = 0; i < placer->count; i++) /* all points are known now */
        placer->placed[i].there = false;
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < placer->count; i++) {
            scree__placed better;
            if (place(placer, i, &better))
                placer->placed[i] = better;
        }
}

void scree__placer_draw_lines(const scree__placer *placer)
{
    const scree__page *page = placer->page;
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.06 * page->em);
    for (int i = 0; i < placer->count && !scree__canvas_is_cells(page->canvas); i++) {
        const scree__placed *placed = &placer->placed[i];
        double to[2];
        end_of(placed, to);
        if (placed->there && placed->far)
            scree__canvas_line(page->canvas, placed->from[0], placed->from[1], to[0], to[1], &pen);
    }
}

void scree__placer_draw_names(const scree__placer *placer)
{
    const scree__page *page = placer->page;
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__MIDDLE);
    for (int i = 0; i < placer->count; i++) {
        const scree__placed *placed = &placer->placed[i];
        const scree__box *box = &placed->box;
        type.bold = placed->wish.bold;
        type.size = placed->wish.size;
        type.cased = placed->covers;
        if (placed->there)
            scree__canvas_text(page->canvas, box->x + box->w / 2, box->y + box->h / 2, &type, placed->text);
    }
}
