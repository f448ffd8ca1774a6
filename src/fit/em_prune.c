/* SPDX-License-Identifier: BSD-3-Clause */
/* Components that variational Bayes can do without. Those that add next to nothing to the variance are dead, and left
 * out as they are. Dying takes long: a component that explains nothing shrinks by less and less. So one that shrinks,
 * or is weak, may be taken out at once, for trial, alone or with others: what is left is a posterior like any other,
 * and the caller sees by its lower bound whether it is the better one. A component that is the only one becomes zero
 * instead, known as such: its posterior is its prior, of next to no width. O(D M³). */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/packed.h"

#include <math.h>
#include <string.h>

enum { MAX_KEPT = 4096 };
static const double LEAST = 1e-4;    /* of the noise: what a component has to add to the variance not to be dead */
static const double NO_WIDTH = 1e-9; /* of the noise: prior variance of the loadings of one that is zero */

double scree__em_strength(const scree__em_state *s, int64_t k)
{
    double square = 0;
    for (int64_t d = 0; d < s->d; d++)
        square += s->w[d * s->m + k] * s->w[d * s->m + k];
    return square;
}

int64_t scree__em_weakest(const scree__em_state *s)
{
    int64_t weakest = 0;
    for (int64_t k = 1; k < s->m; k++)
        if (scree__em_strength(s, k) < scree__em_strength(s, weakest))
            weakest = k;
    return weakest;
}

static bool is_alive(const scree__em_state *s, int64_t k)
{
    return scree__em_strength(s, k) > LEAST * s->noise;
}

int64_t scree__em_alive(const scree__em_state *s)
{
    int64_t alive = 0;
    for (int64_t k = 0; k < s->m; k++)
        alive += is_alive(s, k);
    return alive;
}

/* Components keep[0] .. keep[left-1], ascending, and no others; keep has room for one more. */
static void keep_only(scree__em_state *s, int64_t *keep, int64_t left)
{
    const int64_t old = s->m;
    keep[left] = old; /* µ stands after them */
    for (int64_t d = 0; d < s->d; d++) {
        for (int64_t i = 0; i < left; i++)
            s->w[d * left + i] = s->w[d * old + keep[i]];
        for (int64_t i = 0; s->bayes && i <= left; i++)
            for (int64_t j = 0; j <= i; j++)
                s->cover[d * scree__pairs(left + 1) + scree__pair(i, j)] =
                    s->cover[d * scree__pairs(old + 1) + scree__pair(keep[i], keep[j])];
    }
    for (int64_t i = 0; i < left; i++)
        s->width[i] = s->width[keep[i]];
    s->m = left;
}

int64_t scree__em_prune(scree__em_state *s)
{
    int64_t left = 0;
    int64_t keep[MAX_KEPT + 1];
    for (int64_t k = 0; k < s->m && left < MAX_KEPT; k++)
        if (is_alive(s, k))
            keep[left++] = k;
    if (left == 0)
        keep[left++] = 0;
    if (left < s->m)
        keep_only(s, keep, left);
    return left;
}

/* The only component becomes zero. */
static void silence(scree__em_state *s)
{
    const double width = NO_WIDTH * s->noise;
    s->width[0] = width;
    for (int64_t d = 0; d < s->d; d++) {
        double *cover = s->cover + d * scree__pairs(2);
        s->w[d] = 0;
        cover[0] = width;
        cover[1] = 0;
        s->logdet[d] = log(width) + log(cover[2]);
    }
}

scree_status scree__em_leave_out(scree__em_state *s, double below, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t weakest = scree__em_weakest(s);
    int64_t strongest = 0;
    int64_t left = 0;
    int64_t *keep = NULL;
    double *factor = NULL;
    double *none = NULL;
    if (s->m == 1) {
        silence(s);
        return SCREE_OK;
    }
    SCREE_ALLOC(keep, s->m + 1, error);
    for (int64_t i = 0; i < s->m; i++) {
        if (scree__em_strength(s, i) > scree__em_strength(s, strongest))
            strongest = i;
        if (i != weakest && !(scree__em_strength(s, i) < below))
            keep[left++] = i;
    }
    if (left == 0)
        keep[left++] = strongest;
    keep_only(s, keep, left);
    const int64_t n = left + 1; /* with µ */
    SCREE_ALLOC(factor, n * n, error);
    SCREE_ALLOC(none, n, error);
    for (int64_t d = 0; d < s->d; d++)
        s->logdet[d] = scree__packed_factor(s->cover + d * scree__pairs(n), none, n, factor);
done:
    free(keep);
    free(factor);
    free(none);
    return status;
}
