/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a source that several processes share on their way into a state. Each has the same state, and sums the ranges
 * of rows that are its own, each by itself; a fixed tree joins what these come to (data/team.h), and the state gains
 * the whole. So it is the same to the last bit for any number of processes, and stays as it was where one of them
 * fails. With a half-life a range fades by the rows that come after it (state_parcel.c).
 * Cost beside the sums: a join for each range, and log₂ R + 3 matrices of memory for R ranges. */

#include "base/memory.h"
#include "fit/job.h"
#include "state/state_parcel.h"

#include <string.h>

enum { FADING_PIECES = 4 }; /* rows that fade together, whatever the number of threads */

typedef struct sharing {
    const scree_source *source;
    scree_state *range; /* what the rows of the range at work have come to */
    scree__state_shape shape;
    scree__team_tree *tree;
} sharing;

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    const sharing *s = context;
    const scree__rows x = scree__batch_rows(batch);
    const scree_status status = scree__state_check_batch(s->source, batch, error);
    return status == SCREE_OK ? scree__state_take(s->range, &x, error) : status;
}

/* A range has ended; one without rows comes to nothing. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    sharing *s = context;
    scree_state *range = s->range;
    scree__tally tally;
    if (range->rows > 0) {
        double *parcel = scree__team_tree_room(s->tree);
        if (!parcel)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a state of %lld columns is too large",
                       (long long)range->cols);
        SCREE_TRY(scree__state_tally(range, &tally, error));
        scree__state_parcel_fill(&s->shape, &tally, parcel);
        range->method->free(range->sums);
        range->sums = NULL;
        range->rows = 0;
        SCREE_TRY(range->method->create(&range->sums, range, error));
    }
    SCREE_TRY(scree__team_tree_add(s->tree, error));
done:
    return status;
}

/* An empty state for ranges of so many rows. */
static scree_status make_range(scree_state **out, const scree_state *state, int64_t rows, int threads,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_state *range = NULL;
    const int64_t step = state->method->step(state);
    SCREE_ALLOC(range, 1, error);
    range->method = state->method;
    range->cols = state->cols;
    range->rank = state->rank;
    range->forget = state->forget;
    range->threads = threads;
    range->expected = rows;
    range->type = SCREE_F64;
    range->capacity = state->forget > 0 ? FADING_PIECES * step : state->capacity;
    SCREE_ALLOC(range->mean, range->cols, error);
    SCREE_ALLOC(range->rest, range->cols, error);
    SCREE_TRY(range->method->create(&range->sums, range, error));
    *out = range;
    range = NULL;
done:
    scree_state_free(range);
    return status;
}

static scree_status prepare(sharing *s, scree__team *team, const scree_state *state, const scree_run *run,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    s->shape = scree__state_shape_of(state, run->threads, true);
    const int64_t doubles = scree__state_parcel_doubles(&s->shape);
    const int64_t tree = 8 * scree__team_tree_doubles(team, doubles);
    const int64_t beside = tree + state->method->memory(state) + scree__pass_memory(s->source, state->capacity);
    if (run->memory > 0)
        SCREE_TRY(scree__state_check_memory(state, run->memory, beside, error));
    SCREE_TRY(make_range(&s->range, state, scree__team_range_rows(team), run->threads, error));
    SCREE_TRY(scree__team_tree_new(&s->tree, team, doubles, scree__state_parcel_join, &s->shape, error));
done:
    return status;
}

/* The state gains what all rows have come to. */
static scree_status gain(scree_state *state, const scree__state_shape *shape, double *parcel, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tally before;
    const scree__tally all = scree__state_parcel_tally(shape, parcel);
    SCREE_TRY(scree__state_tally(state, &before, error)); /* none wait any more */
    if (all.rows == 0)
        goto done;
    if (state->forget > 0 && state->rows > 0)
        scree__state_fade(state, state->sums, all.rows);
    SCREE_TRY(state->method->gain(state->sums, &all, error));
    state->rows += all.rows;
done:
    return status;
}

/* The ranges of this process, as a job of its own. */
static scree_status pass(sharing *s, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
    const scree__job job = {.source = source, .options = &options, .team = source->team};
    const scree__range_visits visits = {.visit = visit, .ended = ended, .context = s, .several = true};
    scree_source *part = NULL;
    scree__job mine;
    options.run = run;
    SCREE_TRY(scree__job_share(&mine, &part, &job, error));
    s->source = mine.source;
    SCREE_TRY(scree__job_pass_ranges(&mine, 1, 1, s->range->capacity, &visits, NULL, error));
done:
    scree_source_free(part);
    return status;
}

scree_status scree__state_add_together(scree_state *state, scree_source *source, scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = NULL;
    sharing s = {.source = source};
    double *parcel = NULL;
    SCREE_TRY(scree__team_open(&team, source, run, error));
    status = prepare(&s, team, state, run, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    status = pass(&s, source, run, error);
    SCREE_TRY(scree__team_tree_finish(s.tree, status, NULL, &parcel, error));
    status = gain(state, &s.shape, parcel, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(scree__source_tell(source, team->with, error));
done:
    scree_state_free(s.range);
    scree__team_tree_free(s.tree);
    scree__team_close(team, source);
    return status;
}
