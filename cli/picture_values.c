/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers of option values for pictures: lists of components and rows, lengths, shapes of images. */

#include "picture_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "1,2" or "3,7-9", numbers from 1; at most CLI_LISTED of them. */
const char *cli_read_list(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "numbers from 1 and ranges, such as 1,2 or 3,7-9, at most 64 in all";
    cli_list *all = where;
    (void)option;
    all->count = 0;
    while (*text) {
        char *end = NULL;
        const long long first = strtoll(text, &end, 10);
        long long last = first;
        if (end == text || first < 1)
            return wanted;
        if (*end == '-') {
            text = end + 1;
            last = strtoll(text, &end, 10);
            if (end == text || last < first || last - first >= CLI_LISTED)
                return wanted;
        }
        for (long long i = 0; i <= last - first; i++) { /* first + i may be the largest there is */
            if (all->count == CLI_LISTED)
                return wanted;
            all->items[all->count++] = first - 1 + i;
        }
        if (*end && (*end != ',' || !end[1]))
            return wanted;
        text = *end ? end + 1 : end;
    }
    return all->count > 0 ? NULL : wanted;
}

const char *cli_read_rows(void *where, const char *text, const cli_option *option)
{
    if (strcmp(text, "none") == 0) {
        ((cli_list *)where)->count = 0;
        return NULL;
    }
    return cli_read_list(where, text, option) ? "row numbers from 1 and ranges, such as 3,17 or 5-8, or none" : NULL;
}

const char *cli_read_shares(void *where, const char *text, const cli_option *option)
{
    static const char wanted[] = "shares above 0 and below 1, such as 0.95 or 0.5,0.95, at most 8";
    cli_shares *all = where;
    (void)option;
    all->count = 0;
    while (*text) {
        char *end = NULL;
        const double share = strtod(text, &end);
        if (end == text || !(share > 0.0 && share < 1.0) || all->count == CLI_SHARES ||
            (*end && (*end != ',' || !end[1])))
            return wanted;
        all->items[all->count++] = share;
        text = *end ? end + 1 : end;
    }
    return all->count > 0 ? NULL : wanted;
}

const char *cli_read_length(void *where, const char *text, const cli_option *option)
{
    static const double pixels_a_mm = 96.0 / 25.4;
    cli_length *l = where;
    char *end = NULL;
    const double value = strtod(text, &end);
    (void)option;
    l->print = strcmp(end, "mm") == 0;
    if (end == text || !(value > 0.0 && isfinite(value)) || (*end && !l->print && strcmp(end, "px") != 0))
        return "a length in pixels such as 800, or in millimetres such as 85mm";
    l->pixels = l->print ? value * pixels_a_mm : value;
    return NULL;
}

/* Stored as two numbers, rows first. */
const char *cli_read_shape(void *where, const char *text, const cli_option *option)
{
    char *end = NULL;
    int64_t *shape = where;
    (void)option;
    shape[0] = strtoll(text, &end, 10);
    if (end == text || *end != 'x')
        return "rows and columns of pixels, such as 28x28";
    text = end + 1;
    shape[1] = strtoll(text, &end, 10);
    return end == text || *end || shape[0] < 1 || shape[1] < 1 ? "rows and columns of pixels, such as 28x28" : NULL;
}
