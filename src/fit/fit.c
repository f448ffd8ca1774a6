/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_fit: a plan, a method, a model. Which method finds the model is for plan.c to choose; what every model
 * gets whatever the method is in fit_model.c. */

#include "fit/fit.h"
#include "base/sized.h"
#include "fit/accuracy.h"
#include "fit/course.h"
#include "fit/fit_resume.h"
#include "fit/job.h"
#include "fit/online.h"
#include "fit/plan.h"
#include "fit/plan_text.h"
#include "fit/range.h"
#include "fit/replicates.h"
#include "fit/selection.h"
#include "kernel/witnesses.h"
#include "model/evidence.h"
#include "model/model.h"
#include "model/spare.h"
#include "model/thin.h"

#include <math.h>
#include <string.h>

enum { COUNT_BYTES = 1 << 20, SOME_COMPONENTS = 10 };
static const double MOST_SPREAD = 1e8; /* cells of sparse rows that are looked at one by one */
static const char NO_GAPS[] =
    "a bootstrap needs rows without missing values, read in whole passes; fill the gaps first "
    "(scree impute), or leave --bootstrap, --bayes, --online and --solver em out";

/* Why a model has its solver: what the plan says, unless it was for gaps that the user did not know of. */
static const char *reason_of(const scree_model_view *view, const scree__choice *choice, bool asked)
{
    const bool has_gaps = (double)view->observed < (double)view->n * (double)view->d;
    return has_gaps && !asked ? scree__plan_missing : choice->reason;
}

/* asked: the user named the solver. */
static scree_status model_of(scree_model **out, const scree__job *job, const scree__solution *s,
                             const scree__choice *choice, bool asked, scree_error *error)
{
    const scree_status status = scree__fit_model(out, job, s, choice->method->name, error);
    if (status == SCREE_OK)
        (*out)->view.solver_reason = reason_of(&(*out)->view, choice, asked);
    return status;
}

/* As many components as selection recommends, one at least: a pass of its own before the fit's. */
static scree_status choose_components(scree_fit_options *options, scree_source *source, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_select_options select = {.size = sizeof select,
                                         .scale = options->scale,
                                         .seed = options->seed,
                                         .run = options->run,
                                         .scales = options->scales};
    scree_selection *selection = NULL;
    if (!(source->can & SCREE__CAN_REWIND))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s can be read only once, and choosing the number of components takes one pass and fitting them "
                   "another; save the rows to a file first, or say how many components",
                   source->about.path);
    SCREE_TRY(scree__selection_make(&selection, source, &select, false, error));
    const int64_t recommended = scree_selection_get(selection)->recommended;
    const int64_t latent = scree__selection_latent(selection);
    options->components = recommended > 0 ? recommended : 1;
    if (options->latent == 0) /* none: nothing stands out, a model of means and one variance */
        options->latent = latent > 0 ? latent : SCREE_NONE;
    if (source->team) {
        int64_t chosen[2] = {options->components, options->latent};
        SCREE_TRY(scree__team_tell(source->team, chosen, sizeof chosen, error));
        options->components = chosen[0];
        options->latent = chosen[1];
    }
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
    scree__job plain = *job;
    plain.replicates = NULL;
    plain.witnesses = NULL;
    return scree__job_pass(&plain, 1, 0, scree__source_rows_in(job->source, COUNT_BYTES), ignore, NULL, NULL, error);
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

/* One plan for all processes: that of the first. */
static scree_status choose(scree__choice *choice, const scree__job *job, scree_error *error)
{
    scree_status status = scree__plan_choose(choice, job, error);
    scree__team *team = job->team;
    if (!team)
        return status;
    struct {
        int64_t method;
        double rival;
    } plan = {0, 0};
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    while (scree__methods[plan.method] != choice->method)
        plan.method++;
    plan.rival = choice->rival;
    SCREE_TRY(scree__team_tell(team, &plan, sizeof plan, error));
    choice->method = scree__methods[plan.method];
    choice->rival = plan.rival;
done:
    return status;
}

/* For those who listen, how long the method will take. An iteration does all that it does to rows that come again. */
static scree_status foresee(const scree__job *job, const scree__method *method, scree_error *error)
{
    scree__course *course = scree__course_of(job->options->run);
    double rows;
    double rest;
    if (!course)
        return SCREE_OK;
    scree__plan_parts(job, method, job->options->run->cache, &rows, &rest);
    if (method->tolerance > 0) {
        rows += rest;
        rest = 0;
    }
    return scree__course_plan(course, "fit", rows, rest, 0, error);
}

