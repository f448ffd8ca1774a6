/* SPDX-License-Identifier: BSD-3-Clause */
/* A selection: the data, gathered in one pass in the way that its shape and the memory allow; then every
 * criterion in the table, then the verdict. Where even one matrix is too large (select_ways.c), the leading components
 * of a fit are all there is. */

#include "fit/selection.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/threads.h"
#include "data/team.h"
#include "fit/course.h"
#include "fit/plan.h"
#include "fit/scales.h"
#include "model/kind.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DEFAULT_FOLDS = 5 };
static const double FOLD_EIGEN = 1.1; /* eigendecompositions that a fold takes about as long as */

enum { CRITERIA = 13 };

struct scree_selection {
    scree_selection_view view;
    scree__spectrum spectrum;
    scree__verdict verdict;
    scree_criterion criteria[CRITERIA];
    char reasons[CRITERIA][SCREE__REASON];
    double *values;  /* CRITERIA×(max_components + 1) */
    int64_t columns; /* of rows with gaps, in all; else 0 */
    char gappy[160]; /* what was done about gaps; empty: there are none */
};

static scree_status check_options(const scree_select_options *o, scree_error *error)
{
    if (o->max_components < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "cannot look at %lld components; ask for at least 1",
                           (long long)o->max_components);
    if (o->folds != 0 && (o->folds < 2 || o->folds > SCREE__MAX_FOLDS))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "there can be 2 to %d folds, not %d", SCREE__MAX_FOLDS, o->folds);
    if (!(o->noise_sd >= 0 && isfinite(o->noise_sd)))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "the standard deviation of the noise must be positive; %g is not",
                           o->noise_sd);
    return SCREE_OK;
}

static int folds_of(const scree_select_options *o)
{
    return o->folds ? o->folds : DEFAULT_FOLDS;
}

void scree_selection_free(scree_selection *selection)
{
    if (!selection)
        return;
    scree__spectrum_clear(&selection->spectrum);
    free(selection->values);
    free(selection);
}

const scree_criterion *scree_selection_criterion(const scree_selection *selection, int64_t index)
{
    return index >= 0 && index < CRITERIA ? &selection->criteria[index] : NULL;
}

int64_t scree__selection_latent(const scree_selection *selection)
{
    const int64_t m = selection->view.recommended;
    return m > 0 && scree__spectrum_leaves_nothing(&selection->spectrum, m) ? m - 1 : m;
}

const scree_selection_view *scree_selection_get(const scree_selection *selection)
{
    return &selection->view;
}

static scree_status begin(scree_selection **out, const scree_select_options *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(check_options(o, error));
    SCREE_ALLOC(*out, 1, error);
    (*out)->spectrum.max_components = o->max_components;
    (*out)->spectrum.noise = o->noise_sd * o->noise_sd;
    (*out)->spectrum.is_scaled = o->scale == SCREE_SCALE_UNIT;
    (*out)->spectrum.seed = o->seed;
done:
    return status;
}

/* Whether it compares with noise that the rows must have. */
static bool needs_noise(const scree__criterion *criterion)
{
    static const scree__criterion *const free_of_it[] = {&scree__criterion_share, &scree__criterion_error,
                                                         &scree__criterion_gavish_known, &scree__criterion_bicross};
    for (size_t i = 0; i < sizeof free_of_it / sizeof *free_of_it; i++)
        if (criterion == free_of_it[i])
            return false;
    return true;
}

/* The choice, and why there is none: one that takes all eigenvalues that are known might take more. */
static void choose(scree_selection *x, int64_t i, const double *values)
{
    const scree__spectrum *s = &x->spectrum;
    const scree__criterion *from = scree__criteria[i];
    scree_criterion *c = &x->criteria[i];
    c->choice = from->choose ? from->choose(s, values) : -1;
    c->reason = c->choice < 0 ? from->silence : NULL;
    c->beyond = from->votes && !s->complete && c->choice == s->count;
    if (c->beyond) {
        snprintf(x->reasons[i], SCREE__REASON, "only the first %lld eigenvalues are known, and it would take them all",
                 (long long)s->count);
        c->choice = -1;
        c->reason = x->reasons[i];
    }
}

