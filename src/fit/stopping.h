/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_STOPPING_H
#define SCREE_FIT_STOPPING_H

/* Where more digits mean nothing: the goal of an iteration that nobody gave a tolerance; see stopping.c. */

#include "fit/job.h"
#include "kernel/goal.h"

enum { SCREE__SMALL_ORDER = 1000 }; /* of a matrix that is solved to the last digit in any case */

typedef struct scree__sampling_goal {
    scree__goal goal;
    double rows;  /* N */
    double total; /* tr S */
} scree__sampling_goal;

scree__sampling_goal scree__goal_sampling(double rows, double total);

/* The goal of a fit: the tolerance, where one was asked for, or the sampling error. */
typedef struct scree__stopping {
    scree__relative_goal relative;
    scree__sampling_goal sampling;
    const char *rule; /* see scree_model_view */
} scree__stopping;

/* rows and total are those of the solution; unit: that eigenvalues are given in. */
scree__stopping scree__stopping_of(const scree__job *job, const scree__solution *solution, double unit);
const scree__goal *scree__stopping_goal(const scree__stopping *stopping);

/* The same for an explicit matrix of order n: NULL where it is so small that all digits cost next to nothing. */
const scree__goal *scree__stopping_dense(const scree__stopping *stopping, int64_t n);

#endif