/* The best method; and when it gives way to the next best, that one. */
static scree_status run_best(scree__choice *choice, scree__job *job, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(choose(choice, job, error));
    SCREE_TRY(scree__fit_settle_method(job, choice, error));
    job->rival = choice->rival;
    if (!(choice->method->can & SCREE__TAKES_GAPS))
        SCREE_TRY(scree__job_known_gap(job, error));
    SCREE_TRY(foresee(job, choice->method, error));
    SCREE_TRY(choice->method->run(job, solution, error));
    if (!solution->gave_way)
        goto done;
    const int passes = solution->passes;
    scree__solution_clear(solution);
    *solution = (scree__solution){0};
    job->gave_way = choice->method->name;
    SCREE_TRY(choose(choice, job, error));
    SCREE_TRY(scree__fit_settle_method(job, choice, error));
    choice->reason = scree__plan_gave_way;
    SCREE_TRY(foresee(job, choice->method, error));
    SCREE_TRY(choice->method->run(job, solution, error));
    solution->passes += passes;
done:
    return status;
}

/* The job anew, for another source or for what is now known of its rows. Its replicates begin anew as well: what they
 * have room for follows from the job. */
static scree_status make_again(scree__job *job, scree_source *source, const scree_fit_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    bool *gap = job->gap;
    scree__witnesses *witnesses = job->witnesses;
    scree__checkpoint *checkpoint = job->checkpoint;
    scree__replicates_free(job->replicates);
    job->replicates = NULL;
    status = scree__job_make(job, source, options, error);
    job->witnesses = witnesses;
    job->checkpoint = checkpoint;
    if (status != SCREE_OK)
        goto done;
    job->gap = gap;
    SCREE_TRY(scree__replicates_new(&job->replicates, job, error));
done:
    return status;
}

/* Replicates and witnesses see the rows in the pass of the method. Where it needed none, of rows in memory, they have
 * one of their own. */
static scree_status show_others(const scree__job *job, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool replicates = job->replicates && job->replicates->rows != solution->rows;
    const bool witnesses = job->witnesses && job->witnesses->rows == 0 && (job->source->can & SCREE__CAN_REWIND);
    scree__job own = *job;
    if (!replicates)
        own.replicates = NULL; /* they have seen the rows, if there are any */
    if (replicates || witnesses)
        SCREE_TRY(
            scree__job_pass(&own, 1, 1, scree__source_rows_in(job->source, COUNT_BYTES), ignore, NULL, NULL, error));
    solution->passes += replicates; /* witnesses look at rows in memory, and soon have seen enough */
    SCREE_TRY(scree__solution_testify(solution, job, error));
done:
    return status;
}

/* Plans and runs a method. A plan that was made for a wrong number of rows is made again for the right one. */
static scree_status solve_once(scree__choice *choice, scree__job *job, scree__solution *solution, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_fit_options *options = job->options;
    const int64_t mark = scree__checkpoint_mark(job->checkpoint);
    bool counted;
    SCREE_TRY(scree__fit_recall_turn(job, "counted", &counted, error));
    if (!counted) {
        status = run_best(choice, job, solution, error);
        if (!solution->misjudged)
            goto done;
        scree__solution_clear(solution);
        *solution = (scree__solution){0};
        SCREE_TRY(count_rows(job, error));
        SCREE_TRY(scree__fit_take_turn(job, "counted", mark, error));
    }
    SCREE_TRY(make_again(job, job->source, options, error));
    SCREE_TRY(run_best(choice, job, solution, error));
    solution->passes += 2;
done:
    return status;
}

/* The same; and when a cell turns out to be missing, and the solver was ours to choose, once more with one that takes
 * gaps. */
