/* SPDX-License-Identifier: BSD-3-Clause */
/* Names beside points: right of it, left, above, below, the first place that is free. Those who come first are served
 * first; O(names²). */

#include "view/placer.h"
#include "view/words.h"

#include <math.h>

enum { LETTERS = 24, SIDES = 4 };

static bool overlap(const scree__box *a, const scree__box *b)
{
    return a->x < b->x + b->w && b->x < a->x + a->w && a->y < b->y + b->h && b->y < a->y + a->h;
}

static bool is_free(const scree__placer *placer, const scree__box *bounds, const scree__box *box)
{
    if (box->x < bounds->x || box->y < bounds->y || box->x + box->w > bounds->x + bounds->w ||
        box->y + box->h > bounds->y + bounds->h)
        return false;
    for (int i = 0; i < placer->count; i++)
        if (overlap(&placer->taken[i], box))
            return false;
    return true;
}

bool scree__placer_find(scree__placer *placer, const scree__page *page, const scree__box *bounds, const double at[2],
                        bool leftwards, const char *text, scree__placed *placed)
{
    char clean[256];
    const scree__type type = scree__page_type(page, page->theme->ink, SCREE__LEFT);
    scree__words_clean(clean, sizeof clean, text);
    scree__words_cut(placed->text, sizeof placed->text, clean, LETTERS);
    const double w = 1.12 * scree__canvas_text_width(page->canvas, &type, placed->text), h = 1.15 * page->em;
    const double gap = 0.5 * page->em;
    const scree__box right = {at[0] + gap, at[1] - h / 2, w, h}, left = {at[0] - gap - w, at[1] - h / 2, w, h};
    const scree__box sides[SIDES] = {
        leftwards ? left : right,
        {at[0] - w / 2, at[1] - h - 0.6 * gap, w, h},
        {at[0] - w / 2, at[1] + 0.6 * gap, w, h},
        leftwards ? right : left,
    };
    for (int i = 0; i < SIDES && placer->count < SCREE__PLACED_MOST; i++)
        if (is_free(placer, bounds, &sides[i])) {
            placed->box = placer->taken[placer->count++] = sides[i];
            return true;
        }
    return false;
}

void scree__placed_draw(const scree__page *page, const scree__placed *placed, bool bold)
{
    scree__type type = scree__page_type(page, page->theme->ink, SCREE__MIDDLE);
    type.bold = bold;
    if (!scree__canvas_is_cells(page->canvas))
        scree__canvas_fill(page->canvas, &placed->box, page->theme->paper, 0.75);
    scree__canvas_text(page->canvas, placed->box.x + placed->box.w / 2, placed->box.y + placed->box.h / 2, &type,
                       placed->text);
}
