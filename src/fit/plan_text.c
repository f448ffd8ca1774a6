/* SPDX-License-Identifier: BSD-3-Clause */
/* The words of the planner. Names of methods come from their table, and the memory that a sentence names is enough. */

#include "fit/plan_text.h"

#include "base/size_text.h"

#include <stdio.h>
#include <string.h>

static const double SAME_TIME = 1.1; /* predictions within this factor are one */

const char scree__plan_missing[] = "values are missing";
const char scree__plan_gave_way[] = "the fastest that fits, after an iterative method that converged too slowly";

/* "87× slower", "1.3× faster". */
static void compare(scree_plan_entry *e, double times, const char *how, const char *but)
{
    scree__format(e->reason, sizeof e->reason, times < 10 ? "%.1f× %s%s" : "%.0f× %s%s", times, how, but);
}

static void explain_other(scree_plan_entry *e, double best, bool asked)
{
    const double times = e->seconds / (best > 0 ? best : 1);
    if (times > SAME_TIME)
        compare(e, times, "slower", "");
    else if (times >= 1 / SAME_TIME)
        snprintf(e->reason, sizeof e->reason, "about as fast");
    else
        compare(e, 1 / times, "faster", asked ? "" : " here, but slower on the reference machine, which decides");
}

const char *scree__plan_explain(scree_plan_entry *entries, int64_t count, int64_t best, bool asked)
{
    scree_plan_entry *chosen = &entries[best];
    bool fastest = true;
    for (int64_t i = 0; i < count; i++) {
        scree_plan_entry *e = &entries[i];
        e->chosen = i == best;
        if (!e->applicable || e->chosen)
            continue;
        explain_other(e, chosen->seconds, asked);
        fastest = fastest && e->seconds >= chosen->seconds;
    }
    const char *reason = asked     ? "asked for"
                         : fastest ? "the fastest that fits"
                                   : "the fastest that fits on the reference machine, which decides";
    snprintf(chosen->reason, sizeof chosen->reason, "%s", reason);
    return reason;
}

void scree__plan_say_too_large(scree_plan_entry *entry, int64_t limit)
{
    char need[SCREE__SIZE_TEXT];
    char allowed[SCREE__SIZE_TEXT];
    snprintf(entry->reason, sizeof entry->reason, "needs %s, more than the limit of %s",
             scree__size_text(need, entry->memory), scree__size_text(allowed, limit));
}

scree_status scree__plan_no_solver(const char *solver, scree_error *error)
{
    char names[256];
    scree__method_names(names, sizeof names);
    return scree__fail(error, SCREE_ERR_ARGUMENT, "there is no solver '%s'; there are %s", solver, names);
}

static scree_status cannot(const scree__job *job, const scree_plan_entry *e, scree_error *error)
{
    const bool gaps = scree__method_named(e->solver)->can & SCREE__TAKES_GAPS;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: method %s cannot do this: %s%s", job->source->about.path,
                       e->solver, e->reason, gaps ? "" : "; leave the choice to the planner");
}

static scree_status too_little(const scree__job *job, const scree_plan_entry *least, const scree_plan_entry *missing,
                               scree_error *error)
{
    char need[SCREE__SIZE_TEXT];
    char limit[SCREE__SIZE_TEXT];
    char other[SCREE__SIZE_TEXT];
    scree__size_text(need, least->memory);
    scree__size_text(limit, job->memory);
    if (missing && missing->memory > least->memory)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s is too little memory: %s needs %s, or %s if values are missing; allow that much",
                           job->source->about.path, limit, least->solver, need,
                           scree__size_text(other, missing->memory));
    return scree__fail(error, SCREE_ERR_LIMIT, "%s: %s is too little memory: %s needs %s; allow that much",
                       job->source->about.path, limit, least->solver, need);
}

scree_status scree__plan_nothing_fits(const scree__job *job, const scree_plan_entry *entries, int64_t count,
                                      scree_error *error)
{
    const char *only = job->options->solver;
    const scree_plan_entry *least = NULL;
    const scree_plan_entry *missing = NULL;
    for (int64_t i = 0; i < count; i++) {
        const scree_plan_entry *e = &entries[i];
        if (e->if_missing)
            missing = e;
        if (e->if_missing || (only && strcmp(only, e->solver) != 0))
            continue;
        if (only && e->memory == 0)
            return cannot(job, e, error);
        if (e->memory > 0 && (!least || e->memory < least->memory))
            least = e;
    }
    if (!least)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: no method can do this", job->source->about.path);
    return too_little(job, least, missing, error);
}