static scree_status solve(scree__choice *choice, scree__job *job, scree_fit_options *options, scree__solution *solution,
                          scree_error *error)
{
    const scree__method *other = scree__method_that(SCREE__TAKES_GAPS);
    scree__checkpoint *checkpoint = job->checkpoint;
    const int64_t mark = scree__checkpoint_mark(checkpoint);
    bool gap = false;
    bool known;
    scree_status status = scree__fit_recall_turn(job, "gaps", &known, error);
    if (status != SCREE_OK)
        return status;
    job->gap = options->solver || options->uncentred ? NULL : &gap; /* no method takes gaps and no mean */
    if (!known)
        status = solve_once(choice, job, solution, error);
    job->gap = NULL;
    gap = gap || known;
    if (!gap || !other || !(job->source->can & SCREE__CAN_REWIND))
        return status == SCREE_OK ? show_others(job, solution, error) : status;
    if (job->replicates)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s", NO_GAPS);
    scree__solution_clear(solution);
    *solution = (scree__solution){0};
    if (job->team)
        job->team->failed = false; /* it is made good */
    options->solver = other->name;
    scree__witnesses_free(job->witnesses); /* of rows without gaps */
    job->witnesses = NULL;
    if (!known)
        SCREE_TRY(scree__fit_take_turn(job, "gaps", mark, error));
    SCREE_TRY(scree__job_make(job, job->source, options, error));
    job->checkpoint = checkpoint;
    SCREE_TRY(solve_once(choice, job, solution, error));
    solution->passes++;
done:
    return status;
}

/* The same; and when squares of the rows are no doubles, or have not all their digits, once more with rows times powers
 * of two. */
static scree_status solve_in_range(scree__choice *choice, scree__job *job, scree_fit_options *options,
                                   scree__solution *solution, scree_error *error)
{
    scree_source *given = job->source;
    scree_source *rescaled = NULL;
    scree__range range = {0};
    scree_status status = solve(choice, job, options, solution, error);
    if (!solution->out_of_range || !(given->can & SCREE__CAN_REWIND))
        return status;
    scree__solution_clear(solution);
    *solution = (scree__solution){0};
    SCREE_TRY(scree__range_find(&range, job, error));
    SCREE_TRY(scree__rescaled_open(&rescaled, given, range.factor, error));
    SCREE_TRY(make_again(job, rescaled, options, error));
    job->factor = range.factor;
    if (job->replicates && options->scale == SCREE_SCALE_NONE)
        job->replicates->unit = range.factor[0];
    if (job->replicates && options->scale > SCREE_SCALE_UNIT)
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: a bootstrap of values whose squares are too %s takes --scale unit or none; use these, or rescale "
            "the columns",
            given->about.path, range.factor[0] > 1 ? "small" : "large");
    SCREE_TRY(solve(choice, job, options, solution, error));
    job->source = given;
    job->factor = NULL;
    SCREE_TRY(scree__range_restore(&range, job, solution, error));
    solution->passes += 2;
done:
    job->source = given;
    job->factor = NULL;
    scree_source_free(rescaled);
    scree__range_clear(&range);
    return status;
}

/* For those who listen, how long the fit will take once the number of components is chosen: few, most likely. */
static void foresee_fit(const scree_fit_options *options, scree_source *source)
{
    scree__course *course = scree__course_of(options->run);
    scree_fit_options some = *options;
    scree__job job;
    scree__choice choice;
    double rows;
    double rest;
    some.components = source->about.cols < SOME_COMPONENTS ? source->about.cols : SOME_COMPONENTS;
    if (!course || scree__job_make(&job, source, &some, NULL) != SCREE_OK ||
        scree__plan_choose(&choice, &job, NULL) != SCREE_OK)
        return;
    scree__plan_parts(&job, choice.method, options->run->cache, &rows, &rest);
    course->later = rows + rest;
}

/* How many components, where that is to be found out and the method does not find out by itself. */
static scree_status settle_components(scree_fit_options *options, scree_source *source, scree_error *error)
{
    const scree__method *asked = options->solver ? scree__method_named(options->solver) : NULL;
    const scree__method *other = scree__method_that(SCREE__TAKES_GAPS);
    scree_error problem = SCREE_ERROR_INIT;
    bool gap = false;
    if (asked && (asked->can & SCREE__FINDS_COUNT))
        return SCREE_OK;
    foresee_fit(options, source);
    scree_status status = choose_components(options, source, &problem);
    if (status == SCREE_ERR_VALUE && !options->solver && other && (source->can & SCREE__CAN_REWIND) &&
        find_gap(&gap, source, options, NULL) == SCREE_OK && gap) {
        if (source->team)
            source->team->failed = false;
        options->solver = other->name;
        return SCREE_OK;
    }
    return status == SCREE_OK ? status : scree__fail(error, status, "%s", problem.text);
}

/* The same, unless an earlier process has done it. */
static scree_status settle_once(scree__checkpoint *checkpoint, scree_fit_options *options, scree_source *source,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    bool found;
    SCREE_TRY(scree__fit_recall_components(checkpoint, source, options, &found, error));
    if (found)
        goto done;
    SCREE_TRY(settle_components(options, source, error));
    SCREE_TRY(scree__fit_note_components(checkpoint, source, options, error));
done:
    return status;
}

