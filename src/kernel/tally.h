/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TALLY_H
#define SCREE_KERNEL_TALLY_H

/* What rows come to once they have been seen: how many, their mean, and a matrix A with AᵀA = Σ w (x-µ)(x-µ)ᵀ or that
 * sum itself. Sums lend one, and gain that of other rows, by the pairwise formula of Chan, Golub and LeVeque
 * (chunk.c). The mean is kept in two doubles, mean + rest: what joins two sums is the difference of their means, of
 * which means of 1e8 would leave eight digits. */

#include "base/error.h"

typedef struct scree__tally {
    int64_t rows;
    double weight;         /* of the rows: their number, where they have no weights; 0: there are none */
    const double *mean;    /* D */
    const double *rest;    /* D: what rounding has taken from it */
    const double *matrix;  /* height×D: the scatter; R, by columns; or rows whose scatter it is about */
    int64_t height;        /* D, of a sketch as many rows as it has */
    const double *squares; /* D: the diagonal of the scatter; of a sketch, which does not have it otherwise, or NULL */
    double lost;           /* ‖AᵀA - Σ w (x-µ)(x-µ)ᵀ‖ is at most this: rounding, or what a sketch left out */
} scree__tally;

/* mean_j + rest_j less an origin: exact, but for one rounding of the difference. */
static inline double scree__tally_from(const scree__tally *t, const double *origin, int64_t j)
{
    return t->mean[j] - origin[j] + t->rest[j];
}

/* *mean + *rest = a + b, *mean being the nearest double (Knuth's sum). */
static inline void scree__two_sum(double a, double b, double *mean, double *rest)
{
    const double sum = a + b;
    const double part = sum - a;
    *mean = sum;
    *rest = (a - (sum - part)) + (b - part);
}

#endif
