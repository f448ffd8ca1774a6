/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_HELD_H
#define SCREE_FIT_HELD_H

/* All rows of a job in memory, as they are: lent where they lie in memory already, else a copy in their own type. Where
 * several processes share the columns, each has its own alone. */

#include "fit/job.h"

typedef struct scree__held {
    scree__rows x; /* from the first column that is held on */
    int64_t first;
    char *data;       /* what is owned */
    double *weights;  /* rows of them, or NULL */
    int64_t capacity; /* rows that data can hold */
} scree__held;

/* How several processes share the columns. */
scree__team_items scree__held_items(const scree__job *job);

/* Whether rows are lent. */
bool scree__held_are_lent(const scree__job *job);

int64_t scree__held_memory(const scree__job *job);

/* One pass. Rows that are copied are known to be finite afterwards; those that are lent were not looked at. Cleared
 * also after a failure. */
scree_status scree__held_load(scree__held *held, const scree__job *job, scree__solution *solution, scree_error *error);
void scree__held_clear(scree__held *held);

/* The sentence for a cell that is not finite, where rows are lent and have one; otherwise nothing. */
scree_status scree__held_check(const scree__held *held, const scree__job *job, scree_error *error);

#endif
