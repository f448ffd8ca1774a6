/* SPDX-License-Identifier: BSD-3-Clause */
/* Y = CQ and W = CᵀY for rows that lie in memory, C = (X - 1µᵀ) diag(f): 2NDb flops and one read of the rows each.
 *
 * Nothing is kept of C: a tile of it, a group of rows and a strip of columns, is centred into a buffer that fits the
 * cache just before it is multiplied, while the next one is on its way from memory. f goes into Q and out of W. Sums
 * over a tile are in the operations' type, those over tiles in double. CQ is shared out by groups, CᵀY by strips: each
 * number has one writer and sums in one order, the same bits for any number of threads.
 *
 * Floats are centred in float, by µ' = float(µ): X - 1µ'ᵀ is exact where it is small beside X, which is where it
 * matters, and what is left, d = µ - µ', goes by CQ = (X - 1µ'ᵀ)Q - 1(dᵀQ), in double. */

#include "kernel/inplace.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/skinny.h"

#include <string.h>

enum { TILE = 12, TILES = 16, GROUP = TILE * TILES, STRIP_BYTES = 1152, LINE = 64 };

struct scree__inplace {
    scree__inplace_rows c;
    const scree__ops *ops;
    const scree__skinny *skinny;
    int threads;
    int64_t strip;  /* columns of one, and how many */
    int64_t strips; /* there are */
    int64_t groups; /* of rows */
    char *shift;    /* D: µ', of the panels' type, or µ itself where rows are double */
    double *rest;   /* D: d, or NULL */
    char *thin;     /* D×b or N×b: for each strip or group its panels */
    char *tiles;    /* for each thread a tile, strip×b in panels, and a tile's rows×lanes */
    double *sums;   /* b: dᵀQ or 1ᵀY */
    int64_t tile_bytes;
    /* Of the product at hand. */
    const double *from;
    double *to;
    int64_t b;
    bool failed;
};

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t parts_of(int64_t n, int64_t part)
{
    return (n + part - 1) / part;
}

static int64_t strip_of(const scree__ops *ops)
{
    return STRIP_BYTES / ops->size;
}

static const scree__skinny *skinny_of(const scree__ops *ops)
{
    return ops->type == SCREE_F32 ? scree__skinny_best_f32() : scree__skinny_best_f64();
}

/* Bytes of a row of b columns, in panels. */
static int64_t thin_row(int64_t b, const scree__ops *ops)
{
    return parts_of(b, skinny_of(ops)->lanes) * LINE;
}

static int64_t tile_bytes(int64_t b, const scree__ops *ops)
{
    return TILE * STRIP_BYTES + strip_of(ops) * thin_row(b, ops) + TILE * LINE;
}

static int64_t thin_bytes(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops)
{
    return (rows > cols ? rows : cols) * thin_row(b, ops);
}

double scree__inplace_chain(int64_t rows, int64_t cols, const scree__ops *ops)
{
    const int64_t across = ops->type == SCREE_F32 ? 2 : parts_of(cols, strip_of(ops)) + parts_of(rows, GROUP);
    return (double)(strip_of(ops) + GROUP + across + 8);
}

int64_t scree__inplace_memory(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops, int threads)
{
    return threads * tile_bytes(b, ops) + thin_bytes(rows, cols, b, ops) + 8 * (cols * (b + 2) + b);
}

/* µ' and d. */
static scree_status set_shift(scree__inplace *p, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = p->c.x.cols;
    const bool narrow = p->ops->type == SCREE_F32 && p->c.x.type != SCREE_F64;
    p->shift = scree__alloc_raw(d, sizeof(double));
    if (!p->shift)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld doubles", (long long)d);
    if (!narrow) {
        memcpy(p->shift, p->c.shift, (size_t)d * sizeof(double));
    } else {
        float *shift = (float *)(void *)p->shift;
        SCREE_ALLOC(p->rest, d, error);
        p->ops->narrow(p->c.shift, d, shift);
        for (int64_t j = 0; j < d; j++)
            p->rest[j] = p->c.shift[j] - (double)shift[j];
    }
done:
    return status;
}

