/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: costs every method in the table from shape, type, components, tolerance and memory, predicts its time,
 * and takes the fastest that fits.
 *
 *     time = max(reading, (reading + passing)/threads) + shared/threads + alone
 *
 * A thread reads while the others work, and takes a processor to do it; memory is read by all. Another method would be
 * other bits. So methods are compared on a reference machine, with the built-in rates and a fixed number of threads:
 * the choice depends on the data and the options alone. What this machine can do (rates.c) only predicts the times that
 * a plan prints. */

#include "fit/plan.h"

#include "base/memory.h"
#include "base/sized.h"
#include "data/entries.h"
#include "fit/plan_text.h"
#include "fit/prepare.h"
#include "fit/replicates.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const int REFERENCE_THREADS = 4;
static const double PACKED_CELL = 0.25; /* bytes of a genotype in its file */
static const double SMALL_JOB = 0.05;   /* seconds: the machine is not measured for less */

struct scree_plan {
    int64_t count;
    int64_t best; /* -1: none */
    scree_plan_entry *entries;
    double *compared; /* seconds on the reference machine */
    const char *reason;
    scree__rates rates; /* of this machine, as far as they are known */
    char basis[256];
};

/* Of a row, on average; of a sparse one, its entries. */
static double row_bytes(const scree__job *job)
{
    const scree_source *source = job->source;
    const double cell = source->genotypes ? PACKED_CELL : (double)scree__type_size(source->about.type);
    return source->sparse ? (double)scree__entries_row_bytes(source) : (double)job->cols * cell;
}

/* Of all passes together. Text is parsed by all threads at once: what it takes is like arithmetic. */
static double seconds(const scree__job *job, const scree__effort *effort, int passes, int threads)
{
    const scree_source *source = job->source;
    const double rows = (double)(effort->reads > 0 ? effort->reads : passes) * (double)scree__job_rows(job);
    const double bytes = rows * row_bytes(job);
    const double after = effort->shared / threads + effort->alone;
    double reading = 0;
    double passing = effort->passing;
    if ((source->can & SCREE__IN_MEMORY) || (source->sparse && (source->can & SCREE__IN_STEP)))
        return fmax(scree__estimate_memory(job->rates, bytes), passing / threads) + after;
    if (source->about.row_text > 0)
        passing += scree__estimate_parsing(job->rates, rows * (double)source->about.row_text);
    else
        reading = scree__estimate_reading(job->rates, bytes, source->can & SCREE__CAN_SLICE);
    return fmax(reading, (reading + passing) / threads) + after;
}

double scree__plan_seconds(const scree__job *job, const scree__effort *effort, int passes)
{
    return seconds(job, effort, passes, REFERENCE_THREADS);
}

/* Text is read as it stands in the file. */
static double bytes_of(const scree__job *job, int passes)
{
    const scree_source *source = job->source;
    const double row = source->about.row_text > 0 ? (double)source->about.row_text : row_bytes(job);
    return (double)passes * (double)scree__job_rows(job) * row;
}

/* What a method that applies costs by the rates of the job; its time on the reference machine. */
static double cost(const scree__job *job, const scree__method *method, scree_plan_entry *e)
{
    scree__effort effort = {0};
    effort.alone = scree__estimate_beginning(job->rates);
    method->cost(job, e, &effort);
    scree__replicates_cost(job, e, &effort);
    e->bytes = bytes_of(job, e->passes);
    e->seconds = seconds(job, &effort, e->passes, job->threads);
    return scree__plan_seconds(job, &effort, e->passes);
}

void scree__plan_parts(const scree__job *job, const scree__method *method, const char *cache, double *rows,
                       double *rest)
{
    scree__rates rates = *job->rates;
    scree__job here = *job;
    scree__effort effort = {0};
    scree_plan_entry entry = {0};
    if (cache)
        scree__rates_known(&rates, cache);
    here.rates = &rates;
    method->cost(&here, &entry, &effort);
    *rest = effort.shared / job->threads + effort.alone;
    *rows = seconds(&here, &effort, entry.passes, job->threads) - *rest;
}

static bool is_asked(const scree__job *job, const scree__method *method)
{
    return job->options->solver && strcmp(job->options->solver, method->name) == 0;
}

/* A method for missing values, where nobody has looked for any yet: what it would cost if one turned up. */
static void foresee(const scree__job *job, const scree__method *method, scree_plan_entry *e)
{
    char problem[256];
    snprintf(e->reason, sizeof e->reason, "for missing values, and none were seen yet");
    if (job->options->solver || job->source->about.type == SCREE_U8)
        return;
    if (!scree__method_takes(method, job, problem) || !method->applicable(job, problem)) {
        snprintf(e->reason, sizeof e->reason, "for missing values, but then: %.200s", problem);
        return;
    }
    e->if_missing = true;
    cost(job, method, e);
}

static double fill(const scree__job *job, const scree__method *method, scree_plan_entry *e)
{
    double compared = 0;
    *e = (scree_plan_entry){.size = sizeof *e, .solver = method->name};
    if ((method->can & SCREE__TAKES_GAPS) && !is_asked(job, method)) {
        foresee(job, method, e);
        return compared;
    }
    e->applicable = scree__method_takes(method, job, e->reason) && method->applicable(job, e->reason);
    if (!e->applicable)
        return compared;
    compared = cost(job, method, e);
    if (e->memory > job->memory) {
        e->applicable = false;
        scree__plan_say_too_large(e, job->memory);
    }
    if (job->gave_way && strcmp(job->gave_way, method->name) == 0) {
        e->applicable = false;
        snprintf(e->reason, sizeof e->reason, "it converged too slowly, and gave way");
    }
    return compared;
}