static scree_status evaluate(scree_selection *x, int64_t i, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__criterion *from = scree__criteria[i];
    const scree__spectrum *s = &x->spectrum;
    double *values = x->values + i * (s->max_components + 1);
    x->criteria[i] = (scree_criterion){.size = sizeof x->criteria[i],
                                       .name = from->name,
                                       .title = from->title,
                                       .rule = from->rule,
                                       .votes = from->votes,
                                       .choice = -1};
    if (s->exact > 0 && needs_noise(from)) {
        snprintf(x->reasons[i], SCREE__REASON, "the rows lie in %lld dimensions: there is no noise to tell from",
                 (long long)s->exact);
        x->criteria[i].reason = x->reasons[i];
        return SCREE_OK;
    }
    if (from->defined && !from->defined(s, x->reasons[i])) {
        x->criteria[i].reason = x->reasons[i];
        return SCREE_OK;
    }
    SCREE_TRY(from->evaluate(s, values, error));
    x->criteria[i].values = values;
    choose(x, i, values);
done:
    return status;
}

/* A noise that is given is better than one that is guessed: only one of the two thresholds votes. */
static void settle_votes(scree_selection *x)
{
    for (int i = 0; i < CRITERIA; i++)
        if (scree__criteria[i] == &scree__criterion_gavish && x->spectrum.noise > 0)
            x->criteria[i].votes = false;
}

static scree_status conclude(scree_selection *x, scree__course *course, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__spectrum *s = &x->spectrum;
    x->spectrum.watch = scree__course_part(course, "criteria", SCREE__BEFORE_CRITERIA, 1);
    SCREE_ALLOC(x->values, CRITERIA * (s->max_components + 1), error);
    for (int64_t i = 0; i < CRITERIA; i++)
        SCREE_TRY(evaluate(x, i, error));
    settle_votes(x);
    x->verdict = scree__select_verdict(x->criteria, CRITERIA, s);
    x->view = (scree_selection_view){.size = sizeof x->view,
                                     .n = s->n,
                                     .d = x->columns > 0 ? x->columns : s->cols,
                                     .directions = s->d,
                                     .max_components = s->max_components,
                                     .eigenvalues = s->values,
                                     .total_variance = s->left[0],
                                     .recommended = x->verdict.recommended,
                                     .reason = x->verdict.reason,
                                     .warning = x->verdict.warning[0] ? x->verdict.warning : NULL,
                                     .fewest = x->verdict.fewest,
                                     .most = x->verdict.most,
                                     .gaps = x->gappy[0] ? x->gappy : NULL,
                                     .noise = x->verdict.noise[0] ? x->verdict.noise : NULL};
done:
    return status;
}

/* Of the scaled columns, with divisor N; and how many of them vary. */
static scree_status column_variances(scree__spectrum *s, const scree_model_view *model, double divisors,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(s->variances, model->d, error);
    s->d = 0;
    for (int64_t j = 0; j < model->d; j++) {
        const double scale = model->scale ? model->scale[j] : 1;
        s->variances[j] = model->variances[j] / (scale * scale) * divisors;
        s->d += s->variances[j] > 0;
    }
done:
    return status;
}

static scree_status from_model(scree__spectrum *s, const scree_model_view *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double divisors = (model->weight - model->ddof) / model->weight;
    double *values = NULL;
    SCREE_ALLOC(values, model->m, error);
    for (int64_t j = 0; j < model->m; j++)
        values[j] = model->eigenvalues[j] * divisors;
    s->n = (int64_t)fmin(fmax(round(model->weight), 2), 0x1p62); /* criteria count rows */
    s->cols = model->d;
    SCREE_TRY(column_variances(s, model, divisors, error));
    SCREE_TRY(scree__spectrum_make(s, values, model->m, model->total_variance * divisors, error));
done:
    free(values);
    return status;
}

scree_status scree_selection_from_model(scree_selection **out, const scree_model *model,
                                        const scree_select_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options mine = SCREE_SELECT_OPTIONS_INIT;
    const scree_select_options *o = &mine;
    scree_run run;
    scree_selection *x = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "select", error));
    SCREE_TRY(begin(&x, o, error));
    x->spectrum.threads = scree__threads(o->run->threads);
    x->spectrum.memory = o->run->memory > 0 ? o->run->memory : scree__memory_available() / 10 * 8;
    snprintf(x->spectrum.unseen, sizeof x->spectrum.unseen, "needs the data, and there is only a model");
    snprintf(x->spectrum.unwhitened, sizeof x->spectrum.unwhitened, "%s", x->spectrum.unseen);
    SCREE_TRY(from_model(&x->spectrum, scree_model_get(model), error));
    SCREE_TRY(conclude(x, scree__course_of(&run), error));
    *out = x;
    x = NULL;
done:
    scree_selection_free(x);
    return status;
}

