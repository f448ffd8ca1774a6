/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_REST_H
#define SCREE_MODEL_REST_H

/* The eigenvalues beyond those that a model keeps, as far as its fit knows them: in bins, of one value each. */

#include "base/error.h"

enum { SCREE__REST_BINS = 64 }; /* at most */

typedef struct scree__rest {
    int64_t bins;   /* 0: nothing is known but their sum */
    double *values; /* bins, descending, ≥ 0 */
    double *counts; /* bins: how many eigenvalues each stands for, > 0 */
} scree__rest;

void scree__rest_clear(scree__rest *rest);

/* From values, descending; counts NULL: one each. The largest stay alone, the others are put together. */
scree_status scree__rest_gather(scree__rest *rest, const double *values, const double *counts, int64_t n,
                                scree_error *error);

/* At most so many bins, fewer than there are: a quarter of them for the largest alone. */
void scree__rest_coarsen(scree__rest *rest, int64_t most);

/* Sums over eigenvalues that were not computed one by one. */
typedef struct scree__rest_sums {
    double count;
    double sum;
    double squares; /* NaN: not known, and then they are taken for those of white noise */
    double most;    /* none is larger */
    double ratio;   /* of the sides of the data, in (0, 1]: what white noise spreads by */
} scree__rest_sums;

scree_status scree__rest_guess(scree__rest *rest, const scree__rest_sums *sums, scree_error *error);

#endif
