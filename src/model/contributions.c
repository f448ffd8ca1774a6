/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are to blame: the squared residuals of one row, (c - Ut)_j², which add up to Q. 4DM flops. Of a row
 * with gaps they are those of its own Q (score_gaps.c); a cell that is missing is not to blame.
 *
 * Of a row far out within the subspace: what T² would lose if the column had its best value, reconstruction-based
 * contributions after Alcala and Qin (2009),
 *
 *     (Gc)_i² / G_ii,   G = UΛ⁻¹Uᵀ,   T² = cᵀGc:
 *
 * where one column alone is off, none has more (Cauchy and Schwarz). 5DM flops. */

#include "model/ppca.h"
#include "model/score.h"

#include <math.h>
#include <string.h>

/* x, scaled, becomes its squared residuals. */
static scree_status observed_only(const scree_model_view *view, double *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gaps gaps = {0};
    SCREE_TRY(scree__gaps_once(&gaps, view, x, error));
    scree__gaps_residual(&gaps, x, gaps.work);
    for (int64_t i = 0; i < view->d; i++)
        x[gaps.columns[i]] = i < gaps.seen ? gaps.work[i] * gaps.work[i] : 0;
done:
    scree__gaps_close(&gaps);
    return status;
}

scree_status scree__ppca_contributions(const scree_model *model, const double *row, double *contributions,
                                       scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    bool gap = false;
    for (int64_t i = 0; i < d; i++) {
        contributions[i] = (row[i] - view->mean[i]) / (view->scale ? view->scale[i] : 1);
        gap = gap || isnan(row[i]);
        if (!isfinite(contributions[i]) && !isnan(row[i]))
            return scree__fail(error, SCREE_ERR_VALUE, "column %lld%s%.200s of the row is %s; give the cell a number",
                               (long long)(i + 1), view->columns ? ", " : "", view->columns ? view->columns[i] : "",
                               isinf(row[i]) ? "infinite" : "too large");
    }
    if (gap)
        return observed_only(view, contributions, error);
    /* One component after the other: U is orthonormal, and no scratch is needed. */
    for (int64_t j = 0; j < view->m; j++) {
        const double *u = view->components + j * d;
        double dot = 0;
        for (int64_t i = 0; i < d; i++)
            dot += u[i] * contributions[i];
        for (int64_t i = 0; i < d; i++)
            contributions[i] -= dot * u[i];
    }
    for (int64_t i = 0; i < d; i++)
        contributions[i] *= contributions[i];
    return SCREE_OK;
}

/* G as above; its diagonal where a column is in no component is 0, and so is the blame. */
static double blame(const scree_scorer *scorer, const double *weighted, int64_t i)
{
    const scree_model_view *view = scree_model_get(scorer->model);
    double gc = 0;
    double diagonal = 0;
    for (int64_t j = 0; j < view->m; j++) {
        const double u = view->components[j * view->d + i];
        gc += weighted[j] * u;
        diagonal += scorer->weights[j] * u * u;
    }
    return diagonal > 0 ? gc * gc / diagonal : 0;
}

/* For a row with gaps, of the row that is expected. The row is scratch. */
scree_status scree__ppca_within(const scree_scorer *scorer, double *row, double *parts)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(scorer->model);
    scree__gaps gaps = {0};
    bool gap = false;
    for (int64_t i = 0; i < view->d; i++) {
        row[i] = (row[i] - view->mean[i]) / (view->scale ? view->scale[i] : 1);
        gap = gap || isnan(row[i]);
    }
    if (gap)
        SCREE_TRY(scree__gaps_once(&gaps, view, row, NULL));
    for (int64_t j = 0; j < view->m; j++) { /* M ≤ D: parts have room for Λ⁻¹t */
        double t = 0;
        for (int64_t i = 0; i < view->d; i++)
            t += view->components[j * view->d + i] * row[i];
        parts[j] = t * scorer->weights[j];
    }
    for (int64_t i = 0; i < view->d; i++)
        row[i] = blame(scorer, parts, i);
    for (int64_t i = gap ? gaps.seen : view->d; i < view->d; i++)
        row[gaps.columns[i]] = 0;
    memcpy(parts, row, (size_t)view->d * sizeof *parts);
done:
    scree__gaps_close(&gaps);
    return status;
}
