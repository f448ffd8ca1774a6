/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_RESIDENT_H
#define SCREE_FIT_RESIDENT_H

/* The centred and scaled data as one matrix in memory, for methods that need N < D rows at once; where rows have
 * weights w, multiplied by √w. */

#include "fit/job.h"

typedef struct scree__resident {
    const scree__ops *ops;
    int64_t rows;
    int64_t cols;
    int64_t capacity; /* rows that data can hold */
    char *data;       /* rows×cols elements of the operations' type */
    double *weights;  /* rows of them, or NULL */
    double trace;     /* of the covariance of the scaled columns */
} scree__resident;

int64_t scree__resident_memory(const scree__job *job, const scree__ops *ops);

/* One pass; fills solution->rows, mean, scale and total, and allocates the solution. */
scree_status scree__resident_load(scree__resident *resident, const scree__job *job, const scree__ops *ops,
                                  scree__solution *solution, scree_error *error);
void scree__resident_clear(scree__resident *resident);

#endif
