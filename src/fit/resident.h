/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_RESIDENT_H
#define SCREE_FIT_RESIDENT_H

/* The centred and scaled data as one matrix in memory, for methods that need N < D rows at once; where rows have
 * weights w, multiplied by √w. Where several processes share the columns, each has its own alone. */

#include "fit/job.h"

typedef struct scree__resident {
    const scree__ops *ops;
    int64_t rows;
    int64_t first; /* of the columns that are kept */
    int64_t cols;
    int64_t capacity; /* rows that data can hold */
    char *data;       /* rows×cols elements of the operations' type */
    double *weights;  /* rows of them, or NULL */
    double trace;     /* of the covariance of the scaled columns */
} scree__resident;

/* cols: that are kept. */
int64_t scree__resident_memory(const scree__job *job, const scree__ops *ops, int64_t cols);

/* One pass; fills solution->rows, mean, scale and total, and allocates the solution. columns: of this process; NULL:
 * all. */
scree_status scree__resident_load(scree__resident *resident, const scree__job *job, const scree__ops *ops,
                                  const scree__team_items *columns, scree__solution *solution, scree_error *error);
void scree__resident_clear(scree__resident *resident);

#endif
