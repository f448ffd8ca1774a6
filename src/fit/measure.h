/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_MEASURE_H
#define SCREE_FIT_MEASURE_H

/* The first pass of a method that multiplies rows later: how many there are, their means, and their squares about them;
 * see measure.c. */

#include "fit/reduce.h"
#include "fit/sweep.h"
#include "kernel/moments.h"
#include "kernel/sparse_columns.h"

/* Zeroed, but for the job. */
typedef struct scree__measure {
    const scree__job *job;
    scree__sweeps *sweeps; /* that are told of the rows of this process */
    scree__moments *moments;
    scree__sparse_columns *columns; /* instead, of sparse rows */
    double *counted;                /* instead, of genotypes: means and squares */
    /* Where several processes share the rows: */
    scree__parcel_shape shape; /* of what ranges come to, */
    scree__team_tree *tree;
    double *mean; /* D each */
    double *rest;
    int64_t rows;  /* of the range at work */
    int64_t range; /* its number here */
} scree__measure;

/* One pass; what is found is lent until the measure is cleared. */
scree_status scree__measure_run(scree__measure *measure, scree__sweeps *sweeps, scree__sparse_found *found,
                                scree_error *error);
void scree__measure_clear(scree__measure *measure);

#endif
