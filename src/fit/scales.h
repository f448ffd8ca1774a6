/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SCALES_H
#define SCREE_FIT_SCALES_H

/* The scales of columns that must be known before a fit: their ranges. */

#include "fit/job.h"

/* Where columns are to be divided by their ranges, and these are not known: *own, the caller's to free, which
 * options->scales become, by one pass. Else nothing is done, and *own is NULL. */
scree_status scree__scales_find(double **own, scree_fit_options *options, scree_source *source, scree_error *error);

/* The scale of column j, from its variance. */
double scree__scale_of(const scree__job *job, int64_t j, double variance);

/* Whether the options name scales that can be: given ones are positive numbers. */
scree_status scree__scales_check(const scree_fit_options *options, const scree_source *source, scree_error *error);

#endif
