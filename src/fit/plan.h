/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PLAN_H
#define SCREE_FIT_PLAN_H

/* Which method: the cheapest that can do the job within its memory. */

#include "fit/job.h"

/* The table's method for the job, or an error that says why there is none. */
scree_status scree__plan_choose(const scree__method **chosen, const scree__job *job, scree_error *error);

#endif
