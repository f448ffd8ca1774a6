/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_DRAWN_H
#define SCREE_TESTS_DRAWN_H

/* What a source of draws draws: mean and covariance beside those that it should have, in standard errors. */

#include "scree.h"

typedef struct drawn {
    int64_t n;
    int64_t d;
    double *mean;       /* D */
    double *covariance; /* D×D, about the mean wanted */
} drawn;

/* Reads columns first .. first+d-1 of the source to its end; centre (D) is what their mean should be. */
drawn drawn_from(scree_source *source, int64_t first, int64_t d, const double *centre);
void drawn_free(drawn *x);

/* Every entry of the mean within 5 standard errors, √(C_ii/n), and of the covariance, √((C_ii C_jj + C_ij²)/n). */
void drawn_expect(const drawn *x, const double *mean, const double *covariance);

#endif
