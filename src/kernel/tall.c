/* SPDX-License-Identifier: BSD-3-Clause */
/* Block operations on tall, thin matrices A (n×m): products 2nmb flops, orthonormalisation 4nb².
 *
 * Orthonormalisation is CholeskyQR, twice (Yamamoto, Nakatsukasa, Yanagisawa, Fukaya 2015): G = AᵀA = RᵀR, A ← AR⁻¹.
 * It is exact to round-off while κ(A) < 1e7; what is worse goes to Householder's QR, which never fails. Work is split
 * into tiles of rows; products over the long side, which a block of few columns leaves to one thread otherwise, are
 * summed in parts whose number depends on n alone, and these in order. */

#include "kernel/tall.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { ROW_TILE = 1024, COL_TILE = 32, PART_ROWS = 2048, MOST_PARTS = 32 };

typedef struct job {
    const scree__tall *a;
    const scree__tall *b;
    double *h;
    const double *y;
    int64_t count;
    double *scratch;
    int info;
} job;

static void note(job *j, int info)
{
    if (info != 0)
        __atomic_store_n(&j->info, info, __ATOMIC_RELAXED);
}

static int64_t tiles(int64_t n, int64_t tile)
{
    return (n + tile - 1) / tile;
}

static int64_t tile_size(int64_t n, int64_t tile, int64_t index)
{
    int64_t left = n - index * tile;
    return left < tile ? left : tile;
}

/* Rows of A and B whose products are summed apart: a function of their number alone. */
static int64_t part_rows(int64_t rows)
{
    return rows / MOST_PARTS > PART_ROWS ? tiles(rows, MOST_PARTS) : PART_ROWS;
}

/* Task: some columns of A, over one part of the rows. */
static void cross_tile(void *context, int64_t index, int worker)
{
    job *j = context;
    const int64_t m = j->a->cols;
    const int64_t b = j->b->cols;
    const int64_t part = index / tiles(m, COL_TILE);
    const int64_t tile = index % tiles(m, COL_TILE);
    const int64_t first = part * part_rows(j->a->rows);
    double *into = part == 0 ? j->h : j->scratch + (part - 1) * m * b;
    (void)worker;
    note(j,
         scree__dgemm(true, false, tile_size(m, COL_TILE, tile), b, tile_size(j->a->rows, part_rows(j->a->rows), part),
                      1, j->a->x + first * j->a->ld + tile * COL_TILE, j->a->ld, j->b->x + first * j->b->ld, j->b->ld,
                      0, into + tile * COL_TILE * b, b));
}

int scree__tall_cross(const scree__tall *a, const scree__tall *b, double *h, int threads)
{
    job j = {.a = a, .b = b, .h = h};
    const int64_t parts = a->rows > 0 ? tiles(a->rows, part_rows(a->rows)) : 1;
    const int64_t size = a->cols * b->cols;
    const double work = 2 * (double)a->rows * (double)size;
    if (parts > 1 && !(j.scratch = scree__alloc_raw((parts - 1) * size, sizeof *h)))
        return SCREE__BLAS_NO_MEMORY;
    scree__parallel(scree__threads_for(threads, work), parts * tiles(a->cols, COL_TILE), cross_tile, &j);
    for (int64_t part = 0; part < parts - 1; part++)
        for (int64_t i = 0; i < size; i++)
            h[i] += j.scratch[part * size + i];
    free(j.scratch);
    return j.info;
}

static void subtract_tile(void *context, int64_t index, int worker)
{
    job *j = context;
    (void)worker;
    int64_t first = index * ROW_TILE;
    note(j,
         scree__dgemm(false, false, tile_size(j->a->rows, ROW_TILE, index), j->b->cols, j->a->cols, -1,
                      j->a->x + first * j->a->ld, j->a->ld, j->y, j->b->cols, 1, j->b->x + first * j->b->ld, j->b->ld));
}

int scree__tall_subtract(const scree__tall *a, const double *h, const scree__tall *b, int threads)
{
    job j = {.a = a, .b = b, .y = h};
    scree__parallel(threads, tiles(a->rows, ROW_TILE), subtract_tile, &j);
    return j.info;
}

static void rotate_tile(void *context, int64_t index, int worker)
{
    job *j = context;
    int64_t first = index * ROW_TILE;
    int64_t rows = tile_size(j->a->rows, ROW_TILE, index);
    double *scratch = j->scratch + worker * ROW_TILE * j->count;
    note(j, scree__dgemm(false, false, rows, j->count, j->a->cols, 1, j->a->x + first * j->a->ld, j->a->ld, j->y,
                         j->count, 0, scratch, j->count));
    for (int64_t i = 0; i < rows; i++)
        memcpy(j->a->x + (first + i) * j->a->ld, scratch + i * j->count, (size_t)j->count * sizeof *scratch);
}