scree_status scree__inplace_new(scree__inplace **out, const scree__inplace_rows *rows, int64_t b, const scree__ops *ops,
                                int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__inplace *p = NULL;
    const int64_t n = rows->x.rows;
    const int64_t d = rows->x.cols;
    SCREE_ALLOC(p, 1, error);
    *p = (scree__inplace){.c = *rows,
                          .ops = ops,
                          .skinny = skinny_of(ops),
                          .threads = threads,
                          .strip = strip_of(ops),
                          .tile_bytes = tile_bytes(b, ops)};
    p->strips = parts_of(d, p->strip);
    p->groups = parts_of(n, GROUP);
    p->tiles = scree__alloc_raw(threads * p->tile_bytes, 1);
    p->thin = scree__alloc_raw(thin_bytes(n, d, b, ops), 1);
    if (!p->tiles || !p->thin)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld columns of %lld elements",
                   (long long)b, (long long)d);
    SCREE_ALLOC(p->sums, b, error);
    SCREE_TRY(set_shift(p, error));
    *out = p;
    p = NULL;
done:
    scree__inplace_free(p);
    return status;
}

void scree__inplace_free(scree__inplace *p)
{
    if (!p)
        return;
    free(p->shift);
    free(p->rest);
    free(p->thin);
    free(p->tiles);
    free(p->sums);
    free(p);
}

/* The rows of a tile, as they lie. */
static scree__rows rows_at(const scree__inplace *p, int64_t row, int64_t strip)
{
    const int64_t col = strip * p->strip;
    const scree__rows band = scree__rows_slice(&p->c.x, row, at_most(TILE, p->c.x.rows - row));
    return scree__rows_columns(&band, col, at_most(p->strip, p->c.x.cols - col));
}

static int64_t size_of(scree_type type)
{
    return type == SCREE_F32 ? (int64_t)sizeof(float) : type == SCREE_F64 ? (int64_t)sizeof(double) : 1;
}

/* A tile, centred, in the worker's buffer; the one that comes next is only announced. */
static scree__strip tile_at(const scree__inplace *p, int64_t row, int64_t strip, const scree__rows *next, int worker)
{
    const scree__rows x = rows_at(p, row, strip);
    char *tile = p->tiles + worker * p->tile_bytes;
    const int64_t wide = p->rest ? p->ops->size : (int64_t)sizeof(double);
    p->skinny->lay(&x, p->shift + strip * p->strip * wide, tile);
    scree__strip s = {.p = tile, .ld = x.cols, .rows = x.rows, .cols = x.cols};
    if (next->rows == TILE && next->cols >= x.cols) {
        s.ahead = next->data;
        s.ahead_size = size_of(next->type);
        s.ahead_apart = next->stride * s.ahead_size;
    }
    return s;
}

/* Panels of the part from first on of a thin matrix. */
static char *thin_at(const scree__inplace *p, int64_t first)
{
    return p->thin + first * thin_row(p->b, p->ops);
}

/* Task: Q of a strip, scaled, in panels. */
static void split_strip(void *context, int64_t strip, int worker)
{
    scree__inplace *p = context;
    const int64_t first = strip * p->strip;
    const int64_t count = at_most(p->strip, p->c.x.cols - first);
    (void)worker;
    p->skinny->split(p->from + first * p->b, count, p->b, thin_at(p, first));
}

/* Task: Y of a group, in panels. */
static void split_group(void *context, int64_t group, int worker)
{
    scree__inplace *p = context;
    const int64_t first = group * GROUP;
    (void)worker;
    p->skinny->split(p->from + first * p->b, at_most(GROUP, p->c.x.rows - first), p->b, thin_at(p, first));
}

/* y (rows×b), columns from first on, += part (rows×lanes). */
static void add_part(const scree__inplace *p, const void *part, int64_t rows, int64_t first, double *y)
{
    p->skinny->add(part, rows, y + first, p->b, at_most(p->skinny->lanes, p->b - first));
}

static void note(scree__inplace *p, int info)
{
    if (info != 0)
        __atomic_store_n(&p->failed, true, __ATOMIC_RELAXED);
}

/* Task: CQ of a group of rows, strip by strip. */
static void forward(void *context, int64_t group, int worker)
{
    scree__inplace *p = context;
    const int64_t lanes = p->skinny->lanes;
    const int64_t begin = group * GROUP;
    const int64_t end = at_most(begin + GROUP, p->c.x.rows);
    char *part = p->tiles + worker * p->tile_bytes + TILE * STRIP_BYTES;
    for (int64_t i = begin * p->b; i < end * p->b; i++)
        p->to[i] = -p->sums[i % p->b];
    for (int64_t s = 0; s < p->strips; s++) {
        const char *q = thin_at(p, s * p->strip);
        for (int64_t row = begin; row < end; row += TILE) {
            const bool turns = row + TILE >= end;
            const scree__rows next = rows_at(p, turns ? begin : row + TILE, at_most(s + turns, p->strips - 1));
            scree__strip tile = tile_at(p, row, s, &next, worker);
            for (int64_t first = 0; first < p->b; first += lanes) {
                note(p, p->skinny->forward(&tile, q + first * tile.cols * p->ops->size, part));
                add_part(p, part, tile.rows, first, p->to + row * p->b);
                tile.ahead = NULL;
            }
        }
    }
}

