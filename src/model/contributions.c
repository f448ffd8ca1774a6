/* SPDX-License-Identifier: BSD-3-Clause */
/* What each column contributes to Q: the squared residuals of one row, (c - Ut)_j², which add up to Q. 4DM flops. Of a
 * row with gaps they are those of its own Q (score_gaps.c); a missing cell has none. */

#include "model/frame.h"
#include "model/ppca.h"

#include <math.h>

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
        contributions[i] = scree__frame_enter(view, i, row[i]);
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
