/* SPDX-License-Identifier: BSD-3-Clause */
/* Answers from a source to a sink: rows that need not fit in memory. */

#include "core.h"

#include <stddef.h>
#include <string.h>

typedef struct stream_job {
    const scree_model *model;
    core_source *source;
    scree_sink *sink;
    double number; /* of the interval of a posterior; of draws of an imputation */
    unsigned long long seed;
    core_run run;
} stream_job;

typedef scree_status (*answer)(stream_job *job, scree_error *error);

static scree_status project(stream_job *job, scree_error *error)
{
    return scree_model_project(job->model, job->source->source, job->sink, &job->run.run, error);
}

static scree_status reconstruct(stream_job *job, scree_error *error)
{
    return scree_model_reconstruct(job->model, job->source->source, job->sink, &job->run.run, error);
}

static scree_status round_trip(stream_job *job, scree_error *error)
{
    return scree_model_round_trip(job->model, job->source->source, job->sink, &job->number, &job->run.run, error);
}

static scree_status whiten(stream_job *job, scree_error *error)
{
    scree_whiten_options options = SCREE_WHITEN_OPTIONS_INIT;
    options.run = &job->run.run;
    return scree_model_whiten(job->model, job->source->source, job->sink, &options, error);
}

static scree_status posterior(stream_job *job, scree_error *error)
{
    scree_posterior_options options = SCREE_POSTERIOR_OPTIONS_INIT;
    options.interval = job->number;
    options.run = &job->run.run;
    return scree_model_posterior(job->model, job->source->source, job->sink, &options, error);
}

static scree_status impute(stream_job *job, scree_error *error)
{
    scree_impute_options options = SCREE_IMPUTE_OPTIONS_INIT;
    options.draws = (int64_t)job->number;
    options.seed = job->seed;
    options.run = &job->run.run;
    return scree_model_impute(job->model, job->source->source, job->sink, NULL, &options, error);
}

static scree_status copy(stream_job *job, scree_error *error)
{
    return scree_source_copy(job->source->source, job->sink, &job->run.run, error);
}

static const struct {
    const char *name;
    answer answer;
} ANSWERS[] = {{"project", project}, {"reconstruct", reconstruct}, {"round_trip", round_trip},
               {"whiten", whiten},   {"posterior", posterior},     {"impute", impute},
               {"copy", copy}};

static answer answer_named(const char *name)
{
    for (size_t i = 0; i < sizeof ANSWERS / sizeof *ANSWERS; i++)
        if (strcmp(ANSWERS[i].name, name) == 0)
            return ANSWERS[i].answer;
    PyErr_Format(PyExc_ValueError, "there is no answer '%s'", name);
    return NULL;
}

/* (what, model or None, source, sink or None, number, seed, run) → number */
PyObject *core_stream(PyObject *self, PyObject *args)
{
    (void)self;
    const char *what = NULL;
    PyObject *model = NULL;
    PyObject *source = NULL;
    PyObject *sink = NULL;
    PyObject *run_args = NULL;
    PyObject *result = NULL;
    stream_job j = {.model = NULL};
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "sOOOdKO", &what, &model, &source, &sink, &j.number, &j.seed, &run_args))
        return NULL;
    const answer call = answer_named(what);
    if (!call || (model != Py_None && !(j.model = core_model_of(model))) ||
        (!(j.sink = core_sink_of(sink)) && PyErr_Occurred()) || !(j.source = core_source_begin(source)))
        return NULL;
    if (core_run_begin(&j.run, run_args) == 0) {
        CORE_CALL(status, call(&j, &error));
        result = status == SCREE_OK ? PyFloat_FromDouble(j.number) : core_fail(status, &error, j.source, &j.run);
        core_run_end(&j.run);
    }
    core_source_end(j.source);
    return result;
}

#define SUMMARY(name, kind)                                                                                            \
    {                                                                                                                  \
#name, kind, offsetof(scree_score_summary, name), 0, 0                                                         \
    }
static const core_field SUMMARY_FIELDS[] = {
    SUMMARY(rows, 'l'),           SUMMARY(outliers, 'l'),    SUMMARY(loglik, 'd'), SUMMARY(threshold, 'd'),
    SUMMARY(rows_without_p, 'l'), SUMMARY(differs, 'b'),     SUMMARY(fitted, 'b'), SUMMARY(t2_limit, 'd'),
    SUMMARY(q_limit, 'd'),        SUMMARY(broken_rows, 'l'), {NULL, 0, 0, 0, 0}};

#define SCORE(name, kind)                                                                                              \
    {                                                                                                                  \
#name, kind, offsetof(scree_score_options, name), 0, 0                                                         \
    }
static const core_field SCORE_FIELDS[] = {
    SCORE(training, 'b'), SCORE(alpha, 'd'), SCORE(fdr, 'b'), SCORE(blame_columns, 'l'), {NULL, 0, 0, 0, 0}};

static scree_status score(stream_job *job, core_source *calibration, const scree_score_options *options,
                          scree_score_summary *summary, scree_error *error)
{
    scree_scorer *scorer = NULL;
    scree_status status = scree_scorer_make(&scorer, job->model, options, error);
    if (status == SCREE_OK && calibration)
        status = scree_scorer_calibrate(scorer, calibration->source, &job->run.run, error);
    if (status == SCREE_OK)
        status = scree_scorer_score(scorer, job->source->source, job->sink, summary, &job->run.run, error);
    scree_scorer_free(scorer);
    return status;
}

/* (model, source, calibration source or None, sink or None, options, run) → summary as a dict */
PyObject *core_stream_score(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *o[6];
    PyObject *result = NULL;
    stream_job j = {.model = NULL};
    core_source *calibration = NULL;
    scree_score_options options = SCREE_SCORE_OPTIONS_INIT;
    scree_score_summary summary = SCREE_SCORE_SUMMARY_INIT;
    scree_status status = SCREE_OK;
    scree_error error = SCREE_ERROR_INIT;
    if (!PyArg_ParseTuple(args, "OOOOOO", &o[0], &o[1], &o[2], &o[3], &o[4], &o[5]) ||
        core_options_read(&options, SCORE_FIELDS, o[4]) || !(j.model = core_model_of(o[0])) ||
        (!(j.sink = core_sink_of(o[3])) && PyErr_Occurred()) || !(j.source = core_source_begin(o[1])))
        return NULL;
    if ((o[2] == Py_None || (calibration = core_source_begin(o[2]))) && core_run_begin(&j.run, o[5]) == 0) {
        CORE_CALL(status, score(&j, calibration, &options, &summary, &error));
        result =
            status == SCREE_OK ? core_view_dict(&summary, SUMMARY_FIELDS) : core_fail(status, &error, j.source, &j.run);
        core_run_end(&j.run);
    }
    core_source_end(calibration);
    core_source_end(j.source);
    return result;
}
