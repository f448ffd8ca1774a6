/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_GAPPY_H
#define SCREE_TESTS_GAPPY_H

/* Rows drawn from PPCA with cells missing at random, and the same model by brute force: one D×D inverse a row, in long
 * double. */

#include "scree.h"

typedef struct gappy {
    int64_t n;
    int64_t d;
    int64_t m;
    double *whole; /* n×d, nothing missing */
    double *x;     /* n×d, NaN for what is missing */
    double *w;     /* d×m, that the rows were drawn with */
    double *mean;  /* d */
    double noise;  /* variance */
} gappy;

/* missing: the share of cells. */
gappy *gappy_made(int64_t n, int64_t d, int64_t m, double missing, uint64_t seed);
void gappy_free(gappy *g);
scree_model *gappy_fit(const gappy *g, const scree_fit_options *options);

/* Parameters, as they stand in a model without scale: d×m loadings, mean, noise variance. Freed with gappy_ppca_free.
 */
typedef struct gappy_ppca {
    int64_t d;
    int64_t m;
    long double *w;
    long double *mean;
    long double noise;
} gappy_ppca;

gappy_ppca *gappy_ppca_new(int64_t d, int64_t m);
gappy_ppca *gappy_ppca_of(const scree_model *model);
void gappy_ppca_free(gappy_ppca *p);

/* ln p of all observed cells. */
long double gappy_log_likelihood(const gappy *g, const gappy_ppca *p);

/* One EM step, with z whitened at its end. */
void gappy_em_step(const gappy *g, gappy_ppca *p);

/* Root mean square error of the conditional means of what is missing, and the share of it within 1.96 deviations. */
double gappy_imputed(const gappy *g, const gappy_ppca *p, double *covered);

#endif
