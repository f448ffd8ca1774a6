/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_QUOTIENT_H
#define SCREE_KERNEL_INTEGER_QUOTIENT_H

/* A quotient of integers as the double nearest to it: one rounding, to even in a tie. */

#include <stdint.h>

typedef __int128 scree__wide;

/* 0 < divisor < 2^96. */
double scree__wide_quotient(scree__wide dividend, scree__wide divisor);

/* The same; where both are exact as doubles, the processor's division is the nearest double already. */
static inline double scree__quotient(scree__wide dividend, scree__wide divisor)
{
    const scree__wide exact = (scree__wide)1 << 53;
    if (dividend <= exact && dividend >= -exact && divisor <= exact)
        return (double)(int64_t)dividend / (double)(int64_t)divisor;
    return scree__wide_quotient(dividend, divisor);
}

#endif
