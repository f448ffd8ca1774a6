/* SPDX-License-Identifier: BSD-3-Clause */
/* A symmetric matrix A (n×n) to tridiagonal form T = QᵀAQ by Householder's reflections, in panels (Dongarra, Sorensen
 * and Hammarling 1989, LAPACK's dsytrd): 4n³/3 flops, half of them products of matrices, half of a matrix and a vector.
 *
 *     Q = H_0 H_1 …,  H_j = I - τ_j v_j v_jᵀ,  v_j is 0 up to j and 1 at j + 1
 *     A ← A - VᵀW - WᵀV for a panel of rows v and w, where w = τ(Av - …) - ½τ(wᵀv)v
 *
 * Rows of A right of the diagonal are reduced one after another; A itself changes once a panel. For each row: (1) what
 * the panel did so far is taken off the row; (2) Av by tiles (triangle.c), and the products of v with the panel; (3)
 * these together are w. Each is cut into pieces of fixed size, with sums of pieces in one order: the same bits for any
 * number of threads.
 *
 * The panel is kept as rows v_0, w_0, v_1, w_1, …, so that one product with all of them does, with their order swapped
 * in pairs where v meets w. */

#include "kernel/tridiagonal.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/triangle.h"
#include "kernel/tridiagonal_small.h"

#include <math.h>
#include <string.h>

enum { PANEL = 32, PAIRS = 2 * PANEL, TILE = 256, PIECE = SCREE__STRETCH };
enum { WORTH = 40000, THIN_WORTH = 100000 }; /* entries read by a step that are worth waiting for another thread */

typedef struct reduction {
    scree__tridiagonal *t;
    int64_t n;
    int64_t pieces;  /* ⌈n/PIECE⌉ */
    double *panel;   /* PAIRS×n: v_0, w_0, … */
    double *swapped; /* PAIRS×n: w_0, v_0, … */
    double *sums;    /* pieces×(PAIRS+1): what the pieces add to products and squares */
    scree__triangle product;
    int64_t start;         /* the first row of the panel */
    int64_t row;           /* the one at work */
    double factors[PAIRS]; /* of the panel's rows */
    int info;
} reduction;

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

int64_t scree__tridiagonal_memory(int64_t n)
{
    const int64_t pieces = (n + PIECE - 1) / PIECE;
    scree__triangle product = {.n = n};
    if (n <= SCREE__TRIDIAGONAL_SMALL)
        return scree__tridiagonal_small_memory(n);
    scree__triangle_shape(&product);
    return 8 * (n * (2 * PAIRS + scree__triangle_bands(&product) + scree__triangle_stretches(&product)) +
                pieces * (PAIRS + 1));
}

static int64_t rows_of_panel(const reduction *r)
{
    return 2 * (r->row - r->start);
}

static void note(reduction *r, int info)
{
    if (info != 0)
        __atomic_store_n(&r->info, info, __ATOMIC_RELAXED);
}

/* out (from .. to) -= Σ factors_i panel_i. */
static void take_off(reduction *r, int64_t from, int64_t to, double *out)
{
    const int64_t count = rows_of_panel(r);
    if (count > 0)
        note(r, scree__dgemv(true, count, to - from, -1, r->panel + from, r->n, r->factors, 1, out + from));
}

/* The part of a piece from column first on. */
static int64_t piece_from(int64_t piece, int64_t first)
{
    return larger(piece * PIECE, first);
}

static int64_t piece_to(const reduction *r, int64_t piece)
{
    return smaller((piece + 1) * PIECE, r->n);
}

/* Step 1, a piece: the row as the panel leaves it, and its squares beyond the entry beside the diagonal. */
static void update_piece(void *context, int64_t index, int worker)
{
    reduction *r = context;
    const int64_t piece = r->row / PIECE + index;
    const int64_t to = piece_to(r, piece);
    double *row = r->t->v + r->row * r->n;
    double squares = 0;
    (void)worker;
    take_off(r, piece_from(piece, r->row), to, row);
    for (int64_t i = piece_from(piece, r->row + 2); i < to; i++)
        squares += row[i] * row[i];
    r->sums[piece * (PAIRS + 1) + PAIRS] = squares;
}

