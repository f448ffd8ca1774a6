/* SPDX-License-Identifier: BSD-3-Clause */
/* From many choices to one recommendation.
 *
 * Where whitening finds a number of components that leave only noise, of whatever kind, that number is recommended: the
 * other criteria take noise to be white and normal, or judge by use, and miss what is weak. But where most of the
 * others agree on another number, and that many components in white noise say more with less (whiten_evidence.c),
 * theirs is taken. It errs in one table of a hundred; so where it finds white noise, and nearly all others agree on
 * another number, that is taken, too. Where there is no noise at all, the rank is recommended. Where whitening finds no
 * number, the eigenvalues fall off gradually, as those of real tables do, and there is no true number: what most of the
 * voting criteria choose is recommended, or, where no M has a majority, the choice of the criterion that assumes least:
 * bi-cross-validation, which needs no distribution and judges by cells it has not seen; then the log-likelihood of rows
 * held out; then what is left, in the order below. What can be defended is then all from the fewest to the most that a
 * criterion chooses. */

#include "fit/selection.h"

#include <stdio.h>
#include <string.h>

static const char *const trusted[] = {"bicross",  "heldout",     "minka", "bic", "gavish-known", "gavish", "marchenko",
                                      "parallel", "tracy-widom", "share", NULL};

static const double WORTH_TELLING = 1.5; /* ratio of standard deviations */
static const double NEARLY_ALL = 0.75;

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

/* A criterion with the choice that has most votes, and how many; NULL: none has voted. */
static const scree_criterion *most_chosen(const scree_criterion *criteria, int64_t count, int *votes)
{
    const scree_criterion *best = NULL;
    *votes = 0;
    for (int64_t i = 0; i < count; i++) {
        const int own = has_voted(&criteria[i]) ? votes_for(criteria, count, criteria[i].choice) : 0;
        if (own > *votes) {
            *votes = own;
            best = &criteria[i];
        }
    }
    return best;
}

static bool seems_white(const scree__noise_kind *noise)
{
    return noise->along_columns == 0 && noise->along_rows == 0 && noise->column_ratio <= WORTH_TELLING &&
           noise->row_ratio <= WORTH_TELLING && !noise->heavy_tails;
}

/* Whether m components in white noise say more with less than the choice of whitening in the noise that it found. */
static bool is_simpler(const scree__whitened *w, int64_t m)
{
    return !w->noise.heavy_tails && w->white[m] < w->evidence;
}

/* Where whitening has an answer that does not stand: the choice of most of the others. */
static const scree_criterion *overruling(const scree_criterion *criteria, int64_t count, const scree__spectrum *s)
{
    const scree__whitened *w = &s->whitened;
    int votes = 0;
    int voters = 0;
    const scree_criterion *other = most_chosen(criteria, count, &votes);
    for (int64_t i = 0; i < count; i++)
        voters += has_voted(&criteria[i]);
    const int others = voters - 1;
    if (!other || other->choice == w->choice || 2 * votes <= others)
        return NULL;
    const bool nearly_all = seems_white(&w->noise) && votes >= NEARLY_ALL * others;
    return nearly_all || is_simpler(w, other->choice) ? other : NULL;
}

