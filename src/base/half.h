/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_HALF_H
#define SCREE_BASE_HALF_H

/* Numbers of half precision (IEEE 754 binary16): 10 bits of fraction, exponents from -14 to 15; subnormal numbers are
 * whole numbers times 2^-24. Every one is a float exactly. */

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float scree__half_load(uint16_t half)
{
    const uint32_t sign = (uint32_t)(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1fu;
    const uint32_t fraction = half & 0x3ffu;
    if (exponent == 0) {
        const float small = ldexpf((float)fraction, -24);
        return sign ? -small : small;
    }
    const uint32_t bits = sign | (exponent == 31 ? 255u : exponent + (127 - 15)) << 23 | fraction << 13;
    float value = 0.0F;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number of half precision nearest to x, ties to even; what is finite stays finite: at most 65504. */
double scree__half_nearest(double x);

/* The bits of the number nearest to x; infinities and NaN stay what they are. */
uint16_t scree__half_store(double x);

#endif
