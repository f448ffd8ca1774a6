/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_PACE_H
#define SCREE_KERNEL_PACE_H

/* How fast an iteration converges, from looks at its residuals; see pace.c. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__pace {
    int64_t seen;  /* columns at the last look */
    double excess; /* the largest residual over what it may be, then */
    double left;   /* columns still to come, as it seems; HUGE_VAL: it cannot be told */
    int64_t next;  /* columns at which to look again */
} scree__pace;

scree__pace scree__pace_from(int64_t first_look);

/* A look after so many columns, of steps of so many. */
void scree__pace_look(scree__pace *pace, int64_t columns, int64_t step, double excess);

/* Whether another way, which takes the worth of so many columns, is shorter from here. */
bool scree__pace_gives_way(const scree__pace *pace, double worth);

#endif
