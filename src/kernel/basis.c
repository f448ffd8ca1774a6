/* SPDX-License-Identifier: BSD-3-Clause */
/* An orthonormal basis V (n×m) that grows by a block W of b columns at a time:
 *
 *     W = V H + Q' R,   Q' orthonormal and orthogonal to V, R upper triangular.
 *
 * W is projected twice, which is enough (Kahan; Giraud, Langou, Rozložník and van den Eshof 2005), and factored by
 * CholeskyQR (tall.c): 8nmb + 4nb² flops. Where W has lost rank, random columns take the place of what is only noise.
 */

#include "kernel/basis.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { REFILL_ROUNDS = 3 };
static const double CANCELLED = 1e-2; /* a column that lost more than this to its neighbours is cleaned again */

int64_t scree__basis_memory(int64_t n, int64_t columns, int64_t block)
{
    return 8 * (n * (columns + 3 * block) + 2 * columns * block + 4 * block * block);
}

void scree__basis_clear(scree__basis *s)
{
    free(s->v);
    if (!s->lent) {
        free(s->q);
        free(s->w);
    }
    free(s->r);
    free(s->h);
    free(s->part);
}

scree_status scree__basis_new(scree__basis *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    s->v = scree__alloc_raw(s->n * s->ld, sizeof *s->v);
    if (!s->v)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld vectors of %lld entries cannot be kept",
                   (long long)s->ld, (long long)s->n);
    if (!s->lent) {
        SCREE_ALLOC(s->q, s->n * s->b, error);
        SCREE_ALLOC(s->w, s->n * s->b, error);
    }
    SCREE_ALLOC(s->r, s->b * s->b, error);
    SCREE_ALLOC(s->h, s->ld * s->b, error);
    SCREE_ALLOC(s->part, s->ld * s->b, error);
done:
    return status;
}

static scree__tall block_of(const scree__basis *s)
{
    return (scree__tall){s->w, s->n, s->b, s->b};
}

static scree__tall basis_of(const scree__basis *s)
{
    return (scree__tall){s->v, s->n, s->m, s->ld};
}

/* W -= V(VᵀW), twice; what was taken away is added to h when it is wanted. */
static scree_status project_out(scree__basis *s, double *h, scree_error *error)
{
    const scree__tall v = basis_of(s);
    const scree__tall w = block_of(s);
    for (int round = 0; s->m > 0 && round < 2; round++) {
        int info = scree__tall_cross(&v, &w, s->part, s->threads);
        if (info == 0)
            info = scree__tall_subtract(&v, s->part, &w, s->threads);
        if (info != 0)
            return scree__blas_fail(info, "a step of a basis", s->n, error);
        for (int64_t i = 0; h && i < s->m * s->b; i++)
            h[i] = round == 0 ? s->part[i] : h[i] + s->part[i];
    }
    return SCREE_OK;
}

/* Whether a column of W was mostly made of those before it: what rounding left of V in it has grown as it was
 * normalised. */
static bool has_cancelled(const scree__basis *s, int64_t j)
{
    double norm = 0;
    for (int64_t i = 0; i <= j; i++)
        norm = hypot(norm, s->r[i * s->b + j]);
    return fabs(s->r[j * s->b + j]) < CANCELLED * norm;
}

/* Replaces columns of W that are only noise by random ones; how often W is to be cleaned now. */
static int replace_noise(scree__basis *s, double floor)
{
    int rounds = 0;
    for (int64_t j = 0; j < s->b; j++) {
        if (fabs(s->r[j * s->b + j]) <= floor) {
            const scree__tall column = {s->w + j, s->n, 1, s->b};
            scree__tall_randomise(&column, s->seed, ++s->stream);
            memset(s->r + j * s->b, 0, (size_t)s->b * sizeof *s->r);
            rounds = REFILL_ROUNDS;
        } else if (rounds == 0 && has_cancelled(s, j)) {
            rounds = 1;
        }
    }
    return rounds;
}

scree_status scree__basis_clean(scree__basis *s, double floor, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__tall w = block_of(s);
    SCREE_TRY(project_out(s, s->h, error));
    SCREE_TRY(scree__tall_orthonormalise(&w, s->r, s->threads, error));
    for (int rounds = replace_noise(s, floor); rounds > 0; rounds--) {
        SCREE_TRY(project_out(s, NULL, error));
        SCREE_TRY(scree__tall_orthonormalise(&w, NULL, s->threads, error));
    }
done:
    return status;
}

scree_status scree__basis_randomise(scree__basis *s, scree_error *error)
{
    const scree__tall w = block_of(s);
    scree__tall_randomise(&w, s->seed, s->stream);
    return scree__tall_orthonormalise(&w, NULL, s->threads, error);
}

void scree__basis_append(scree__basis *s)
{
    for (int64_t i = 0; i < s->n; i++)
        memcpy(s->v + i * s->ld + s->m, s->w + i * s->b, (size_t)s->b * sizeof *s->v);
    memcpy(s->q, s->w, (size_t)(s->n * s->b) * sizeof *s->q);
    s->m += s->b;
}

scree_status scree__basis_rotate(scree__basis *s, const double *y, int64_t keep, scree_error *error)
{
    const scree__tall v = basis_of(s);
    scree_status status = scree__tall_rotate(&v, y, keep, s->threads, error);
    if (status == SCREE_OK)
        s->m = keep;
    return status;
}
