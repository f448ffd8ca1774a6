/* SPDX-License-Identifier: BSD-3-Clause */
/* Twelve colours, three of them by Okabe and Ito (2008), the others as far as can be from all, in OKLab, for readers
 * who see all colours and for those who lack one kind of cones (by the matrices of Machado and others, 2009): at least
 * 0.08 apart on white paper, 0.11 on dark. Neighbours differ in shape, too, and where colours come again, shapes are
 * other ones. */

#include "view/palette.h"

#include <math.h>

enum { COLOURS = 12 };

static const char usual_signs[] = "blue below zero, orange above";

#define RGB(hex)                                                                                                       \
    {                                                                                                                  \
        ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0                                   \
    }

/* clang-format off */
static const scree__look looks[] = {
    {.theme = {RGB(0xffffff), RGB(0x1a1a1a), RGB(0x5c5c5c), RGB(0xe4e4e4), RGB(0xc4001a), RGB(0xa8a8a8)},
     .dark = false,
     .series = {RGB(0x0072b2), RGB(0xe07b00), RGB(0x009e73), RGB(0xffaaaa), RGB(0x550000), RGB(0x61dbff), RGB(0x3100ff),
                RGB(0xf3c200), RGB(0x86550c), RGB(0x9292ff), RGB(0x244955), RGB(0x000092)},
     .series_count = COLOURS,
     .below = RGB(0x0b5ea8),
     .above = RGB(0xd45f00),
     .signs = usual_signs},
    {.theme = {RGB(0x14171c), RGB(0xececec), RGB(0xa4aab3), RGB(0x2a2f37), RGB(0xff5a5a), RGB(0x6f757e)},
     .dark = true,
     .series = {RGB(0x56b4e9), RGB(0xf0a030), RGB(0x2fc79a), RGB(0xaa5579), RGB(0xffff00), RGB(0x613d92), RGB(0xb6e79e),
                RGB(0x3100ff), RGB(0xdbdbff), RGB(0x9e7900), RGB(0x3179ce), RGB(0x495518)},
     .series_count = COLOURS,
     .below = RGB(0x6cb6ff),
     .above = RGB(0xff9a4c),
     .signs = usual_signs},
};
/* clang-format on */

const scree__look *scree__look_plain(bool dark)
{
    return &looks[dark];
}

scree__mark scree__series(const scree__look *look, int64_t i, double radius)
{
    static const char letters[] = "ox+*#%@&=~^vsdzkmnabcefghijlpqrtuwyABCDEFG";
    return (scree__mark){.colour = look->series[i % look->series_count],
                         .alpha = 0.8,
                         .radius = radius,
                         .shape = (int)((i + i / look->series_count) % SCREE__SHAPES),
                         .letter = letters[i % (int64_t)(sizeof letters - 1)]};
}

static uint32_t pack(double r, double g, double b)
{
    return (uint32_t)lround(255 * r) << 16 | (uint32_t)lround(255 * g) << 8 | (uint32_t)lround(255 * b);
}

uint32_t scree__grey(double value)
{
    const double v = value > 0.0 ? fmin(value, 1.0) : 0.0;
    return pack(v, v, v);
}

scree__colour scree__signed(const scree__look *look, bool negative)
{
    return negative ? look->below : look->above;
}

uint32_t scree__diverging(const scree__look *look, double value)
{
    const scree__colour middle = look->theme.paper, end = scree__signed(look, value < 0.0);
    const double t = isfinite(value) ? fmin(fabs(value), 1.0) : 0.0;
    return pack(middle.r + t * (end.r - middle.r), middle.g + t * (end.g - middle.g),
                middle.b + t * (end.b - middle.b));
}
