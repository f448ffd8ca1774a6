/* SPDX-License-Identifier: BSD-3-Clause */
/* The way in which a selection gathers its rows, as their shape and the memory allow. Fewer rows than columns: Grams of
 * N×N; otherwise moments of D×D, one a fold; without folds where those are too large. And the sentence for a memory
 * that allows no way, with the amount that does. */

#include "fit/selection.h"

#include "base/size_text.h"
#include "fit/plan.h"

#include <stdio.h>
#include <string.h>

enum { MOST_ORDER = 1 << 25 }; /* of a square matrix, whatever the memory; a tree of them is counted in 64 bits */
static const int64_t BOUNDLESS = INT64_MAX / 4;

static const scree__select_way tall = {scree__select_tall_memory, scree__select_tall};
static const scree__select_way wide = {scree__select_wide_memory, scree__select_wide};

static bool is_wide(const scree__job *job)
{
    return job->rows >= 0 && job->rows < job->cols && !job->source->about.weighted;
}

static bool is_possible(const scree__job *job, const scree__select_way *way)
{
    return (way == &wide ? scree__job_rows(job) : job->cols) <= MOST_ORDER;
}

/* As many threads as the memory allows for; 0: not even one. */
static int threads_within(const scree__job *job, const scree__select_way *way, int folds)
{
    int threads = is_possible(job, way) ? job->threads : 0;
    while (threads > 0 && way->memory(job, folds, threads) > job->memory)
        threads--;
    return threads;
}

static const scree__select_way *choose_way(scree__selecting *w, scree__job *job, scree__spectrum *s)
{
    const scree__select_way *const ways[2] = {is_wide(job) ? &wide : &tall, is_wide(job) ? &tall : NULL};
    const int wanted = w->folds;
    for (int folds = wanted; folds >= 1; folds = folds > 1 ? 1 : 0) {
        for (int i = 0; i < 2 && ways[i]; i++) {
            const int threads = threads_within(job, ways[i], folds);
            if (threads == 0)
                continue;
            w->folds = folds;
            job->threads = s->threads = threads;
            return ways[i];
        }
        if (is_possible(job, ways[0]))
            scree__criterion_too_large(s->unseen, ways[0]->memory(job, wanted, 1), job->memory);
        else
            snprintf(s->unseen, sizeof s->unseen, "needs a matrix that is too large for any memory");
    }
    return NULL;
}

/* What all processes do alike. */
typedef struct agreed {
    int64_t way; /* of the two, from 1; 0: none */
    int64_t folds;
    int64_t sample_rows;
    char unseen[SCREE__REASON];
    char unwhitened[SCREE__REASON];
} agreed;

/* What the first process plans, for all: their memory may differ, and so may what they are told of the source. */
static scree_status follow_first(const scree__select_way **way, scree__selecting *w, scree__job *job,
                                 scree__spectrum *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    agreed plan = {.way = *way == &tall ? 1 : *way == &wide ? 2 : 0, .folds = w->folds, .sample_rows = w->sample_rows};
    memcpy(plan.unseen, s->unseen, sizeof plan.unseen);
    memcpy(plan.unwhitened, s->unwhitened, sizeof plan.unwhitened);
    SCREE_TRY(scree__team_tell(job->team, &plan, sizeof plan, error));
    *way = plan.way == 1 ? &tall : plan.way == 2 ? &wide : NULL;
    w->folds = (int)plan.folds;
    w->sample_rows = plan.sample_rows;
    memcpy(s->unseen, plan.unseen, sizeof plan.unseen);
    memcpy(s->unwhitened, plan.unwhitened, sizeof plan.unwhitened);
done:
    return status;
}

scree_status scree__select_plan(const scree__select_way **way, scree__selecting *w, scree__job *job, scree__spectrum *s,
                                scree_error *error)
{
    *way = choose_way(w, job, s);
    if (*way && !w->is_whitened)
        w->sample_rows = scree__select_sample_rows(job, (*way)->memory(job, w->folds, job->threads), s);
    if (!*way)
        snprintf(s->unwhitened, sizeof s->unwhitened, "%s", s->unseen);
    return job->team ? follow_first(way, w, job, s, error) : SCREE_OK;
}

/* The least that any way takes. */
static int64_t least_memory(const scree__job *job)
{
    int64_t least = INT64_MAX;
    if (is_possible(job, &tall))
        least = tall.memory(job, 1, 1);
    if (is_wide(job) && is_possible(job, &wide) && wide.memory(job, 1, 1) < least)
        least = wide.memory(job, 1, 1);
    return least;
}

int64_t scree__select_fill_memory(const scree__job *job)
{
    const int64_t reading = scree__pass_memory(job->source, SCREE__FILL_ROWS) + scree__select_sample_memory(job);
    const int64_t rows = scree__select_rows_wanted(job);
    scree_source filled = {.about = {.type = SCREE_F64, .rows = rows, .rows_estimate = rows, .cols = job->cols},
                           .can = SCREE__CAN_REWIND | SCREE__IN_MEMORY};
    scree__job again = *job;
    again.source = &filled;
    again.rows = rows;
    again.rows_known = true;
    const int64_t least = least_memory(&again);
    const int64_t choosing = least == INT64_MAX ? least : least + 8 * rows * job->cols;
    return reading > choosing ? reading : choosing;
}

/* The least that a fit takes. */
static int64_t fit_memory(const scree__job *job, const scree_fit_options *fit)
{
    int64_t least = INT64_MAX;
    scree_plan *plan = NULL;
    scree_run run = *fit->run;
    scree_fit_options boundless = *fit;
    run.memory = BOUNDLESS;
    run.cache = NULL;
    boundless.run = &run;
    if (scree_plan_make(&plan, job->source, &boundless, NULL) != SCREE_OK)
        return least;
    for (int64_t i = 0; i < scree_plan_count(plan); i++) {
        const scree_plan_entry *entry = scree_plan_at(plan, i);
        if (entry->applicable && entry->memory < least)
            least = entry->memory;
    }
    scree_plan_free(plan);
    return least;
}

scree_status scree__select_too_little(const scree__selecting *w, const scree_fit_options *fit, scree_error *error)
{
    const scree__job *job = w->job;
    const int64_t fitting = fit_memory(job, fit);
    const int64_t way = least_memory(job);
    const int64_t least = fitting < way ? fitting : way;
    const bool may_gap = w->takes_gaps && (job->source->can & SCREE__CAN_REWIND) && !job->source->about.weighted;
    const int64_t filling = may_gap ? scree__select_fill_memory(job) : 0;
    char limit[SCREE__SIZE_TEXT];
    char need[SCREE__SIZE_TEXT];
    char other[SCREE__SIZE_TEXT];
    scree__size_text(limit, job->memory);
    scree__size_text(need, least);
    if (filling > least)
        return scree__fail(
            error, SCREE_ERR_LIMIT,
            "%s: %s is too little memory: choosing needs %s, or %s if values are missing; allow that much",
            job->source->about.path, limit, need, scree__size_text(other, filling));
    return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s is too little memory: choosing needs %s; allow that much",
                       job->source->about.path, limit, need);
}
