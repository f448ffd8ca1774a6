/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_COURSE_H
#define SCREE_FIT_COURSE_H

/* The course of a fit: how far it is, and how long it has still to go, as its caller is told; see course.c. Where
 * nobody listens there is none: a course that is NULL takes all calls. */

#include "base/watch.h"

typedef struct scree__course {
    scree_progress_fn tell; /* the caller's */
    void *context;
    double rows_seconds; /* planned: for passes over the rows, */
    double rest_seconds; /* and for what follows them; both 0: there is no plan yet */
    double later;        /* and for what comes after all that */
    double began;        /* of the one that is at work */
    const char *part;    /* of what follows; NULL: it is the rows */
    double told;         /* when the caller last heard of it */
    double steps;        /* done of an iteration over the rows, from 0 to 1; negative: there is none */
    double stride;       /* that its last step was */
    scree_progress pass; /* the last one that was told */
} scree__course;

/* The course of a run that somebody listens to: the run tells it, and it tells them. */
void scree__course_open(scree__course *course, scree_run *run);
/* That of a run; NULL: it has none. */
scree__course *scree__course_of(const scree_run *run);

/* Something begins that reads rows, and was planned to take so long; later: what comes when it is over. The caller is
 * told. */
scree_status scree__course_plan(scree__course *course, const char *stage, double rows_seconds, double rest_seconds,
                                double later, scree_error *error);
/* For steps of an iteration, each of which is a pass over the rows or several. */
scree__watch scree__course_steps(scree__course *course);
/* For a part of what follows the rows, from one share of it to another. name: a constant. */
scree__watch scree__course_part(scree__course *course, const char *name, double from, double to);

#endif