scree_status scree__tall_rotate(const scree__tall *a, const double *y, int64_t count, int threads, scree_error *error)
{
    job j = {.a = a, .y = y, .count = count};
    j.scratch = scree__alloc_raw(threads * ROW_TILE * count, sizeof(double));
    if (!j.scratch)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory while a basis was rotated");
    scree__parallel(threads, tiles(a->rows, ROW_TILE), rotate_tile, &j);
    free(j.scratch);
    return j.info == 0 ? SCREE_OK : scree__fail(error, SCREE_ERR_NUMERIC, "a basis could not be rotated");
}

static void solve_tile(void *context, int64_t index, int worker)
{
    job *j = context;
    (void)worker;
    int64_t first = index * ROW_TILE;
    note(j, scree__dtrsm(true, false, tile_size(j->a->rows, ROW_TILE, index), j->a->cols, 1, j->y, j->a->cols,
                         j->a->x + first * j->a->ld, j->a->ld));
}

/* One step of CholeskyQR; *done: false when A is too close to rank-deficient for it. g: cols×cols, receives R. */
static scree_status cholesky_step(const scree__tall *a, double *g, int threads, bool *done, scree_error *error)
{
    const int64_t b = a->cols;
    const int info = scree__tall_cross(a, a, g, threads);
    *done = false;
    if (info == SCREE__BLAS_NO_MEMORY)
        return scree__blas_fail(info, "the QR factorisation of a matrix", a->rows, error);
    if (info != 0 || scree__dpotrf(b, g, b) != 0)
        return SCREE_OK;
    double largest = 0;
    double smallest = HUGE_VAL;
    for (int64_t i = 0; i < b; i++) {
        largest = fmax(largest, g[i * b + i]);
        smallest = fmin(smallest, g[i * b + i]);
        memset(g + i * b, 0, (size_t)i * sizeof *g);
    }
    if (!(smallest > 1e-6 * largest))
        return SCREE_OK;
    job j = {.a = a, .y = g};
    scree__parallel(threads, tiles(a->rows, ROW_TILE), solve_tile, &j);
    *done = j.info == 0;
    return SCREE_OK;
}

/* Householder's QR of a copy, column by column in memory. */
static scree_status householder(const scree__tall *a, double *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = a->rows;
    const int64_t b = a->cols;
    double *copy = NULL;
    double *tau = NULL;
    SCREE_ALLOC(copy, n * b, error);
    SCREE_ALLOC(tau, b, error);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < b; j++)
            copy[j * n + i] = a->x[i * a->ld + j];
    int info = scree__dgeqrf(n, b, copy, n, tau);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the QR factorisation of a matrix", n, error));
    for (int64_t i = 0; i < b; i++)
        for (int64_t j = 0; j < b; j++)
            r[i * b + j] = j >= i ? copy[j * n + i] : 0;
    info = scree__dorgqr(n, b, b, copy, n, tau);
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the QR factorisation of a matrix", n, error));
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < b; j++)
            a->x[i * a->ld + j] = copy[j * n + i];
done:
    free(copy);
    free(tau);
    return status;
}

scree_status scree__tall_orthonormalise(const scree__tall *a, double *r, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t b = a->cols;
    double *first = NULL;
    double *second = NULL;
    double *into = r;
    bool is_done = false;
    SCREE_ALLOC(first, b * b, error);
    SCREE_ALLOC(second, 2 * b * b, error);
    if (!into)
        into = second + b * b;
    SCREE_TRY(cholesky_step(a, first, threads, &is_done, error));
    if (!is_done) {
        SCREE_TRY(householder(a, into, error));
    } else {
        SCREE_TRY(cholesky_step(a, second, threads, &is_done, error));
        if (!is_done) /* a diagonal does not always tell how near to singular R is */
            SCREE_TRY(householder(a, second, error));
        scree__dgemm(false, false, b, b, b, 1, second, b, first, b, 0, into, b);
    }
done:
    free(first);
    free(second);
    return status;
}

void scree__tall_randomise(const scree__tall *a, uint64_t seed, uint64_t stream)
{
    for (int64_t i = 0; i < a->rows; i++)
        scree__normals(seed, stream, i * a->cols, a->cols, a->x + i * a->ld);
}
