/* SPDX-License-Identifier: BSD-3-Clause */
/* Cholesky's factorisation A = RᵀR by tiles, n³/3 flops: factor the tile on the diagonal, solve for the tiles right of
 * it, subtract their products from what is left. Tiles are of one size for an order, and each has one writer at a time,
 * in one order: the same bits, and so the same verdict, for any number of threads. */

#include "kernel/cholesky.h"

#include "base/threads.h"
#include "kernel/blas.h"

enum { SMALL_TILE = 128, TILE = 256, TILE_FROM = 2048 }; /* few rows in large tiles leave threads idle */

typedef struct factoring {
    double *a;
    int64_t n;
    int64_t side; /* of a tile */
    int64_t tiles;
    int64_t at; /* the tile on the diagonal */
    int info;
} factoring;

static double *tile(const factoring *f, int64_t i, int64_t j)
{
    return f->a + i * f->side * f->n + j * f->side;
}

static int64_t size(const factoring *f, int64_t i)
{
    return f->n - i * f->side < f->side ? f->n - i * f->side : f->side;
}

static void note(factoring *f, int info)
{
    if (info != 0)
        __atomic_store_n(&f->info, info, __ATOMIC_RELAXED);
}

/* Task: a tile right of the diagonal, R_pj = R_pp⁻ᵀ A_pj. */
static void solve(void *context, int64_t index, int worker)
{
    factoring *f = context;
    const int64_t p = f->at;
    const int64_t j = p + 1 + index;
    (void)worker;
    note(f, scree__dtrsm(false, true, size(f, p), size(f, j), 1, tile(f, p, p), f->n, tile(f, p, j), f->n));
}

/* Task: a tile of what is left, A_ij -= R_piᵀ R_pj. */
static void subtract(void *context, int64_t index, int worker)
{
    factoring *f = context;
    const int64_t p = f->at;
    int64_t i = p + 1;
    (void)worker;
    while (index >= f->tiles - i)
        index -= f->tiles - i++;
    const int64_t j = i + index;
    note(f, i == j ? scree__dsyrk(true, size(f, i), size(f, p), -1, tile(f, p, i), f->n, 1, tile(f, i, i), f->n)
                   : scree__dgemm(true, false, size(f, i), size(f, j), size(f, p), -1, tile(f, p, i), f->n,
                                  tile(f, p, j), f->n, 1, tile(f, i, j), f->n));
}

bool scree__cholesky(double *a, int64_t n, int threads)
{
    const int64_t side = n < TILE_FROM ? SMALL_TILE : TILE;
    factoring f = {.a = a, .n = n, .side = side, .tiles = (n + side - 1) / side};
    scree__blas_enter();
    for (f.at = 0; f.at < f.tiles && f.info == 0; f.at++) {
        const int64_t rest = f.tiles - 1 - f.at;
        f.info = scree__dpotrf(size(&f, f.at), tile(&f, f.at, f.at), n);
        if (f.info == 0)
            scree__parallel(threads, rest, solve, &f);
        if (f.info == 0)
            scree__parallel(threads, rest * (rest + 1) / 2, subtract, &f);
    }
    scree__blas_leave();
    return f.info == 0;
}
