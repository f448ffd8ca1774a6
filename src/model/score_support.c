/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that no row of the model can be like: they differ in a column that was the same in all fitted rows, or leave the
 * directions in which these vary (support.c). For whole rows the law tells the second (row_law.c); here are the first,
 * and rows with gaps. Of these, x_o is compared with the space that the observed rows of V span, V_o = QR by
 * Gram and Schmidt, twice for each vector: 4or² flops for o cells and r directions, and only if V is known.
 *
 * Where relations between columns are known (relations.h) they decide, with the digits of the row.
 *
 * What rounding makes is none: a value may differ by 1e-6 of the column's, as numbers that were once floats do. */

#include "base/memory.h"
#include "model/evidence.h"
#include "model/relations.h"
#include "model/score.h"
#include "model/support.h"

#include <math.h>

static const double OUTSIDE = 1e-12;   /* of a square: see row_law.c */
static const double DEPENDENT = 1e-16; /* of the square of a direction: what is left of it is rounding */
static const double TINY = 1e-24;      /* of the total variance: what is rounding in a column of zeros */

scree_status scree__support_list(scree_scorer *scorer, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    if (view->noise_given || scorer->options.training)
        return SCREE_OK;
    SCREE_TRY(scree__relations_directions(&scorer->unrelated, &scorer->unrelated_count, scorer->kept->relations, true,
                                          error));
    scorer->related = scorer->unrelated_count > 0;
    scorer->chance = scree__evidence_chance(scorer->kept);
    if (scree__varying_columns(view) == view->d)
        return SCREE_OK;
    SCREE_ALLOC(scorer->constants, view->d, error);
    for (int64_t j = 0; j < view->d; j++)
        if (scree__column_is_constant(view, j))
            scorer->constants[scorer->constant_count++] = j;
done:
    return status;
}

bool scree__support_differs(const scree_scorer *scorer, const double *x, int64_t column)
{
    const scree_model_view *view = scree_model_get(scorer->model);
    const double mean = view->mean[column] / (view->scale ? view->scale[column] : 1);
    return x[column] * x[column] > fmax(OUTSIDE * mean * mean, TINY * view->total_variance);
}

bool scree__support_excludes(const scree_scorer *scorer, const double *x, const uint8_t *missing)
{
    for (int64_t i = 0; i < scorer->constant_count; i++)
        if (!(missing && missing[scorer->constants[i]]) && scree__support_differs(scorer, x, scorer->constants[i]))
            return true;
    return false;
}

int64_t scree__support_breaks(const scree_scorer *scorer, const double *x, const uint8_t *missing)
{
    if (!scorer->related || (scorer->chance > 0 && scree__support_excludes(scorer, x, missing)))
        return 0; /* relations may have a part of a column that never varied */
    return 1 + scree__relations_broken(scorer->kept, x, missing);
}

scree_status scree__support_breaks_part(const scree_scorer *scorer, const double *x, const uint8_t *missing,
                                        int64_t *broken)
{
    scree_status status = SCREE_OK;
    scree__equations equations = {0};
    *broken = 0;
    if (!scorer->related || (scorer->chance > 0 && scree__support_excludes(scorer, x, missing)))
        return SCREE_OK;
    SCREE_TRY(scree__equations_observed(&equations, scorer->kept, missing, NULL));
    *broken = 1 + scree__equations_broken(&equations, scorer->kept, x);
done:
    scree__equations_clear(&equations);
    return status;
}

static double dot(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* a loses what it has along count unit vectors. */
static void take_off(double *a, const double *units, int64_t count, int64_t n)
{
    for (int twice = 0; twice < 2; twice++)
        for (int64_t k = 0; k < count; k++) {
            const double along = dot(units + k * n, a, n);
            for (int64_t i = 0; i < n; i++)
                a[i] -= along * units[k * n + i];
        }
}

double scree__support_outside(const scree_scorer *scorer, const double *x)
{
    const int64_t d = scree_model_get(scorer->model)->d;
    double sum = 0;
    for (int64_t k = 0; k < scorer->unrelated_count; k++) {
        const double along = dot(scorer->unrelated + k * d, x, d);
        sum += along * along;
    }
    for (int64_t i = 0; i < scorer->constant_count; i++)
        sum += x[scorer->constants[i]] * x[scorer->constants[i]];
    return sum;
}

scree_status scree__support_excludes_part(const scree_scorer *scorer, const scree__gaps *gaps, const double *x,
                                          bool *excluded)
{
    scree_status status = SCREE_OK;
    const scree__row_law *law = &scorer->law;
    const int64_t d = scree_model_get(scorer->model)->d;
    const int64_t seen = gaps->seen;
    double *units = NULL;
    int64_t count = 0;
    *excluded = scorer->chance == 0 && scree__support_excludes(scorer, x, gaps->missing);
    if (*excluded || !law->is_flat || law->fitted || seen <= law->known)
        return SCREE_OK;
    SCREE_ALLOC(units, (law->known + 1) * seen, NULL);
    for (int64_t k = 0; k <= law->known; k++) {
        const double *from = k < law->known ? scorer->directions + k * d : x;
        double *unit = units + count * seen;
        for (int64_t i = 0; i < seen; i++)
            unit[i] = from[gaps->columns[i]];
        const double before = dot(unit, unit, seen);
        take_off(unit, units, count, seen);
        const double left = dot(unit, unit, seen);
        if (k == law->known)
            *excluded = left > OUTSIDE * (before + scree_model_get(scorer->model)->total_variance);
        else if (left > DEPENDENT)
            count++;
        for (int64_t i = 0; i < seen; i++)
            unit[i] /= sqrt(left);
    }
done:
    free(units);
    return status;
}
