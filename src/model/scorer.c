/* SPDX-License-Identifier: BSD-3-Clause */
/* Scorers: made for a model that has a density, and asked of rows in memory. What a score is, the kind of the model
 * says; p-values can be calibrated by rows of any distribution (split conformal). */

#include "model/score.h"

#include "base/memory.h"
#include "base/sized.h"
#include "model/kind.h"
#include "model/model.h"

#include <string.h>

static const double DEFAULT_ALPHA = 0.01;

scree_status scree__score_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                               scree_error *error)
{
    scree__question question = scree__question_of(model);
    const scree_status status = SCREE__DENSITY_NEEDS(model, score, "score", error);
    if (status != SCREE_OK)
        return status;
    model->kind->density->score(&question);
    question.ignored = model->thin;
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_scorer_make(scree_scorer **out, const scree_model *model, const scree_score_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_score_options mine = SCREE_SCORE_OPTIONS_INIT;
    scree_scorer *scorer = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!(mine.alpha >= 0 && mine.alpha < 1))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "alpha lies between 0 and 1, not at %g", mine.alpha);
    if (mine.blame_columns < 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%lld columns cannot be named; ask for 0 or more",
                   (long long)mine.blame_columns);
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, scorer, "score", error));
    const scree_model *distribution = scree_model_distribution(model);
    SCREE_TRY(model->kind->density->check(distribution, error));
    SCREE_ALLOC(scorer, 1, error);
    scorer->model = distribution;
    scorer->kept = model;
    scorer->options = mine;
    scorer->options.alpha = mine.alpha > 0 ? mine.alpha : DEFAULT_ALPHA;
    SCREE_TRY(model->kind->density->scorer(scorer, error));
    *out = scorer;
    scorer = NULL;
done:
    scree_scorer_free(scorer);
    return status;
}

void scree__score_whole(scree__chunks *chunks)
{
    chunks->question.gaps = false;
    chunks->question.ignored = NULL;
    chunks->question.advice = "calibrated p-values compare whole rows, so fill the gap or leave the row out";
}

static scree_status open_whole(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                               scree_error *error)
{
    const scree_status status = scree__score_open(chunks, model, cols, threads, error);
    if (status == SCREE_OK)
        scree__score_whole(chunks);
    return status;
}

void scree_scorer_free(scree_scorer *scorer)
{
    if (!scorer)
        return;
    scree__row_law_clear(&scorer->law);
    scree__tail_table_clear(&scorer->t2);
    scree__tail_table_clear(&scorer->q);
    scree__parts_clear(&scorer->parts);
    free(scorer->weights);
    free(scorer->own_directions);
    free(scorer->squares);
    free(scorer->calibration);
    free(scorer->constants);
    free(scorer->unrelated);
    free(scorer);
}

/* One array a quantity, for the caller. */
static void spread(const scree_scores *to, const scree__score *scores, int64_t rows)
{
    const struct {
        double *to;
        size_t field;
    } parts[] = {{to->loglik, offsetof(scree__score, loglik)}, {to->t2, offsetof(scree__score, t2)},
                 {to->q, offsetof(scree__score, q)},           {to->p_t2, offsetof(scree__score, p_t2)},
                 {to->p_q, offsetof(scree__score, p_q)},       {to->p_value, offsetof(scree__score, p_value)}};
    for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
        for (int64_t i = 0; parts[k].to && i < rows; i++)
            memcpy(&parts[k].to[i], (const char *)&scores[i] + parts[k].field, sizeof(double));
}

scree_status scree_scorer_score_rows(const scree_scorer *scorer, const scree_block *rows, const scree_scores *scores,
                                     const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_scores mine = SCREE_SCORES_INIT;
    scree__score_out out = {.scorer = scorer};
    scree__ask ask = {0};
    SCREE_TRY(SCREE_ADOPT(&mine, scores, error));
    SCREE_TRY(scree__ask_rows(&ask, scorer->model, scree_model_get(scorer->model)->d, rows, run, error));
    SCREE_TRY(scree__ask_normalise(&ask, error));
    SCREE_ALLOC(out.scores, ask.rows.x.rows, error);
    SCREE_TRY(scree__ask_question(&ask, scorer->calibration ? open_whole : scree__score_open, &out, error));
    spread(&mine, out.scores, ask.rows.x.rows);
done:
    free(out.scores);
    scree__ask_close(&ask);
    return status;
}
