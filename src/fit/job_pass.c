/* SPDX-License-Identifier: BSD-3-Clause */
/* The passes of a job over its rows, all of them or, where several processes share them, those of this one, range by
 * range. Replicates and witnesses see the rows of a first pass, too. */

#include "fit/job.h"

#include "fit/replicates.h"
#include "kernel/witnesses.h"

/* A method's visit, and the replicates and witnesses after it. */
typedef struct both {
    scree__visit visit;
    void *context;
    scree__replicates *replicates; /* or NULL, */
    scree__witnesses *witnesses;   /* and so are these */
} both;

static scree_status visit_both(void *context, const scree__batch *batch, scree_error *error)
{
    scree_status status = SCREE_OK;
    const both *b = context;
    SCREE_TRY(b->visit(b->context, batch, error));
    if (b->replicates && !batch->entries) /* of sparse rows they have a pass of their own */
        SCREE_TRY(scree__replicates_add(b->replicates, batch, error));
    if (b->witnesses && batch->entries)
        scree__witnesses_add_entries(b->witnesses, batch->entries);
    else if (b->witnesses && !batch->cells) {
        const scree__rows x = scree__batch_rows(batch);
        scree__witnesses_add(b->witnesses, &x);
    }
done:
    return status;
}

static scree__pass pass_of(const scree__job *job, int pass, int passes, int64_t batch_rows)
{
    return (scree__pass){.stage = "fit",
                         .pass = pass,
                         .passes = passes,
                         .batch_rows = batch_rows,
                         .run = job->options->run,
                         .takes_cells = job->takes_cells && !job->replicates,
                         .takes_sparse = job->takes_sparse,
                         .takes_origin = true};
}

/* Whether others see the rows of a pass, too. Witnesses begin anew: a method may have given way to another. */
static bool is_shared(const scree__job *job, int pass)
{
    if (pass == 1 && job->witnesses)
        scree__witnesses_restart(job->witnesses);
    return pass == 1 && (job->replicates || job->witnesses);
}

scree_status scree__job_pass(const scree__job *job, int pass, int passes, int64_t batch_rows, scree__visit visit,
                             void *context, int64_t *rows, scree_error *error)
{
    scree__pass p = pass_of(job, pass, passes, batch_rows);
    both all = {visit, context, job->replicates, job->witnesses};
    const bool shared = is_shared(job, pass);
    p.visit = shared ? visit_both : visit;
    p.context = shared ? &all : context;
    return scree__pass_run(job->source, &p, rows, error);
}

scree_status scree__job_pass_several(const scree__job *job, int pass, int passes, int64_t batch_rows,
                                     scree__visit visit, void *context, int64_t *rows, scree_error *error)
{
    scree__pass p = pass_of(job, pass, passes, batch_rows);
    both all = {visit, context, job->replicates, job->witnesses};
    const bool shared = is_shared(job, pass);
    p.visit = shared ? visit_both : visit;
    p.context = shared ? &all : context;
    p.takes_several = true;
    return scree__pass_run(job->source, &p, rows, error);
}

scree_status scree__job_share(scree__job *mine, scree_source **part, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    *mine = *job;
    *part = NULL;
    if (!job->team)
        return SCREE_OK;
    SCREE_TRY(scree__team_part(part, job->team, job->source, error));
    if (*part)
        mine->source = *part;
done:
    return status;
}

scree_status scree__job_pass_ranges(const scree__job *job, int pass, int passes, int64_t batch_rows,
                                    const scree__range_visits *visits, int64_t *rows, scree_error *error)
{
    scree__pass p = pass_of(job, pass, passes, batch_rows);
    const scree__ranges *ranges = &job->team->ranges;
    p.visit = visits->visit;
    p.ended = visits->ended;
    p.context = visits->context;
    p.takes_several = visits->several;
    p.ranges = ranges;
    if (ranges->first < ranges->end &&
        scree__range_start(ranges, ranges->first) < scree__range_start(ranges, ranges->end))
        return scree__pass_run(job->source, &p, rows, error);
    scree_status status = SCREE_OK;
    if (rows)
        *rows = 0;
    for (int64_t range = ranges->first; range < ranges->end && status == SCREE_OK; range++)
        status = visits->ended(visits->context, error);
    return status;
}
