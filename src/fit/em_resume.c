/* SPDX-License-Identifier: BSD-3-Clause */
/* The search of em in a checkpoint, between two steps: its states, what acceleration remembers, and where it stands.
 * O(D M² + 20 D M) numbers for Bayes, without the first term for maximum likelihood. */

#include "fit/em.h"

#include <string.h>

static const char *const STOPPED[] = {NULL, "floor", "tolerance", "stalled", "iterations"};
enum { REASONS = sizeof STOPPED / sizeof *STOPPED };

void scree__em_state_move(scree__em_state *t, int64_t most, scree__snapshot *s)
{
    scree__snapshot_same(s, t->d);
    scree__snapshot_same(s, t->bayes);
    scree__snapshot_count(s, &t->m, 1, most);
    scree__snapshot_double(s, &t->noise);
    scree__snapshot_double(s, &t->broad);
    scree__snapshot_doubles(s, t->w, t->d * t->m);
    scree__snapshot_doubles(s, t->offset, t->d);
    scree__snapshot_doubles(s, t->cover, t->bayes ? t->d * scree__pairs(t->m + 1) : 0);
    scree__snapshot_doubles(s, t->logdet, t->d);
    scree__snapshot_doubles(s, t->width, t->m);
}

static void move_place(scree__em_search *t, scree__snapshot *s)
{
    int64_t reason = 0;
    while (t->stopped && reason + 1 < REASONS && (reason == 0 || strcmp(t->stopped, STOPPED[reason]) != 0))
        reason++;
    scree__snapshot_double(s, &t->distance.step);
    scree__snapshot_double(s, &t->distance.left);
    scree__snapshot_double(s, &t->likelihood);
    scree__snapshot_int(s, &t->iterations, 0, INT32_MAX - 1);
    scree__snapshot_int(s, &t->near, 0, INT32_MAX - 1);
    scree__snapshot_int(s, &t->low, 0, INT32_MAX - 1);
    scree__snapshot_int(s, &t->stalled, 0, INT32_MAX - 1);
    scree__snapshot_int(s, &t->tried, 0, INT32_MAX / 2);
    scree__snapshot_count(s, &t->among, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_count(s, &t->alone, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_flag(s, &t->plain);
    scree__snapshot_flag(s, &t->trial);
    scree__snapshot_flag(s, &t->several);
    scree__snapshot_int(s, &t->em->rows.passes, 0, INT32_MAX - 1);
    scree__snapshot_count(s, &reason, 0, REASONS - 1);
    t->stopped = STOPPED[reason];
}

/* Everything that a search for at most m components has, allocated. */
static scree_status allocate(scree__em_search *t, int64_t m, bool bayes, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = t->em->d;
    SCREE_TRY(scree__em_state_new(&t->state, d, m, bayes, error));
    SCREE_TRY(scree__em_open(t->em, m, error));
    SCREE_TRY(scree__em_state_new(&t->image, d, m, bayes, error));
    SCREE_TRY(scree__em_state_new(&t->next, d, m, bayes, error));
    SCREE_TRY(scree__em_anderson_new(&t->anderson, d, m, error));
done:
    return status;
}

void scree__em_search_move(void *context, scree__snapshot *s)
{
    const scree__em_resumed *r = context;
    scree__em_search *t = r->search;
    bool begun = t->anderson != NULL;
    int64_t most = begun ? t->em->max_components : 1;
    scree__snapshot_flag(s, &begun);
    if (!begun)
        return;
    scree__snapshot_count(s, &most, 1, r->most);
    if (s->reads && s->status == SCREE_OK)
        s->status = allocate(t, most, r->bayes, s->error);
    if (s->status != SCREE_OK)
        return;
    scree__em_state_move(&t->state, most, s);
    scree__em_state_move(&t->image, most, s);
    scree__em_state_move(&t->next, most, s);
    scree__em_anderson_move(t->anderson, s);
    move_place(t, s);
}
