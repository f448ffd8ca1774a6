/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PLAN_TEXT_H
#define SCREE_FIT_PLAN_TEXT_H

/* What a plan says: reasons for and against methods, and the sentences where none can do the job. */

#include "fit/method.h"

/* The reason for a method that takes gaps, where nobody asked for it. */
extern const char scree__plan_missing[];
/* The reason for a method to which another one gave way. */
extern const char scree__plan_gave_way[];

/* Fills the reasons of all entries that apply, and marks the best. The reason of the best, a constant. */
const char *scree__plan_explain(scree_plan_entry *entries, int64_t count, int64_t best, bool asked);

/* The reason of a method that needs more memory than the limit. */
void scree__plan_say_too_large(scree_plan_entry *entry, int64_t limit);

scree_status scree__plan_no_solver(const char *solver, scree_error *error);
scree_status scree__plan_nothing_fits(const scree__job *job, const scree_plan_entry *entries, int64_t count,
                                      scree_error *error);

#endif
