/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SELECT_SAMPLE_H
#define SCREE_FIT_SELECT_SAMPLE_H

/* A random sample of the rows of a pass, as doubles. */

#include "data/team.h"
#include "kernel/rows.h"

typedef struct scree__row_place {
    int64_t number; /* of the row, in the order in which rows were added */
    int64_t place;  /* in x */
} scree__row_place;

typedef struct scree__row_sample {
    int64_t rows;     /* kept */
    int64_t seen;     /* added, and those before the first one */
    int64_t capacity; /* the most that are kept */
    int64_t cols;
    uint64_t seed;
    double *x;                /* rows×cols, and room for one more than capacity */
    scree__row_place *places; /* number -1: nothing is there */
} scree__row_sample;

scree_status scree__row_sample_make(scree__row_sample *sample, int64_t capacity, int64_t cols, uint64_t seed,
                                    scree_error *error);
void scree__row_sample_clear(scree__row_sample *sample);
/* A row of x. */
void scree__row_sample_add(scree__row_sample *sample, const scree__rows *x, int64_t row);
/* Of rows that several processes share, each its own: the sample of all, in order. */
scree_status scree__row_sample_share(scree__row_sample *sample, scree__team *team, scree_error *error);
/* Puts the rows in their order. */
scree_status scree__row_sample_sort(scree__row_sample *sample, scree_error *error);

#endif