/* One pass, whatever is missing. The model's method is the one that gave it. */
static scree_status fit_online(scree_model **out, scree_source *source, const scree_fit_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job;
    scree__solution solution = {0};
    scree__choice choice = {0};
    scree_model *model = NULL;
    SCREE_TRY(scree__job_make(&job, source, options, error));
    SCREE_TRY(scree__online_run(&choice.method, &job, &solution, error));
    SCREE_TRY(model_of(&model, &job, &solution, &choice, false, error));
    SCREE_TRY(scree__fit_latent(model, options, error));
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    scree__solution_clear(&solution);
    return status;
}

static bool takes_gaps(const scree_fit_options *options)
{
    const scree__method *method = options->solver ? scree__method_named(options->solver) : NULL;
    return method && (method->can & SCREE__TAKES_GAPS);
}

/* What sees the rows beside the method. */
static scree_status start_others(scree__job *job, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (options->bootstrap && (options->online || takes_gaps(options)))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s", NO_GAPS);
    if (options->bootstrap && job->team)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "a bootstrap needs all rows in one process: leave it out, or run one process");
    SCREE_TRY(scree__replicates_new(&job->replicates, job, error));
    /* Rows with gaps, genotypes, and a row that stands for several, are not counted; sparse ones only where they are
     * few. */
    if (!job->team && !job->source->genotypes && !takes_gaps(options) && !job->source->about.weighted &&
        !(job->source->sparse && (double)scree__job_rows(job) * (double)job->cols > MOST_SPREAD))
        SCREE_TRY(scree__witnesses_new(&job->witnesses, job->cols, error));
done:
    return status;
}

scree_status scree__fit_components(scree_model **out, scree_source *source, const scree_fit_options *options,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options chosen = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    scree__job job = {0};
    scree__solution solution = {0};
    scree__choice choice;
    scree_model *model = NULL;
    scree__checkpoint *checkpoint = NULL;
    scree__course course;
    SCREE_TRY(SCREE_ADOPT(&chosen, options, error));
    SCREE_TRY(scree__run_adopt(&run, &chosen.run, error));
    scree__course_open(&course, &run);
    if (chosen.checkpoint && source->team)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "a checkpoint is of a fit in one process: leave it out, or run one process");
    SCREE_TRY(scree__fit_checkpoint(&checkpoint, source, &chosen, &run, error));
    const bool automatic = chosen.components == SCREE_AUTO;
    const bool asked = chosen.solver != NULL;
    if (chosen.online && source->team)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "an online fit reads the rows in one process: leave it out, or run one process");
    if (chosen.online && !chosen.bootstrap) {
        status = fit_online(out, source, &chosen, error);
        goto done;
    }
    chosen.solver = scree__plan_solver(source, &chosen);
    if (automatic && chosen.uncentred)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "the number of components is chosen for centred rows; say how many, or centre");
    if (automatic)
        SCREE_TRY(settle_once(checkpoint, &chosen, source, error));
    SCREE_TRY(scree__job_make(&job, source, &chosen, error));
    job.checkpoint = checkpoint;
    SCREE_TRY(start_others(&job, &chosen, error));
    if (takes_gaps(&chosen))
        SCREE_TRY(scree__em_check_cells(&job, error));
    SCREE_TRY(solve_in_range(&choice, &job, &chosen, &solution, error));
    solution.passes += automatic;
    SCREE_TRY(model_of(&model, &job, &solution, &choice, asked, error));
    model->imputer = solution.imputer;
    solution.imputer = NULL;
    SCREE_TRY(scree__thin_take(model, &solution.seen, error));
    model->relations = solution.relations;
    solution.relations = NULL;
    model->evidence = solution.evidence;
    solution.evidence = NULL;
    scree__evidence_show(model);
    if (job.replicates)
        SCREE_TRY(scree__replicates_finish(job.replicates, model, error));
    SCREE_TRY(scree__fit_latent(model, &chosen, error));
    if (checkpoint && !chosen.checkpoint_stays)
        scree__checkpoint_remove(chosen.checkpoint);
    *out = model;
    model = NULL;
done:
    scree__checkpoint_close(checkpoint);
    scree_model_free(model);
    scree__replicates_free(job.replicates);
    scree__witnesses_free(job.witnesses);
    scree__solution_clear(&solution);
    return status;
}
