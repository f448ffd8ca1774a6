/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_NORMALISED_H
#define SCREE_DATA_NORMALISED_H

/* A source around a source: each row divided by its sum and multiplied by one number, so that rows that were counted to
 * different depths compare. */

#include "data/source.h"

typedef struct scree__normal {
    double target;   /* what rows are brought to in sum; 0: they stay as they are */
    bool log1p;      /* and log(1 + x) of every cell after that */
    int64_t columns; /* of how many columns the sums were that a model knows; 0: there is no model */
    int64_t chosen;  /* and how many of these it kept */
} scree__normal;

/* Sums are over all columns of the file, where the inner source leaves some out. Fails where the rows have no column
 * beyond those that the model kept, and its sums were over more. The inner source is borrowed: it must not be used
 * before this one is closed, and outlives it. */
scree_status scree__normalised_open(scree_source **out, scree_source *inner, const scree__normal *normal,
                                    scree_error *error);

/* Rows whose sum is 0, which stay as they are, since the source was opened or rewound. */
int64_t scree__normalised_empty(const scree_source *source);

/* How many columns the sums of the rows of a source are over. */
int64_t scree__source_summed(const scree_source *source);

/* The median of the sums of all rows that are not 0, in one pass. */
scree_status scree__normal_median(double *median, scree_source *source, const scree_run *run, scree_error *error);

#endif
