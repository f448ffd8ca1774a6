/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SWEEP_H
#define SCREE_FIT_SWEEP_H

/* Products of S = CᵀC/divisor with blocks of vectors, over the rows of a job; see sweep.c. */

#include "data/entries.h"
#include "fit/job.h"
#include "kernel/sparse_rows.h"

/* What all sweeps of a fit have in common; the job, shift and factor are lent. */
typedef struct scree__sweeps {
    const scree__job *job;
    const double *shift;  /* D: the mean */
    const double *factor; /* D: 1/scale, or NULL */
    double divisor;
    int64_t rows;                         /* that this process works on */
    int passes;                           /* over the data so far */
    const scree__sparse_centring *sparse; /* of rows that are sparse; NULL: they are not */
    scree__entries_room kept;             /* such rows, once they were read: see scree__sweeps_clear */
    int64_t *starts; /* the first row of each range of this process, and where the last one ends, where several share
                        the rows; owned, too */
} scree__sweeps;

typedef struct scree__sweep scree__sweep;

void scree__sweeps_clear(scree__sweeps *sweeps);

/* Whether vectors of N entries are worth it: CCᵀ/divisor has the eigenvalues of S, and is known as easily. */
bool scree__sweeps_by_rows(const scree__job *job, int64_t rows);

/* The longest chain of additions in the operations' type behind a number of a product. */
double scree__sweeps_chain(const scree__job *job, int64_t rows, const scree__ops *ops);

/* Rows of a batch that suits sweeps of so many columns. */
int64_t scree__sweep_rows(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops);

/* Bytes of one for blocks of so many columns. */
int64_t scree__sweep_memory(const scree__job *job, int64_t rows, int64_t width, const scree__ops *ops);

/* Of what ranges come to, where several processes share the rows. */
int64_t scree__sweep_tree_memory(const scree__job *job, int64_t width);

/* spare: bytes that it may take to keep what it has read. */
scree_status scree__sweep_new(scree__sweep **out, scree__sweeps *sweeps, int64_t width, const scree__ops *ops,
                              int64_t spare, scree_error *error);
void scree__sweep_free(scree__sweep *sweep);

/* For scree__operator, the context a scree__sweep: image (D×b) = Sq, one pass. */
scree_status scree__sweep_apply(void *context, const double *q, int64_t b, double *image, scree_error *error);
/* Only by rows: image (N×b) = CCᵀy/divisor, and W (D×b) = Cᵀy. */
scree_status scree__sweep_apply_rows(void *context, const double *y, int64_t b, double *image, scree_error *error);
scree_status scree__sweep_columns(scree__sweep *sweep, const double *y, int64_t b, double *w, scree_error *error);

#endif
