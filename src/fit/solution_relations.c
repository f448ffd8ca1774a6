/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between columns (model/relations.h) of a fit that knows all of S: those that its pivots tell
 * (kernel/dependent.c). They go through the mean, so there is no constant. Not where sums were made in float: an exact
 * relation could not be told from one that holds to seven digits. */

#include "fit/job.h"

#include "kernel/dependent.h"
#include "model/relations.h"

#include <string.h>

static scree_status take(scree__relations **out, const scree__dependent *found, int64_t d, scree_error *error)
{
    const size_t count = (size_t)found->count;
    if (count == 0)
        return SCREE_OK;
    const scree_status status = scree__relations_new(out, found->count, d, error);
    if (status == SCREE_OK) {
        memcpy((*out)->columns, found->columns, count * sizeof *found->columns);
        memcpy((*out)->coefficients, found->coefficients, count * (size_t)d * sizeof *found->coefficients);
        memcpy((*out)->variances, found->variances, count * sizeof *found->variances);
    }
    return status;
}

scree_status scree__solution_relate(scree__solution *s, const scree__job *job, const double *covariance,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__dependent found = {0};
    if (s->in_float)
        return SCREE_OK;
    SCREE_TRY(scree__dependent_find(&found, covariance, job->cols, (double)(s->rows - 1), error));
    SCREE_TRY(take(&s->relations, &found, job->cols, error));
done:
    scree__dependent_clear(&found);
    return status;
}

void scree__solution_rescale_relations(scree__solution *s, double factor)
{
    for (int64_t k = 0; s->relations && k < s->relations->count; k++) {
        s->relations->offsets[k] /= factor;
        s->relations->variances[k] = s->relations->variances[k] / factor / factor;
    }
}
