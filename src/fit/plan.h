/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PLAN_H
#define SCREE_FIT_PLAN_H

/* Which method: the cheapest that can do the job within its memory. */

#include "fit/job.h"

/* The solver that options ask for: em for Bayes, and where cells are known to be missing before any is read; NULL: any.
 */
const char *scree__plan_solver(const scree_source *source, const scree_fit_options *options);

/* The table's method for the job, or an error that says why there is none. */
scree_status scree__plan_choose(const scree__method **chosen, const scree__job *job, scree_error *error);

#endif
