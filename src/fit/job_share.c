/* SPDX-License-Identifier: BSD-3-Clause */
/* Where several processes share the rows of a job: the rows of this one, and passes over them, range by range. */

#include "fit/job.h"

scree_status scree__job_share(scree__job *mine, scree_source **part, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    *mine = *job;
    *part = NULL;
    if (!job->team)
        return SCREE_OK;
    SCREE_TRY(scree__team_part(part, &job->team->ranges, job->source, error));
    if (*part)
        mine->source = *part;
done:
    return status;
}

scree_status scree__job_pass_ranges(const scree__job *job, int pass, int passes, int64_t batch_rows,
                                    const scree__range_visits *visits, int64_t *rows, scree_error *error)
{
    const scree__ranges *ranges = visits->ranges ? visits->ranges : &job->team->ranges;
    const int64_t own = visits->cuts
                            ? visits->cuts[ranges->end - ranges->first]
                            : scree__range_start(ranges, ranges->end) - scree__range_start(ranges, ranges->first);
    const scree__pass p = {.stage = visits->stage ? visits->stage : "fit",
                           .pass = pass,
                           .passes = passes,
                           .batch_rows = batch_rows,
                           .run = job->options->run,
                           .takes_cells = job->takes_cells && !job->replicates,
                           .takes_sparse = job->takes_sparse,
                           .takes_origin = true,
                           .visit = visits->visit,
                           .ended = visits->ended,
                           .context = visits->context,
                           .takes_several = visits->several,
                           .ranges = ranges,
                           .cuts = visits->cuts};
    if (own > 0)
        return scree__pass_run(job->source, &p, rows, error);
    scree_status status = SCREE_OK;
    if (rows)
        *rows = 0;
    for (int64_t range = ranges->first; range < ranges->end && status == SCREE_OK; range++)
        status = visits->ended(visits->context, error);
    return status;
}
