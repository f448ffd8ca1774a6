/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SAMPLING_SCALED_H
#define SCREE_MODEL_SAMPLING_SCALED_H

/* What dividing columns by their own deviations in the sample does to the sampling error of components. */

#include <stdbool.h>
#include <stdint.h>

/* q components above white noise. */
typedef struct scree__scaled_spectrum {
    const double *values;     /* q: eigenvalues of the population's correlations, estimated, descending */
    const double *components; /* q×D */
    int64_t signals;          /* q */
    int64_t columns;          /* D */
    double noise;             /* σ², below all values, in the other D - q directions */
} scree__scaled_spectrum;

/* Of a component: beside what holds for columns that are not scaled. */
typedef struct scree__scaled_effect {
    double variance; /* of the eigenvalue, over that */
    double square;   /* mean squared sine of the angle, over that */
    double bias;     /* of the eigenvalue, relative, times n: to be added to that */
} scree__scaled_effect;

/* out: q. False where it would take too long, or there is no memory: then nothing is known. D q⁴/4 products. */
bool scree__scaled_effects(scree__scaled_effect *out, const scree__scaled_spectrum *spectrum);

#endif
