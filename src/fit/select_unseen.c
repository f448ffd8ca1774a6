/* SPDX-License-Identifier: BSD-3-Clause */
/* Cross-validation from moments of folds: no row is looked at twice. Items are dealt to folds as they come, one to each
 * in turn but in a random order, so that folds are of equal size and sorted data does not matter. One fold is one task;
 * sums over folds are taken in their order, so that the result is the same for any number of threads, and of processes
 * that share them.
 *
 * Bi-cross-validation should learn from little of the matrix, or its errors favour too many components. The part ρ that
 * makes the number it chooses the best one to use is (Perry 2009, for white noise and a matrix of aspect γ)
 *
 *     √ρ = √2/(√γ̄ + √(γ̄ + 3)),   γ̄ = ((√γ + 1/√γ)/2)²:
 *
 * 2/9 of a square matrix, less of a long one. Half of one side is kept, so about 2ρ of the folds are held in. */

#include "fit/selection.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <stdio.h>

enum { DEAL = 101, SHUFFLE = 102 }; /* streams */

/* Chance in how few columns are halved is averaged out; where they are many it does that by itself. */
enum { FEW_COLUMNS = 256, MANY_SPLITS = 8 };

/* In 0 .. below-1. */
static int64_t pick(uint64_t seed, uint64_t stream, int64_t position, int64_t below)
{
    uint32_t words[4];
    scree__philox(seed, stream, (uint64_t)position, words);
    const uint64_t wide = (uint64_t)words[0] << 32 | words[1];
    return (int64_t)(wide % (uint64_t)below);
}

int scree__fold_of(uint64_t seed, int64_t i, int folds)
{
    int deck[SCREE__MAX_FOLDS];
    const int64_t round = i / folds * SCREE__MAX_FOLDS;
    const int place = (int)(i % folds);
    for (int f = 0; f < SCREE__MAX_FOLDS; f++)
        deck[f] = f;
    for (int f = 0; f <= place; f++) {
        const int other = f + (int)pick(seed, DEAL, round + f, folds - f);
        const int card = deck[other];
        deck[other] = deck[f];
        deck[f] = card;
    }
    return deck[place];
}

void scree__shuffle(uint64_t seed, int64_t which, int64_t *order, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        order[i] = i;
    for (int64_t i = count - 1; i > 0; i--) {
        const int64_t other = pick(seed, SHUFFLE, which * count + i, i + 1);
        const int64_t held = order[i];
        order[i] = order[other];
        order[other] = held;
    }
}

static int folds_held_in(double p, double other, int folds)
{
    const double aspect = (p / other + other / p + 2) / 4;
    const double root = M_SQRT2 / (sqrt(aspect) + sqrt(aspect + 3));
    const int few = (int)lround(2 * root * root * folds);
    return few < 1 ? 1 : few < folds ? few : folds - 1;
}

bool scree__unseen_holds_in(const scree__unseen *unseen, int f, int g)
{
    return (g - f + unseen->folds) % unseen->folds < unseen->few;
}

int64_t scree__unseen_room(int64_t p)
{
    return 4 * (p + 1) * (p + 1) + 8 * (p + 1);
}

static void run_fold(void *context, int64_t index, int worker)
{
    scree__unseen *u = context;
    const int info = u->fold(u->context, u, (int)(u->first + index), u->work + worker * scree__unseen_room(u->p));
    if (info != 0)
        __atomic_store_n(&u->info, info, __ATOMIC_RELAXED);
}

/* The folds of this process; then all have what all have found. */
static scree_status run_folds(scree__unseen *u, int workers, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__spectrum *s = u->s;
    int64_t end;
    scree__team_tasks(s->team, u->folds, &u->first, &end);
    scree__blas_enter();
    status = scree__watch_parallel(&s->watch, workers, end - u->first, run_fold, u, error);
    scree__blas_leave();
    if (status == SCREE_OK && u->info != 0)
        status = scree__blas_fail(u->info, "the eigendecomposition of a matrix", u->p, error);
    SCREE_TRY(scree__team_collect_tasks(s->team, status, u->heldout, u->folds, s->max_components + 1, error));
    SCREE_TRY(scree__team_collect_tasks(s->team, SCREE_OK, u->bicross, u->folds, s->max_components + 1, error));
done:
    return status;
}

/* Over the rows; times: how often each was looked at. */
static void average(const scree__spectrum *s, int folds, int times, const double *parts, double *means)
{
    for (int f = 0; f < folds; f++)
        for (int64_t m = 0; m <= s->max_components; m++)
            means[m] += parts[f * (s->max_components + 1) + m] / ((double)s->n * times);
}

/* The indices in an order drawn at random, those without variance left out; how many. variances NULL: all count. */
static int64_t shuffle_live(uint64_t seed, int split, const double *variances, int64_t *order, int64_t p)
{
    int64_t live = 0;
    scree__shuffle(seed, split, order, p);
    for (int64_t i = 0; i < p; i++)
        if (!variances || variances[order[i]] > 0)
            order[live++] = order[i];
    return live;
}

scree_status scree__unseen_run(scree__spectrum *s, bool by_columns, int folds, scree__fold_fn fold, const void *context,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t p = by_columns ? s->cols : s->n;
    const double *variances = by_columns ? s->variances : NULL;
    const int workers = s->threads < folds ? s->threads : folds;
    scree__unseen u = {.s = s, .folds = folds, .p = p, .fold = fold, .context = context};
    int64_t *order = NULL;
    SCREE_ALLOC(order, MANY_SPLITS * p, error);
    u.live = shuffle_live(s->seed, 0, variances, order, p);
    u.few = folds_held_in((double)u.live, (double)(by_columns ? s->n : s->d), folds);
    u.splits = u.live < FEW_COLUMNS ? MANY_SPLITS : 1;
    if (u.live < 2) {
        snprintf(s->unseen, sizeof s->unseen, "needs at least 2 columns that vary");
        goto done;
    }
    SCREE_ALLOC(u.heldout, folds * (s->max_components + 1), error);
    SCREE_ALLOC(u.bicross, folds * (s->max_components + 1), error);
    SCREE_ALLOC(u.work, workers * scree__unseen_room(p), error);
    for (int split = 1; split < u.splits; split++)
        shuffle_live(s->seed, split, variances, order + split * u.live, p);
    u.order = order;
    SCREE_TRY(run_folds(&u, workers, error));
    SCREE_ALLOC(s->heldout, s->max_components + 1, error);
    SCREE_ALLOC(s->bicross, s->max_components + 1, error);
    average(s, folds, 1, u.heldout, s->heldout);
    average(s, folds, (folds - u.few) * u.splits, u.bicross, s->bicross);
done:
    free(order);
    free(u.heldout);
    free(u.bicross);
    free(u.work);
    return status;
}
