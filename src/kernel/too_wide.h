/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TOO_WIDE_H
#define SCREE_KERNEL_TOO_WIDE_H

/* Whole numbers that no double is, and the mark that stands for one among doubles: a NaN of its own, which moves with
 * the rows and is refused by whoever uses the column (data/wide.h). So a column that nobody asks for may hold any. */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline double scree__too_wide(void)
{
    const uint64_t bits = UINT64_C(0x7ff8000077696465);
    double mark = 0;
    memcpy(&mark, &bits, sizeof mark);
    return mark;
}

static inline bool scree__is_too_wide(double value)
{
    const double mark = scree__too_wide();
    return memcmp(&value, &mark, sizeof mark) == 0;
}

/* sign · magnitude, or the mark where that is no double: its bits reach over more than 53 places. */
static inline double scree__double_of_whole(uint64_t magnitude, bool negative)
{
    if (magnitude > UINT64_C(1) << 53 && magnitude >> __builtin_ctzll(magnitude) >= UINT64_C(1) << 53)
        return scree__too_wide();
    return negative ? -(double)magnitude : (double)magnitude;
}

#endif
