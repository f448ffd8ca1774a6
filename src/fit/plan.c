/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: costs every method in the table from shape, type, components, tolerance and memory, predicts its time,
 * and takes the fastest that fits.
 *
 *     time = max(reading, (reading + passing)/threads) + shared/threads + alone
 *
 * A thread reads while the others work, and takes a processor to do it; memory is read by all. Another method would be
 * other bits. So methods are compared as if a fixed number of threads did the work, however many there are; small jobs
 * by built-in rates, which need no probe, and others by those of the machine, which are measured once (rates.c). */

#include "fit/plan.h"

#include "base/memory.h"
#include "base/sized.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const scree__method *const scree__methods[] = {&scree__method_covariance, &scree__method_gram, &scree__method_svd,
                                               &scree__method_lanczos,    &scree__method_em,   NULL};

enum { TEXT = 32 };
enum { METHODS = sizeof scree__methods / sizeof scree__methods[0] - 1 };

static const int COMPARED_THREADS = 4;
static const double SAME_TIME = 1.1;  /* predictions within this factor are one */
static const double SMALL_JOB = 0.05; /* seconds of the fastest method: less is not worth measuring the machine for */

/* What methods are judged by. */
typedef struct judged {
    scree_plan_entry entry[METHODS];
    double compared[METHODS]; /* seconds with COMPARED_THREADS */
    int best;                 /* -1: none */
} judged;

struct scree_plan {
    judged methods;
    char basis[256];
};

/* Rounded up: memory that is needed is enough when it is given as it was said. */
static const char *bytes_text(char text[TEXT], int64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB"};
    double b = (double)bytes;
    int unit = 0;
    for (; unit < 3 && b >= 1024; unit++)
        b /= 1024;
    if (unit == 3)
        snprintf(text, TEXT, "%.2f GiB", ceil(100 * b) / 100);
    else
        snprintf(text, TEXT, "%.0f %s", ceil(b), units[unit]);
    return text;
}

/* Of all passes together. Text is parsed by all threads at once: what it takes is like arithmetic. */
static double seconds(const scree__job *job, const scree__effort *effort, int passes, int threads)
{
    const scree_source *source = job->source;
    const double rows = (double)passes * (double)scree__job_rows(job);
    const double bytes = rows * (double)job->cols * (double)scree__type_size(source->type);
    const double after = effort->shared / threads + effort->alone;
    double reading = 0;
    double passing = effort->passing;
    if (source->can & SCREE__IN_MEMORY)
        return fmax(scree__estimate_memory(job->rates, bytes), passing / threads) + after;
    if (source->row_text > 0)
        passing += scree__estimate_parsing(job->rates, rows * (double)source->row_text);
    else
        reading = scree__estimate_reading(job->rates, bytes, source->can & SCREE__CAN_SLICE);
    return fmax(reading, (reading + passing) / threads) + after;
}

/* Text is read as it stands in the file. */
static double bytes_of(const scree__job *job, int passes)
{
    const scree_source *source = job->source;
    const int64_t row = source->row_text > 0 ? source->row_text : job->cols * scree__type_size(source->type);
    return (double)passes * (double)scree__job_rows(job) * (double)row;
}

/* What a method that applies costs. *compared: the time by which methods are compared. */
static void cost(const scree__job *job, const scree__method *method, scree_plan_entry *e, double *compared)
{
    scree__effort effort = {0};
    method->cost(job, e, &effort);
    e->bytes = bytes_of(job, e->passes);
    *compared = seconds(job, &effort, e->passes, COMPARED_THREADS);
    e->seconds = seconds(job, &effort, e->passes, job->threads);
}

/* What em would cost if a cell turned out to be missing, where nobody has looked yet. */
static void foresee(const scree__job *job, scree_plan_entry *e)
{
    scree_fit_options options = *job->options;
    scree__job with = *job;
    double compared;
    char why[256];
    if (job->options->solver || job->source->type == SCREE_U8)
        return;
    options.solver = scree__method_em.name;
    with.options = &options;
    if (scree__method_em.applicable(&with, why))
        cost(&with, &scree__method_em, e, &compared);
    else
        snprintf(e->reason, sizeof e->reason, "it is for missing values, and then: %.200s", why);
}

static void fill(const scree__job *job, const scree__method *method, scree_plan_entry *e, double *compared)
{
    char need[TEXT];
    char limit[TEXT];
    *e = (scree_plan_entry){.size = sizeof *e, .solver = method->name};
    e->applicable = method->applicable(job, e->reason);
    if (!e->applicable && method == &scree__method_em)
        foresee(job, e);
    if (!e->applicable)
        return;
    cost(job, method, e, compared);
    if (e->memory > job->memory) {
        e->applicable = false;
        snprintf(e->reason, sizeof e->reason, "needs %s, more than the limit of %s", bytes_text(need, e->memory),
                 bytes_text(limit, job->memory));
    }
}

static scree_status nothing_fits(const scree__job *job, const scree_plan_entry *entries, const char *only,
                                 scree_error *error)
{
    const scree_plan_entry *least = NULL;
    const scree_plan_entry *foreseen = NULL;
    char need[TEXT];
    char limit[TEXT];
    char other[TEXT];
    for (int i = 0; i < METHODS; i++) {
        const scree_plan_entry *e = &entries[i];
        if (only && strcmp(only, e->solver) == 0 && e->memory == 0)
            return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: method %s cannot do this: %s%s", job->source->path,
                               only, e->reason, strcmp(only, "em") == 0 ? "" : "; leave the choice to the planner");
        if (!only && scree__methods[i] == &scree__method_em) {
            foreseen = e->memory > 0 ? e : NULL;
            continue;
        }
        if (e->memory > 0 && (!only || strcmp(only, e->solver) == 0) && (!least || e->memory < least->memory))
            least = e;
    }
    if (!least)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: no method can do this", job->source->path);
    bytes_text(need, least->memory);
    bytes_text(limit, job->memory);
    if (foreseen && foreseen->memory > least->memory)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s of memory are too few; method %s needs %s, so allow that much, or %s if cells are "
                           "missing",
                           job->source->path, limit, least->solver, need, bytes_text(other, foreseen->memory));
    return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s of memory are too few; method %s needs %s, so allow that much",
                       job->source->path, limit, least->solver, need);
}

