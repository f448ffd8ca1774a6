/* SPDX-License-Identifier: BSD-3-Clause */
/* QR of a tall matrix by slabs (after Demmel, Grigori, Hoemmen and Langou 2012): each slab has a QR of its own, 2 rows
 * N² flops, and a binary tree folds the triangles of two into one,
 *
 *     [R_a; R_b] = Q [R; 0],      2N³/3 flops.
 *
 * Together these are as many flops as of one QR. Q is kept, as reflectors: those of a slab below its triangle, those of
 * a join where R_b was. Q times few vectors goes the way back, from the top of the tree to the slabs. Nothing is
 * squared: each column of the matrix is off by rounding errors relative to its own length. One slab is LAPACK's dgeqrf.
 */

#include "kernel/slabs.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { PANEL = 32 };

static int64_t panel_of(int64_t cols)
{
    return cols < PANEL ? cols : PANEL;
}

int64_t scree__triangles_doubles(int64_t cols)
{
    return panel_of(cols) * cols;
}

int scree__triangles_join(int64_t n, double *r, int64_t ldr, double *other, int64_t ldo, double *t)
{
    return scree__dtpqrt(n, n, n, panel_of(n), r, ldr, other, ldo, t, panel_of(n));
}

int scree__triangles_split(int64_t n, int64_t k, const double *v, int64_t ldv, const double *t, double *top,
                           double *bottom, int64_t ld)
{
    for (int64_t j = 0; j < k; j++)
        memset(bottom + j * ld, 0, (size_t)n * sizeof *bottom);
    return scree__dtpmqrt(n, k, n, n, panel_of(n), v, ldv, t, panel_of(n), top, ld, bottom, ld);
}

/* Of the joins of all slabs. */
static int64_t factor_doubles(int64_t cols, int64_t count, int64_t each)
{
    return each > 1 ? count * scree__triangles_doubles(cols) : 0;
}

int64_t scree__slabs_memory(int64_t cols, int64_t count, int64_t each)
{
    return 8 * (count * cols + factor_doubles(cols, count, each));
}

void scree__slabs_clear(scree__slabs *s)
{
    free(s->tau);
    free(s->t);
}

static void note(scree__slabs *s, int info)
{
    if (info != 0)
        __atomic_store_n(&s->info, info, __ATOMIC_RELAXED);
}

static scree_status outcome(const scree__slabs *s, scree_error *error)
{
    return s->info != 0 ? scree__blas_fail(s->info, "the QR factorisation of a matrix", s->cols, error) : SCREE_OK;
}

/* Task: QR of a slab. */
static void factor_slab(void *context, int64_t slab, int worker)
{
    scree__slabs *s = context;
    const int64_t rows = s->starts[slab + 1] - s->starts[slab];
    (void)worker;
    note(s, scree__dgeqrf(rows, s->cols, s->x + s->starts[slab], s->rows, s->tau + slab * s->cols));
}

/* One level of the tree: triangles that are half slabs apart. */
typedef struct level {
    scree__slabs *slabs;
    int64_t half;
    double *u; /* of the way back: rows×k, ld apart */
    int64_t ld;
    int64_t k;
} level;

/* Task: two triangles become one. */
static void join_pair(void *context, int64_t pair, int worker)
{
    const level *l = context;
    scree__slabs *s = l->slabs;
    const int64_t slab = 2 * l->half * pair;
    const int64_t other = slab + l->half;
    (void)worker;
    note(s, scree__triangles_join(s->cols, s->x + s->starts[slab], s->rows, s->x + s->starts[other], s->rows,
                                  s->t + other * scree__triangles_doubles(s->cols)));
}

scree_status scree__slabs_factor(scree__slabs *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(s->tau, s->count * s->cols, error);
    SCREE_ALLOC(s->t, factor_doubles(s->cols, s->count, s->each), error);
    scree__blas_enter();
    scree__parallel(s->threads, s->count, factor_slab, s);
    for (level l = {.slabs = s, .half = 1}; l.half < s->each && s->info == 0; l.half *= 2)
        scree__parallel(s->threads, s->count / (2 * l.half), join_pair, &l);
    scree__blas_leave();
    SCREE_TRY(outcome(s, error));
done:
    return status;
}

void scree__slabs_triangle(const scree__slabs *s, int64_t group, double *r)
{
    const double *x = s->x + s->starts[group * s->each];
    for (int64_t j = 0; j < s->cols; j++) {
        memcpy(r + j * s->cols, x + j * s->rows, (size_t)(j + 1) * sizeof *r);
        memset(r + j * s->cols + j + 1, 0, (size_t)(s->cols - 1 - j) * sizeof *r);
    }
}

/* Task: what a pair has, for each of both. */
static void split_pair(void *context, int64_t pair, int worker)
{
    const level *l = context;
    scree__slabs *s = l->slabs;
    const int64_t slab = 2 * l->half * pair;
    const int64_t other = slab + l->half;
    (void)worker;
    note(s, scree__triangles_split(s->cols, l->k, s->x + s->starts[other], s->rows,
                                   s->t + other * scree__triangles_doubles(s->cols), l->u + s->starts[slab],
                                   l->u + s->starts[other], l->ld));
}

/* Task: what a slab has, for each of its rows. */
static void spread_slab(void *context, int64_t slab, int worker)
{
    const level *l = context;
    scree__slabs *s = l->slabs;
    const int64_t rows = s->starts[slab + 1] - s->starts[slab];
    double *u = l->u + s->starts[slab];
    (void)worker;
    for (int64_t j = 0; j < l->k; j++)
        memset(u + j * l->ld + s->cols, 0, (size_t)(rows - s->cols) * sizeof *u);
    note(s, scree__dormqr('L', 'N', rows, l->k, s->cols, s->x + s->starts[slab], s->rows, s->tau + slab * s->cols, u,
                          l->ld));
}

scree_status scree__slabs_spread(scree__slabs *s, double *u, int64_t ld, int64_t k, scree_error *error)
{
    level l = {.slabs = s, .u = u, .ld = ld, .k = k};
    scree__blas_enter();
    for (l.half = s->each / 2; l.half > 0 && s->info == 0; l.half /= 2)
        scree__parallel(s->threads, s->count / (2 * l.half), split_pair, &l);
    if (s->info == 0)
        scree__parallel(s->threads, s->count, spread_slab, &l);
    scree__blas_leave();
    return outcome(s, error);
}