/* Whether there was a majority. */
static bool recommend(scree__verdict *v, const scree_criterion *criteria, int64_t count, int voters)
{
    int largest = 0;
    const scree_criterion *best = most_chosen(criteria, count, &largest);
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

/* Parts of a sentence, with commas between. */
static void tell_noise(scree__verdict *v, const scree__noise_kind *noise, bool is_scaled)
{
    char along_columns[64] = "";
    char along_rows[64] = "";
    char columns[64] = "";
    char rows[64] = "";
    if (noise->along_columns != 0)
        scree__format(along_columns, sizeof along_columns, "correlated between neighbouring columns (%.2f), ",
                      noise->along_columns);
    if (noise->along_rows != 0)
        scree__format(along_rows, sizeof along_rows, "correlated between neighbouring rows (%.2f), ",
                      noise->along_rows);
    if (noise->column_ratio > WORTH_TELLING)
        scree__format(columns, sizeof columns, "unequal between columns (up to %.3g×), ", noise->column_ratio);
    if (noise->row_ratio > WORTH_TELLING)
        scree__format(rows, sizeof rows, "unequal between rows (up to %.3g×), ", noise->row_ratio);
    snprintf(v->noise, sizeof v->noise, "%s%s%s%s%s", along_columns, along_rows, columns, rows,
             noise->heavy_tails ? "heavy-tailed, " : "");
    const size_t used = strlen(v->noise);
    if (used > 0)
        snprintf(v->noise + used - 2, sizeof v->noise - used + 2, "; whiten allows for it, other criteria do not%s",
                 columns[0] && !is_scaled ? ", and neither does a fit without --scale unit" : "");
}

static void recommend_whitened(scree__verdict *v, const scree__spectrum *s, int voters, int agreeing)
{
    v->recommended = v->fewest = v->most = s->whitened.choice;
    tell_noise(v, &s->whitened.noise, s->is_scaled);
    snprintf(v->reason, sizeof v->reason,
             "whiten finds only noise in the others; %d of the %d criteria that vote agree", agreeing, voters);
}

static void recommend_simpler(scree__verdict *v, const scree_criterion *other, int voters, int agreeing)
{
    v->recommended = other->choice;
    snprintf(v->reason, sizeof v->reason, "%d of the %d criteria that vote choose it", agreeing, voters);
}

/* The criteria with the smallest and the largest choice. */
static void find_range(const scree_criterion *criteria, int64_t count, const scree_criterion **few,
                       const scree_criterion **many)
{
    for (int64_t i = 0; i < count; i++) {
        if (!has_voted(&criteria[i]))
            continue;
        *few = !*few || criteria[i].choice < (*few)->choice ? &criteria[i] : *few;
        *many = !*many || criteria[i].choice > (*many)->choice ? &criteria[i] : *many;
    }
}

static const char *explain(const scree__spectrum *s, bool settled, bool majority)
{
    if (settled)
        return "";
    if (s->whitened.log_chance && 2 * (s->whitened.tested + 1) > scree__spectrum_rank(s))
        return ": the eigenvalues fall off gradually, no number leaves only noise, and how many are useful depends on "
               "their use";
    return majority ? ""
                    : ": the data may not be a few components in white noise, and how many are useful depends on their "
                      "use";
}

static void tell_disagreement(scree__verdict *v, const scree_criterion *criteria, int64_t count,
                              const scree__spectrum *s, bool settled, bool majority)
{
    const scree_criterion *few = NULL;
    const scree_criterion *many = NULL;
    size_t used = 0;
    find_range(criteria, count, &few, &many);
    if (few && few->choice != many->choice)
        used = (size_t)snprintf(v->warning, sizeof v->warning, "the criteria disagree, from %lld (%s) to %lld (%s)%s",
                                (long long)few->choice, few->name, (long long)many->choice, many->name,
                                explain(s, settled, majority));
    if (v->recommended == s->max_components && s->max_components < s->count)
        snprintf(v->warning + used, sizeof v->warning - used,
                 "%s%lld is the largest number that was looked at; look at more", used ? "; " : "",
                 (long long)s->max_components);
    if (!settled) {
        v->fewest = few && few->choice < v->recommended ? few->choice : v->recommended;
        v->most = many && many->choice > v->recommended ? many->choice : v->recommended;
    }
}

static void recommend_known(scree__verdict *v, const scree__spectrum *s, int voters, int beyond)
{
    v->recommended = s->count;
    snprintf(v->reason, sizeof v->reason, "%d of the %d criteria that vote would take all that are known, or more",
             beyond, voters);
}

static void recommend_exact(scree__verdict *v, int64_t exact)
{
    v->recommended = v->fewest = v->most = exact;
    snprintf(v->reason, sizeof v->reason, "the rows lie in %lld dimension%s, and nothing is left but rounding",
             (long long)exact, exact == 1 ? "" : "s");
}

scree__verdict scree__select_verdict(const scree_criterion *criteria, int64_t count, const scree__spectrum *s)
{
    scree__verdict v = {0};
    int voters = 0;
    int beyond = 0;
    bool majority = true;
    bool settled = false;
    for (int64_t i = 0; i < count; i++) {
        beyond += criteria[i].votes && criteria[i].beyond;
        voters += has_voted(&criteria[i]) || (criteria[i].votes && criteria[i].beyond);
    }
    if (s->exact > 0) {
        recommend_exact(&v, s->exact);
        return v;
    }
    if (2 * beyond > voters) {
        recommend_known(&v, s, voters, beyond);
    } else if (!s->whitened.log_chance || s->whitened.choice < 0) {
        majority = recommend(&v, criteria, count, voters);
    } else {
        const scree_criterion *other = overruling(criteria, count, s);
        settled = !other;
        if (settled)
            recommend_whitened(&v, s, voters, votes_for(criteria, count, s->whitened.choice));
        else
            recommend_simpler(&v, other, voters, votes_for(criteria, count, other->choice));
    }
    tell_disagreement(&v, criteria, count, s, settled, majority);
    return v;
}
