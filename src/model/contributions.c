/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are to blame: the squared residuals of one row, (c - Ut)_j², which add up to Q. 4DM flops. */

#include "model/answers.h"

#include <math.h>

scree_status scree_contributions(const scree_model *model, const double *row, double *contributions, scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    for (int64_t i = 0; i < d; i++) {
        contributions[i] = (row[i] - view->mean[i]) / (view->scale ? view->scale[i] : 1);
        if (!isfinite(contributions[i]))
            return scree__fail(error, SCREE_ERR_VALUE, "column %lld%s%.200s of the row is %s; give the cell a number",
                               (long long)(i + 1), view->columns ? ", " : "", view->columns ? view->columns[i] : "",
                               isnan(row[i])   ? "missing"
                               : isinf(row[i]) ? "infinite"
                                               : "too large");
    }
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
