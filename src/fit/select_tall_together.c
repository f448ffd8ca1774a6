/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds of rows that several processes share: each deals its own rows, as their numbers among all rows say. What a
 * range of rows comes to is one tally for each fold, N, mean in two doubles and scatter, and the tree joins ranges fold
 * by fold: F D² numbers a range. In the end every process has the folds of all rows, and the sample of all rows, which
 * is the same whoever has kept what of it (select_sample.c). */

#include "fit/select_tall.h"

#include "base/memory.h"

#include <string.h>

static scree__parcel_shape shape_of(const scree__job *job)
{
    return (scree__parcel_shape){job->cols, job->cols * job->cols, job->threads};
}

int64_t scree__tall_together_memory(const scree__job *job, int folds)
{
    const scree__parcel_shape shape = shape_of(job);
    return 8 * (scree__team_tree_doubles(job->team, folds * scree__parcel_doubles(&shape)) + 2 * job->cols);
}

static scree_status join(void *context, double *into, double *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall *t = context;
    const int64_t size = scree__parcel_doubles(&t->shape);
    for (int f = 0; f < t->w->folds; f++)
        SCREE_TRY(scree__parcel_join_scatters(&t->shape, into + f * size, from + f * size, error));
done:
    return status;
}

/* What the rows of a range come to in one fold; it begins anew. */
static void take_tally(scree__tall *t, scree__fold *f, double *parcel)
{
    scree__tally tally;
    if (f->added == 0) {
        memset(parcel, 0, (size_t)scree__parcel_doubles(&t->shape) * sizeof *parcel);
        return;
    }
    scree__moments_end(f->moments, t->tally_mean, t->tally_rest, &tally);
    scree__parcel_fill_upper(&t->shape, &tally, parcel);
    scree__moments_restart(f->moments);
    f->added = 0;
}

/* A range has ended; one without rows comes to nothing. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tall *t = context;
    const int64_t size = scree__parcel_doubles(&t->shape);
    const scree__batch end = {.type = t->job->source->about.type, .cols = t->d, .first = t->seen - 1};
    double *parcels = NULL;
    int64_t rows = 0;
    for (int f = 0; f < t->w->folds; f++) {
        SCREE_TRY(scree__tall_flush(t, &t->fold[f], &end, error));
        rows += t->fold[f].added;
    }
    if (rows > 0) {
        parcels = scree__team_tree_room(t->tree);
        if (!parcels)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: scatters of %lld columns are too large",
                       (long long)t->d);
        for (int f = 0; f < t->w->folds; f++)
            take_tally(t, &t->fold[f], parcels + f * size);
    }
    SCREE_TRY(scree__team_tree_add(t->tree, error));
done:
    return status;
}

static scree_status read_own(scree__tall *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__team *team = t->w->job->team;
    const scree__range_visits visits = {.stage = "select", .visit = scree__tall_deal, .ended = ended, .context = t};
    t->first = scree__range_start(&team->ranges, team->ranges.first);
    t->sample.seen = t->first;
    SCREE_ALLOC(t->tally_mean, t->d, error);
    SCREE_ALLOC(t->tally_rest, t->d, error);
    SCREE_TRY(scree__tall_open(t, error));
    for (int f = 0; f < t->w->folds; f++)
        scree__moments_expect(t->fold[f].moments, scree__team_range_rows(team) / t->w->folds + 1);
    SCREE_TRY(scree__job_pass_ranges(t->job, 1, 1, SCREE__DEAL_ROWS, &visits, NULL, error));
done:
    return status;
}

scree_status scree__tall_read_together(scree__tall *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = t->w->job;
    scree_source *part = NULL;
    scree__job mine;
    double *parcels = NULL;
    t->shape = shape_of(job);
    const int64_t size = scree__parcel_doubles(&t->shape);
    SCREE_TRY(scree__team_tree_new(&t->tree, job->team, t->w->folds * size, join, t, error));
    status = scree__job_share(&mine, &part, job, error);
    t->job = &mine;
    if (status == SCREE_OK)
        status = read_own(t, error);
    t->job = job;
    SCREE_TRY(scree__team_tree_finish(t->tree, status, job->gap, &parcels, error));
    for (int f = 0; f < t->w->folds; f++) {
        double *parcel = parcels + f * size;
        scree__parcel_mirror(&t->shape, parcel);
        t->fold[f].mean = scree__parcel_mean(&t->shape, parcel);
        t->fold[f].scatter = scree__parcel_matrix(&t->shape, parcel);
        t->fold[f].n = parcel[1];
        t->rows += (int64_t)parcel[0];
    }
    if (t->sample.capacity > 0)
        SCREE_TRY(scree__row_sample_share(&t->sample, job->team, error));
done:
    scree_source_free(part);
    return status;
}
