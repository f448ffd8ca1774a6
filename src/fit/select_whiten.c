/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows that are kept of a pass, and what whitening them tells of the number of components. */

#include "fit/selection.h"

#include "base/memory.h"

#include <stdio.h>

int64_t scree__select_rows_wanted(const scree__job *job)
{
    const int64_t enough = scree__whiten_rows(job->cols);
    return job->rows_known && job->rows < enough ? job->rows : enough;
}

int64_t scree__select_sample_memory(const scree__job *job)
{
    const int64_t rows = scree__select_rows_wanted(job);
    const int64_t places = job->team ? 8 * scree__team_tree_doubles(job->team, rows) : 0;
    return rows * (8 * job->cols + 16) + scree__whiten_memory(rows, job->cols) + places;
}

int64_t scree__select_sample_rows(const scree__job *job, int64_t memory_used, scree__spectrum *s)
{
    const int64_t rows = scree__select_rows_wanted(job);
    const int64_t bytes = memory_used + scree__select_sample_memory(job);
    if (job->source->about.weighted) {
        snprintf(s->unwhitened, sizeof s->unwhitened, "looks at single rows, and these have weights");
        return 0;
    }
    if (bytes > job->memory) {
        scree__criterion_too_large(s->unwhitened, bytes, job->memory);
        return 0;
    }
    return rows;
}

scree_status scree__select_whiten(scree__spectrum *s, scree__row_sample *sample, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (sample->rows == 0)
        return SCREE_OK;
    if (s->exact > 0) {
        snprintf(s->unwhitened, sizeof s->unwhitened, "there is no noise");
        return SCREE_OK;
    }
    if (!scree__whiten_suffices(sample->rows, s->d)) {
        snprintf(s->unwhitened, sizeof s->unwhitened, "needs at least 12 rows, and 4 columns that vary");
        return SCREE_OK;
    }
    SCREE_TRY(scree__row_sample_sort(sample, error));
    scree__whiten_table table = {.x = sample->x,
                                 .n = sample->rows,
                                 .cols = sample->cols,
                                 .directions = s->d,
                                 .unit = s->is_scaled,
                                 .max_components = s->max_components};
    SCREE_TRY(scree__whiten(&s->whitened, &table, error));
done:
    return status;
}
