/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of model files: loads one and asks it everything that needs no file. Promised, and looked at: a model that
 * was loaded can be saved, and what was saved is loaded again and saved as the same bytes. */

#include "input.h"
#include "target.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 3, DENSE = 64 /* columns, at most, for what takes their square */ };

/* Rows around the mean, the second with a gap, the third empty; and room for answers to them. */
typedef struct questions {
    const scree_model *model;
    scree_block rows;
    double *data;   /* ROWS×D */
    double *answer; /* room for ROWS×max(D, M), or D² of few columns */
    double *other;  /* the same */
    scree_run run;
} questions;

static bool prepare(questions *ask, const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t widest = (view->d > view->m ? view->d : view->m) + 1;
    const int64_t room = ROWS * widest > 4 * DENSE * DENSE ? ROWS * widest : 4 * DENSE * DENSE;
    *ask = (questions){.model = model, .rows = SCREE_BLOCK_INIT, .run = SCREE_RUN_INIT};
    ask->run.threads = 1;
    ask->data = calloc((size_t)(ROWS * widest), sizeof *ask->data);
    ask->answer = calloc((size_t)room, sizeof *ask->answer);
    ask->other = calloc((size_t)room, sizeof *ask->other);
    for (int64_t i = 0; ask->data && i < ROWS * view->d; i++) {
        const int64_t row = i / view->d;
        const int64_t column = i % view->d;
        ask->data[i] = (view->mean ? view->mean[column] : 0.0) + (double)(i % 7) - 3.0;
        if (row == 2 || (row == 1 && column == 0))
            ask->data[i] = (double)NAN;
    }
    ask->rows.data = ask->data;
    ask->rows.rows = ROWS;
    ask->rows.cols = view->d;
    return ask->data && ask->answer && ask->other;
}

static void ask_of_itself(const questions *ask)
{
    const scree_model_view *view = scree_model_get(ask->model);
    scree_facts facts = SCREE_FACTS_INIT;
    scree_rate rate = SCREE_RATE_INIT;
    char text[64];
    for (int64_t i = 0; scree_model_fact(ask->model, i); i++)
        fuzz_require(scree_model_fact(ask->model, i)->name != NULL, "a fact has a name");
    for (int64_t i = 0; i < view->m && i < 4; i++) {
        scree_sampling sampling = SCREE_SAMPLING_INIT;
        (void)scree_model_sampling(ask->model, i, &sampling, NULL);
    }
    (void)scree_model_bootstrap(ask->model);
    (void)scree_model_imputer(ask->model);
    scree_model_relation_text(ask->model, 0, text, sizeof text);
    (void)scree_model_network(ask->model);
    (void)scree_model_facts(ask->model, &facts, NULL);
    (void)scree_model_rate(ask->model, 0.5, &rate, NULL);
    if (view->d > DENSE)
        return;
    (void)scree_model_loadings(ask->model, ask->answer, NULL);
    (void)scree_model_marginal_multiply(ask->model, ask->data, ask->answer, NULL);
    (void)scree_model_precision_multiply(ask->model, ask->data, ask->answer, NULL);
    (void)scree_model_marginal_dense(ask->model, ask->answer, NULL);
    (void)scree_model_joint_dense(ask->model, ask->answer, NULL);
    (void)scree_model_precision_dense(ask->model, ask->answer, NULL);
}

static void ask_for_meaning(questions *ask)
{
    const scree_model_view *view = scree_model_get(ask->model);
    scree_rotate_options options = SCREE_ROTATE_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_sink *sink = NULL;
    scree_model *made = NULL;
    if (view->d > DENSE || view->m > 8)
        return;
    for (int what = SCREE_MEANING_WEIGHTS; what <= SCREE_MEANING_CONTRIBUTIONS; what++)
        (void)scree_model_meaning(ask->model, (scree_meaning)what, ask->answer, NULL);
    if (scree_source_from_memory(&source, &ask->rows, NULL) == SCREE_OK &&
        scree_sink_to_memory(&sink, ask->answer, ROWS, 2 * view->m + 1, NULL) == SCREE_OK)
        (void)scree_model_describe(ask->model, source, sink, NULL, NULL);
    scree_sink_free(sink);
    scree_source_free(source);
    options.method = "oblimin";
    options.starts = SCREE_NONE;
    options.components = view->m;
    if (scree_model_rotate(&made, ask->model, &options, NULL) == SCREE_OK)
        fuzz_require(scree_model_rotation(made) != NULL, "what was rotated says how");
    scree_model_free(made);
}

