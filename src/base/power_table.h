/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_BASE_POWER_TABLE_H
#define SCREE_BASE_POWER_TABLE_H

/* Powers of ten as 128 bits, for reading and printing numbers:
 *     10^q = (T + f) · 2^(scree__power_log2(q) - 127),   2^127 ≤ T < 2^128,  0 ≤ f < 1,  f = 0 exactly when 0 ≤ q ≤ 55
 */

#include <stdbool.h>
#include <stdint.h>

typedef unsigned __int128 scree__uint128;

enum { SCREE__POWER_MIN = -342, SCREE__POWER_MAX = 324, SCREE__POWER_EXACT = 55, SCREE__POWER_HEADS = 32 };

/* T of 10^q is at [q]. Made at the first call; safe from any thread. */
const scree__uint128 *scree__power_table(void);

/* The upper half of T of 10^-m is at [m], 0 ≤ m < SCREE__POWER_HEADS: all in a few lines of cache. */
const uint64_t *scree__power_heads(void);

static inline bool scree__power_is_exact(int q)
{
    return 0 <= q && q <= SCREE__POWER_EXACT;
}

/* floor(log2(10^q)), for |q| ≤ 1233. */
static inline int scree__power_log2(int q)
{
    return (q * 1741647) >> 19;
}

#endif
