/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_REPLICATES_H
#define SCREE_FIT_REPLICATES_H

/* Bootstrap replicates of the rows, gathered in the pass of a fit (replicates.c), and what they say of its model
 * (replicates_summary.c). */

#include "base/snapshot.h"
#include "fit/job.h"
#include "model/bootstrap.h"

enum { SCREE__REPLICATES_GROUP = 16 }; /* solved at once */

typedef struct scree__replicates {
    uint64_t seed;
    int threads;        /* that there is room for */
    double unit;        /* rows are given times this, unless columns are scaled; 1 where nobody says otherwise */
    int64_t count;      /* B */
    int64_t cols;       /* D */
    int64_t rows;       /* seen since the first */
    int64_t chunk_rows; /* a function of D */
    int64_t filled;     /* rows in the chunk */
    double *chunk;      /* chunk_rows×D */
    double *weights;    /* chunk_rows: of the rows themselves */
    int64_t *numbers;   /* chunk_rows: in the source */
    double *origin;     /* D: mean of the first chunk, subtracted from all */
    double *scatter;    /* B×D×D: Σ w (x - origin)(x - origin)ᵀ, upper triangles */
    double *sums;       /* B×(D + 1): Σ w (x - origin), Σ w */
    double *packed;     /* threads×chunk_rows×D */
    bool failed;        /* in the BLAS library */
} scree__replicates;

/* Adds what they cost to the cost of a method, where the job has any. */
void scree__replicates_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort);

/* *out stays NULL where the options ask for none. Fails where they cannot be had. */
scree_status scree__replicates_new(scree__replicates **out, const scree__job *job, scree_error *error);
void scree__replicates_free(scree__replicates *replicates); /* NULL-safe */

/* The next rows of a pass, in order; batch 0 begins anew. */
scree_status scree__replicates_add(scree__replicates *replicates, const scree__batch *batch, scree_error *error);
/* When all rows have been seen: the model's bootstrap. */
scree_status scree__replicates_finish(scree__replicates *replicates, scree_model *model, scree_error *error);

/* Rows that wait in the chunk are counted. */
scree_status scree__replicates_flush(scree__replicates *replicates, scree_error *error);

/* What the rows so far come to. */
void scree__replicates_move(scree__replicates *replicates, scree__snapshot *snapshot);

/* Poisson(1), a function of its arguments alone. */
int scree__poisson_weight(uint64_t seed, int64_t replicate, int64_t row);

#endif
