/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_MONITOR_H
#define SCREE_VIEW_MONITOR_H

/* T² and Q of rows in their order, as much of it as a picture shows: bins of rows that follow each other, of which no
 * extreme and no outlier is lost, and the worst rows with the columns to blame. */

#include "scree_private.h"

enum {
    SCREE__MONITOR_T2,
    SCREE__MONITOR_Q,
    SCREE__MONITOR_CHARTS,
    SCREE__MONITOR_BINS = 2048,
    SCREE__MONITOR_WORST = 6
};

typedef struct scree__monitor_bin {
    double low[SCREE__MONITOR_CHARTS]; /* of its rows; NaN: none has a value */
    double high[SCREE__MONITOR_CHARTS];
    double far[SCREE__MONITOR_CHARTS]; /* of its outliers, the highest; NaN: there is none */
} scree__monitor_bin;

typedef struct scree__monitor_row {
    int64_t row; /* from 0 */
    scree__score score;
    char name[64];
} scree__monitor_row;

typedef struct scree__monitor {
    scree__monitor_bin *bins;
    int64_t count;
    int64_t every; /* rows in a bin, fewer in the last */
    int64_t total;
    int64_t outliers;
    scree__monitor_row worst[SCREE__MONITOR_WORST]; /* outliers with the smallest p-values, smallest first */
    int64_t worst_count;
    char **blame;  /* worst_count texts */
    double *cells; /* of the worst, D each */
    double *order; /* the same, in the order of worst */
} scree__monitor;

/* One pass over the rows, from the first. Also when it fails, the caller clears it. */
scree_status scree__monitor_watch(scree__monitor *monitor, const scree_model *model, scree_source *rows,
                                  const scree_score_options *how, const scree_run *run, scree_error *error);
void scree__monitor_clear(scree__monitor *monitor);

#endif
