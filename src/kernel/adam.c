/* SPDX-License-Identifier: BSD-3-Clause */
/* Adam (Kingma and Ba 2015) with decoupled decay (Loshchilov and Hutter 2019), entry by entry:
 *
 *     m = β₁m + (1-β₁)g,   v = β₂v + (1-β₂)g²,   w -= rate (m/(1-β₁ᵗ) / (√(v/(1-β₂ᵗ)) + ε) + decay w)
 *
 * One pass over four arrays, bound by memory: 28 bytes a parameter. */

#include "kernel/adam.h"

#include "base/cpu.h"
#include "base/threads.h"

#include <math.h>

enum { PIECE = 16384, WORK = 16 }; /* operations an entry */

static const double BETA1 = 0.9;
static const double BETA2 = 0.999;
static const float EPSILON = 1e-8F;

typedef struct factors {
    float beta1;
    float beta2;
    float rate; /* over 1 - β₁ᵗ */
    float root; /* 1/√(1 - β₂ᵗ) */
    float keep; /* 1 - rate·decay */
} factors;

typedef struct job {
    const scree__adam *update;
    factors by;
} job;

SCREE_CLONES static void update_piece(float *restrict w, const float *restrict g, float *restrict m, float *restrict v,
                                      int64_t n, factors by)
{
    for (int64_t i = 0; i < n; i++) {
        m[i] = by.beta1 * m[i] + (1 - by.beta1) * g[i];
        v[i] = by.beta2 * v[i] + (1 - by.beta2) * g[i] * g[i];
        w[i] = by.keep * w[i] - by.rate * m[i] / (sqrtf(v[i]) * by.root + EPSILON);
    }
}

static void task(void *context, int64_t index, int worker)
{
    const job *all = context;
    const scree__adam *u = all->update;
    const int64_t at = index * PIECE;
    const int64_t n = u->count - at < PIECE ? u->count - at : PIECE;
    (void)worker;
    update_piece(u->values + at, u->gradient + at, u->first + at, u->second + at, n, all->by);
}

void scree__adam_update(const scree__adam *update, int threads)
{
    const double t = (double)update->step;
    job all = {update,
               {(float)BETA1, (float)BETA2, (float)(update->rate / (1 - pow(BETA1, t))),
                (float)(1 / sqrt(1 - pow(BETA2, t))), (float)(1 - update->rate * update->decay)}};
    const int workers = scree__threads_for(threads, WORK * (double)update->count);
    scree__parallel(workers, (update->count + PIECE - 1) / PIECE, task, &all);
}
