/* SPDX-License-Identifier: BSD-3-Clause */
/* What the planner says of a fit before it is done: the seconds of the method that it takes. The table has them beside
 * the measured ones. */

#include "bench.h"

scree_status bench_predict(double *seconds, scree_source *source, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_plan *plan = NULL;
    *seconds = 0;
    SCREE_TRY(scree_plan_make(&plan, source, options, error));
    for (int64_t i = 0; i < scree_plan_count(plan); i++)
        if (scree_plan_at(plan, i)->chosen)
            *seconds = scree_plan_at(plan, i)->seconds;
done:
    scree_plan_free(plan);
    return status;
}
