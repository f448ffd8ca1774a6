/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows, their weight, means and squares about the means, in one pass: of dense rows by moments.c, of sparse ones by
 * sparse_columns.c, of genotypes by what was counted when they were opened. Processes that share rows measure each
 * range by itself, and a tree joins them (reduce.c). */

#include "fit/measure.h"

#include "base/memory.h"
#include "fit/packed_sweep.h"

static scree_status visit_moments(void *context, const scree__batch *batch, scree_error *error)
{
    scree__measure *w = context;
    w->rows += batch->rows;
    if (batch->entries)
        return scree__sparse_columns_add(w->columns, batch->entries) ? SCREE_OK
                                                                     : scree__job_bad_cell(w->job, batch, error);
    scree__rows x = scree__batch_rows(batch);
    scree_status status = scree__moments_add(w->moments, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

static void move(void *context, scree__snapshot *snapshot)
{
    scree__measure *w = context;
    if (w->columns)
        scree__sparse_columns_move(w->columns, snapshot);
    else
        scree__moments_move(w->moments, snapshot);
}

/* One pass: rows, their weight, mean and sums of squares, all lent. */
static scree_status add_up(scree__measure *w, scree__sparse_found *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const bool sparse = job->source->sparse;
    w->sweeps->passes = 1;
    if (scree__job_packed(job)) { /* they were counted when they were opened */
        SCREE_ALLOC(w->counted, 2 * job->cols, error);
        *found = (scree__sparse_found){.rows = job->source->genotypes->samples,
                                       .weight = (double)job->source->genotypes->samples,
                                       .mean = w->counted,
                                       .squares = w->counted + job->cols};
        scree__packed_moments(job->source->genotypes, found->mean, found->squares);
        goto done;
    }
    if (sparse)
        SCREE_TRY(scree__sparse_columns_new(&w->columns, job->cols, job->threads, error));
    else
        SCREE_TRY(scree__moments_new(&w->moments, job->cols, true, &scree__ops_f64, job->threads, error));
    const scree__reading reading = {.pass = 1,
                                    .batch_rows = sparse ? scree__sparse_columns_rows(job->cols)
                                                         : scree__moments_rows(job->cols, true, &scree__ops_f64),
                                    .several = true,
                                    .visit = visit_moments,
                                    .context = w,
                                    .move = move};
    SCREE_TRY(scree__job_read(job, &reading, NULL, error));
    if (sparse) {
        scree__sparse_columns_finish(w->columns, found);
    } else {
        scree__moments_finish(w->moments, &found->rows, &found->mean, &found->squares);
        found->weight = scree__moments_weight(w->moments);
    }
done:
    return status;
}

/* What the sparse rows of a range come to; others begin anew. */
static scree_status tally_columns(scree__measure *w, double *parcel, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sparse_found found;
    scree__sparse_columns_finish(w->columns, &found);
    const scree__tally tally = {
        .rows = found.rows, .weight = found.weight, .mean = found.mean, .rest = found.rest, .matrix = found.squares};
    scree__parcel_fill(&w->shape, &tally, parcel);
    scree__sparse_columns_free(w->columns);
    w->columns = NULL;
    SCREE_TRY(scree__sparse_columns_new(&w->columns, w->shape.cols, w->job->threads, error));
done:
    return status;
}

/* A range has ended. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__measure *w = context;
    scree__tally tally;
    double *parcel = scree__team_tree_place(w->tree);
    if (!parcel)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: means of %lld columns do not fit",
                   (long long)w->shape.cols);
    if (w->rows > 0 && w->columns) {
        SCREE_TRY(tally_columns(w, parcel, error));
    } else if (w->rows > 0) {
        scree__moments_tally(w->moments, w->mean, w->rest, &tally);
        scree__parcel_fill(&w->shape, &tally, parcel);
        scree__moments_restart(w->moments);
    }
    w->sweeps->starts[w->range + 1] = w->sweeps->starts[w->range] + w->rows;
    w->range++;
    w->rows = 0;
    SCREE_TRY(scree__team_tree_add(w->tree, error));
done:
    return status;
}

/* The same by several processes; sweeps will be over the rows of this one. */
static scree_status add_up_together(scree__measure *w, scree__sparse_found *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    const bool sparse = job->source->sparse;
    double *parcel = NULL;
    const scree__range_visits visits = {.visit = visit_moments, .ended = ended, .context = w, .several = true};
    w->sweeps->passes = 1;
    w->shape = (scree__parcel_shape){job->cols, job->cols, job->threads};
    SCREE_ALLOC(w->sweeps->starts, job->team->ranges.end - job->team->ranges.first + 1, error);
    SCREE_ALLOC(w->mean, job->cols, error);
    SCREE_ALLOC(w->rest, job->cols, error);
    SCREE_TRY(scree__team_tree_new(&w->tree, job->team, scree__parcel_doubles(&w->shape), scree__parcel_join_scatters,
                                   &w->shape, error));
    if (sparse)
        status = scree__sparse_columns_new(&w->columns, job->cols, job->threads, error);
    else
        status = scree__moments_new(&w->moments, job->cols, true, &scree__ops_f64, job->threads, error);
    if (status == SCREE_OK)
        status = scree__job_pass_ranges(job, 1, 0,
                                        sparse ? scree__sparse_columns_rows(job->cols)
                                               : scree__moments_rows(job->cols, true, &scree__ops_f64),
                                        &visits, &w->sweeps->rows, error);
    SCREE_TRY(scree__team_tree_finish(w->tree, status, job->gap, &parcel, error));
    const scree__tally all = scree__parcel_tally(&w->shape, parcel);
    *found = (scree__sparse_found){.rows = all.rows,
                                   .weight = all.weight,
                                   .mean = scree__parcel_mean(&w->shape, parcel),
                                   .rest = scree__parcel_rest(&w->shape, parcel),
                                   .squares = scree__parcel_matrix(&w->shape, parcel)};
done:
    return status;
}

scree_status scree__measure_run(scree__measure *w, scree__sweeps *sweeps, scree__sparse_found *found,
                                scree_error *error)
{
    w->sweeps = sweeps;
    const scree_status status = (w->job->team ? add_up_together : add_up)(w, found, error);
    if (!w->job->team)
        sweeps->rows = found->rows;
    return status;
}

void scree__measure_clear(scree__measure *w)
{
    scree__moments_free(w->moments);
    scree__sparse_columns_free(w->columns);
    scree__team_tree_free(w->tree);
    free(w->counted);
    free(w->mean);
    free(w->rest);
}
