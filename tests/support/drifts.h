/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_DRIFTS_H
#define SCREE_TESTS_DRIFTS_H

/* How often scree_drift_make says that rows have drifted: sets of new rows, over and over, each from the population
 * that a model was fitted to, or from the model, changed in a known way or not. */

#include "support/scenario.h"

#include "scree.h"

typedef enum drift_change {
    DRIFT_NOTHING,
    DRIFT_SHIFT,  /* the mean of one column, by amount deviations of the noise */
    DRIFT_TURN,   /* the first component, by amount degrees, into what the components leave */
    DRIFT_NOISIER /* one column, times amount */
} drift_change;

typedef struct drift_cell {
    scenario population; /* n: rows fitted; components are those of the fit, too */
    int64_t rows;        /* new ones in each set */
    bool from_model;     /* they are draws of the model; else of the population */
    bool exact;          /* and are held against the model itself */
    bool shuffled;       /* by shuffles of these rows and the fitted ones */
    bool scaled;         /* columns are scaled by their deviations */
    int64_t latent;      /* components of the model where they are not those that there are; 0 */
    double level;        /* 0: 0.05 */
    drift_change change;
    double amount;
} drift_cell;

typedef struct drift_rates {
    int64_t sets;
    int64_t without;                   /* sets without a p-value */
    double all;                        /* share that has drifted */
    double checks[SCREE_DRIFT_CHECKS]; /* share with a p-value at most the level, of each by itself */
    double blamed;                     /* share in which the column that has changed is to blame */
} drift_rates;

/* Every so many sets share a fit: 0, all do. */
drift_rates drifts(const drift_cell *cell, int64_t sets, int64_t share, uint64_t seed);

#endif
