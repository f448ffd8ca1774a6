/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SELECT_TALL_H
#define SCREE_FIT_SELECT_TALL_H

/* Folds of rows as they are read: each with mean and scatter of its own; see select_tall.c and, where several processes
 * share the rows, select_tall_together.c. */

#include "fit/reduce.h"
#include "fit/selection.h"
#include "kernel/moments.h"

enum { SCREE__DEAL_ROWS = 256 }; /* read at a time */

typedef struct scree__fold {
    scree__moments *moments;
    char *rows;      /* waiting, of the source's type */
    double *weights; /* of these, where they have any */
    int64_t held;
    int64_t added;   /* rows in the moments */
    double n;        /* what its rows count for */
    double *mean;    /* D, lent */
    double *scatter; /* D×D, lent */
} scree__fold;

typedef struct scree__tall {
    const scree__selecting *w;
    const scree__job *job; /* that is read: of all rows, or of those of this process */
    int64_t d;             /* D */
    int64_t rows;          /* in all */
    int64_t first;         /* number of the first row that is read */
    int64_t seen;          /* rows read, of those that count */
    int64_t batch_rows;
    int64_t row_bytes;
    scree__row_sample sample;
    scree__fold fold[SCREE__MAX_FOLDS];
    scree__parcel_shape shape; /* of what a fold of a range comes to, where several processes share the rows: */
    scree__team_tree *tree;    /* of arrays of such parcels, one a fold */
    double *tally_mean;        /* D each */
    double *tally_rest;
} scree__tall;

/* Moments and room for rows that wait. */
scree_status scree__tall_open(scree__tall *tall, scree_error *error);

/* For a pass: rows to their folds, and to the sample. */
scree_status scree__tall_deal(void *tall, const scree__batch *batch, scree_error *error);
/* Rows that wait, into the moments; an error is about the batch. */
scree_status scree__tall_flush(scree__tall *tall, scree__fold *fold, const scree__batch *batch, scree_error *error);

/* Folds and sample of all rows, of which each process reads its own. */
scree_status scree__tall_read_together(scree__tall *tall, scree_error *error);
int64_t scree__tall_together_memory(const scree__job *job, int folds);

#endif