static scree_status check_solver(const char *solver, scree_error *error)
{
    for (int i = 0; i < METHODS; i++)
        if (strcmp(solver, scree__methods[i]->name) == 0)
            return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "there is no solver '%s'; there are covariance, gram, svd, lanczos and em", solver);
}

static void explain_other(scree_plan_entry *e, double best, bool asked)
{
    const double times = e->seconds / (best > 0 ? best : 1);
    if (asked && times < 1 / SAME_TIME)
        snprintf(e->reason, sizeof e->reason, "%.2g times the time", times);
    else if (times > SAME_TIME)
        snprintf(e->reason, sizeof e->reason, "%.1f times the time", times);
    else if (times >= 1 / SAME_TIME)
        snprintf(e->reason, sizeof e->reason, "about the same time");
    else
        snprintf(e->reason, sizeof e->reason, "%.2g times the time here, but more with %d threads", times,
                 COMPARED_THREADS);
}

static void explain(const scree__job *job, judged *j)
{
    const double best = j->entry[j->best].seconds;
    bool fastest = true;
    for (int i = 0; i < METHODS; i++) {
        scree_plan_entry *e = &j->entry[i];
        e->chosen = i == j->best;
        if (!e->applicable || e->chosen)
            continue;
        explain_other(e, best, job->options->solver != NULL);
        fastest = fastest && e->seconds >= best;
    }
    scree_plan_entry *e = &j->entry[j->best];
    if (job->options->solver)
        snprintf(e->reason, sizeof e->reason, "asked for");
    else if (fastest)
        snprintf(e->reason, sizeof e->reason, "the fastest that fits");
    else
        snprintf(e->reason, sizeof e->reason, "the fastest that fits, compared for %d threads", COMPARED_THREADS);
}

/* All methods by the job's rates; best is the fastest of those that apply and are allowed. */
static void judge(const scree__job *job, judged *j)
{
    const char *only = job->options->solver;
    j->best = -1;
    for (int i = 0; i < METHODS; i++) {
        fill(job, scree__methods[i], &j->entry[i], &j->compared[i]);
        if (!j->entry[i].applicable || (only && strcmp(only, j->entry[i].solver) != 0))
            continue;
        if (j->best < 0 || j->compared[i] < j->compared[j->best])
            j->best = i;
    }
}

/* job->rates: by which it was judged in the end. times: they are wanted even where there is nothing to choose. */
static scree_status choose(scree__job *job, judged *j, bool times, scree_error *error)
{
    const char *only = job->options->solver;
    scree_status status = only ? check_solver(only, error) : SCREE_OK;
    if (status != SCREE_OK)
        return status;
    judge(job, j);
    if (j->best < 0)
        return nothing_fits(job, j->entry, only, error);
    if (j->compared[j->best] >= SMALL_JOB && (times || !only)) {
        job->rates = scree__rates_machine();
        judge(job, j);
    }
    explain(job, j);
    return SCREE_OK;
}

/* Whether cells are known to be missing before any is read. */
static bool has_gaps(const scree_source *source)
{
    const scree__csr *cells = source->cells;
    return cells && (double)cells->start[cells->rows] < (double)cells->rows * (double)cells->cols;
}

const char *scree__plan_solver(const scree_source *source, const scree_fit_options *options)
{
    return !options->solver && (options->bayes || has_gaps(source)) ? scree__method_em.name : options->solver;
}

scree_status scree__plan_choose(const scree__method **chosen, const scree__job *job, scree_error *error)
{
    scree__job copy = *job;
    judged j;
    scree_status status = choose(&copy, &j, false, error);
    if (status == SCREE_OK)
        *chosen = scree__methods[j.best];
    return status;
}

scree_status scree_plan_make(scree_plan **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_fit_options chosen = SCREE_FIT_OPTIONS_INIT;
    scree_run run;
    scree__job job;
    scree_plan *plan = NULL;
    SCREE_TRY(SCREE_ADOPT(&chosen, options, error));
    SCREE_TRY(scree__run_adopt(&run, &chosen.run, error));
    const bool asked = chosen.solver != NULL;
    chosen.solver = scree__plan_solver(source, &chosen);
    SCREE_TRY(scree__job_make(&job, source, &chosen, error));
    SCREE_ALLOC(plan, 1, error);
    SCREE_TRY(choose(&job, &plan->methods, true, error));
    if (chosen.solver && !asked && !chosen.bayes)
        snprintf(plan->methods.entry[plan->methods.best].reason, sizeof plan->methods.entry->reason,
                 "values are missing");
    scree__rates_describe(job.rates, plan->basis, sizeof plan->basis);
    *out = plan;
    plan = NULL;
done:
    scree_plan_free(plan);
    return status;
}

int64_t scree_plan_count(const scree_plan *plan)
{
    (void)plan;
    return METHODS;
}

const scree_plan_entry *scree_plan_at(const scree_plan *plan, int64_t index)
{
    return index >= 0 && index < METHODS ? &plan->methods.entry[index] : NULL;
}

const char *scree_plan_basis(const scree_plan *plan)
{
    return plan->basis;
}

void scree_plan_free(scree_plan *plan)
{
    free(plan);
}
