/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows as they are, for methods that need all of them at once: one block of a source in memory, or a copy of what the
 * pass brings, which is checked and copied by all threads. */

#include "fit/held.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"

#include <string.h>

enum { LOAD_ROWS = 64, LEAST_COLS = 1024 /* of a range: what ranges come to takes a while to add up */ };

typedef struct loading {
    const scree__job *job;
    scree__held *into;
    scree__solution *solution;
    const scree__batch *batch;
    bool bad;
} loading;

bool scree__held_are_lent(const scree__job *job)
{
    const scree_source *source = job->source;
    return (source->can & SCREE__IN_MEMORY) != 0 && !source->cells && !source->about.weighted;
}

static int64_t capacity_of(const scree__job *job)
{
    const int64_t rows = scree__job_rows(job);
    return job->rows_known ? rows : rows + rows / 4 + LOAD_ROWS;
}

scree__team_items scree__held_items(const scree__job *job)
{
    return scree__team_cut(job->team, job->cols, LEAST_COLS);
}

/* The columns that this process holds. */
static int64_t held_cols(const scree__job *job, int64_t *first)
{
    *first = 0;
    if (!job->team)
        return job->cols;
    const scree__team_items own = scree__held_items(job);
    *first = scree__range_start(&own.ranges, own.ranges.first);
    return scree__range_start(&own.ranges, own.ranges.end) - *first;
}

int64_t scree__held_memory(const scree__job *job)
{
    int64_t first;
    const int64_t row =
        held_cols(job, &first) * scree__type_size(job->source->about.type) + (job->source->about.weighted ? 8 : 0);
    if (scree__held_are_lent(job))
        return 0;
    return capacity_of(job) * row + scree__pass_memory(job->source, LOAD_ROWS);
}

void scree__held_clear(scree__held *held)
{
    free(held->data);
    free(held->weights);
}

/* Task: a row of the batch. */
static void copy_row(void *context, int64_t i, int worker)
{
    loading *l = context;
    const scree__rows x = scree__batch_rows(l->batch);
    const scree__rows row = scree__rows_slice(&x, i, 1);
    const int64_t size = scree__type_size(x.type);
    const int64_t bytes = l->into->x.cols * size;
    (void)worker;
    memcpy(l->into->data + (l->into->x.rows + i) * bytes, (const char *)row.data + l->into->first * size,
           (size_t)bytes);
    if (!scree__rows_are_finite(&row))
        __atomic_store_n(&l->bad, true, __ATOMIC_RELAXED);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    loading *l = context;
    scree__held *held = l->into;
    if (held->x.rows + batch->rows > held->capacity) { /* far more rows than estimated: another plan is needed */
        l->solution->misjudged = true;
        return scree__fail(error, SCREE_ERR_LIMIT, "%s has more rows than its size suggested",
                           l->job->source->about.path);
    }
    l->batch = batch;
    scree__parallel(scree__threads_for(l->job->threads, (double)batch->rows * (double)batch->cols), batch->rows,
                    copy_row, l);
    if (l->bad)
        return scree__job_bad_cell(l->job, batch, error);
    for (int64_t i = 0; held->weights && i < batch->rows; i++)
        held->weights[held->x.rows + i] = batch->weights[i];
    held->x.rows += batch->rows;
    return SCREE_OK;
}

static scree_status copy(scree__held *held, const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    loading l = {.job = job, .into = held, .solution = s};
    held->capacity = capacity_of(job);
    held->data = scree__alloc_raw(held->capacity * held->x.cols, (size_t)scree__type_size(held->x.type));
    if (job->source->about.weighted)
        held->weights = scree__alloc_raw(held->capacity, sizeof *held->weights);
    if (!held->data || (job->source->about.weighted && !held->weights))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld rows of %lld columns cannot be kept",
                   (long long)held->capacity, (long long)job->cols);
    SCREE_TRY(scree__job_pass(job, 1, 1, LOAD_ROWS, visit, &l, NULL, error));
    held->x.data = held->data;
    held->x.weights = held->weights;
done:
    return status;
}

/* Rows that lie in memory; told like a pass, so that it can be cancelled. */
static scree_status lend(scree__held *held, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = held->x.cols;
    SCREE_TRY(scree__job_lend(job, job->rows, &held->x, error));
    held->x = scree__rows_columns(&held->x, held->first, cols);
    const scree_progress progress = {.stage = "fit",
                                     .pass = 1,
                                     .passes = 1,
                                     .rows = job->rows,
                                     .rows_total = job->rows,
                                     .bytes = job->rows * job->cols * scree__type_size(held->x.type)};
    SCREE_TRY(scree__progress_tell(job->options->run, progress, 0, error));
done:
    return status;
}

scree_status scree__held_load(scree__held *held, const scree__job *job, scree__solution *s, scree_error *error)
{
    *held = (scree__held){.x = {.type = job->source->about.type}};
    held->x.cols = held->x.stride = held_cols(job, &held->first);
    return scree__held_are_lent(job) ? lend(held, job, error) : copy(held, job, s, error);
}

scree_status scree__held_check(const scree__held *held, const scree__job *job, scree_error *error)
{
    scree__rows x = held->x; /* all columns: what is said is the same for all processes */
    x.data = (const char *)x.data - held->first * scree__type_size(x.type);
    x.cols = job->cols;
    const scree__batch batch = {
        .data = x.data, .type = x.type, .rows = x.rows, .cols = x.cols, .stride = x.stride, .weights = x.weights};
    return held->data || scree__rows_are_finite(&x) ? SCREE_OK : scree__job_bad_cell(job, &batch, error);
}
