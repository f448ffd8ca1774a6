/* SPDX-License-Identifier: BSD-3-Clause */
/* Scores of blocks, and one number of every row kept and sorted: ln p of calibration rows, p-values for a threshold.
 * The array doubles when it is full, for a pipe does not say how many rows will come. */

#include "answer/scored.h"

#include "answer/match.h"
#include "base/memory.h"
#include "base/sort.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

scree_status scree__scored_open(scree__scored *scored, const scree_scorer *scorer, scree_source *source,
                                const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    *scored = (scree__scored){.query = {.source = source}, .scorer = scorer};
    SCREE_TRY(scree__match_columns(&scored->query.columns, scorer->model, source, error));
    SCREE_TRY(scree__score_open(&scored->query.chunks, scorer->model, source->about.cols, run->threads, error));
    if (scorer->calibration)
        scree__score_whole(&scored->query.chunks);
done:
    return status;
}

void scree__scored_close(scree__scored *scored)
{
    scree__row_query_close(&scored->query);
    free(scored->scores);
    scored->scores = NULL;
}

scree_status scree__scored_block(scree__scored *scored, const scree__block *block, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (block->rows > scored->room) {
        free(scored->scores);
        scored->room = 0;
        SCREE_ALLOC(scored->scores, block->rows, error);
        scored->room = block->rows;
    }
    scree__score_out out = {scored->scorer, scored->scores};
    SCREE_TRY(scree__row_query_block(&scored->query, block, &out, threads, error));
done:
    return status;
}

typedef struct collection {
    scree__scored scored;
    size_t field;
    double *cells; /* of the row at hand, where rows with gaps are left out; else NULL */
    double *values;
    int64_t count;
    int64_t room;
} collection;

static scree_status reserve(collection *all, int64_t more, scree_error *error)
{
    if (more <= all->room - all->count)
        return SCREE_OK;
    const int64_t room = 2 * all->room + more;
    double *values = room <= INT64_MAX / 16 ? realloc(all->values, (size_t)room * sizeof *values) : NULL;
    if (!values)
        return scree__fail(error, SCREE_ERR_MEMORY,
                           "%s: out of memory for a number of each of %" PRId64 " rows; score fewer rows at a time",
                           all->scored.query.source->about.path, room);
    all->values = values;
    all->room = room;
    return SCREE_OK;
}

static bool has_gaps(const collection *all, const scree__row_block *rows, int64_t row)
{
    const double *x = scree__rows_load(&rows->x, row, all->cells);
    const int64_t d = scree_model_get(all->scored.scorer->model)->d;
    for (int64_t j = 0; j < d; j++)
        if (isnan(x[rows->columns ? rows->columns[j] : j]))
            return true;
    return false;
}

static scree_status collect_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    collection *all = context;
    (void)out;
    SCREE_TRY(scree__scored_block(&all->scored, block, threads, error));
    SCREE_TRY(reserve(all, block->rows, error));
    const scree__row_block rows = scree__row_query_rows(&all->scored.query, block);
    for (int64_t i = 0; i < block->rows; i++) {
        if (all->cells && has_gaps(all, &rows, i))
            continue;
        memcpy(&all->values[all->count], (const char *)&all->scored.scores[i] + all->field, sizeof *all->values);
        all->count += !isnan(all->values[all->count]); /* what is not known has no rank */
    }
done:
    return status;
}

scree_status scree__scores_sorted(double **values, int64_t *count, const scree_scorer *scorer, scree_source *source,
                                  const scree__collect *collect, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    collection all = {.field = collect->field};
    scree__map map = {.stage = collect->stage,
                      .rows = collect_rows,
                      .context = &all,
                      .takes_origin = true,
                      .normal = scree__row_query_normal(scorer->model),
                      .use_count = scree_model_get(scorer->model)->d,
                      .pass = 1,
                      .passes = collect->passes};
    SCREE_TRY(scree__scored_open(&all.scored, scorer, source, run, error));
    map.uses = all.scored.query.columns;
    if (collect->whole)
        SCREE_ALLOC(all.cells, source->about.cols, error);
    SCREE_TRY(reserve(&all, source->about.rows > 0 ? source->about.rows : 1, error));
    SCREE_TRY(scree__stream_run(source, &map, NULL, run, error));
    scree__sort_doubles(all.values, all.count);
    *values = all.values;
    *count = all.count;
    all.values = NULL;
done:
    scree__scored_close(&all.scored);
    free(all.cells);
    free(all.values);
    return status;
}
