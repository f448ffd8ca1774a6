/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of powers, made once by exact arithmetic on a big integer x of 1024 bits. The leading bits of 10^q are
 * those of 5^q. Upwards x = 5^q, exact: 5^324 has 753 bits. Downwards x = floor(2^1023 / 5^n), which the identity
 * floor(floor(a/b)/c) = floor(a/(bc)) lets us find by dividing by five n times: 5^342 has 795 bits, so at least 228
 * bits are left. T is the leading 128 bits of x, cut off. A few microseconds in all. */

#include "base/power_table.h"

#include <pthread.h>

enum { WORDS = 16 };

static scree__uint128 table[SCREE__POWER_MAX - SCREE__POWER_MIN + 1];
static uint64_t heads[SCREE__POWER_HEADS];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void times_five(uint64_t x[WORDS])
{
    scree__uint128 carry = 0;
    for (int i = 0; i < WORDS; i++) {
        carry += (scree__uint128)x[i] * 5;
        x[i] = (uint64_t)carry;
        carry >>= 64;
    }
}

static void over_five(uint64_t x[WORDS])
{
    scree__uint128 rest = 0;
    for (int i = WORDS - 1; i >= 0; i--) {
        rest = rest << 64 | x[i];
        x[i] = (uint64_t)(rest / 5);
        rest %= 5;
    }
}

/* The 128 bits that begin with the first one bit; x is not 0. */
static scree__uint128 leading_bits(const uint64_t x[WORDS])
{
    int top = WORDS - 1;
    while (!x[top])
        top--;
    int shift = __builtin_clzll(x[top]);
    uint64_t next = top > 0 ? x[top - 1] : 0;
    uint64_t last = top > 1 ? x[top - 2] : 0;
    scree__uint128 bits = ((scree__uint128)x[top] << 64 | next) << shift;
    return shift ? bits | last >> (64 - shift) : bits;
}

static void make_table(void)
{
    uint64_t up[WORDS] = {1};
    for (int q = 0; q <= SCREE__POWER_MAX; q++) {
        table[q - SCREE__POWER_MIN] = leading_bits(up);
        times_five(up);
    }
    uint64_t down[WORDS] = {0};
    down[WORDS - 1] = UINT64_C(1) << 63;
    for (int q = -1; q >= SCREE__POWER_MIN; q--) {
        over_five(down);
        table[q - SCREE__POWER_MIN] = leading_bits(down);
    }
    for (int m = 0; m < SCREE__POWER_HEADS; m++)
        heads[m] = (uint64_t)(table[-m - SCREE__POWER_MIN] >> 64);
}

const scree__uint128 *scree__power_table(void)
{
    pthread_once(&once, make_table);
    return table - SCREE__POWER_MIN;
}

const uint64_t *scree__power_heads(void)
{
    pthread_once(&once, make_table);
    return heads;
}
