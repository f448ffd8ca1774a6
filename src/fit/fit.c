/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_fit: a plan, a method, a model. Which method finds the model is in the table of plan.c; what every model
 * gets whatever the method, signs and bounds, is here. */

#include "fit/fit.h"
#include "base/sized.h"
#include "fit/accuracy.h"
#include "fit/job.h"
#include "fit/online.h"
#include "fit/plan.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

enum { COUNT_BYTES = 1 << 20 };

static scree_status model_of(scree_model **out, const scree__job *job, const scree__solution *s, const char *solver,
                             scree_error *error)
{
    const int64_t d = job->cols;
    scree_model *model = NULL;
    const bool is_lanczos = strcmp(solver, scree__method_lanczos.name) == 0;
    scree_status status =
        scree__model_new(&model, d, s->k, solver, s->scale != NULL, (const char *const *)job->source->columns, error);
    if (status != SCREE_OK)
        return status;
    memcpy(model->mean, s->mean, (size_t)d * sizeof *s->mean);
    memcpy(model->variances, s->variances, (size_t)d * sizeof *s->variances);
    if (s->scale)
        memcpy(model->scale, s->scale, (size_t)d * sizeof *s->scale);
    memcpy(model->eigenvalues, s->values, (size_t)s->k * sizeof *s->values);
    memcpy(model->components, s->vectors, (size_t)(s->k * d) * sizeof *s->vectors);
    scree__accuracy(&model->bounds, s, d);
    scree_model_view *view = &model->view;
    view->n = s->rows;
    view->weight = s->weight;
    view->ddof = job->options->ddof;
    view->passes = s->passes;
    view->converged = s->converged;
    view->tolerance = is_lanczos ? job->tolerance : s->tolerance;
    view->total_variance = s->total;
    view->observed = s->stopped ? s->observed : s->rows * d;
    view->empty_rows = s->empty;
    view->iterations = s->iterations;
    view->bayes = s->bayes;
    view->log_likelihood = s->log_likelihood;
    view->online_angle = s->online_angle;
    view->online_noise = s->online_noise;
    model->stopped = s->stopped;
    view->image_rows = job->source->image_rows;
    view->image_cols = job->source->image_cols;
    scree__model_settle(model);
    *out = model;
    return SCREE_OK;
}

/* As many components as selection recommends: a pass of its own before the fit's. */
static scree_status choose_components(int64_t *components, scree_source *source, const scree_fit_options *options,
                                      scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_select_options select = {
        .size = sizeof select, .scale = options->scale, .seed = options->seed, .run = options->run};
    scree_selection *selection = NULL;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and choosing the number of components takes one pass and fitting them "
                   "another; save the rows to a file first, or say how many components",
                   source->path);
    SCREE_TRY(scree_selection_make(&selection, source, &select, error));
    const int64_t recommended = scree_selection_get(selection)->recommended;
    if (recommended < 1)
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: no component stands out from noise, so there is no number to recommend; say how many to keep",
                   source->path);
    *components = recommended;
done:
    scree_selection_free(selection);
    return status;
}

static scree_status ignore(void *context, const scree__batch *batch, scree_error *error)
{
    (void)context;
    (void)batch;
    (void)error;
    return SCREE_OK;
}

/* Stops at the first cell that is not a number. */
static scree_status look(void *context, const scree__batch *batch, scree_error *error)
{
    const scree__rows x = scree__batch_rows(batch);
    int64_t row;
    int64_t col;
    double value;
    return scree__rows_find_bad(&x, &row, &col, &value) ? scree__job_bad_cell(context, batch, error) : SCREE_OK;
}

/* A pass that only counts the rows; the source knows their number from then on. */
static scree_status count_rows(const scree__job *job, scree_error *error)
{
    return scree__job_pass(job, 1, 0, scree__source_rows_in(job->source, COUNT_BYTES), ignore, NULL, NULL, error);
}

/* Whether a cell is missing: a pass that ends where the first one is. */
static scree_status find_gap(bool *gap, scree_source *source, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job;
    SCREE_TRY(scree__job_make(&job, source, options, error));
    job.gap = gap;
    status = scree__job_pass(&job, 1, 0, scree__source_rows_in(source, COUNT_BYTES), look, &job, NULL, error);
    if (*gap)
        status = SCREE_OK;
done:
    return status;
}