/* Step 2: the tiles of Av, and then a piece each of the products with the panel. */
static void multiply_piece(void *context, int64_t index, int worker)
{
    reduction *r = context;
    const int64_t tiles = scree__triangle_tiles(&r->product);
    (void)worker;
    if (index < tiles) {
        scree__triangle_tile(&r->product, index);
        return;
    }
    const int64_t first = r->row + 1;
    const int64_t piece = first / PIECE + index - tiles;
    const int64_t from = piece_from(piece, first);
    const int64_t count = rows_of_panel(r);
    if (count > 0)
        note(r, scree__dgemv(false, count, piece_to(r, piece) - from, 1, r->panel + from, r->n,
                             r->t->v + r->row * r->n + from, 0, r->sums + piece * (PAIRS + 1)));
}

/* Step 3, a piece: w = τ(Av - …), and its part of wᵀv. */
static void collect_piece(void *context, int64_t index, int worker)
{
    reduction *r = context;
    const int64_t first = r->row + 1;
    const int64_t piece = first / PIECE + index;
    const int64_t from = piece_from(piece, first);
    const int64_t to = piece_to(r, piece);
    const double *v = r->t->v + r->row * r->n;
    double *w = r->panel + (rows_of_panel(r) + 1) * r->n;
    double dot = 0;
    (void)worker;
    scree__triangle_sum(&r->product, from, to, w);
    take_off(r, from, to, w);
    for (int64_t i = from; i < to; i++) {
        w[i] *= r->t->tau[r->row];
        dot += w[i] * v[i];
    }
    r->sums[piece * (PAIRS + 1) + PAIRS] = dot;
}

/* The i-th of the sums over pieces, from the one with column first on. */
static double sum(const reduction *r, int64_t i, int64_t first)
{
    double total = 0;
    for (int64_t piece = first / PIECE; piece < r->pieces; piece++)
        total += r->sums[piece * (PAIRS + 1) + i];
    return total;
}

static int threads_for(const reduction *r, int64_t entries, int64_t worth)
{
    return entries < worth ? 1 : r->t->threads;
}

void scree__tridiagonal_reflect(scree__tridiagonal *t, int64_t j, double *x, double squares)
{
    const double alpha = x[j + 1];
    t->tau[j] = 0;
    t->beside[j] = alpha;
    if (squares > SCREE__TRIDIAGONAL_GONE) {
        const double beta = -copysign(sqrt(alpha * alpha + squares), alpha);
        const double scale = 1 / (alpha - beta);
        t->tau[j] = (beta - alpha) / beta;
        t->beside[j] = beta;
        for (int64_t i = j + 2; i < t->n; i++)
            x[i] *= scale;
    } else {
        memset(x + j + 1, 0, (size_t)(t->n - j - 1) * sizeof *x);
    }
    x[j + 1] = 1;
}

/* factors_i: what the (i^1)-th row of the panel has for it. */
static void swap_factors(reduction *r, const double *of, int64_t stride)
{
    for (int64_t i = 0; i < rows_of_panel(r); i++)
        r->factors[i] = of[(i ^ 1) * stride];
}

/* Row j: reduced, and w found. */
static void reduce_row(reduction *r)
{
    const int64_t n = r->n;
    const int64_t j = r->row;
    const int64_t first = j + 1;
    const int64_t count = rows_of_panel(r);
    const int64_t pieces = r->pieces - first / PIECE;
    double *v = r->panel + count * n;
    double *w = v + n;
    double products[PAIRS] = {0};
    swap_factors(r, r->panel + j, n);
    scree__parallel(threads_for(r, count * (n - j), THIN_WORTH), r->pieces - j / PIECE, update_piece, r);
    r->t->diagonal[j] = r->t->v[j * n + j];
    scree__tridiagonal_reflect(r->t, j, r->t->v + j * n, sum(r, PAIRS, j));
    memcpy(v + first, r->t->v + j * n + first, (size_t)(n - first) * sizeof *v);
    r->product.first = first;
    r->product.x = v;
    scree__parallel(threads_for(r, (n - first) * (n - first) / 2, WORTH), scree__triangle_tiles(&r->product) + pieces,
                    multiply_piece, r);
    for (int64_t i = 0; i < count; i++)
        products[i] = sum(r, i, first);
    swap_factors(r, products, 1);
    scree__parallel(threads_for(r, count * (n - first), THIN_WORTH), pieces, collect_piece, r);
    const double along = -0.5 * r->t->tau[j] * sum(r, PAIRS, first);
    for (int64_t i = first; i < n; i++)
        w[i] += along * v[i];
}

