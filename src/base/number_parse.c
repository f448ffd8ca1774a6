/* SPDX-License-Identifier: BSD-3-Clause */
/* Text to double, correctly rounded. The digits give an integer w and a power q, the value being w·10^q.
 *   1. Clinger and
 *   2. Eisel and Lemire, as number_round.h has them; where the latter cannot tell, once more with every case. Digits
 *      past the 19th are cut off: w and w+1 must then give the same double.
 *   3. What is left (ties and near-ties, subnormals, overflow) goes to strtod as "digits e power", without a point, and
 *      so the same in every locale. 768 digits and a sign that others follow decide any rounding.
 * Cost: about a nanosecond a digit in 1 and 2; 3 is rare. */

#include "base/number.h"

#include "base/number_round.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DIGITS_EXACT = 19,    /* that fit in 64 bits, whatever they are */
    DIGITS_DECISIVE = 768 /* more than any halfway point between two doubles has */
};

/* A number as it stands in the text. */
typedef struct decimal {
    const char *digits; /* the first one */
    const char *end;    /* after the last digit or the point */
    int64_t power;      /* of ten, of the last digit */
    int64_t count;      /* of digits */
    uint64_t w;         /* all the digits, right when there are at most 19 */
} decimal;

/* The number of eight digits 0 to 9, the first in the lowest byte: pairs, then fours, then all. */
static uint64_t eight_digits(uint64_t bytes)
{
    bytes = bytes * 10 + (bytes >> 8);
    uint64_t even = (bytes & 0x000000FF000000FF) * 0x000F424000000064;
    uint64_t odd = (bytes >> 16 & 0x000000FF000000FF) * 0x0000271000000001;
    return (even + odd) >> 32;
}

/* Appends the digits at p to w. Eight bytes at a time: how many of them are digits is counted, not branched on, since
 * that is different from number to number; moved up, with zeros in front, they are eight digits again. */
static inline const char *read_digits(const char *p, const char *end, uint64_t *w)
{
    static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    uint64_t value = *w;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t bytes;
        memcpy(&bytes, p, 8);
        bytes ^= 0x3030303030303030;
        uint64_t others = (((bytes & 0x7F7F7F7F7F7F7F7F) + 0x7676767676767676) | bytes) & 0x8080808080808080;
        if (others) {
            int count = __builtin_ctzll(others) / 8;
            *w = value * tens[count] + eight_digits(bytes << 8 << (56 - 8 * count));
            return p + count;
        }
        value = value * 100000000 + eight_digits(bytes);
        p += 8;
    }
#endif
    while (p < end && (unsigned)(*p - '0') < 10)
        value = value * 10 + (unsigned)(*p++ - '0');
    *w = value;
    return p;
}

/* The exponent after "e"; without digits it is none, and stays to be read by others. */
static const char *read_exponent(const char *p, const char *end, int64_t *power)
{
    const char *start = p++;
    bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    if (p == end || (unsigned)(*p - '0') >= 10)
        return start;
    int64_t exponent = 0;
    for (; p < end && (unsigned)(*p - '0') < 10; p++)
        if (exponent < INT64_C(1000000000000))
            exponent = 10 * exponent + (*p - '0');
    *power += negative ? -exponent : exponent;
    return p;
}

static inline const char *read_decimal(decimal *d, const char *p, const char *end)
{
    d->digits = p;
    d->w = 0;
    d->power = 0;
    p = read_digits(p, end, &d->w);
    d->count = p - d->digits;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = read_digits(p, end, &d->w);
        d->power = fraction - p;
        d->count += p - fraction;
    }
    if (d->count == 0)
        return NULL;
    d->end = p;
    return p < end && (*p | 0x20) == 'e' ? read_exponent(p, end, &d->power) : p;
}