/* Plans and runs a method. A plan that was made for a wrong number of rows is made again for the right one. */
static scree_status solve_once(const scree__method **method, scree__job *job, scree__solution *solution,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_fit_options *options = job->options;
    SCREE_TRY(scree__plan_choose(method, job, error));
    status = (*method)->run(job, solution, error);
    if (!solution->misjudged)
        goto done;
    scree__solution_clear(solution);
    *solution = (scree__solution){0};
    SCREE_TRY(count_rows(job, error));
    bool *gap = job->gap;
    SCREE_TRY(scree__job_make(job, job->source, options, error));
    job->gap = gap;
    SCREE_TRY(scree__plan_choose(method, job, error));
    SCREE_TRY((*method)->run(job, solution, error));
    solution->passes += 2;
done:
    return status;
}

/* The same; and when a cell turns out to be missing, and the solver was ours to choose, once more with em. */
static scree_status solve(const scree__method **method, scree__job *job, scree_fit_options *options,
                          scree__solution *solution, scree_error *error)
{
    bool gap = false;
    job->gap = options->solver ? NULL : &gap;
    scree_status status = solve_once(method, job, solution, error);
    job->gap = NULL;
    if (!gap || !(job->source->can & SCREE__CAN_REWIND))
        return status;
    scree__solution_clear(solution);
    *solution = (scree__solution){0};
    options->solver = scree__method_em.name;
    SCREE_TRY(scree__job_make(job, job->source, options, error));
    SCREE_TRY(solve_once(method, job, solution, error));
    solution->passes++;
done:
    return status;
}

/* How many components, where that is to be found out; em finds out by itself. */
static scree_status settle_components(scree_fit_options *options, scree_source *source, scree_error *error)
{
    scree_error why = SCREE_ERROR_INIT;
    bool gap = false;
    if (options->solver && strcmp(options->solver, scree__method_em.name) == 0)
        return SCREE_OK;
    scree_status status = choose_components(&options->components, source, options, &why);
    if (status == SCREE_ERR_VALUE && !options->solver && (source->can & SCREE__CAN_REWIND) &&
        find_gap(&gap, source, options, NULL) == SCREE_OK && gap) {
        options->solver = scree__method_em.name;
        return SCREE_OK;
    }
    return status == SCREE_OK ? status : scree__fail(error, status, "%s", why.text);
}

/* One pass, whatever is missing. The model's method is the one that gave it. */
static scree_status fit_online(scree_model **out, scree_source *source, const scree_fit_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job;
    scree__solution solution = {0};
    SCREE_TRY(scree__job_make(&job, source, options, error));
    if (options->solver || options->components == SCREE_AUTO)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: one pass over rows has a method of its own, and cannot choose the number of components; leave "
                   "the solver out, and say how many components",
                   source->path);
    if (source->weighted)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: one pass over rows counts every row once, and takes no weights; leave one of them out",
                   source->path);
    SCREE_TRY(scree__online_run(&job, &solution, error));
    SCREE_TRY(model_of(out, &job, &solution, (solution.stopped ? &scree__method_em : &scree__method_covariance)->name,
                       error));
done:
    scree__solution_clear(&solution);
    return status;
}

scree_status scree__fit_components(scree_model **out, scree_source *source, const scree_fit_options *options,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options chosen = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    scree__job job;
    scree__solution solution = {0};
    const scree__method *method;
    SCREE_TRY(SCREE_ADOPT(&chosen, options, error));
    SCREE_TRY(scree__run_adopt(&run, &chosen.run, error));
    const bool automatic = chosen.components == SCREE_AUTO;
    if (chosen.online) {
        status = fit_online(out, source, &chosen, error);
        goto done;
    }
    chosen.solver = scree__plan_solver(source, &chosen);
    if (automatic)
        SCREE_TRY(settle_components(&chosen, source, error));
    SCREE_TRY(scree__job_make(&job, source, &chosen, error));
    SCREE_TRY(solve(&method, &job, &chosen, &solution, error));
    solution.passes += automatic;
    SCREE_TRY(model_of(out, &job, &solution, method->name, error));
done:
    scree__solution_clear(&solution);
    return status;
}
