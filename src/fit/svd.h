/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SVD_H
#define SCREE_FIT_SVD_H

/* Method svd of fewer rows than columns; see svd_wide.c. */

#include "fit/estimate.h"
#include "fit/job.h"

/* misjudged: nothing was found, as there are as many rows as columns, or more. */
scree_status scree__svd_wide(const scree__job *job, scree__solution *solution, bool *misjudged, scree_error *error);

/* What it takes beside the singular values of a triangle, and what is found. */
void scree__svd_wide_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort);

#endif
