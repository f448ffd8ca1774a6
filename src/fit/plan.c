/* SPDX-License-Identifier: BSD-3-Clause */
/* The planner: costs every method in the table from shape, type, components, tolerance and memory, predicts a time as
 * the larger of arithmetic and reading, and takes the fastest that fits. Methods are compared as if a fixed number of
 * threads did the work: how many there are must not change the method, and so the bits of the model. */

#include "fit/plan.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const scree__method *const scree__methods[] = {&scree__method_covariance, &scree__method_gram, &scree__method_svd,
                                               &scree__method_lanczos, NULL};

enum { METHODS = sizeof scree__methods / sizeof scree__methods[0] - 1 };

/* What a disk, a parser and memory deliver. */
static const double BYTES_FILE = 1.5e9;
static const double BYTES_TEXT = 2e8; /* as doubles, a thread */
static const double BYTES_MEMORY = 1e10;
static const double NOT_HIDDEN = 0.1; /* of the shorter, when reading and arithmetic overlap */
static const int COMPARED_THREADS = 4;

struct scree_plan {
    scree_plan_entry entry[METHODS];
};

static void bytes_text(char *text, size_t size, int64_t bytes)
{
    const double kilo = 1024;
    const double b = (double)bytes;
    if (b < kilo)
        snprintf(text, size, "%.0f bytes", b);
    else if (b < kilo * kilo)
        snprintf(text, size, "%.0f KiB", b / kilo);
    else if (b < kilo * kilo * kilo)
        snprintf(text, size, "%.0f MiB", b / (kilo * kilo));
    else
        snprintf(text, size, "%.2f GiB", b / (kilo * kilo * kilo));
}

/* Of arithmetic that takes one thread so long, and of reading. */
static double seconds(const scree__job *job, double arithmetic, double bytes, int threads)
{
    const bool in_memory = job->source->can & SCREE__IN_MEMORY;
    const bool is_text = !in_memory && job->source->rows < 0; /* rows that are counted while they are parsed */
    const double rate = is_text ? BYTES_TEXT * threads : in_memory ? BYTES_MEMORY : BYTES_FILE;
    const double reading = bytes / rate;
    arithmetic /= threads;
    return fmax(arithmetic, reading) + NOT_HIDDEN * fmin(arithmetic, reading);
}

/* *compared: the time by which methods are compared, for a fixed number of threads, so that how many there are does not
 * change the method. */
static void fill(const scree__job *job, const scree__method *method, scree_plan_entry *e, double *compared)
{
    char need[32];
    char limit[32];
    *e = (scree_plan_entry){.solver = method->name};
    e->applicable = method->applicable(job, e->reason);
    if (!e->applicable)
        return;
    method->cost(job, e);
    e->bytes = (double)e->passes * (double)scree__job_rows(job) * (double)job->cols *
               (double)scree__type_size(job->source->type);
    *compared = seconds(job, e->seconds, e->bytes, COMPARED_THREADS);
    e->seconds = seconds(job, e->seconds, e->bytes, job->threads);
    if (e->memory > job->memory) {
        e->applicable = false;
        bytes_text(need, sizeof need, e->memory);
        bytes_text(limit, sizeof limit, job->memory);
        snprintf(e->reason, sizeof e->reason, "needs %s, more than the limit of %s", need, limit);
    }
}

static scree_status nothing_fits(const scree__job *job, const scree_plan_entry *entries, const char *only,
                                 scree_error *error)
{
    const scree_plan_entry *least = NULL;
    char need[32];
    char limit[32];
    for (int i = 0; i < METHODS; i++) {
        const scree_plan_entry *e = &entries[i];
        if (only && strcmp(only, e->solver) == 0 && e->memory == 0)
            return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                               "%s: method %s cannot do this: %s; leave the choice to the planner", job->source->path,
                               only, e->reason);
        if (e->memory > 0 && (!only || strcmp(only, e->solver) == 0) && (!least || e->memory < least->memory))
            least = e;
    }
    if (!least)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: no method can do this", job->source->path);
    /* Rounded up, so that the number in the sentence is enough when it is given back. */
    bytes_text(need, sizeof need, least->memory + least->memory / 64 + (INT64_C(1) << 20));
    bytes_text(limit, sizeof limit, job->memory);
    return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s of memory are too few; method %s needs %s, so allow that much",
                       job->source->path, limit, least->solver, need);
}

static scree_status check_solver(const char *solver, scree_error *error)
{
    for (int i = 0; i < METHODS; i++)
        if (strcmp(solver, scree__methods[i]->name) == 0)
            return SCREE_OK;
    return scree__fail(error, SCREE_ERR_ARGUMENT,
                       "there is no solver '%s'; there are covariance, gram, svd and lanczos", solver);
}

static void explain(scree_plan_entry *entries, int best, const char *only)
{
    for (int i = 0; i < METHODS; i++) {
        scree_plan_entry *e = &entries[i];
        e->chosen = i == best;
        if (!e->applicable)
            continue;
        if (i == best)
            snprintf(e->reason, sizeof e->reason, "%s", only ? "asked for" : "the fastest that fits");
        else
            snprintf(e->reason, sizeof e->reason, "%.1f times the time",
                     e->seconds / (entries[best].seconds > 0 ? entries[best].seconds : 1));
    }
}

scree_status scree__plan_choose(const scree__method **chosen, const scree__job *job, scree_plan_entry *entries,
                                scree_error *error)
{
    scree_plan_entry own[METHODS];
    const char *only = job->options->solver;
    int best = -1;
    double shortest = 0;
    scree_status status = only ? check_solver(only, error) : SCREE_OK;
    if (status != SCREE_OK)
        return status;
    entries = entries ? entries : own;
    for (int i = 0; i < METHODS; i++) {
        double time = 0;
        fill(job, scree__methods[i], &entries[i], &time);
        if (!entries[i].applicable || (only && strcmp(only, entries[i].solver) != 0))
            continue;
        if (best < 0 || time < shortest) {
            best = i;
            shortest = time;
        }
    }
    if (best < 0)
        return nothing_fits(job, entries, only, error);
    explain(entries, best, only);
    *chosen = scree__methods[best];
    return SCREE_OK;
}

scree_status scree_plan_make(scree_plan **out, scree_source *source, const scree_fit_options *options,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    static const scree_fit_options defaults = SCREE_FIT_OPTIONS_INIT;
    scree__job job;
    const scree__method *chosen;
    scree_plan *plan = NULL;
    SCREE_TRY(scree__job_make(&job, source, options ? options : &defaults, error));
    SCREE_ALLOC(plan, 1, error);
    SCREE_TRY(scree__plan_choose(&chosen, &job, plan->entry, error));
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
    return index >= 0 && index < METHODS ? &plan->entry[index] : NULL;
}

void scree_plan_free(scree_plan *plan)
{
    free(plan);
}
