/* SPDX-License-Identifier: BSD-3-Clause */
/* The search for the parameters of PPCA with gaps: E steps (em_expect.c) and M steps (em_maximise.c), expanded
 * (em_expand.c) and accelerated (em_anderson.c). A step that makes the observed cells less likely is taken back, and
 * the plain EM step taken instead: the likelihood rises, or for Bayes its lower bound. So it does when a component of
 * Bayes is left out (em_prune.c): its weakest one is tried without while it shrinks, and at the end, together with all
 * that are too weak to be found at all, and stays out where the bound is no lower for it; a trial that fails costs one
 * step, and acceleration keeps what it knows. Whether the search has ended where it wanted or at its limit, no
 * component is kept that the cells are better explained without. */

#include "fit/em.h"

#include "fit/course.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { SETTLED = 3, NEAR_TWICE = 2, MAX_STALLED = 10, MAX_LOW = 50, PATIENCE = 10, GUESSED = 20 };
static const double SLACK = 64 * DBL_EPSILON; /* of the likelihood: less is rounding */
static const double CLEARLY = 1e-3;           /* this far below the tolerance once is enough */
static const double WEAK = 2;                 /* times the edge of what noise alone shows: stronger ones are needed */
static const double SEARCHED = 0.9;           /* of the time, for those who watch; then comes what is made of it */
static const double LATELY = 0.2;             /* of the last step, in a rate */
static const double FLOOR_REACHED = 1 + 1e-6;

static scree_status begin(scree__em_search *s, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em *em = s->em;
    SCREE_TRY(scree__em_start(em, &s->state, m, bayes && s->open, bayes, error));
    SCREE_TRY(scree__em_open(em, s->state.m, error));
    SCREE_TRY(scree__em_state_new(&s->image, em->d, s->state.m, bayes, error));
    SCREE_TRY(scree__em_state_new(&s->next, em->d, s->state.m, bayes, error));
    SCREE_TRY(scree__em_anderson_new(&s->anderson, em->d, s->state.m, error));
    s->likelihood = -HUGE_VAL;
done:
    return status;
}

/* Why to stop here; NULL: go on. */
static const char *reason_to_stop(scree__em_search *s, double risen)
{
    s->stalled = risen > SLACK * fabs(s->likelihood) ? 0 : s->stalled + 1;
    const bool low = s->state.noise <= FLOOR_REACHED * s->em->floor && s->image.noise <= FLOOR_REACHED * s->em->floor;
    s->low = low ? s->low + 1 : 0;
    s->near = s->distance.left <= s->tolerance ? s->near + 1 : 0;
    if (low && (s->near > 0 || s->low >= MAX_LOW))
        return "floor";
    if (s->near >= NEAR_TWICE || s->distance.left <= CLEARLY * s->tolerance)
        return "tolerance";
    if (s->stalled >= MAX_STALLED)
        return "stalled";
    return s->iterations >= s->limit ? "iterations" : NULL;
}

/* Whether to try without the weakest component: it shrinks, or the search would end, and it is not plain that it is
 * needed; once in a while of the same number. */
static bool is_dispensable(const scree__em_search *s)
{
    const double ratio = sqrt((double)s->em->d / s->em->rows.weight);
    const double strength = s->state.bayes ? scree__em_strength(&s->image, scree__em_weakest(&s->image)) : HUGE_VAL;
    const bool shrinks = strength < scree__em_strength(&s->state, scree__em_weakest(&s->state));
    return strength > 0 && strength < WEAK * s->image.noise * (1 + ratio) * (1 + ratio) &&
           (s->stopped || (shrinks && s->iterations >= SETTLED)) &&
           !(s->among == s->image.m && s->iterations < s->tried + PATIENCE);
}

/* Below this strength a component cannot be told from noise, which shows as much by chance (Baik, Ben Arous and Péché
 * 2005). 0: components are tried one at a time. */
static double detectable_strength(const scree__em_search *s)
{
    return s->alone == s->image.m ? 0 : s->image.noise * sqrt((double)s->em->d / s->em->rows.weight);
}

/* The image becomes the state, without its weakest component, or without all that cannot be told from noise. */
static scree_status try_without(scree__em_search *s, scree_error *error)
{
    s->trial = true;
    s->tried = s->iterations;
    s->among = s->image.m;
    scree__em_state_copy(&s->state, &s->image);
    const scree_status status = scree__em_leave_out(&s->state, detectable_strength(s), error);
    s->several = s->state.m < s->image.m - 1;
    return status;
}

/* A trial that failed goes on as if it had not been; several components are tried one at a time then. */
static void end_trial(scree__em_search *s)
{
    s->trial = false;
    s->alone = s->several ? s->image.m : s->alone;
    s->among = s->several ? 0 : s->among;
    scree__em_state_copy(&s->state, &s->next);
    s->state.noise = fmax(s->state.noise, s->em->floor);
}

