/* SPDX-License-Identifier: BSD-3-Clause */
/* Colours after Okabe and Ito (2008), which readers with any common colour blindness tell apart; on dark paper the dark
 * ones are lighter. Colours and shapes go round with different periods, so that neighbours differ in both. */

#include "view/palette.h"

#include <math.h>

enum { COLOURS = 7 };

#define RGB(hex)                                                                                                       \
    {                                                                                                                  \
        ((hex) >> 16 & 255) / 255.0, ((hex) >> 8 & 255) / 255.0, ((hex)&255) / 255.0                                   \
    }

static const scree__theme_colours themes[] = {
    {RGB(0xffffff), RGB(0x1a1a1a), RGB(0x5c5c5c), RGB(0xe4e4e4), RGB(0xc4001a), RGB(0xa8a8a8)},
    {RGB(0x14171c), RGB(0xececec), RGB(0xa4aab3), RGB(0x2a2f37), RGB(0xff5a5a), RGB(0x6f757e)},
};

static const scree__colour series[][COLOURS] = {
    {RGB(0x0072b2), RGB(0xe07b00), RGB(0x009e73), RGB(0xcc79a7), RGB(0x000000), RGB(0x56b4e9), RGB(0xb39c00)},
    {RGB(0x56b4e9), RGB(0xf0a030), RGB(0x2fc79a), RGB(0xe08cbc), RGB(0xf2f2f2), RGB(0x4c8fe0), RGB(0xf0e442)},
};

const scree__theme_colours *scree__theme(bool dark)
{
    return &themes[dark];
}

scree__mark scree__series(bool dark, int64_t i, double radius)
{
    static const char letters[] = "ox+*#%@&=~^vsdzkmn";
    return (scree__mark){.colour = series[dark][i % COLOURS],
                         .alpha = 0.8,
                         .radius = radius,
                         .shape = (int)(i % SCREE__SHAPES),
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

scree__colour scree__signed(bool negative, bool dark)
{
    static const scree__colour ends[][2] = {{RGB(0xd45f00), RGB(0x0b5ea8)}, {RGB(0xff9a4c), RGB(0x6cb6ff)}};
    return ends[dark][negative];
}

uint32_t scree__diverging(double value, bool dark)
{
    const scree__colour middle = themes[dark].paper, end = scree__signed(value < 0.0, dark);
    const double t = isfinite(value) ? fmin(fabs(value), 1.0) : 0.0;
    return pack(middle.r + t * (end.r - middle.r), middle.g + t * (end.g - middle.g),
                middle.b + t * (end.b - middle.b));
}
