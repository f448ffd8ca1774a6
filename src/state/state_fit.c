/* SPDX-License-Identifier: BSD-3-Clause */
/* A model of a state: what its rows have come to goes through the same ends as a fit of the rows (fit/solve.h), and so
 * have its bounds. */

#include "base/sized.h"
#include "data/source.h"
#include "fit/fit.h"
#include "fit/selection.h"
#include "model/kind.h"
#include "model/model.h"
#include "state/state.h"

#include <string.h>

static const char REASON[] = "that of the state";

static scree_status no_rows(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    (void)context;
    (void)max_rows;
    (void)block;
    (void)error;
    return SCREE_OK;
}

/* The rows, as far as a job asks after them: they have gone by. */
static scree_status stand_in(scree_source **out, const scree_state *s, scree_error *error)
{
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    calls.next = no_rows;
    calls.name = scree__state_label(s);
    calls.rows = s->rows;
    calls.cols = s->cols;
    calls.columns = (const char *const *)s->columns;
    const scree_status status = scree_source_from_calls(out, &calls, error);
    if (status == SCREE_OK) {
        (*out)->about.image_rows = s->image_rows;
        (*out)->about.image_cols = s->image_cols;
    }
    return status;
}

/* Options that ask for something that a state does not have. */
static scree_status check_options(const scree_state *s, const scree_fit_options *o, scree_error *error)
{
    const bool is_other = o->solver && strcmp(o->solver, s->method->name) != 0;
    const char *what = o->online || o->bayes || o->em     ? "a fit of missing values"
                       : o->bootstrap                     ? "a bootstrap"
                       : o->scale == SCREE_SCALE_RANGE    ? "scaling by range"
                       : o->scale == SCREE_SCALE_BINOMIAL ? "scaling by frequencies"
                       : o->log1p || o->normalize != 0    ? "the logarithm or sum of a row"
                       : o->top_variance                  ? "a choice of columns"
                       : is_other                         ? "another solver"
                                                          : NULL;
    if (o->kind && strcmp(o->kind, scree__kinds[0]->name) != 0)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: a state gives a model of the kind %s, not %.40s; make one with 'scree fit', and leave "
                           "the kind out",
                           scree__state_label(s), scree__kinds[0]->name, o->kind);
    if (what)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: %s needs the rows, and a state has only what they come to; leave it out, or fit the "
                           "rows themselves",
                           scree__state_label(s), what);
    if (o->tolerance > 0)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: a model of a state has all digits that the state has; leave the tolerance out",
                           scree__state_label(s));
    return SCREE_OK;
}

static scree_status solve(scree_model **out, scree_state *s, scree_source *rows, const scree_fit_options *options,
                          scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job = {0};
    scree__solution solution = {0};
    scree__tally tally;
    scree_model *model = NULL;
    SCREE_TRY(scree__state_tally(s, &tally, error));
    SCREE_TRY(scree__job_make(&job, rows, options, error));
    solution.rows = s->rows;
    solution.weight = tally.weight;
    solution.passes = 1;
    SCREE_TRY(s->method->solve(&job, &tally, &solution, error));
    SCREE_TRY(scree__fit_model(&model, &job, &solution, s->method->solver, error));
    model->view.solver_reason = REASON;
    model->relations = solution.relations;
    solution.relations = NULL;
    SCREE_TRY(scree__fit_latent(model, options, error));
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    scree__solution_clear(&solution);
    return status;
}

/* As many components as selection recommends of the eigenvalues, one at least. */
static scree_status choose_components(scree_fit_options *options, scree_state *s, scree_source *rows,
                                      scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options select = SCREE_SELECT_OPTIONS_INIT;
    scree_fit_options all = *options;
    scree_model *model = NULL;
    scree_selection *selection = NULL;
    if (options->uncentred)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "the number of components is chosen for centred rows; say how many, or centre");
    all.components = SCREE_ALL;
    all.share = 0;
    SCREE_TRY(solve(&model, s, rows, &all, error));
    select.seed = options->seed;
    select.run = options->run;
    SCREE_TRY(scree_selection_from_model(&selection, model, &select, error));
    const int64_t recommended = scree_selection_get(selection)->recommended;
    const int64_t latent = scree__selection_latent(selection);
    options->components = recommended > 0 ? recommended : 1;
    if (options->latent == 0)
        options->latent = latent > 0 ? latent : SCREE_NONE;
done:
    scree_selection_free(selection);
    scree_model_free(model);
    return status;
}

scree_status scree_state_fit(scree_model **out, scree_state *s, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options mine = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    scree_source *rows = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(check_options(s, &mine, error));
    mine.solver = NULL;
    SCREE_TRY(stand_in(&rows, s, error));
    if (mine.components == SCREE_AUTO)
        SCREE_TRY(choose_components(&mine, s, rows, error));
    SCREE_TRY(solve(out, s, rows, &mine, error));
done:
    scree_source_free(rows);
    return status;
}
