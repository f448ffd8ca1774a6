/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers about rows in memory, into buffers that the caller made: codes, reconstructions, posteriors, scores, filled
 * gaps. */

#include "core.h"

#include <stddef.h>

/* What these calls have in common: model, rows, up to six results, run. */
typedef struct question {
    PyObject *capsule;
    PyObject *rows;
    PyObject *outs[6];
    PyObject *run_args;
    const scree_model *model;
    core_block block;
    core_doubles results[6];
    core_run run;
} question;

static void end(question *q)
{
    for (int i = 0; i < 6; i++)
        core_doubles_release(&q->results[i]);
    core_block_release(&q->block);
    core_run_end(&q->run);
}

/* width: numbers for each row of each result. */
static int begin(question *q, const int64_t *width, int count)
{
    if (core_run_begin(&q->run, q->run_args))
        return -1;
    int failed = core_block_take(&q->block, q->rows);
    for (int i = 0; i < count && !failed; i++)
        failed = core_doubles_take(&q->results[i], q->outs[i], q->block.block.rows * width[i]);
    if (failed)
        end(q);
    return failed;
}

static PyObject *answer(question *q, scree_status status, const scree_error *error)
{
    PyObject *result = status == SCREE_OK ? Py_NewRef(Py_None) : core_fail(status, error, NULL, &q->run);
    end(q);
    return result;
}

/* (model, rows, codes, run) */
PyObject *core_rows_project(PyObject *self, PyObject *args)
{
    (void)self;
    question q = {.capsule = NULL};
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOO", &q.capsule, &q.rows, &q.outs[0], &q.run_args) ||
        !(q.model = core_model_of(q.capsule)) || begin(&q, (int64_t[]){scree_model_get(q.model)->m}, 1))
        return NULL;
    CORE_CALL(status, scree_model_project_rows(q.model, &q.block.block, q.results[0].data, &q.run.run, &error));
    return answer(&q, status, &error);
}

/* (model, codes, rows, run) */
PyObject *core_rows_reconstruct(PyObject *self, PyObject *args)
{
    (void)self;
    question q = {.capsule = NULL};
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOO", &q.capsule, &q.rows, &q.outs[0], &q.run_args) ||
        !(q.model = core_model_of(q.capsule)) || begin(&q, (int64_t[]){scree_model_get(q.model)->d}, 1))
        return NULL;
    CORE_CALL(status, scree_model_reconstruct_rows(q.model, &q.block.block, q.results[0].data, &q.run.run, &error));
    return answer(&q, status, &error);
}

/* (model, rows, means, variances or None, run) */
PyObject *core_rows_posterior(PyObject *self, PyObject *args)
{
    (void)self;
    question q = {.capsule = NULL};
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOO", &q.capsule, &q.rows, &q.outs[0], &q.outs[1], &q.run_args) ||
        !(q.model = core_model_of(q.capsule)))
        return NULL;
    const int64_t latent = scree_model_get(scree_model_distribution(q.model))->m;
    if (begin(&q, (int64_t[]){latent, latent}, 2))
        return NULL;
    CORE_CALL(status, scree_model_posterior_rows(q.model, &q.block.block, q.results[0].data, q.results[1].data,
                                                 &q.run.run, &error));
    return answer(&q, status, &error);
}

static scree_status score(const question *q, bool training, scree_error *error)
{
    scree_scorer *scorer = NULL;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_scores scores = SCREE_SCORES_INIT;
    options.training = training;
    scores.loglik = q->results[0].data;
    scores.t2 = q->results[1].data;
    scores.q = q->results[2].data;
    scores.p_t2 = q->results[3].data;
    scores.p_q = q->results[4].data;
    scores.p_value = q->results[5].data;
    scree_status status = scree_scorer_make(&scorer, q->model, &options, error);
    if (status == SCREE_OK)
        status = scree_scorer_score_rows(scorer, &q->block.block, &scores, &q->run.run, error);
    scree_scorer_free(scorer);
    return status;
}

/* (model, rows, training, loglik, t2, q, p_t2, p_q, p_value, run): each result may be None. */
PyObject *core_rows_score(PyObject *self, PyObject *args)
{
    (void)self;
    question q = {.capsule = NULL};
    int training = 0;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOpOOOOOOO", &q.capsule, &q.rows, &training, &q.outs[0], &q.outs[1], &q.outs[2],
                          &q.outs[3], &q.outs[4], &q.outs[5], &q.run_args) ||
        !(q.model = core_model_of(q.capsule)) || begin(&q, (int64_t[]){1, 1, 1, 1, 1, 1}, 6))
        return NULL;
    CORE_CALL(status, score(&q, training, &error));
    return answer(&q, status, &error);
}

/* (model, rows, filled, sd or None, run) */
PyObject *core_rows_impute(PyObject *self, PyObject *args)
{
    (void)self;
    question q = {.capsule = NULL};
    scree_imputed imputed = SCREE_IMPUTED_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOO", &q.capsule, &q.rows, &q.outs[0], &q.outs[1], &q.run_args) ||
        !(q.model = core_model_of(q.capsule)))
        return NULL;
    const int64_t d = scree_model_get(q.model)->d;
    if (begin(&q, (int64_t[]){d, d}, 2))
        return NULL;
    imputed.filled = q.results[0].data;
    imputed.sd = q.results[1].data;
    CORE_CALL(status, scree_model_impute_rows(q.model, &q.block.block, &imputed, &q.run.run, &error));
    return answer(&q, status, &error);
}
