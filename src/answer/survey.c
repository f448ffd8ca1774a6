/* SPDX-License-Identifier: BSD-3-Clause */
/* A survey of a source: one pass in which a visitor sees the rows block by block, with their scores and codes where it
 * wants them. It is what pictures and pages read rows with: they see neither blocks nor questions. Codes and scores are
 * those of scree_model_project and scree_scorer_score, bit for bit; of sparse rows, whose codes project has from their
 * entries, to rounding. */

#include "answer/match.h"
#include "answer/scored.h"
#include "base/memory.h"

struct scree__cells {
    scree__rows rows;
    const int64_t *columns; /* of the rows, in the model's order; NULL: as they stand */
    int64_t count;
    const double *origin; /* of the block, or NULL */
    double *buffer;       /* a row as it comes */
};

typedef struct surveying {
    const scree__survey *survey;
    scree__row_query query;
    scree__scored scored;
    struct scree__cells cells;
} surveying;

void scree__source_texts_of(const scree_source *source, scree__source_texts *out)
{
    *out = (scree__source_texts){(const char *const *)source->about.text_names, source->about.text_count,
                                 source->about.text_label - 1, source->about.text_id - 1};
}

bool scree__source_rewinds(const scree_source *source)
{
    return (source->can & SCREE__CAN_REWIND) != 0;
}

bool scree__source_slices(const scree_source *source)
{
    return (source->can & SCREE__CAN_SLICE) != 0;
}

void scree__sight_row(const scree__sight *sight, int64_t i, double *out)
{
    const struct scree__cells *cells = sight->cells;
    const double *x = scree__rows_load(&cells->rows, i, cells->buffer);
    for (int64_t j = 0; j < cells->count; j++) {
        const int64_t column = cells->columns ? cells->columns[j] : j;
        out[j] = x[column] + (cells->origin ? cells->origin[column] : 0);
    }
}

static scree_status show_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    surveying *all = context;
    const scree__survey *survey = all->survey;
    all->cells.rows = scree__row_query_rows(&all->query, block).x;
    all->cells.origin = block->origin;
    if (survey->scorer)
        SCREE_TRY(scree__scored_block(&all->scored, block, threads, error));
    if (survey->codes)
        SCREE_TRY(scree__row_query_block(&all->query, block, out, threads, error));
    const scree__sight sight = {.first = block->first,
                                .rows = block->rows,
                                .texts = block->text,
                                .scores = survey->scorer ? all->scored.scores : NULL,
                                .codes = survey->codes ? out : NULL,
                                .cells = &all->cells};
    SCREE_TRY(survey->visit(survey->context, &sight, error));
done:
    return status;
}

static scree_status begin(surveying *all, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__survey *survey = all->survey;
    if (survey->model)
        SCREE_TRY(scree__match_columns(&all->query.columns, survey->model, source, error));
    if (survey->scorer)
        SCREE_TRY(scree__scored_open(&all->scored, survey->scorer, source, run, error));
    if (survey->codes)
        SCREE_TRY(scree__project_open(&all->query.chunks, survey->model, source->about.cols, run->threads, error));
    SCREE_ALLOC(all->cells.buffer, source->about.cols, error);
    all->cells.columns = all->query.columns;
    all->cells.count = survey->model ? scree_model_get(survey->model)->d : source->about.cols;
done:
    return status;
}

/* Bytes that whoever looks keeps of the rows. Where it is not known how many there are, an eighth more than it seems.
 */
static int64_t kept_bytes(const scree_source *source, const scree__survey *survey)
{
    const int64_t guess = source->about.rows_estimate + source->about.rows_estimate / 8;
    const int64_t rows = source->about.rows >= 0 ? source->about.rows : guess;
    const bool all = rows >= 0 && rows < survey->keeps_rows;
    return (all ? rows : survey->keeps_rows) * survey->keeps_bytes + survey->keeps_more;
}

scree_status scree__survey_run(scree_source *source, const scree__survey *survey, const scree_run *run,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_run own;
    surveying all = {.survey = survey, .query = {.source = source}};
    scree__map map = {.stage = survey->stage,
                      .cols = survey->codes ? scree_model_get(survey->model)->m : 0,
                      .rows = show_rows,
                      .context = &all,
                      .takes_origin = true,
                      .normal = survey->model ? scree__row_query_normal(survey->model) : (scree__normal){0},
                      .use_count = survey->model ? scree_model_get(survey->model)->d : 0,
                      .pass = survey->pass,
                      .passes = survey->passes};
    const int64_t kept = kept_bytes(source, survey);
    source->memory += kept;
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(begin(&all, source, run, error));
    map.uses = all.query.columns;
    SCREE_TRY(scree__stream_run(source, &map, NULL, run, error));
done:
    source->memory -= kept;
    scree__scored_close(&all.scored);
    scree__row_query_close(&all.query);
    free(all.cells.buffer);
    return status;
}