/* W of a strip, columns first .., gains the sums of a group of rows. */
static void add_sums(const scree__inplace *p, const char *sums, int64_t strip, int64_t cols)
{
    double *w = p->to + strip * p->strip * p->b;
    for (int64_t first = 0; first < p->b; first += p->skinny->lanes, sums += cols * LINE)
        add_part(p, sums, cols, first, w);
}

/* Task: CᵀY of a strip of columns, group by group. */
static void backward(void *context, int64_t s, int worker)
{
    scree__inplace *p = context;
    const int64_t lanes = p->skinny->lanes;
    const int64_t rows = p->c.x.rows;
    const int64_t cols = at_most(p->strip, p->c.x.cols - s * p->strip);
    char *sums = p->tiles + worker * p->tile_bytes + TILE * (STRIP_BYTES + LINE);
    for (int64_t begin = 0; begin < rows; begin += GROUP) {
        const int64_t end = at_most(begin + GROUP, rows);
        const char *y = thin_at(p, begin);
        memset(sums, 0, (size_t)(cols * thin_row(p->b, p->ops)));
        for (int64_t row = begin; row < end; row += TILE) {
            const scree__rows next = rows_at(p, at_most(row + TILE, rows - 1), s);
            scree__strip tile = tile_at(p, row, s, &next, worker);
            for (int64_t first = 0; first < p->b; first += lanes) {
                note(p, p->skinny->spread(&tile, y + (first * (end - begin) + (row - begin) * lanes) * p->ops->size,
                                          sums + first * cols * p->ops->size));
                tile.ahead = NULL;
            }
        }
        add_sums(p, sums, s, cols);
    }
}

static scree_status finish(const scree__inplace *p, scree_error *error)
{
    if (p->failed)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                           (long long)p->c.x.cols);
    return SCREE_OK;
}

scree_status scree__inplace_forward(scree__inplace *p, const double *q, int64_t b, double *y, scree_error *error)
{
    const int64_t d = p->c.x.cols;
    double *scaled = NULL;
    p->b = b;
    p->from = q;
    p->to = y;
    if (p->c.factor) {
        scaled = scree__alloc_raw(d * b, sizeof *scaled);
        if (!scaled)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld columns of %lld",
                               (long long)b, (long long)d);
        for (int64_t i = 0; i < d * b; i++)
            scaled[i] = q[i] * p->c.factor[i / b];
        p->from = scaled;
    }
    memset(p->sums, 0, (size_t)b * sizeof *p->sums);
    for (int64_t i = 0; p->rest && i < d; i++)
        for (int64_t l = 0; l < b; l++)
            p->sums[l] += p->rest[i] * p->from[i * b + l];
    scree__parallel(p->threads, p->strips, split_strip, p);
    scree__parallel(p->threads, p->groups, forward, p);
    free(scaled);
    return finish(p, error);
}

scree_status scree__inplace_backward(scree__inplace *p, const double *y, int64_t b, double *w, scree_error *error)
{
    const int64_t d = p->c.x.cols;
    p->b = b;
    p->from = y;
    p->to = w;
    memset(p->sums, 0, (size_t)b * sizeof *p->sums);
    for (int64_t i = 0; p->rest && i < p->c.x.rows; i++)
        for (int64_t l = 0; l < b; l++)
            p->sums[l] += y[i * b + l];
    memset(w, 0, (size_t)(d * b) * sizeof *w);
    scree__parallel(p->threads, p->groups, split_group, p);
    scree__parallel(p->threads, p->strips, backward, p);
    for (int64_t j = 0; (p->rest || p->c.factor) && j < d; j++)
        for (int64_t l = 0; l < b; l++)
            w[j * b + l] =
                (w[j * b + l] - (p->rest ? p->rest[j] * p->sums[l] : 0)) * (p->c.factor ? p->c.factor[j] : 1);
    return finish(p, error);
}
