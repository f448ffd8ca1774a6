/* SPDX-License-Identifier: BSD-3-Clause */
/* A pass of a fit: rows go to the method, and to replicates and witnesses beside it. Where the fit has a checkpoint and
 * the method says what its sums are, the pass is a stage of it: what it has come to is saved between batches, with the
 * number of rows that are in it; one that was broken off goes on behind these, and one that is over is not made again.
 */

#include "fit/job.h"

#include "data/pass.h"
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

/* A pass as a stage of a checkpoint. */
typedef struct stage_pass {
    const scree__job *job;
    const scree__reading *reading;
    bool shared;
    int64_t passed;  /* rows of the source */
    int64_t visited; /* of these */
} stage_pass;

static void move_pass(void *context, scree__snapshot *s)
{
    stage_pass *p = context;
    scree_source *source = p->job->source;
    const int64_t rows = source->about.rows >= 0 ? source->about.rows : SCREE__SNAPSHOT_MOST;
    scree__snapshot_count(s, &p->passed, 0, rows);
    scree__snapshot_count(s, &p->visited, 0, p->passed);
    if (s->status == SCREE_OK)
        p->reading->move(p->reading->context, s);
    if (p->shared && p->job->replicates)
        scree__replicates_move(p->job->replicates, s);
    if (p->shared && p->job->witnesses)
        scree__witnesses_move(p->job->witnesses, s);
}

static scree_status between(void *context, int64_t passed, int64_t visited, scree_error *error)
{
    stage_pass *p = context;
    p->passed = passed;
    p->visited = visited;
    return scree__checkpoint_offer(p->job->checkpoint, error);
}

/* The pass itself, as a stage. */
static scree_status run_stage(stage_pass *p, scree__pass *pass, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = p->job;
    const scree__stage stage = {.name = "pass", .move = move_pass, .context = p, .inner = p->reading->inner};
    scree__reached reached;
    SCREE_TRY(scree__checkpoint_begin(job->checkpoint, &stage, &reached, error));
    if (reached != SCREE__OVER) {
        pass->passed = p->passed;
        pass->visited = p->visited;
        pass->between = between;
        pass->between_context = p;
        status = scree__pass_run(job->source, pass, &p->visited, error);
        p->passed = job->source->about.rows;
        SCREE_TRY(scree__checkpoint_end(job->checkpoint, status, error));
    }
    job->source->about.rows = p->passed;
    if (rows)
        *rows = p->visited;
done:
    return status;
}

scree_status scree__job_read(const scree__job *job, const scree__reading *r, int64_t *rows, scree_error *error)
{
    scree__pass pass = pass_of(job, r->pass, r->passes, r->batch_rows);
    both all = {r->visit, r->context, job->replicates, job->witnesses};
    stage_pass p = {.job = job, .reading = r, .shared = is_shared(job, r->pass)};
    pass.visit = p.shared ? visit_both : r->visit;
    pass.context = p.shared ? &all : r->context;
    pass.takes_several = r->several;
    if (!job->checkpoint || !r->move)
        return scree__pass_run(job->source, &pass, rows, error);
    return run_stage(&p, &pass, rows, error);
}

scree_status scree__job_pass(const scree__job *job, int pass, int passes, int64_t batch_rows, scree__visit visit,
                             void *context, int64_t *rows, scree_error *error)
{
    const scree__reading reading = {
        .pass = pass, .passes = passes, .batch_rows = batch_rows, .visit = visit, .context = context};
    return scree__job_read(job, &reading, rows, error);
}
