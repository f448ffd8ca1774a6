/* SPDX-License-Identifier: BSD-3-Clause */
/* From many choices to one recommendation. What most of the voting criteria choose is recommended. Where no M has a
 * majority, the criterion decides that assumes least: bi-cross-validation, which needs no distribution and judges by
 * cells it has not seen; then the log-likelihood of rows held out; then what is left, in the order below. */

#include "fit/selection.h"

#include <stdio.h>
#include <string.h>

static const char *const trusted[] = {"bicross",  "heldout",     "minka", "bic", "gavish-known", "gavish", "marchenko",
                                      "parallel", "tracy-widom", "share", NULL};

static bool has_voted(const scree_criterion *c)
{
    return c->votes && c->choice >= 0;
}

static int votes_for(const scree_criterion *criteria, int64_t count, int64_t m)
{
    int votes = 0;
    for (int64_t i = 0; i < count; i++)
        votes += has_voted(&criteria[i]) && criteria[i].choice == m;
    return votes;
}

static const scree_criterion *most_trusted(const scree_criterion *criteria, int64_t count)
{
    for (int t = 0; trusted[t]; t++)
        for (int64_t i = 0; i < count; i++)
            if (strcmp(criteria[i].name, trusted[t]) == 0 && criteria[i].choice >= 0)
                return &criteria[i];
    return NULL;
}

/* Whether there was a majority. */
static bool recommend(scree__verdict *v, const scree_criterion *criteria, int64_t count, int voters)
{
    const scree_criterion *best = NULL;
    int largest = 0;
    for (int64_t i = 0; i < count; i++) {
        const int votes = has_voted(&criteria[i]) ? votes_for(criteria, count, criteria[i].choice) : 0;
        if (votes > largest) {
            largest = votes;
            best = &criteria[i];
        }
    }
    if (best && 2 * largest > voters) {
        v->recommended = best->choice;
        if (largest == voters)
            snprintf(v->reason, sizeof v->reason, "all %d criteria that vote choose it", voters);
        else
            snprintf(v->reason, sizeof v->reason, "%d of the %d criteria that vote choose it", largest, voters);
        return true;
    }
    best = most_trusted(criteria, count);
    v->recommended = best ? best->choice : 0;
    if (!best)
        snprintf(v->reason, sizeof v->reason, "no criterion could choose");
    else if (voters == 0)
        snprintf(v->reason, sizeof v->reason, "no criterion that votes could choose; this is the choice of the %s",
                 best->title);
    else
        snprintf(v->reason, sizeof v->reason,
                 "no number has a majority; this is the choice of %s (%s), which of those computed "
                 "assumes least about the data",
                 best->name, best->title);
    return false;
}

static void tell_disagreement(scree__verdict *v, const scree_criterion *criteria, int64_t count,
                              const scree__spectrum *s, bool majority)
{
    const scree_criterion *few = NULL;
    const scree_criterion *many = NULL;
    size_t used = 0;
    for (int64_t i = 0; i < count; i++) {
        if (!has_voted(&criteria[i]))
            continue;
        few = !few || criteria[i].choice < few->choice ? &criteria[i] : few;
        many = !many || criteria[i].choice > many->choice ? &criteria[i] : many;
    }
    if (few && few->choice != many->choice)
        used = (size_t)snprintf(v->warning, sizeof v->warning, "the criteria disagree, from %lld (%s) to %lld (%s)%s",
                                (long long)few->choice, few->name, (long long)many->choice, many->name,
                                majority ? ""
                                         : ": the data may not be a few components in white noise, and how many are "
                                           "useful depends on their use");
    if (v->recommended == s->max_components && s->max_components < s->count)
        snprintf(v->warning + used, sizeof v->warning - used,
                 "%s%lld is the largest number that was looked at; look at more", used ? "; " : "",
                 (long long)s->max_components);
}

scree__verdict scree__select_verdict(const scree_criterion *criteria, int64_t count, const scree__spectrum *s)
{
    scree__verdict v = {0};
    int voters = 0;
    for (int64_t i = 0; i < count; i++)
        voters += has_voted(&criteria[i]);
    const bool majority = recommend(&v, criteria, count, voters);
    tell_disagreement(&v, criteria, count, s, majority);
    return v;
}
