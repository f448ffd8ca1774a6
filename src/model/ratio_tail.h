/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_RATIO_TAIL_H
#define SCREE_MODEL_RATIO_TAIL_H

/* ln P(X ≥ x) of a ratio of quadratic forms in independent standard normals,
 *
 *     X = Σ g_i χ²_{c_i} / (Σ χ²_{c_i} + χ²_z),   g ≥ 0,
 *
 * one χ² for each of the terms, the same above and below. */

#include "base/error.h"

typedef struct scree__ratio {
    const double *values; /* g */
    const double *counts; /* c > 0 */
    int64_t terms;
    double zeros; /* z ≥ 0 */
} scree__ratio;

/* Whether X varies at all: not if all values are the same and there are no zeros. */
bool scree__ratio_varies(const scree__ratio *ratio);

/* Within some 10 % of the chance, at any depth; exact where all values are the same. 0 below the least X, -∞ beyond the
 * largest. The ratio must vary. */
double scree__ratio_log_tail(const scree__ratio *ratio, double x);

/* The cumulants of the sum whose sign decides, at the s where their slope is 0. */
typedef struct scree__saddle {
    double s;
    double value; /* K */
    double second;
    double third;
} scree__saddle;

/* ln P from them. */
double scree__lugannani_rice(const scree__saddle *at);

/* The tail of a ratio, quick for many x. */
typedef struct scree__ratio_table {
    scree__ratio ratio; /* lent */
    double first;       /* node i is at first + i·step */
    double step;
    double *nodes;
    int64_t count;
} scree__ratio_table;

scree_status scree__ratio_table_make(scree__ratio_table *table, const scree__ratio *ratio, scree_error *error);
void scree__ratio_table_clear(scree__ratio_table *table);
double scree__ratio_table_log(const scree__ratio_table *table, double x);

#endif
