/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_TAIL_TABLE_H
#define SCREE_MODEL_TAIL_TABLE_H

/* ln P(X ≥ x) of a distribution on x ≥ 0, quick for many x: cubic Hermite interpolation between exact values. */

#include "base/error.h"

/* X/scale is gamma(a), beta(a, b), or T/(1-T) with T beta(a, b): see tail_table.c. 2a is a whole number. */
typedef enum scree__tail_kind { SCREE__TAIL_NONE, SCREE__TAIL_GAMMA, SCREE__TAIL_BETA, SCREE__TAIL_F } scree__tail_kind;

typedef struct scree__tail {
    scree__tail_kind kind;
    double a;
    double b;
    double scale;
} scree__tail;

typedef struct scree__tail_table {
    scree__tail tail;
    double first; /* node i is at s = first + i·step: s² is X/scale, or T */
    double step;
    double *nodes; /* value and slope at each */
    int64_t count;
} scree__tail_table;

/* Exact. NONE: always 0, a chance of one. */
double scree__tail_log(const scree__tail *tail, double x);

scree_status scree__tail_table_make(scree__tail_table *table, const scree__tail *tail, scree_error *error);
void scree__tail_table_clear(scree__tail_table *table);

/* Within 1e-9 of scree__tail_log. */
double scree__tail_table_log(const scree__tail_table *table, double x);

#endif
