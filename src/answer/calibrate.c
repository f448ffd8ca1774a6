/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_scorer_calibrate: ln p of rows that were not fitted, sorted, so that a new row's p-value is its rank among them
 * (split conformal prediction, with -ln p as nonconformity; Vovk, Gammerman and Shafer 2005):
 *
 *     p = (1 + #{i : ln p(x_i) ≤ ln p(x)}) / (n + 1)
 *
 * If x and the calibration rows are exchangeable, P(p ≤ α) ≤ α, whatever their distribution and however bad the model.
 * Densities of rows with gaps are over other columns and cannot be ranked among these: such rows are left out here, and
 * refused when they are scored. Rows that were fitted are refused here. The smallest p is 1/(n + 1). One pass, O(DM) a
 * row, eight bytes a row; a later p-value costs log₂ n comparisons. */

#include "answer/scored.h"
#include "base/sized.h"

#include <math.h>
#include <stdlib.h>

static const double SAME = 1e-9; /* of a log-likelihood: no other rows come as close */

/* Whether these are the rows that were fitted: as many, and their ln p add up to the log-likelihood of the fit. */
static scree_status are_fitted(const scree_scorer *scorer, const double *values, int64_t count, bool *fitted,
                               scree_error *error)
{
    const scree_model_view *view = scree_model_get(scorer->model);
    scree_facts facts = SCREE_FACTS_INIT;
    double sum = 0;
    *fitted = false;
    if (count != view->n || view->weight != (double)view->n)
        return SCREE_OK;
    const scree_status status = scree_model_facts(scorer->model, &facts, error);
    if (status != SCREE_OK)
        return status == SCREE_ERR_MEMORY ? status : SCREE_OK;
    for (int64_t i = 0; i < count; i++)
        sum += values[i];
    *fitted = fabs(sum - facts.log_likelihood) <= SAME * fabs(facts.log_likelihood);
    return SCREE_OK;
}

scree_status scree_scorer_calibrate(scree_scorer *scorer, scree_source *source, const scree_run *run,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__collect collect = {"calibrate", 1, offsetof(scree__score, loglik), true};
    scree_run own;
    double *before = scorer->calibration; /* with which it would refuse rows with gaps */
    double *values = NULL;
    int64_t count = 0;
    bool fitted = false;
    scorer->calibration = NULL;
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(scree__scores_sorted(&values, &count, scorer, source, &collect, run, error));
    if (count == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: there are no %srows to calibrate with; give at least 1/alpha of them",
                   source->about.path, source->gaps.rows > 0 ? "complete " : "");
    SCREE_TRY(are_fitted(scorer, values, count, &fitted, error));
    if (fitted)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: these rows were fitted, so they are more likely than new ones, and p-values would be too "
                   "small; calibrate with rows that were held out of the fit",
                   source->about.path);
    scorer->calibration = values;
    scorer->calibration_count = count;
    values = NULL;
done:
    if (status == SCREE_OK)
        free(before);
    else
        scorer->calibration = before;
    free(values);
    return status;
}
