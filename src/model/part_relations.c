/* SPDX-License-Identifier: BSD-3-Clause */
/* Of R relations between all columns, how many hold between those that a row has observed: combinations of relations
 * that have nothing in the missing columns. With N the R×D matrix of orthonormal directions that relations leave no
 * row (relations.h), and N_m its missing columns, there are R - rank N_m; by Gram and Schmidt, twice. O(R²m). */

#include "model/part.h"

#include "base/memory.h"

#include <math.h>

static const double DEPENDENT = 1e-8; /* of a direction, which has the length 1: what is left of it is rounding */

/* a loses what it has along count unit vectors; its length. */
static double take_off(double *a, const double *units, int64_t count, int64_t n)
{
    for (int64_t i = 0; i < 2 * count; i++) {
        const double *unit = units + i % count * n;
        const double along = scree__gaps_dot(unit, a, n);
        for (int64_t j = 0; j < n; j++)
            a[j] -= along * unit[j];
    }
    return sqrt(scree__gaps_dot(a, a, n));
}

scree_status scree__part_related(int64_t *related, const scree__parts *p, const scree__gaps *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = p->model->d;
    const int64_t missing = d - g->seen;
    double *units = NULL;
    int64_t rank = 0;
    *related = p->related;
    if (p->related == 0 || missing == 0)
        return SCREE_OK;
    SCREE_ALLOC(units, p->related * missing, error);
    for (int64_t k = 0; k < p->related; k++) {
        double *unit = units + rank * missing;
        for (int64_t i = 0; i < missing; i++)
            unit[i] = p->relations[k * d + g->columns[g->seen + i]];
        const double length = take_off(unit, units, rank, missing);
        for (int64_t i = 0; i < missing; i++)
            unit[i] /= length;
        rank += length > DEPENDENT;
    }
    *related -= rank;
done:
    free(units);
    return status;
}
