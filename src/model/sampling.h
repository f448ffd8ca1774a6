/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SAMPLING_H
#define SCREE_MODEL_SAMPLING_H

/* How far the components of a sample may be from those of the population that it was drawn from. */

#include "scree_private.h"

/* A spectrum as a fit leaves it. */
typedef struct scree__spiked {
    const double *values; /* m: eigenvalues of the sample covariance with divisor freedom, descending */
    int64_t m;
    double directions;        /* D */
    double freedom;           /* n = N - 1, of about normal rows; above 0 */
    double total;             /* trace of the same covariance */
    const double *components; /* m×D where columns were scaled by their deviations in the sample, else NULL */
} scree__spiked;

/* out: m. O(m²), and D m⁴ where columns were scaled. */
void scree__sampling_fill(scree_sampling *out, const scree__spiked *spectrum);

/* How many of them can be told from noise. */
int64_t scree__sampling_signals(const scree__spiked *spectrum);

/* The sampling errors of a model, whose parts are settled. */
void scree__sampling_settle(scree_model *model);

#endif
