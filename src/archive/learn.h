/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ARCHIVE_LEARN_H
#define SCREE_ARCHIVE_LEARN_H

/* The model that rows are compressed by, and codes made of it. */

#include "archive/code.h"
#include "archive/sample.h"

typedef struct scree__learnt {
    int64_t rows; /* of the source */
    int64_t cols;
    int64_t components;  /* K: found */
    double *mean;        /* D */
    double *eigenvalues; /* K, descending */
    double *vectors;     /* K×D, orthonormal */
    double total;        /* variance */
    double spike;        /* cells further than this from the mean are not the model's business */
} scree__learnt;

/* At most `components` of them; fewer where the rows have no more. */
scree_status scree__learn(scree__learnt *learnt, const scree__sample *sample, int64_t components, const scree_run *run,
                          scree_error *error);
void scree__learnt_clear(scree__learnt *learnt);

/* The code that keeps m components with step Δ. */
scree_status scree__code_make(scree__code *code, const scree__learnt *learnt, const scree__lattice *lattice, int64_t m,
                              double step, scree_error *error);

#endif
