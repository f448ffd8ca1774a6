/* SPDX-License-Identifier: BSD-3-Clause */
/* Vectors z of T = QᵀAQ taken to A, u = Qz: 2n²k flops for k of them.
 *
 * Reflectors are taken together by 64, or 16 of small orders: H_0 H_1 … = I - VᵀFV, V the rows v, F upper triangular
 * (Schreiber and Van Loan 1989),
 *
 *     f_ii = τ_i,  f_(0..i-1, i) = -τ_i F VVᵀ_(0..i-1, i)
 *
 * and for rows z, the last group first: Z ← Z - (ZVᵀ)FᵀV. Vectors are cut into tiles of a fixed number, which no thread
 * shares: the same bits for any number of them. */

#include "kernel/tridiagonal.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <string.h>

enum { GROUP = 64, SMALL_GROUP = 16, SMALL = 256, ROW_TILE = 128 };

typedef struct restoration {
    const scree__tridiagonal *t;
    int64_t group; /* reflectors of one, */
    int64_t groups;
    double *factors; /* groups of group×group: F */
    double *rows;    /* k×n */
    int64_t k;
    double *scratch; /* tiles×ROW_TILE×2·group */
    int info;
} restoration;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* There are n - 1 reflectors, the last of them the identity. */
static int64_t size_of(const restoration *r, int64_t group)
{
    return smaller(r->group, r->t->n - 1 - group * r->group);
}

static void note(restoration *r, int info)
{
    if (info != 0)
        __atomic_store_n(&r->info, info, __ATOMIC_RELAXED);
}

/* Task: V of a group with its zeros, and F. */
static void form_group(void *context, int64_t group, int worker)
{
    restoration *r = context;
    const int64_t n = r->t->n;
    const int64_t side = r->group;
    const int64_t first = group * side;
    const int64_t size = size_of(r, group);
    const double *tau = r->t->tau + first;
    double *v = r->t->v + first * n;
    double *f = r->factors + group * side * side;
    double gram[GROUP * GROUP];
    (void)worker;
    for (int64_t i = 0; i < size; i++)
        memset(v + i * n, 0, (size_t)(first + i + 1) * sizeof *v);
    note(r, scree__dsyrk(false, size, n - first, 1, v + first, n, 0, gram, side));
    for (int64_t i = 0; i < size; i++) {
        for (int64_t row = 0; row < i; row++) {
            double sum = 0;
            for (int64_t j = row; j < i; j++)
                sum += f[row * side + j] * gram[j * side + i];
            f[row * side + i] = -tau[i] * sum;
        }
        f[i * side + i] = tau[i];
    }
}

/* Task: all groups on a tile of rows. */
static void restore_tile(void *context, int64_t index, int worker)
{
    restoration *r = context;
    const int64_t n = r->t->n;
    const int64_t side = r->group;
    const int64_t rows = smaller(ROW_TILE, r->k - index * ROW_TILE);
    double *z = r->rows + index * ROW_TILE * n;
    double *x = r->scratch + (int64_t)worker * 2 * smaller(ROW_TILE, r->k) * side;
    double *y = x + smaller(ROW_TILE, r->k) * side;
    for (int64_t group = r->groups - 1; group >= 0; group--) {
        const int64_t first = group * side + 1;
        const int64_t size = size_of(r, group);
        const double *v = r->t->v + group * side * n + first;
        const double *f = r->factors + group * side * side;
        note(r, scree__dgemm(false, true, rows, size, n - first, 1, z + first, n, v, n, 0, x, side));
        note(r, scree__dgemm(false, true, rows, size, size, 1, x, side, f, side, 0, y, side));
        note(r, scree__dgemm(false, false, rows, n - first, size, -1, y, side, v, n, 1, z + first, n));
    }
}

scree_status scree__tridiagonal_restore(const scree__tridiagonal *t, double *rows, int64_t k, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t tiles = (k + ROW_TILE - 1) / ROW_TILE;
    const int64_t workers = smaller(t->threads, tiles);
    const int64_t side = t->n < SMALL ? SMALL_GROUP : GROUP;
    restoration r = {.t = t, .group = side, .groups = (t->n - 1 + side - 1) / side, .rows = rows, .k = k};
    SCREE_ALLOC(r.factors, r.groups * side * side, error);
    SCREE_ALLOC(r.scratch, workers * 2 * smaller(ROW_TILE, k) * side, error);
    scree__parallel(t->threads, r.groups, form_group, &r);
    SCREE_TRY(scree__watch_parallel(&t->watch, (int)workers, tiles, restore_tile, &r, error));
    if (r.info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)t->n);
done:
    free(r.factors);
    free(r.scratch);
    return status;
}
