/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_FIXED_DRAWS_H
#define SCREE_TESTS_FIXED_DRAWS_H

/* The same numbers in each run, of tests that want some that are nothing special: the high bits of a linear
 * congruential sequence (Knuth's MMIX). */

#include <stdint.h>

static uint64_t fixed_state = 1;

/* 0 .. 2³¹ - 1 */
static inline int fixed_draw(void)
{
    fixed_state = fixed_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int)(fixed_state >> 33);
}

#endif
