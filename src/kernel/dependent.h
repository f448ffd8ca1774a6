/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_DEPENDENT_H
#define SCREE_KERNEL_DEPENDENT_H

/* Columns that others determine, exactly or nearly, from their covariance: see dependent.c. */

#include "kernel/witnesses.h"

/* Columns up to which they are looked for. */
enum { SCREE__DEPENDENT_MOST = 256 };

typedef struct scree__dependent {
    int64_t basis;        /* columns that are not determined: the rank */
    int64_t count;        /* columns that are, exactly or nearly */
    int64_t loose;        /* further ones that are so in the few rows in which they vary: they follow */
    int64_t *columns;     /* count and loose, ascending each */
    double *coefficients; /* (count + loose)×n: of the columns that determine each; 0 for all others */
    double *variances;    /* count and loose: what is left of each; 0: rounding */
} scree__dependent;

/* a: n×n, symmetric, positive semidefinite but for rounding; kept. A column of variance 0 neither is determined nor
 * determines. rows: different ones that a was computed from, less 1. witnesses: those of all rows; or NULL. */
scree_status scree__dependent_find(scree__dependent *found, const double *a, int64_t n, double rows,
                                   const scree__witnesses *witnesses, scree_error *error);
void scree__dependent_clear(scree__dependent *found); /* safe on a zeroed struct */

/* A share of a column's variance that is rounding: what sums of n columns cannot tell from nothing. */
double scree__dependent_rounding(int64_t n);

/* Bytes that a call takes, its results among them. */
int64_t scree__dependent_memory(int64_t n);

#endif
