/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_RANGE_H
#define SCREE_FIT_RANGE_H

/* Fits of rows whose squares doubles cannot hold, or not with all their digits: the rows are multiplied by powers of
 * two, and what was found is divided by them. */

#include "fit/job.h"

typedef struct scree__range {
    double *factor; /* D, by which rows are multiplied: the same for all columns unless these are scaled */
    double *seen;   /* D: the weight of the cells that are there */
} scree__range;

/* One pass over the rows; an error where every column is constant. */
scree_status scree__range_find(scree__range *range, const scree__job *job, scree_error *error);
void scree__range_clear(scree__range *range);

/* What was found of the rows times the factors becomes what it is of the rows; an error where eigenvalues, or the
 * variances that columns are scaled by, are out of the range in which doubles have all their digits. */
scree_status scree__range_restore(const scree__range *range, const scree__job *job, scree__solution *solution,
                                  scree_error *error);

#endif