/* All methods; best is the fastest of those that apply and are allowed. */
static void judge(scree_plan *plan, const scree__job *job)
{
    plan->best = -1;
    for (int64_t i = 0; i < plan->count; i++) {
        const scree__method *method = scree__methods[i];
        plan->compared[i] = fill(job, method, &plan->entries[i]);
        if (!plan->entries[i].applicable || (job->options->solver && !is_asked(job, method)))
            continue;
        if (plan->best < 0 || plan->compared[i] < plan->compared[plan->best])
            plan->best = i;
    }
}

/* The next best; 0 where there is none to give way to. */
static double rival_of(const scree_plan *plan, const scree__job *job)
{
    double rival = 0;
    for (int64_t i = 0; i < plan->count && !job->options->solver; i++)
        if (plan->entries[i].applicable && i != plan->best && (rival == 0 || plan->compared[i] < rival))
            rival = plan->compared[i];
    return rival;
}

/* The times of all methods that have one, by other rates. */
static void predict(scree_plan *plan, const scree__job *job, const scree__rates *rates)
{
    scree__job here = *job;
    here.rates = rates;
    for (int64_t i = 0; i < plan->count; i++)
        if (plan->entries[i].memory > 0)
            cost(&here, scree__methods[i], &plan->entries[i]);
}

/* cache: a folder with what this machine can do, for its times; NULL: built-in rates will do. */
static scree_status make(scree_plan **out, const scree__job *job, const char *cache, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *solver = job->options->solver;
    scree_plan *plan = NULL;
    if (solver && !scree__method_named(solver))
        SCREE_TRY(scree__plan_no_solver(solver, error));
    SCREE_ALLOC(plan, 1, error);
    plan->count = scree__method_count();
    SCREE_ALLOC(plan->entries, plan->count, error);
    SCREE_ALLOC(plan->compared, plan->count, error);
    judge(plan, job);
    if (plan->best < 0)
        SCREE_TRY(scree__plan_nothing_fits(job, plan->entries, plan->count, error));
    plan->rates = *job->rates;
    const bool measured = cache && plan->compared[plan->best] >= SMALL_JOB && scree__rates_machine(&plan->rates, cache);
    predict(plan, job, &plan->rates);
    plan->reason = scree__plan_explain(plan->entries, plan->count, plan->best, solver != NULL);
    scree__rates_describe(&plan->rates, measured, plan->basis, sizeof plan->basis);
    *out = plan;
    plan = NULL;
done:
    scree_plan_free(plan);
    return status;
}

const char *scree__plan_solver(const scree_source *source, const scree_fit_options *options)
{
    const scree__method *method = NULL;
    int64_t row;
    int64_t column;
    if (options->solver)
        return options->solver;
    if (options->bayes)
        method = scree__method_that(SCREE__FITS_BAYES);
    else if (scree__source_first_gap(source, &row, &column))
        method = scree__method_that(SCREE__TAKES_GAPS);
    return method ? method->name : NULL;
}

scree_status scree__plan_choose(scree__choice *choice, const scree__job *job, scree_error *error)
{
    scree_plan *plan = NULL;
    scree_status status = make(&plan, job, NULL, error);
    if (status == SCREE_OK)
        *choice = (scree__choice){scree__methods[plan->best], plan->reason, rival_of(plan, job)};
    scree_plan_free(plan);
    return status;
}

scree_status scree_plan_make(scree_plan **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options chosen = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    scree__job job;
    scree__prepared prepared = {0};
    SCREE_TRY(SCREE_ADOPT(&chosen, options, error));
    SCREE_TRY(scree__run_adopt(&run, &chosen.run, error));
    const bool asked = chosen.solver != NULL;
    const scree__preparing how = {.normalize = chosen.normalize,
                                  .log1p = chosen.log1p,
                                  .top_variance = chosen.top_variance,
                                  .scales = chosen.scales,
                                  .run = chosen.run,
                                  .shape_only = true};
    SCREE_TRY(scree__prepare(&prepared, source, &how, error));
    source = prepared.rows;
    chosen.scales = prepared.scales ? prepared.scales : chosen.scales;
    chosen.solver = scree__plan_solver(source, &chosen);
    SCREE_TRY(scree__job_make(&job, source, &chosen, error));
    SCREE_TRY(make(out, &job, run.cache, error));
    for (int64_t i = 0; i < (*out)->count; i++)
        (*out)->entries[i].passes += prepared.passes + (chosen.scale == SCREE_SCALE_RANGE || /* that find the scales */
                                                        (chosen.scale == SCREE_SCALE_BINOMIAL && !source->genotypes));
    if (chosen.solver && !asked && !chosen.bayes)
        snprintf((*out)->entries[(*out)->best].reason, sizeof(*out)->entries->reason, "%s", scree__plan_missing);
done:
    scree__prepared_close(&prepared);
    return status;
}

int64_t scree_plan_count(const scree_plan *plan)
{
    return plan->count;
}

const scree_plan_entry *scree_plan_at(const scree_plan *plan, int64_t index)
{
    return index >= 0 && index < plan->count ? &plan->entries[index] : NULL;
}

const char *scree_plan_basis(const scree_plan *plan)
{
    return plan->basis;
}

void scree_plan_free(scree_plan *plan)
{
    if (plan) {
        free(plan->entries);
        free(plan->compared);
    }
    free(plan);
}
