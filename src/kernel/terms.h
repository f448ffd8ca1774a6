/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_TERMS_H
#define SCREE_KERNEL_TERMS_H

/* Which columns are a part of a relation, and which only seem to be, by chance: see terms.c. */

#include "base/error.h"

#include <stdint.h>

typedef struct scree__terms {
    int64_t count;         /* columns that may determine others */
    int64_t stride;        /* of the correlations: all columns */
    const int64_t *column; /* count: which they are; lent */
    const double *h;       /* stride×stride: correlations; lent */
    double rows;           /* that these come from, less 1 */
    double *inverse;       /* count×count: of the correlations between them */
    double *work;          /* count×count */
    double *b;             /* count */
    int64_t *left;         /* count */
} scree__terms;

/* root: count×count, upper: R of RᵀR, these correlations; overwritten by their inverse, and owned from here on. The
 * other fields up to rows are set. Cleared with scree__terms_clear, also after a failure. */
scree_status scree__terms_make(scree__terms *terms, double *root, scree_error *error);
void scree__terms_clear(scree__terms *terms); /* safe on a zeroed struct */

/* a: stride, of which those of the columns are set: coefficients of standardised column p, of whose variance the share
 * remains is left. Those that chance may have made become 0 and the others are computed anew, as long as no more than
 * limit is left. What is. */
double scree__terms_choose(const scree__terms *terms, int64_t p, double remains, double limit, double *a);

#endif