static void ask_of_rows(questions *ask)
{
    scree_imputed imputed = {sizeof imputed, ask->answer, ask->other};
    scree_block codes = SCREE_BLOCK_INIT;
    codes.data = ask->other;
    codes.rows = ROWS;
    codes.cols = scree_model_get(ask->model)->m;
    (void)scree_model_project_rows(ask->model, &ask->rows, ask->other, &ask->run, NULL);
    (void)scree_model_reconstruct_rows(ask->model, &codes, ask->answer, &ask->run, NULL);
    (void)scree_model_posterior_rows(ask->model, &ask->rows, ask->answer, ask->other, &ask->run, NULL);
    (void)scree_model_contributions(ask->model, ask->data, ask->answer, NULL);
    (void)scree_model_impute_rows(ask->model, &ask->rows, &imputed, &ask->run, NULL);
}

static void ask_for_scores(questions *ask)
{
    double values[6][ROWS];
    scree_scores scores = {sizeof scores, values[0], values[1], values[2], values[3], values[4], values[5]};
    scree_scorer *scorer = NULL;
    if (scree_scorer_make(&scorer, ask->model, NULL, NULL) == SCREE_OK)
        (void)scree_scorer_score_rows(scorer, &ask->rows, &scores, &ask->run, NULL);
    scree_scorer_free(scorer);
}

static void ask_for_draws(const questions *ask)
{
    scree_sample_options options = SCREE_SAMPLE_OPTIONS_INIT;
    scree_source *source = NULL;
    scree_model *shorter = NULL;
    fuzz_rows rows;
    options.rows = ROWS;
    options.run = &ask->run;
    if (scree_source_sample(&source, ask->model, &options, NULL) == SCREE_OK)
        (void)fuzz_rows_read(&rows, source, 0);
    scree_source_free(source);
    (void)scree_model_truncate(&shorter, ask->model, 1, NULL);
    scree_model_free(shorter);
}

static void save_twice(const scree_model *model)
{
    void *first = NULL;
    void *second = NULL;
    size_t sizes[2] = {0, 0};
    scree_model *again = NULL;
    scree_status status = scree_model_save_buffer(&first, &sizes[0], model, NULL);
    fuzz_require(status == SCREE_OK, "a model that was loaded can be saved");
    status = scree_model_load_buffer(&again, first, sizes[0], NULL);
    fuzz_require(status == SCREE_OK, "a model that was saved can be loaded");
    status = scree_model_save_buffer(&second, &sizes[1], again, NULL);
    fuzz_require(status == SCREE_OK && sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0,
                 "a model that was saved and loaded is saved as the same bytes");
    scree_buffer_free(first);
    scree_buffer_free(second);
    scree_model_free(again);
}

void fuzz_model(const fuzz_target *target, const uint8_t *data, size_t size)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    questions ask;
    (void)target;
    const scree_status from_file = scree_model_load(&model, fuzz_file(data, size), &error);
    scree_model_free(model);
    model = NULL;
    const scree_status status = scree_model_load_buffer(&model, data, size, &error);
    fuzz_require(from_file == status, "a model is loaded alike from a file and from memory");
    fuzz_require((status == SCREE_OK) == (model != NULL), "a model is there when nothing failed, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (!model)
        return;
    save_twice(model);
    if (prepare(&ask, model)) {
        ask_of_itself(&ask);
        ask_for_meaning(&ask);
        ask_of_rows(&ask);
        ask_for_scores(&ask);
        ask_for_draws(&ask);
    }
    free(ask.data);
    free(ask.answer);
    free(ask.other);
    scree_model_free(model);
}
