/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CALLS_H
#define SCREE_KERNEL_CALLS_H

/* Genotypes of 2 bits: what their codes mean, and how many there are of each. */

#include <stdint.h>

/* The codes: copies of A1, or a call that is missing. */
enum { SCREE__CALL_TWO = 0, SCREE__CALL_MISSING = 1, SCREE__CALL_ONE = 2, SCREE__CALL_NONE = 3, SCREE__CALLS = 4 };

/* How many samples have each code. */
typedef struct scree__call_counts {
    int64_t of[SCREE__CALLS];
} scree__call_counts;

/* Of n calls, in (n + 3)/4 bytes. */
scree__call_counts scree__calls_count(const uint8_t *packed, int64_t n);

/* Calls that are there, the mean of their copies of A1, and the sum of squares about it; a mean of 0 where there are
 * none. Missing calls that become the mean add nothing to either. */
int64_t scree__calls_present(const scree__call_counts *counts);
double scree__calls_mean(const scree__call_counts *counts);
double scree__calls_squares(const scree__call_counts *counts);

/* √(2p(1-p)) for p = mean/2; 1 where that is not positive. */
double scree__calls_scale(double mean);

#endif
