/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_GOAL_H
#define SCREE_KERNEL_GOAL_H

/* When an iteration may stop: what the residuals ‖Su - θu‖ of its Ritz pairs may be. */

#include <stdint.h>

#define SCREE__GOAL_ROUNDING (64 * 0x1p-53) /* of the largest value: no goal is smaller */

typedef struct scree__goal scree__goal;
struct scree__goal {
    /* allowed_j for j < k, of the values (descending, known of them; known ≥ k). */
    void (*allow)(const scree__goal *goal, const double *values, int64_t known, int64_t k, double *allowed);
};

/* A share of each value; never less than what rounding leaves of the largest. */
typedef struct scree__relative_goal {
    scree__goal goal;
    double tolerance;
} scree__relative_goal;

scree__relative_goal scree__goal_relative(double tolerance);

/* Another goal, loosened: times the factor, and no less than a share of each value. */
typedef struct scree__loose_goal {
    scree__goal goal;
    const scree__goal *of;
    double factor;
    double least;
} scree__loose_goal;

scree__loose_goal scree__goal_loosened(const scree__goal *goal, double factor, double least);

#endif
