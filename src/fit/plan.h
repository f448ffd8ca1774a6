/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_PLAN_H
#define SCREE_FIT_PLAN_H

/* Which method: the fastest that can do the job within its memory. */

#include "fit/method.h"

/* The solver that options ask for: for Bayes, and where cells are known to be missing before any is read, the one that
 * takes these; NULL: any. */
const char *scree__plan_solver(const scree_source *source, const scree_fit_options *options);

/* A method of the table. */
typedef struct scree__choice {
    const scree__method *method;
    const char *reason; /* why, for people; a constant */
    double rival;       /* seconds of the next best on the reference machine; 0: there is none, or it was asked for */
} scree__choice;

/* The method for the job, or an error that says why there is none. Nothing is measured, read or written. */
scree_status scree__plan_choose(scree__choice *choice, const scree__job *job, scree_error *error);

/* Seconds that a method is thought to take here: reading rows and what is done to them as they come, and what follows.
 * cache: a folder where the speed of the machine may be kept; NULL: it is not. */
void scree__plan_parts(const scree__job *job, const scree__method *method, const char *cache, double *rows,
                       double *rest);

/* Seconds of an effort and so many passes on the reference machine, on which methods are compared. */
double scree__plan_seconds(const scree__job *job, const scree__effort *effort, int passes);

#endif
