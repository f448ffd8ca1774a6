/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SAMPLING_H
#define SCREE_MODEL_SAMPLING_H

/* How far the components of a sample may be from those of the population that it was drawn from. */

#include "scree_private.h"

#include <stdatomic.h>

/* A spectrum as a fit leaves it. */
typedef struct scree__spiked {
    const double *values; /* m: eigenvalues of the sample covariance with divisor freedom, descending */
    int64_t m;
    double directions;        /* D, in which rows vary */
    double freedom;           /* n = N - 1, of about normal rows; above 0 */
    double total;             /* trace of the same covariance */
    const double *components; /* known×columns where columns were scaled by their deviations in the sample, else NULL */
    int64_t known;            /* of the m components */
    int64_t wanted;           /* what is asked for of scaled columns: the first so many of these */
    int64_t columns;          /* that were scaled: those that vary */
    bool graded;              /* small values have kept their digits beside large ones: these two say what is left */
    double beyond;            /* the sum of those that are not among the values */
    double rounding;          /* values up to this are none */
} scree__spiked;

/* out: m, of scaled columns those wanted. O(m²), and known D² for each of those wanted where columns were scaled. */
scree_status scree__sampling_fill(scree_sampling *out, const scree__spiked *spectrum, scree_error *error);

/* How many of them can be told from noise. */
int64_t scree__sampling_signals(const scree__spiked *spectrum);

/* The sampling errors of a model, computed when somebody asks for them. */
typedef struct scree__sampling_kept {
    _Atomic(scree_sampling *) all; /* M; NULL: nobody has asked */
} scree__sampling_kept;

/* What a model is made of has changed. */
void scree__sampling_forget(scree_model *model);

#endif