/* Whether Bayes has components that have died, and could do without them. */
static bool has_dead(const scree__em_search *s)
{
    return s->state.bayes && s->image.m > 1 && scree__em_alive(&s->image) < s->image.m &&
           (s->stopped ? s->iterations < s->limit : s->iterations >= SETTLED);
}

/* The next state to look at: where acceleration leads; or, when components have died, one EM step on without them; or
 * the same without one more. */
static scree_status advance(scree__em_search *s, scree_error *error)
{
    const bool dead = has_dead(s);
    s->plain = false;
    if (!dead && !is_dispensable(s)) {
        scree__em_state_copy(&s->state, &s->next);
        s->state.noise = fmax(s->state.noise, s->em->floor);
        return SCREE_OK;
    }
    s->stopped = NULL;
    s->near = 0;
    if (!dead)
        return try_without(s, error);
    scree__em_anderson_forget(s->anderson);
    scree__em_prune(&s->image);
    s->likelihood = -HUGE_VAL; /* that of another model */
    scree__em_state_copy(&s->state, &s->image);
    return SCREE_OK;
}

/* One E step, and when it shows no loss the M step and where to go from there. */
static scree_status step(scree__em_search *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em *em = s->em;
    SCREE_TRY(scree__em_expect(em, &s->state, error));
    s->iterations++;
    const double found = em->sums.density;
    const bool worse = !(found >= s->likelihood - SLACK * fabs(s->likelihood));
    if (worse && s->trial) {
        end_trial(s);
        goto done;
    }
    if (worse && !s->plain) {
        scree__em_state_copy(&s->state, &s->image);
        scree__em_anderson_forget(s->anderson);
        s->plain = true;
        goto done;
    }
    if (s->trial)
        scree__em_anderson_forget(s->anderson);
    s->trial = false;
    const double risen = found - s->likelihood;
    s->likelihood = found;
    scree__em_state_copy(&s->image, &s->state);
    SCREE_TRY(scree__em_maximise(em, &s->image, error));
    SCREE_TRY(scree__em_expand(em, &s->image, error));
    SCREE_TRY(scree__em_anderson_step(s->anderson, &s->state, &s->image, &s->next, &s->distance, error));
    s->stopped = reason_to_stop(s, risen);
    if (!s->stopped || has_dead(s) || is_dispensable(s))
        SCREE_TRY(advance(s, error));
done:
    return status;
}

void scree__em_search_clear(scree__em_search *s)
{
    scree__em_state_clear(&s->state);
    scree__em_state_clear(&s->image);
    scree__em_state_clear(&s->next);
    scree__em_anderson_free(s->anderson);
    *s = (scree__em_search){
        .em = s->em, .tolerance = s->tolerance, .open = s->open, .limit = s->limit, .iterations = s->iterations};
}

/* For those who watch: how fast the distance that is left falls. */
typedef struct descent {
    double best; /* excess of it over the tolerance, the smallest so far, as a logarithm */
    double rate; /* of its fall, lately */
} descent;

/* How far the search is. While nothing falls, it is thought to be half done. */
static scree_status tell(const scree__em_search *s, const scree__watch *watch, descent *d, scree_error *error)
{
    const double excess = log(fmax(s->distance.left / s->tolerance, 1));
    const double most = fmax(s->iterations, GUESSED);
    if (s->iterations > SETTLED) {
        const double fallen = isfinite(d->best) ? fmax(d->best - excess, 0) : 0;
        d->rate += LATELY * (fallen - d->rate);
        d->best = fmin(d->best, excess);
    }
    const double left = d->rate * most > d->best ? fmax(d->best / d->rate, 1) : most;
    return scree__watch_tell(watch, SEARCHED * s->iterations / (s->iterations + left), error);
}

/* Steps to the end, each of them told to the checkpoint. */
static scree_status run_steps(scree__em_search *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__watch watch = scree__course_steps(scree__course_of(s->em->job->options->run));
    descent fall = {.best = HUGE_VAL};
    while (!s->stopped) {
        SCREE_TRY(step(s, error));
        SCREE_TRY(tell(s, &watch, &fall, error));
        SCREE_TRY(scree__checkpoint_turn(s->em->job->checkpoint, error));
    }
done:
    return status;
}

scree_status scree__em_look(scree__em_search *s, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__checkpoint *checkpoint = s->em->job->checkpoint;
    scree__em_resumed resumed = {.search = s, .most = m, .bayes = bayes};
    const scree__stage stage = {.name = "em", .move = scree__em_search_move, .context = &resumed};
    scree__reached reached;
    SCREE_TRY(scree__checkpoint_begin(checkpoint, &stage, &reached, error));
    if (reached == SCREE__OVER)
        goto done;
    if (!s->anderson) {
        status = begin(s, m, bayes, error);
        if (status == SCREE_OK)
            status = scree__checkpoint_turn(checkpoint, error);
    }
    if (status == SCREE_OK)
        status = run_steps(s, error);
    SCREE_TRY(scree__checkpoint_end(checkpoint, status, error));
done:
    return status;
}
