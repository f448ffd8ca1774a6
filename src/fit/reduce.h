/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_REDUCE_H
#define SCREE_FIT_REDUCE_H

/* The seam "reduce": the only thing that methods do across processes is to add up arrays of doubles. Here there is one
 * process, and the sum is what it has. */

#include "base/error.h"

typedef struct scree__reduce {
    /* values (count of them) become their sums over all processes. */
    scree_status (*sum)(void *context, double *values, int64_t count, scree_error *error);
    void *context;
} scree__reduce;

extern const scree__reduce scree__reduce_local;

/* The number of rows, and their total weight: one each where they have no weights. */
typedef struct scree__counted {
    int64_t rows;
    double weight;
} scree__counted;

/* Rows, mean (D) and scatter (D×D, or its diagonal) of this process become those of all. */
scree_status scree__reduce_moments(const scree__reduce *reduce, scree__counted *counted, double *mean, double *scatter,
                                   int64_t cols, bool diagonal, scree_error *error);

#endif
