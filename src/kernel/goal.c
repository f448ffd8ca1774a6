/* SPDX-License-Identifier: BSD-3-Clause */
/* Goals that know nothing of statistics: a relative tolerance, and a looser one for a search that is made sure of
 * later. */

#include "kernel/goal.h"

#include <math.h>

static void allow_share(const scree__goal *goal, const double *values, int64_t known, int64_t k, double *allowed)
{
    const scree__relative_goal *g = (const scree__relative_goal *)goal;
    (void)known;
    for (int64_t j = 0; j < k; j++)
        allowed[j] = fmax(g->tolerance * values[j], SCREE__GOAL_ROUNDING * values[0]);
}

scree__relative_goal scree__goal_relative(double tolerance)
{
    return (scree__relative_goal){{allow_share}, tolerance};
}

static void allow_more(const scree__goal *goal, const double *values, int64_t known, int64_t k, double *allowed)
{
    const scree__loose_goal *g = (const scree__loose_goal *)goal;
    g->of->allow(g->of, values, known, k, allowed);
    for (int64_t j = 0; j < k; j++)
        allowed[j] = fmax(g->factor * allowed[j], g->least * values[j]);
}

scree__loose_goal scree__goal_loosened(const scree__goal *goal, double factor, double least)
{
    return (scree__loose_goal){{allow_more}, goal, factor, least};
}
