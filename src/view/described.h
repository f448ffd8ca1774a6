/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_DESCRIBED_H
#define SCREE_VIEW_DESCRIBED_H

/* What rows and columns have to do with some components together: cos², or contributions. */

#include "view/gather.h"
#include "view/plot.h"

enum { SCREE__TOGETHER_MOST = 64 }; /* components */

/* Some components, and what is asked of them. */
typedef struct scree__together {
    bool cos2; /* else contributions */
    int64_t component[SCREE__TOGETHER_MOST];
    int64_t count;
    double share[SCREE__TOGETHER_MOST]; /* of each in what all of them explain; 1 each for cos² */
} scree__together;

/* Fails where the components are correlated, and more than one. */
scree_status scree__together_of(scree__together *out, const scree__plot *plot, bool cos2, const int64_t *component,
                                int64_t count, scree_error *error);
/* Of one column or row, from its M numbers: the cos² add up; a contribution to several components is the mean of those
 * to each, weighted by what these explain. */
double scree__together_sum(const scree__together *together, const double *values);
/* "cos²" or "contribution, %". */
const char *scree__together_title(const scree__together *together);

/* Of every column: D numbers, the caller's to free. */
scree_status scree__described_columns(double **out, const scree__plot *plot, const scree__together *together,
                                      scree_error *error);

/* Of rows, in one pass over the source; row counts from 0. Contributions are of rows that were fitted: others are
 * refused. */
typedef struct scree__described_rows {
    const scree__together *together;
    void (*visit)(void *context, int64_t row, double value);
    void *context;
    int64_t total;                     /* rows that were seen */
    double sums[SCREE__TOGETHER_MOST]; /* of contributions */
} scree__described_rows;

scree_status scree__described_rows_run(scree__described_rows *rows, const scree__plot *plot, scree_error *error);

#endif
