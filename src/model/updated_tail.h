/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_UPDATED_TAIL_H
#define SCREE_MODEL_UPDATED_TAIL_H

/* ln P(X ≥ x) of the ratio of quadratic forms (ratio_tail.h) whose values are the spectrum of diag(g) + √v√vᵀ, without
 * computing that spectrum. */

#include <stdbool.h>
#include <stdint.h>

typedef struct scree__updated {
    const double *poles;   /* g ≥ 0, descending */
    const double *counts;  /* how many eigenvalues there were of each, about 1 at least; one of them moves */
    const double *weights; /* v ≥ 0 */
    int64_t terms;         /* at least 1 */
    double zeros;
} scree__updated;

/* Whether X varies at all. */
bool scree__updated_varies(const scree__updated *updated);

/* As scree__ratio_log_tail of the roots, to 1e-9 or so. */
double scree__updated_log_tail(const scree__updated *updated, double x);

#endif
