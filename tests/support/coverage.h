/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_COVERAGE_H
#define SCREE_TESTS_COVERAGE_H

/* Samples of a population whose components are known, fitted over and over: how often an interval holds the truth. */

#include "scree.h"

enum { COVERAGE_MOST = 8 };

/* What scores and noise are drawn from. */
typedef enum coverage_shape {
    SHAPE_NORMAL,
    SHAPE_HEAVY_ROWS, /* rows of Student's t with 5 degrees of freedom: all cells of a row are large or small */
    SHAPE_LAPLACE,    /* each score and each noise */
    SHAPE_SKEWED,     /* exponential, less its mean */
} coverage_shape;

typedef struct population {
    int64_t rows;
    int64_t columns;
    int64_t signals;             /* at most COVERAGE_MOST */
    double value[COVERAGE_MOST]; /* of the signals, descending; the variance of every other direction is 1. Scaled: of
                                    loadings in random directions, beside noise 1, before columns are scaled */
    int64_t kept;                /* components of a fit; 0: all */
    int64_t bootstrap;           /* replicates of a fit; 0: none, the intervals of theory */
    bool scaled;                 /* columns by their deviations: of correlations */
    coverage_shape shape;
    double tail; /* of the other directions, not scaled: each has so much of the variance of the one before; 0: all 1 */
} population;

/* Of each signal. */
typedef struct coverage {
    int64_t samples;
    int64_t value[COVERAGE_MOST]; /* samples whose interval holds the eigenvalue */
    int64_t angle[COVERAGE_MOST]; /* whose limit holds the angle */
    int64_t share[COVERAGE_MOST]; /* whose interval, by bootstrap, holds the share */
    int64_t noise[COVERAGE_MOST]; /* whose component is said to be noise */
    int64_t false_signals;        /* samples in which a component past the signals is not said to be noise */
} coverage;

/* A population with its truth; *out is to be freed with coverage_free. */
typedef struct coverage_world coverage_world;
coverage_world *coverage_begin(const population *p);
void coverage_free(coverage_world *world);

/* One sample more, of this seed. */
void coverage_add(const coverage_world *world, uint64_t seed, coverage *c);

/* samples of them, the first has this seed. */
coverage coverage_of(const population *p, uint64_t seed, int64_t samples);

/* A share of the samples, and that it lies between, give or take three standard errors of the count. */
double coverage_share(const coverage *c, int64_t count);
void coverage_expect(const coverage *c, int64_t count, double low, double high, const char *what);

#endif