/* Task: a tile of A less what the panel takes off it. */
static void update_tile(void *context, int64_t index, int worker)
{
    reduction *r = context;
    const int64_t start = r->row;
    const int64_t tiles = (r->n - start + TILE - 1) / TILE;
    int64_t i = 0;
    (void)worker;
    while (index >= tiles - i)
        index -= tiles - i++;
    const int64_t top = start + i * TILE;
    const int64_t left = top + index * TILE;
    note(r, scree__dgemm(true, false, smaller(TILE, r->n - top), smaller(TILE, r->n - left), PAIRS, -1, r->panel + top,
                         r->n, r->swapped + left, r->n, 1, r->t->v + top * r->n + left, r->n));
}

/* What is done once so many rows are, of 4n³/3 flops. */
static scree_status tell(const reduction *r, scree_error *error)
{
    const double left = 1 - (double)r->row / (double)r->n;
    return scree__watch_tell(&r->t->watch, 1 - left * left * left, error);
}

static scree_status reduce_panel(reduction *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = r->n;
    for (r->row = r->start; r->row < r->start + PANEL; r->row++) {
        SCREE_TRY(tell(r, error));
        reduce_row(r);
    }
    const int64_t left = n - r->row;
    const int64_t tiles = (left + TILE - 1) / TILE;
    for (int64_t i = 0; i < PAIRS; i++)
        memcpy(r->swapped + i * n + r->row, r->panel + (i ^ 1) * n + r->row, (size_t)left * sizeof *r->swapped);
    scree__parallel(threads_for(r, left * left, WORTH), tiles * (tiles + 1) / 2, update_tile, r);
done:
    return status;
}

/* The last rows, as part of a panel whose A need not change any more. */
static void reduce_last(reduction *r)
{
    const int64_t n = r->n;
    double *v = r->t->v;
    for (r->row = r->start; r->row < n - 1; r->row++)
        reduce_row(r);
    swap_factors(r, r->panel + r->row, n);
    take_off(r, n - 1, n, v + (n - 1) * n);
    r->t->diagonal[n - 1] = v[n * n - 1];
}

scree_status scree__tridiagonal_reduce(scree__tridiagonal *t, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = t->n;
    if (n <= SCREE__TRIDIAGONAL_SMALL)
        return scree__tridiagonal_small(t, error);
    reduction r = {.t = t, .n = n, .pieces = (n + PIECE - 1) / PIECE, .product = {.a = t->v, .n = n}};
    scree__triangle_shape(&r.product);
    r.panel = scree__alloc_raw(PAIRS * n, sizeof *r.panel);
    r.swapped = scree__alloc_raw(PAIRS * n, sizeof *r.swapped);
    r.sums = scree__alloc_raw(r.pieces * (PAIRS + 1), sizeof *r.sums);
    r.product.down = scree__alloc_raw(scree__triangle_bands(&r.product) * n, sizeof(double));
    r.product.across = scree__alloc_raw(scree__triangle_stretches(&r.product) * n, sizeof(double));
    if (!r.panel || !r.swapped || !r.sums || !r.product.down || !r.product.across)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a matrix of order %lld is too large", (long long)n);
    for (; n - r.start > PANEL + 1; r.start += PANEL)
        SCREE_TRY(reduce_panel(&r, error));
    reduce_last(&r);
    if (r.info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of order %lld", (long long)n);
done:
    free(r.panel);
    free(r.swapped);
    free(r.sums);
    free(r.product.down);
    free(r.product.across);
    return status;
}
