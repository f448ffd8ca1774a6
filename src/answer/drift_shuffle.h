/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_DRIFT_SHUFFLE_H
#define SCREE_ANSWER_DRIFT_SHUFFLE_H

/* Drift by shuffles: the rows at hand (drift_shuffle.c), what differs between two parts of them (drift_parts.c), and
 * the p-values (drift_ranks.c). */

#include "answer/drift.h"
#include "base/watch.h"

/* How two parts differ: one number each of a shuffle, large where they do. */
typedef enum scree__drift_statistic {
    SCREE__DRIFT_MEAN_CODES,
    SCREE__DRIFT_MEAN_REST,
    SCREE__DRIFT_MEAN_COLUMN,
    SCREE__DRIFT_SPREAD_CODE,
    SCREE__DRIFT_SPREAD_REST,
    SCREE__DRIFT_SPREAD_COLUMNS,
    SCREE__DRIFT_SPREAD_COLUMN,
    SCREE__DRIFT_ANGLE_CODES,
    SCREE__DRIFT_ANGLE_REST,
    SCREE__DRIFT_ANGLE_COLUMN,
    SCREE__DRIFT_LIKELIHOOD_ROWS,
    SCREE__DRIFT_STATISTICS
} scree__drift_statistic;

/* All rows about their mean, and the components that they have together. A unit is some rows of one kind, which are
 * shuffled as one: the smaller kind's units come first. */
typedef struct scree__drift_pool {
    int64_t d;
    int64_t m;
    int64_t rows;
    double *x;       /* rows×D: what the components leave, or a column itself where they leave nothing */
    double *t;       /* rows×M */
    double *far;     /* rows: Σ t²/λ + ‖r‖²/σ² */
    uint8_t *tested; /* D */
    int32_t *unit;   /* rows */
    int64_t units;
    int64_t part; /* units of the smaller kind */
    bool uncentred;
    int64_t count;      /* shuffles, the first of which leaves all in place */
    double *statistics; /* SCREE__DRIFT_STATISTICS×count */
    int64_t memory;     /* bytes that sums of units may take */
    scree__watch watch;
} scree__drift_pool;

scree_status scree__drift_parts_compare(scree__drift_pool *pool, int threads, scree_error *error);

/* From statistics, which are lost, p-values into found. */
scree_status scree__drift_ranks_read(scree__drift_found *found, const scree__drift_pool *pool, scree_error *error);

#endif