/* Step 2 with everything said of ties and of exact powers; false when it still cannot tell. */
static bool convert_wide(uint64_t w, int64_t power, double *value)
{
    if (power < SCREE__POWER_MIN || power > 308)
        return false;
    int q = (int)power;
    int shift = __builtin_clzll(w);
    w <<= shift;
    scree__uint128 t = scree__power_table()[q];
    scree__uint128 low = (scree__uint128)w * (uint64_t)t;
    scree__uint128 high = (scree__uint128)w * (uint64_t)(t >> 64) + (uint64_t)(low >> 64);

    /* wT = high·2^64 + rest. The 53 bits from the first one bit on are the significand, the others the remainder. */
    int extra = 74 + (int)(high >> 127);
    uint64_t significand = (uint64_t)(high >> extra);
    scree__uint128 half = (scree__uint128)1 << (extra - 1);
    scree__uint128 remainder = high & (2 * half - 1);
    bool exact = scree__power_is_exact(q);
    if (remainder >= half) {
        bool tie = exact && remainder == half && (uint64_t)low == 0;
        significand += !tie || (significand & 1);
    } else if (remainder == half - 1 && !exact) {
        return false;
    }
    if (significand >> 53) {
        significand >>= 1;
        extra++;
    }
    int biased = extra + 64 - shift + scree__power_log2(q) - 127 + 52 + 1023;
    if (biased < 1 || biased > 2046)
        return false;
    uint64_t bits = (uint64_t)biased << 52 | (significand & ((UINT64_C(1) << 52) - 1));
    memcpy(value, &bits, sizeof bits);
    return true;
}

static bool convert(uint64_t w, int64_t power, double *value)
{
    if (w == 0) {
        *value = 0;
        return true;
    }
    return scree__round_short(w, power, value) || scree__round_long(w, power, scree__power_table(), value) ||
           convert_wide(w, power, value);
}

/* Up to DIGITS_DECISIVE digits from the first that is not 0, then a 1 for whatever follows them. */
static double convert_slowly(const decimal *d)
{
    char text[DIGITS_DECISIVE + 32];
    int length = 0;
    int64_t power = d->power;
    bool more = false;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.' || (length == 0 && *p == '0'))
            continue;
        if (length < DIGITS_DECISIVE) {
            text[length++] = *p;
        } else {
            more = more || *p != '0';
            power++;
        }
    }
    if (more) {
        text[length++] = '1';
        power--;
    }
    snprintf(text + length, sizeof text - (size_t)length, "e%lld", (long long)power);
    return strtod(text, NULL);
}

/* More than 19 digits: leading zeros do not count, and those past the 19th leave w too small by less than one. */
static double convert_long(decimal *d)
{
    const char *p = d->digits;
    uint64_t w = 0;
    int64_t kept = 0;
    int64_t left = d->count;
    while (p < d->end && (*p == '0' || *p == '.'))
        left -= *p++ != '.';
    for (; p < d->end && kept < DIGITS_EXACT; p++)
        if (*p != '.') {
            w = 10 * w + (unsigned)(*p - '0');
            kept++;
        }
    double lower;
    double upper;
    int64_t cut = left - kept;
    if (convert(w, d->power + cut, &lower) && (cut == 0 || (convert(w + 1, d->power + cut, &upper) && lower == upper)))
        return lower;
    return convert_slowly(d);
}

/* The length of word when the text begins with it, in any case, else 0. */
static int64_t starts_with(const char *text, const char *end, const char *word)
{
    int64_t length = (int64_t)strlen(word);
    if (end - text < length)
        return 0;
    for (int64_t i = 0; i < length; i++)
        if ((text[i] | 0x20) != word[i])
            return 0;
    return length;
}

static const char *parse_word(const char *p, const char *end, double *value)
{
    int64_t length = starts_with(p, end, "nan");
    *value = length ? (double)NAN : (double)INFINITY;
    if (!length)
        length = starts_with(p, end, "infinity");
    if (!length)
        length = starts_with(p, end, "inf");
    return length ? p + length : NULL;
}

const char *scree__parse_double(const char *text, const char *end, double *value)
{
    decimal d;
    double magnitude;
    char sign = text < end ? *text : 0;
    const char *p = text + ((sign == '-') | (sign == '+'));
    const char *after = read_decimal(&d, p, end);
    if (!after) {
        after = parse_word(p, end, &magnitude);
        if (!after)
            return NULL;
    } else if (d.count > DIGITS_EXACT) {
        magnitude = convert_long(&d);
    } else if (!convert(d.w, d.power, &magnitude)) {
        magnitude = convert_slowly(&d);
    }
    *value = magnitude * (1 - 2 * (sign == '-')); /* no branch: signs are hard to predict */
    return after;
}
