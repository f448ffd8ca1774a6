/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_NUMBER_ROUND_H
#define SCREE_BASE_NUMBER_ROUND_H

/* The double nearest to w·10^q, for the two readers of numbers. Both ways round once, and have no branch that depends
 * on the digits: those could not be predicted.
 *   1. Clinger: w ≤ 2^53 and 10^|q| ≤ 10^22 are exact doubles; one multiplication or division rounds.
 *   2. Eisel and Lemire: with T the first 128 bits of 10^q, cut off, and w moved up to 64 bits, the true product V lies
 *      in [wT, wT + 2^64). Of wT the upper 128 bits P are kept, so V/2^64 lies in [P, P + 2). Its first 54 bits are the
 *      significand and a bit for rounding; of the 74 or 73 below, all but the lowest being 0, or being 1, means a
 *      tie, or a carry that is not certain: then it cannot tell, which is as rare as that sounds but for short w. */

#include "base/power_table.h"

#include <string.h>

/* Step 1; false when it does not apply. */
static inline bool scree__round_short(uint64_t w, int64_t q, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (w > UINT64_C(1) << 53 || q < -22 || q > 22)
        return false;
    *value = q <= 0 ? (double)w / tens[-q] : (double)w * tens[q];
    return true;
}

/* Step 2 for w > 0, with the table of powers; false when it cannot tell. */
static inline bool scree__round_long(uint64_t w, int64_t q, const scree__uint128 *powers, double *value)
{
    if (q < SCREE__POWER_MIN || q > 308)
        return false;
    const int shift = __builtin_clzll(w);
    const scree__uint128 t = powers[q];
    const scree__uint128 low = (scree__uint128)(w << shift) * (uint64_t)t;
    const scree__uint128 product = (scree__uint128)(w << shift) * (uint64_t)(t >> 64) + (uint64_t)(low >> 64);
    const uint64_t high = (uint64_t)(product >> 64);
    const uint64_t rest = (uint64_t)product;
    const int top = (int)(high >> 63);
    const int below = 9 + top; /* bits of high after the one for rounding */
    const uint64_t tail = high & ((UINT64_C(1) << below) - 1);
    if (rest + 2 <= 3 && (tail == 0 || tail == (UINT64_C(1) << below) - 1))
        return false;
    uint64_t significand = high >> below;
    significand = (significand + 1) >> 1; /* up where the last bit is 1; to 2^53 when it overflows */
    const int64_t biased = scree__power_log2((int)q) + 64 + top - shift + 1023 - 1;
    if (biased < 1 || biased > 2045)
        return false;
    const uint64_t bits = ((uint64_t)(biased - 1) << 52) + significand; /* its bit 52 adds one to the exponent */
    memcpy(value, &bits, sizeof bits);
    return true;
}

#endif
