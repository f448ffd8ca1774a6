/* SPDX-License-Identifier: BSD-3-Clause */
/* Double to the shortest text that reads back the same, after Giulietti's Schubfach (2020).
 * With v = c·2^q, the reals that round to v are an interval around it, closed when c is even. For the largest k with
 * 10^k no wider than the interval, one or two multiples of 10^k, and at most one of 10^(k+1), need be looked at. Their
 * comparison with the interval's ends is done on 4v·10^-k rounded to odd: the integer part of the product with 128 bits
 * of 10^-k, rounded up, its last bit set when the product has a fraction. Giulietti shows that this decides as the
 * exact product would. Three products of 64 by 128 bits a number. */

#include "base/number.h"

#include "base/power_table.h"

#include <stdbool.h>
#include <string.h>

/* digits·10^power */
typedef struct decimal {
    uint64_t digits;
    int power;
} decimal;

/* floor(g·c / 2^128), made odd when something was cut off. */
static uint64_t multiply_to_odd(scree__uint128 g, uint64_t c)
{
    scree__uint128 low = (scree__uint128)(uint64_t)g * c;
    scree__uint128 high = (scree__uint128)(uint64_t)(g >> 64) * c + (uint64_t)(low >> 64);
    return (uint64_t)(high >> 64) | ((uint64_t)high > 1);
}

/* The shortest decimal for c·2^q, c > 0. narrow: the next number below is only half as far as the one above. */
static decimal shortest(uint64_t c, int q, bool narrow)
{
    bool odd = c & 1;
    /* k = floor(log10(2^q)), of 3/4·2^q when narrow. */
    int k = (q * 1262611 - (narrow ? 524031 : 0)) >> 22;
    int h = q + scree__power_log2(-k) + 1;
    scree__uint128 g = scree__power_table()[-k] + !scree__power_is_exact(-k);
    uint64_t v = multiply_to_odd(g, 4 * c << h);
    uint64_t lower = multiply_to_odd(g, (4 * c - 2 + narrow) << h) + odd;
    uint64_t upper = multiply_to_odd(g, (4 * c + 2) << h) - odd;

    uint64_t s = v / 4;
    uint64_t tens = s / 10;
    bool below = tens > 0 && lower <= 40 * tens;
    bool above = tens > 0 && 40 * tens + 40 <= upper;
    if (below != above)
        return (decimal){tens + above, k + 1};
    below = lower <= 4 * s;
    above = 4 * s + 4 <= upper;
    if (below != above)
        return (decimal){s + above, k};
    uint64_t middle = 4 * s + 2;
    return (decimal){s + (v > middle || (v == middle && (s & 1))), k};
}

/* Puts the digits before end, without zeros behind the last one; returns the first. */
static const char *write_digits(char *end, decimal *d)
{
    while (d->digits % 10 == 0) {
        d->digits /= 10;
        d->power++;
    }
    uint64_t rest = d->digits;
    do
        *--end = (char)('0' + rest % 10);
    while (rest /= 10);
    return end;
}

static char *write_exponent(char *p, int exponent)
{
    *p++ = 'e';
    if (exponent < 0)
        *p++ = '-';
    unsigned e = (unsigned)(exponent < 0 ? -exponent : exponent);
    if (e >= 100)
        *p++ = (char)('0' + e / 100);
    if (e >= 10)
        *p++ = (char)('0' + e / 10 % 10);
    *p++ = (char)('0' + e % 10);
    return p;
}

static char *write_zeros(char *p, int count)
{
    memset(p, '0', (size_t)count);
    return p + count;
}

/* With a point where that is readable, with an exponent below 1e-4 and from 1e16 on. */
static char *write_decimal(char *p, decimal d)
{
    char buffer[24];
    const char *digits = write_digits(buffer + sizeof buffer, &d);
    int count = (int)(buffer + sizeof buffer - digits);
    int point = count + d.power; /* digits before the point */
    int whole = point < -3 || point > 16 ? 1 : point;
    if (whole <= 0) {
        *p++ = '0';
        *p++ = '.';
        p = write_zeros(p, -whole);
        whole = 0;
    }
    int before = whole < count ? whole : count;
    memcpy(p, digits, (size_t)before);
    p += before;
    p = write_zeros(p, whole - before);
    if (before < count && before > 0)
        *p++ = '.';
    memcpy(p, digits + before, (size_t)(count - before));
    p += count - before;
    return point < -3 || point > 16 ? write_exponent(p, point - 1) : p;
}

/* A floating-point number taken apart; the field exponent is all ones in inf and nan. */
typedef struct parts {
    bool negative;
    bool special;
    uint64_t fraction;
    int exponent;
    int fraction_bits;
    int bias; /* value = significand·2^(exponent - bias) */
} parts;

static int print(char *buffer, parts x)
{
    char *p = buffer;
    if (x.special && x.fraction) {
        memcpy(p, "nan", 4);
        return 3;
    }
    if (x.negative)
        *p++ = '-';
    if (x.special) {
        memcpy(p, "inf", 3);
        p += 3;
    } else if (x.exponent == 0 && x.fraction == 0) {
        *p++ = '0';
    } else {
        uint64_t hidden = x.exponent ? UINT64_C(1) << x.fraction_bits : 0;
        bool narrow = x.fraction == 0 && x.exponent > 1;
        p = write_decimal(p, shortest(hidden | x.fraction, (x.exponent ? x.exponent : 1) - x.bias, narrow));
    }
    *p = 0;
    return (int)(p - buffer);
}

int scree__print_double(char *buffer, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 52 & 2047);
    return print(buffer, (parts){bits >> 63, exponent == 2047, bits & ((UINT64_C(1) << 52) - 1), exponent, 52, 1075});
}

int scree__print_float(char *buffer, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 23 & 255);
    return print(buffer, (parts){bits >> 31, exponent == 255, bits & ((1u << 23) - 1), exponent, 23, 150});
}
