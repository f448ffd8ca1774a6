/* SPDX-License-Identifier: BSD-3-Clause */
/* Rounding to half precision. Between 2^e and 2^(e+1) numbers are multiples of 2^(e-10), below 2^-14 of 2^-24: x is
 * divided by that power of two, rounded to a whole number, and multiplied again, of which only the rounding is not
 * exact. */

#include "base/half.h"

enum { LEAST_EXPONENT = -14, FRACTION_BITS = 10, BIAS = 15 };

static const double LARGEST = 65504.0;

/* The power of the last bit at x, which is not 0. */
static int last_bit(double x)
{
    const int exponent = ilogb(x);
    return (exponent > LEAST_EXPONENT ? exponent : LEAST_EXPONENT) - FRACTION_BITS;
}

double scree__half_nearest(double x)
{
    if (x == 0.0 || isnan(x) || isinf(x))
        return x;
    if (fabs(x) >= LARGEST)
        return copysign(LARGEST, x);
    const int power = last_bit(x);
    return ldexp(rint(ldexp(x, -power)), power);
}

uint16_t scree__half_store(double x)
{
    const unsigned sign = signbit(x) ? 0x8000u : 0u;
    if (isnan(x))
        return (uint16_t)(sign | 0x7e00u);
    if (isinf(x))
        return (uint16_t)(sign | 0x7c00u);
    const double value = fabs(scree__half_nearest(x));
    if (value == 0.0)
        return (uint16_t)sign;
    const int power = last_bit(value);
    const unsigned whole = (unsigned)ldexp(value, -power); /* with the bit that is implied, unless it is subnormal */
    const unsigned exponent = whole >> FRACTION_BITS ? (unsigned)(power + FRACTION_BITS + BIAS) : 0u;
    return (uint16_t)(sign | exponent << FRACTION_BITS | (whole & 0x3ffu));
}
