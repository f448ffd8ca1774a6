/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers as they stand in a text: digit by digit into 64 bits, and by the digits of a double where there are
 * more. Cost: about a nanosecond a digit; this is the closer look at numbers of 2^53 and beyond, which are rare. */

#include "base/number_whole.h"

#include <stdio.h>
#include <string.h>

enum { DECIMAL = 10, DIGITS_MOST = 310 /* of a double */ };

static const char *skip_sign(const char *text, const char *end)
{
    return text + (text < end && (*text == '-' || *text == '+'));
}

bool scree__is_whole_text(const char *text, const char *end)
{
    const char *p = skip_sign(text, end);
    const char *first = p;
    while (p < end && (unsigned)(*p - '0') < DECIMAL)
        p++;
    return p == end && p > first;
}

bool scree__whole_parse(scree__whole *whole, const char *text, const char *end)
{
    uint64_t magnitude = 0;
    if (!scree__is_whole_text(text, end))
        return false;
    for (const char *p = skip_sign(text, end); p < end; p++)
        if (__builtin_mul_overflow(magnitude, DECIMAL, &magnitude) ||
            __builtin_add_overflow(magnitude, (uint64_t)(*p - '0'), &magnitude))
            return false;
    *whole = (scree__whole){magnitude, *text == '-'};
    return true;
}

bool scree__whole_is_double(const char *text, const char *end, double value)
{
    char digits[DIGITS_MOST];
    const char *p = skip_sign(text, end);
    while (end - p > 1 && *p == '0')
        p++;
    if (!isfinite(value) || end - p >= DIGITS_MOST)
        return false;
    const int length = snprintf(digits, sizeof digits, "%.0f", fabs(value));
    return length == end - p && memcmp(digits, p, (size_t)length) == 0;
}
