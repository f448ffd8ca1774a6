/* SPDX-License-Identifier: BSD-3-Clause */
/* Relations between columns (model/relations.h) of a fit that knows all of S: those that its pivots tell
 * (kernel/dependent.c). They go through the mean, so there is no constant. Not where sums were made in float: an exact
 * relation could not be told from one that holds to seven digits.
 *
 * The decimals of a column are those of the first rows, which witnesses keep, and of its sum, which has as many as all
 * rows need. */

#include "fit/job.h"

#include "kernel/decimals.h"
#include "kernel/dependent.h"
#include "kernel/witnesses.h"
#include "model/evidence.h"
#include "model/relations.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double SUM_ROUNDING = 16; /* of doubles */

static scree_status take(scree__relations **out, const scree__dependent *found, int64_t d, scree_error *error)
{
    const size_t count = (size_t)(found->count + found->loose);
    if (count == 0)
        return SCREE_OK;
    const scree_status status = scree__relations_new(out, found->count, found->loose, d, error);
    if (status == SCREE_OK) {
        memcpy((*out)->columns, found->columns, count * sizeof *found->columns);
        memcpy((*out)->coefficients, found->coefficients, count * (size_t)d * sizeof *found->coefficients);
        memcpy((*out)->variances, found->variances, count * sizeof *found->variances);
    }
    return status;
}

static int64_t decimals_of(const scree__solution *s, const scree__witnesses *w, int64_t column)
{
    const double size = s->weight * (fabs(s->mean[column]) + sqrt(s->variances[column]));
    int64_t decimals = 0;
    for (int64_t i = 0; w && w->first && i < w->held; i++) {
        const double x = w->first[i * w->cols + column];
        decimals = scree__decimals(x, 4 * DBL_EPSILON * fabs(x), decimals);
    }
    return scree__decimals(s->mean[column] * s->weight, SUM_ROUNDING * DBL_EPSILON * size, decimals);
}

scree_status scree__solution_relate(scree__solution *s, const scree__job *job, const double *covariance,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__dependent found = {0};
    int64_t rows = s->rows;
    if (s->in_float || job->options->uncentred)
        return SCREE_OK;
    if (job->witnesses) {
        scree__witnesses_finish(job->witnesses);
        rows = scree__witnesses_distinct(job->witnesses, s->rows);
    }
    SCREE_TRY(scree__dependent_find(&found, covariance, job->cols, (double)(rows - 1), job->witnesses, error));
    SCREE_TRY(take(&s->relations, &found, job->cols, error));
    for (int64_t j = 0; s->relations && !job->source->rescaled && j < job->cols; j++)
        s->relations->decimals[j] = decimals_of(s, job->witnesses, j);
done:
    scree__dependent_clear(&found);
    return status;
}

void scree__solution_rescale_relations(scree__solution *s, double factor)
{
    for (int64_t k = 0; s->relations && k < s->relations->count + s->relations->loose; k++) {
        s->relations->offsets[k] /= factor;
        s->relations->variances[k] = s->relations->variances[k] / factor / factor;
    }
    for (int64_t i = 0; s->evidence && i < s->evidence->count; i++)
        s->evidence->values[i] /= factor;
    if (s->evidence)
        scree__evidence_settle(s->evidence);
}

scree_status scree__solution_testify(scree__solution *s, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__witnesses *w = job->witnesses;
    int64_t count = 0;
    if (!w || w->is_incomplete || w->rows != s->rows)
        return SCREE_OK;
    scree__witnesses_finish(w);
    for (int64_t j = 0; j < job->cols; j++)
        count += scree__witnesses_are_few(w, j);
    SCREE_TRY(scree__evidence_new(&s->evidence, count, job->cols, error));
    s->evidence->distinct = scree__witnesses_distinct(w, s->rows);
    s->evidence->alone = scree__witnesses_alone(w);
    count = 0;
    for (int64_t j = 0; j < job->cols; j++) {
        if (!scree__witnesses_are_few(w, j))
            continue;
        s->evidence->columns[count] = j;
        s->evidence->values[count++] = (w->values[j] - s->mean[j]) / (s->scale ? s->scale[j] : 1);
    }
    scree__evidence_settle(s->evidence);
done:
    return status;
}
