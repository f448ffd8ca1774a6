/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SAMPLING_SCALED_H
#define SCREE_MODEL_SAMPLING_SCALED_H

/* What dividing columns by their own deviations in the sample does to the sampling error of components. */

#include "base/error.h"

typedef struct scree__scaled_spectrum {
    const double *values; /* k: eigenvalues of correlations, descending: the first q of the population, estimated; the
                             others are noise, and of the sample */
    const double *sample; /* k: all of the sample */
    int64_t known;        /* k */
    const double *components; /* m×D */
    int64_t kept;             /* m, at most k */
    int64_t wanted;           /* components that are asked for, at most m and q */
    int64_t signals;          /* q */
    int64_t columns;          /* D */
    double freedom;           /* n */
    double noise;             /* σ², in the other D - q directions, on average */
    double total;             /* trace of the correlations */
} scree__scaled_spectrum;

/* Of a component: beside what holds for columns that are not scaled. */
typedef struct scree__scaled_effect {
    double variance; /* of the eigenvalue, over that */
    double bias;     /* of the eigenvalue, relative, times n: to be added to that */
    double mean;     /* squared sine of the angle, over that */
    double square;   /* of the covariance C of the direction: tr C²/(tr C)² */
    double cube;     /* tr C³/(tr C)³ */
    double tie;      /* what its limit, squared sine, is at least by the closest of the others (tie.h) */
    bool none;       /* it makes no difference: nothing else is filled */
} scree__scaled_effect;

/* out: as many as are wanted. *known is false where nothing is known: it would take too long. For each m D² products,
 * and k. */
scree_status scree__scaled_effects(scree__scaled_effect *out, const scree__scaled_spectrum *spectrum, bool *known,
                                   scree_error *error);

#endif
