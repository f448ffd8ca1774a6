/* SPDX-License-Identifier: BSD-3-Clause */
/* A ramp from yellow over red to blue, in even steps of lightness in OKLab, so that it is read in grey and by those who
 * lack one kind of cones, too: the highest value differs most from the paper, be it white or dark. On cells, which may
 * have no colours, a point is a digit instead. */

#include "view/ramp.h"
#include "view/words.h"

#include <math.h>
#include <stdio.h>

enum { STOPS = 9, DIGITS = 10, PIECES = 64 };

static const uint32_t stops[][STOPS] = {
    {0xf2c50e, 0xf59e06, 0xef7729, 0xdc564b, 0xbf3b64, 0x9b2875, 0x731a7f, 0x4a0b7f, 0x210073},
    {0x503ead, 0x8043b0, 0xab4ba8, 0xd15696, 0xf1677e, 0xfe876b, 0xfeab6e, 0xfecb7a, 0xffea6e},
};

scree__ramp scree__ramp_over(const double *values, int64_t count, const char *title)
{
    double range[2];
    scree__range(values, count, 1, false, range);
    if (!(range[1] - range[0] > 1e-12 * fmax(fabs(range[0]), fabs(range[1])))) {
        const double around = range[0] == 0.0 ? 1.0 : 0.5 * fabs(range[0]);
        range[0] -= around;
        range[1] += around;
    }
    return (scree__ramp){range[0], range[1], title, NULL};
}

static double place_of(const scree__ramp *ramp, double value)
{
    return fmin(fmax((value - ramp->low) / (ramp->high - ramp->low), 0.0), 1.0);
}

static scree__colour unpack(uint32_t rgb)
{
    return (scree__colour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

scree__colour scree__ramp_colour(const scree__ramp *ramp, double value, bool dark)
{
    const double at = place_of(ramp, value) * (STOPS - 1);
    const int first = at >= STOPS - 1 ? STOPS - 2 : (int)at;
    const scree__colour a = unpack(stops[dark][first]), b = unpack(stops[dark][first + 1]);
    const double t = at - first;
    return (scree__colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)};
}

scree__mark scree__ramp_mark(const scree__ramp *ramp, double value, const scree__page *page, double radius)
{
    scree__mark mark = {page->theme->other, 0.9, radius, SCREE__CIRCLE, '.'};
    if (!isfinite(value))
        return mark;
    mark.colour = scree__ramp_colour(ramp, value, page->dark);
    mark.letter = (char)('0' + (int)fmin(DIGITS - 1, floor(DIGITS * place_of(ramp, value))));
    return mark;
}

/* "petal_width: 0 = 0.1 … 9 = 2.5" */
static void bar_of_digits(scree__page *page, const scree__ramp *ramp)
{
    const scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    char low[32], high[32], text[256];
    scree__words_number(low, sizeof low, ramp->low, 3);
    scree__words_number(high, sizeof high, ramp->high, 3);
    if (ramp->signs)
        snprintf(text, sizeof text, "%.150s: %s", ramp->title, ramp->signs->signs);
    else
        snprintf(text, sizeof text, "%.150s: 0 is %s, 9 is %s", ramp->title, low, high);
    page->room.h -= page->em;
    scree__page_text(page, page->room.x, page->room.y + page->room.h + 0.5 * page->em, page->room.w, &type, text);
}

void scree__ramp_bar(scree__page *page, const scree__ramp *ramp)
{
    const double em = page->em, gap = 0.8 * em, thick = 0.8 * em;
    const scree__scale scale = {.low = ramp->low, .high = ramp->high};
    scree__text_style type = scree__page_text_style(page, page->theme->ink, SCREE__LEFT);
    scree__ticks ticks;
    uint32_t pixels[PIECES];
    if (scree__canvas_is_cells(page->canvas)) {
        bar_of_digits(page, ramp);
        return;
    }
    page->room.h -= 2.5 * em;
    const double top = page->room.y + page->room.h + 0.3 * em;
    const double title = fmin(scree__canvas_text_width(page->canvas, &type, ramp->title), 0.45 * page->room.w);
    const double left = page->room.x + title + gap + em;
    const scree__box box = {left, top, fmin(page->room.x + page->room.w - left - em, 22.0 * em), thick};
    scree__page_text(page, page->room.x, top + thick / 2, title, &type, ramp->title);
    for (int i = 0; i < PIECES; i++) {
        const double value = ramp->low + (i + 0.5) / PIECES * (ramp->high - ramp->low);
        if (ramp->signs) {
            pixels[i] = scree__diverging(ramp->signs, value);
            continue;
        }
        const scree__colour c = scree__ramp_colour(ramp, value, page->dark);
        pixels[i] = (uint32_t)lround(255 * c.r) << 16 | (uint32_t)lround(255 * c.g) << 8 | (uint32_t)lround(255 * c.b);
    }
    scree__canvas_image(page->canvas, &box, pixels, 1, PIECES);
    type = scree__page_text_style(page, page->theme->muted, SCREE__MIDDLE);
    type.size = 0.9;
    const scree__pen pen = scree__page_pen(page->theme->muted, 0.08 * em);
    scree__scale_ticks(&ticks, &scale, (int)fmax(2.0, box.w / (4.5 * em)));
    for (int i = 0; i < ticks.count; i++) {
        const double x = box.x + box.w * scree__scale_place(&scale, ticks.at[i]);
        scree__canvas_line(page->canvas, x, top + thick, x, top + thick + 0.25 * em, &pen);
        scree__canvas_text(page->canvas, x, top + thick + 0.85 * em, &type, ticks.text[i]);
    }
}
