/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_STOPPING_H
#define SCREE_FIT_STOPPING_H

/* Where more digits mean nothing: the goal of an iteration that nobody gave a tolerance; see stopping.c. */

#include "kernel/goal.h"

typedef struct scree__sampling_goal {
    scree__goal goal;
    double rows;  /* N */
    double total; /* tr S */
} scree__sampling_goal;

scree__sampling_goal scree__goal_sampling(double rows, double total);

#endif
