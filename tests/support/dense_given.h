/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_DENSE_GIVEN_H
#define SCREE_TESTS_DENSE_GIVEN_H

/* What is known of a row given its observed cells, by brute force in long double: the covariance of the observed
 * columns is inverted as it stands. */

#include "support/dense_gauss.h"

typedef struct dense_given {
    int64_t d;
    int64_t m;
    int64_t seen;
    long double *mean;       /* D: E[x|x_o]; x itself where it was observed */
    long double *covariance; /* D×D: cov(x|x_o); 0 in rows and columns that were observed */
    long double *z;          /* M: E[z|x_o] */
    long double *z_cov;      /* M×M */
    long double log_density; /* ln p(x_o) */
} dense_given;

/* x: D, NaN for what is missing. */
dense_given *dense_given_of(const dense_gauss *g, const double *x);
void dense_given_free(dense_given *given);

/* Each cell of x (n×d) goes missing with a chance that differs from row to row; of row 0 nothing stays, of row 1 one
 * cell, of row 2 everything. */
void dense_given_puncture(double *x, int64_t n, int64_t d, uint64_t seed);

#endif
