/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks: the colours of paper and letters, and a palette. Palettes by others that colour-blind readers can tell apart:
 * Okabe and Ito (2008), "bright" and "muted" by Tol (2021), and eight even steps of viridis, for groups that have an
 * order. Of a palette the first two colours also stand for what lies below and above zero. A colour of a named palette
 * that the paper would swallow gives way to that of letters. */

#include "view/palette.h"

#include "scree_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAMED_MOST = 12 };

static const struct {
    const char *name;
    uint32_t colours[NAMED_MOST];
    int count;
    int below; /* of the colours */
    int above;
    const char *signs;
} palettes[] = {
    {"okabe-ito",
     {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442, 0x000000},
     8,
     0,
     5,
     "blue below zero, orange above"},
    {"tol-bright",
     {0x4477aa, 0xee6677, 0x228833, 0xccbb44, 0x66ccee, 0xaa3377, 0xbbbbbb},
     7,
     0,
     1,
     "blue below zero, red above"},
    {"tol-muted",
     {0x332288, 0xcc6677, 0x117733, 0xddcc77, 0x88ccee, 0x882255, 0x44aa99, 0x999933, 0xaa4499},
     9,
     0,
     1,
     "blue below zero, rose above"},
    {"viridis",
     {0x440154, 0x46337e, 0x365c8d, 0x277f8e, 0x1fa187, 0x4ac16d, 0xa0da39, 0xfde725},
     8,
     1,
     5,
     "violet below zero, green above"},
};

static const char *const themes[] = {"light", "dark", "print"};

enum { PALETTES = sizeof palettes / sizeof *palettes, THEMES = sizeof themes / sizeof *themes };

static scree__colour unpack(uint32_t rgb)
{
    return (scree__colour){(rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0};
}

/* Relative luminance, as WCAG 2 defines it. */
static double luminance(scree__colour c)
{
    const double parts[] = {c.r, c.g, c.b}, weights[] = {0.2126, 0.7152, 0.0722};
    double sum = 0.0;
    for (int i = 0; i < 3; i++)
        sum += weights[i] * (parts[i] <= 0.04045 ? parts[i] / 12.92 : pow((parts[i] + 0.055) / 1.055, 2.4));
    return sum;
}

/* The paper would swallow it. */
static bool is_lost(scree__colour colour, scree__colour paper)
{
    const double a = luminance(colour) + 0.05, b = luminance(paper) + 0.05;
    return fmax(a, b) / fmin(a, b) < 1.25;
}

static void take_named(scree__look *look, int i)
{
    for (int k = 0; k < palettes[i].count; k++) {
        look->series[k] = unpack(palettes[i].colours[k]);
        if (is_lost(look->series[k], look->theme.paper))
            look->series[k] = look->theme.ink;
    }
    look->series_count = palettes[i].count;
    look->below = look->series[palettes[i].below];
    look->above = look->series[palettes[i].above];
}

/* "#0072b2" or "0072b2", up to a comma or the end; moves behind it. */
static bool read_colour(const char **text, scree__colour *colour)
{
    const char *at = *text + (**text == '#');
    uint32_t rgb = 0;
    for (int i = 0; i < 6; i++, at++) {
        const char *digits = "0123456789abcdef", *digit = *at ? strchr(digits, *at | 0x20) : NULL;
        if (!digit)
            return false;
        rgb = rgb << 4 | (uint32_t)(digit - digits);
    }
    if (*at && (*at != ',' || !at[1]))
        return false;
    *text = at + (*at == ',');
    *colour = unpack(rgb);
    return true;
}

static scree_status take_list(scree__look *look, const char *list, scree_error *error)
{
    const char *at = list;
    int64_t count = 0;
    while (*at) {
        scree__colour colour;
        if (!read_colour(&at, &colour))
            return scree__fail(error, SCREE_ERR_ARGUMENT,
                               "palette '%s': is neither okabe-ito, tol-bright, tol-muted or viridis nor a list of "
                               "colours such as #0072b2,#e07b00",
                               list);
        if (count == SCREE__PALETTE_MOST)
            return scree__fail(error, SCREE_ERR_ARGUMENT, "palette '%s': has more than %d colours; leave some out",
                               list, SCREE__PALETTE_MOST);
        look->series[count++] = colour;
    }
    if (count < 2)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "palette '%s': has one colour; give two at least", list);
    look->series_count = count;
    look->below = look->series[0];
    look->above = look->series[1];
    return SCREE_OK;
}

static scree_status take_palette(scree__look *look, const char *palette, scree_error *error)
{
    look->signs = "the first colour of the palette below zero, the second above";
    for (int i = 0; i < PALETTES; i++)
        if (strcmp(palettes[i].name, palette) == 0) {
            take_named(look, i);
            look->signs = palettes[i].signs;
            return SCREE_OK;
        }
    return take_list(look, palette, error);
}

/* Black on white, and lines that a printer shows. */
static void take_print(scree__look *look)
{
    const scree__colour black = {0.0, 0.0, 0.0};
    look->theme.ink = black;
    look->theme.muted = unpack(0x262626);
    look->theme.grid = look->theme.paper;
    look->theme.other = unpack(0x8c8c8c);
}

scree_status scree__look_make(scree__look *look, const char *theme, const char *palette, bool dark, scree_error *error)
{
    int found = theme ? -1 : dark;
    for (int i = 0; theme && i < THEMES; i++)
        if (strcmp(themes[i], theme) == 0)
            found = i;
    if (found < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "theme '%s': is none; there are light, dark and print", theme);
    if (dark && theme && strcmp(theme, "dark") != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "theme '%s': is not dark; leave one of them out", theme);
    *look = *scree__look_plain(strcmp(themes[found], "dark") == 0);
    if (strcmp(themes[found], "print") == 0)
        take_print(look);
    return palette ? take_palette(look, palette, error) : SCREE_OK;
}