/* What depends on an eigenvalue. It is kept, for arithmetic would not give it back. */
typedef struct before {
    double value;
    double *left;   /* max_components + 1 */
    double *values; /* CRITERIA×(max_components + 1) */
    scree_criterion criteria[CRITERIA];
    char reasons[CRITERIA][SCREE__REASON];
} before;

static scree_status keep(before *kept, const scree_selection *x, int64_t index, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t counts = x->spectrum.max_components + 1;
    SCREE_ALLOC(kept->left, counts, error);
    SCREE_ALLOC(kept->values, CRITERIA * counts, error);
    kept->value = x->spectrum.values[index];
    memcpy(kept->criteria, x->criteria, sizeof kept->criteria);
    memcpy(kept->reasons, x->reasons, sizeof kept->reasons);
    memcpy(kept->left, x->spectrum.left, (size_t)counts * sizeof *kept->left);
    memcpy(kept->values, x->values, (size_t)(CRITERIA * counts) * sizeof *kept->values);
done:
    return status;
}

static void give_back(scree_selection *x, const before *kept, int64_t index)
{
    const int64_t counts = x->spectrum.max_components + 1;
    x->spectrum.values[index] = kept->value;
    memcpy(x->criteria, kept->criteria, sizeof kept->criteria);
    memcpy(x->reasons, kept->reasons, sizeof kept->reasons);
    memcpy(x->spectrum.left, kept->left, (size_t)counts * sizeof *kept->left);
    memcpy(x->values, kept->values, (size_t)(CRITERIA * counts) * sizeof *kept->values);
}

/* Another eigenvalue, and what follows from it: sums of those left, and the values of parallel analysis, which are in
 * units of what it simulates. */
static void multiply(scree_selection *x, int64_t index, double times)
{
    scree__spectrum *s = &x->spectrum;
    const double more = s->values[index] * (times - 1);
    s->values[index] += more;
    for (int64_t m = 0; m <= index && m <= s->max_components; m++)
        s->left[m] += more;
    for (int64_t i = 0; i < CRITERIA; i++)
        if (scree__criteria[i] == &scree__criterion_parallel && index < s->max_components)
            x->values[i * (s->max_components + 1) + index + 1] *= times;
}

scree_status scree__selection_if(scree_selection *x, int64_t index, double times, int64_t *recommended,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__spectrum *s = &x->spectrum;
    before kept = {0};
    SCREE_TRY(keep(&kept, x, index, error));
    multiply(x, index, times);
    for (int64_t i = 0; i < CRITERIA; i++) {
        const double *values = x->values + i * (s->max_components + 1);
        if (scree__criteria[i] != &scree__criterion_parallel)
            SCREE_TRY(evaluate(x, i, error));
        else if (x->criteria[i].values)
            choose(x, i, values);
    }
    settle_votes(x);
    *recommended = scree__select_verdict(x->criteria, CRITERIA, s).recommended;
done:
    if (kept.values)
        give_back(x, &kept, index);
    free(kept.left);
    free(kept.values);
    return status;
}

/* The leading components of a fit, where no way is left. */
static scree_status gather_fit(scree__spectrum *s, const scree__selecting *w, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    scree_error problem = SCREE_ERROR_INIT;
    scree_fit_options fit = *job->options;
    scree_run run = *fit.run;
    run.communicator = NULL; /* who shares these rows, the source knows */
    fit.run = &run;
    fit.components = w->options->max_components;
    fit.no_imputer = true;
    fit.latent = SCREE_NONE; /* only the spectrum is wanted, and choosing M of rows with gaps would select again */
    status = scree_model_fit(&model, job->source, &fit, &problem);
    if (status == SCREE_ERR_LIMIT)
        status = scree__select_too_little(w, &fit, error);
    else if (status != SCREE_OK)
        status = scree__fail(error, status, "%s", problem.text);
    else
        status = from_model(s, scree_model_get(model), error);
    scree_model_free(model);
    return status;
}

static scree_status gather(scree__spectrum *s, scree__selecting *w, scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__select_way *way = NULL;
    s->cols = s->d = job->cols;
    SCREE_TRY(scree__select_plan(&way, w, job, s, error));
    SCREE_TRY(way ? way->gather(w, s, error) : gather_fit(s, w, job, error));
done:
    return status;
}

/* The rows with their gaps filled, as a source of their own; what whitening finds in them is found before. */
static scree_status gather_gappy(scree_selection *x, scree__selecting *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree__filled filled = {0};
    scree__job job;
    const int64_t max_components = w->options->max_components;
    scree__spectrum_clear(&x->spectrum);
    x->spectrum = (scree__spectrum){.max_components = max_components,
                                    .noise = w->options->noise_sd * w->options->noise_sd,
                                    .is_scaled = x->spectrum.is_scaled,
                                    .seed = w->options->seed,
                                    .threads = w->job->threads,
                                    .team = w->job->team,
                                    .memory = w->job->memory};
    SCREE_TRY(scree__select_fill(w, &x->spectrum, &filled, error));
    const scree_block block = {
        .size = sizeof block, .data = filled.x, .type = SCREE_F64, .rows = filled.rows, .cols = filled.cols};
    SCREE_TRY(scree_source_from_memory(&source, &block, error));
    SCREE_TRY(scree__job_make(&job, source, w->job->options, error));
    job.memory = w->job->team ? w->job->memory : job.memory; /* which is what the first process has */
    job.memory -= filled.rows * filled.cols * 8;
    scree__selecting again = {.options = w->options, .job = &job, .folds = folds_of(w->options), .is_whitened = true};
    SCREE_TRY(gather(&x->spectrum, &again, &job, error));
    x->columns = w->job->cols;
    snprintf(x->gappy, sizeof x->gappy,
             "%lld cells are missing%s; the other criteria see them filled as whiten expects", (long long)filled.gaps,
             filled.rows < filled.all_rows ? ", and a sample of the rows is looked at" : "");
done:
    scree_source_free(source);
    free(filled.x);
    return status;
}

/* For those who listen, how long it will take: a pass as for a fit of one component, and what is done to the folds. */
static scree_status foresee(const scree__job *job, int folds, scree_error *error)
{
    scree__course *course = scree__course_of(job->options->run);
    scree__choice choice;
    double rows;
    double rest;
    if (!course || scree__plan_choose(&choice, job, NULL) != SCREE_OK)
        return SCREE_OK;
    const double side = fmin((double)scree__job_rows(job), (double)job->cols);
    const double turns = ceil((double)folds / (double)job->threads);
    scree__plan_parts(job, choice.method, job->options->run->cache, &rows, &rest);
    return scree__course_plan(course, "select", rows,
                              turns * FOLD_EIGEN / SCREE__BEFORE_CRITERIA * scree__estimate_eigen(job->rates, side),
                              course->later, error);
}

scree_status scree__selection_make(scree_selection **out, scree_source *source, const scree_select_options *options,
                                   bool takes_gaps, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_select_options mine = SCREE_SELECT_OPTIONS_INIT;
    const scree_select_options *o = &mine;
    scree_run run;
    scree__job job;
    scree__course own;
    bool gap = false;
    scree_selection *x = NULL;
    double *scales = NULL;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(scree__run_adopt(&run, &mine.run, error));
    if (!scree__course_of(&run))
        scree__course_open(&own, &run);
    scree_fit_options fit = {
        .size = sizeof fit, .components = 1, .scale = o->scale, .seed = o->seed, .run = o->run, .scales = o->scales};
    SCREE_TRY(scree__scales_find(&scales, &fit, source, error));
    mine.scales = fit.scales;
    scree__selecting w = {.options = o, .job = &job, .folds = folds_of(o), .takes_gaps = takes_gaps};
    SCREE_TRY(begin(&x, o, error));
    SCREE_TRY(scree__job_make(&job, source, &fit, error));
    if (takes_gaps)
        job.missing_advice =
            "rows with gaps are read twice: save them to a file first, or fill them in with scree impute";
    if (job.team) /* and so all find that it suffices, or that it does not */
        SCREE_TRY(scree__team_tell(job.team, &job.memory, sizeof job.memory, error));
    x->spectrum.threads = job.threads;
    x->spectrum.memory = job.memory;
    x->spectrum.team = job.team;
    job.gap = takes_gaps && (source->can & SCREE__CAN_REWIND) ? &gap : NULL;
    SCREE_TRY(foresee(&job, w.folds, error));
    status = scree__job_known_gap(&job, error);
    if (status == SCREE_OK)
        status = gather(&x->spectrum, &w, &job, error);
    if (gap && job.team)
        job.team->failed = false; /* it is made good */
    if (gap)
        status = gather_gappy(x, &w, error);
    SCREE_TRY(status);
    SCREE_TRY(conclude(x, scree__course_of(&run), error));
    x->spectrum.team = NULL; /* which ends before the selection does */
    *out = x;
    x = NULL;
done:
    scree_selection_free(x);
    free(scales);
    return status;
}
