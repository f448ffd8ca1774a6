/* SPDX-License-Identifier: BSD-3-Clause */
/* V (N×b) = C(CᵀY) in one read of rows that lie in memory, C = (X - 1µᵀ) diag(f), for N < D: 4NDb flops.
 *
 * A strip of columns is centred into a buffer that fits the cache (tiles.c), all rows of it; then Z = C_sᵀY, and V
 * gains C_s Z. f goes into Z, twice. Strip s adds to lane s mod lanes, each lane in order, whichever thread works on
 * it, and lanes are added up in order: the same bits for any number of threads. Sums over a tile are in the operations'
 * type, those over tiles in double. While V gains a strip, the next one is on its way from memory. */

#include "kernel/inplace.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/tiles.h"

#include <string.h>

enum {
    GROUP = 8 * SCREE__BLOCK,
    LEAST_BLOCKS = 3,
    MOST_BLOCKS = 6,
    LEAST_LANES = 16,
    MOST_LANES = 64,
    MOST_ROWS = 8192
};
static const int64_t LAID_BYTES = INT64_C(1) << 20; /* of a strip */
static const int64_t LANE_BYTES = INT64_C(1) << 26; /* of all lanes */

struct scree__inplace {
    scree__tiles tiles;
    scree__rows x;
    int threads;
    int64_t padded; /* N filled up to whole groups */
    int64_t strip;  /* columns of one */
    int64_t strips;
    int64_t lanes;
    char *thin;       /* N×b: Y in panels */
    double *v;        /* for each lane N×b in panels */
    double *rest;     /* for each lane dᵀZ */
    double *sums;     /* 1ᵀY */
    char *laid;       /* for each thread a strip's tiles, or for each strip */
    double *z;        /* for each thread strip×b in panels */
    char *z_thin;     /* the same, of the panels' type */
    int64_t laid_one; /* bytes of one of each */
    int64_t z_one;
    bool keeps;   /* the tiles of all strips, */
    bool is_laid; /* from the first product on */
    /* Of the product at hand. */
    const double *from;
    double *to;
    int64_t b;
    int64_t wide;
};

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t parts_of(int64_t n, int64_t part)
{
    return (n + part - 1) / part;
}

static int64_t strip_of(int64_t rows, const scree__ops *ops)
{
    const int64_t blocks = LAID_BYTES / (rows * SCREE__BLOCK * ops->size);
    return SCREE__BLOCK * (blocks < LEAST_BLOCKS ? LEAST_BLOCKS : at_most(blocks, MOST_BLOCKS));
}

static int64_t lanes_of(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops)
{
    int64_t lanes = MOST_LANES;
    while (lanes > LEAST_LANES && lanes * rows * b * (int64_t)sizeof(double) > LANE_BYTES)
        lanes /= 2;
    return at_most(lanes, parts_of(cols, strip_of(rows, ops)));
}

static int64_t wide_of(int64_t b, const scree__ops *ops)
{
    return scree__panels_padded(ops->type == SCREE_F32 ? scree__panels_best_f32() : scree__panels_best_f64(), b);
}

static int64_t laid_bytes(int64_t rows, const scree__ops *ops)
{
    return parts_of(rows, GROUP) * strip_of(rows, ops) / SCREE__BLOCK * scree__tiles_apart(GROUP, ops) * ops->size;
}

bool scree__inplace_suits(int64_t rows)
{
    return rows <= MOST_ROWS;
}

double scree__inplace_chain(int64_t rows, int64_t cols, const scree__ops *ops)
{
    const int64_t strips = parts_of(cols, strip_of(rows, ops));
    const int64_t across = ops->type == SCREE_F32 ? 2 : parts_of(rows, GROUP) + strips + MOST_LANES;
    return (double)(strip_of(rows, ops) + GROUP + across + 8);
}

int64_t scree__inplace_memory(int64_t rows, int64_t cols, int64_t b, const scree__ops *ops, int threads)
{
    const int64_t wide = wide_of(b, ops);
    const int64_t padded = parts_of(rows, GROUP) * GROUP;
    return lanes_of(rows, cols, b, ops) * (padded + 1) * wide * 8 + wide * 8 + padded * wide * ops->size +
           threads * (laid_bytes(rows, ops) + strip_of(rows, ops) * wide * (8 + ops->size)) + scree__tiles_memory(cols);
}

int64_t scree__inplace_kept(int64_t rows, int64_t cols, const scree__ops *ops)
{
    return parts_of(cols, strip_of(rows, ops)) * laid_bytes(rows, ops);
}

static scree_status allocate(scree__inplace *p, int64_t b, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ops *ops = p->tiles.ops;
    const int64_t wide = wide_of(b, ops);
    const int64_t n = p->x.rows;
    p->laid_one = laid_bytes(n, ops);
    p->z_one = p->strip * wide;
    p->thin = scree__alloc_raw(p->padded * wide, (size_t)ops->size);
    p->v = scree__alloc_raw(p->lanes * p->padded * wide, sizeof *p->v);
    p->laid = scree__alloc_raw((p->keeps ? p->strips : p->threads) * p->laid_one, 1);
    p->z = scree__alloc_raw(p->threads * p->z_one, sizeof *p->z);
    p->z_thin = scree__alloc_raw(p->threads * p->z_one, (size_t)ops->size);
    if (!p->thin || !p->v || !p->laid || !p->z || !p->z_thin)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld sums of %lld×%lld numbers",
                   (long long)p->lanes, (long long)n, (long long)b);
    SCREE_ALLOC(p->rest, p->lanes * wide, error);
    SCREE_ALLOC(p->sums, wide, error);
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
    *p = (scree__inplace){.x = rows->x,
                          .threads = threads,
                          .keeps = rows->keep,
                          .padded = parts_of(n, GROUP) * GROUP,
                          .strip = strip_of(n, ops),
                          .lanes = lanes_of(n, d, b, ops)};
    p->strips = parts_of(d, p->strip);
    SCREE_TRY(scree__tiles_init(&p->tiles, d, rows->x.type, ops, rows->shift, rows->factor, error));
    SCREE_TRY(allocate(p, b, error));
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
    scree__tiles_clear(&p->tiles);
    free(p->thin);
    free(p->v);
    free(p->rest);
    free(p->sums);
    free(p->laid);
    free(p->z);
    free(p->z_thin);
    free(p);
}

/* Task: Y of a group, in panels. */
static void split(void *context, int64_t group, int worker)
{
    const scree__inplace *p = context;
    const scree__thin y = {p->from, NULL, p->x.rows, p->b};
    const scree__paneled to = {p->thin, p->padded, p->b, p->wide};
    (void)worker;
    scree__tiles_split(&p->tiles, &y, group * GROUP, GROUP, &to);
}

static void start(scree__inplace *p, const double *y, int64_t b, double *to)
{
    p->from = y;
    p->to = to;
    p->b = b;
    p->wide = scree__panels_padded(p->tiles.panels, b);
    memset(p->sums, 0, (size_t)p->wide * sizeof *p->sums);
    for (int64_t i = 0; i < p->x.rows; i++)
        for (int64_t l = 0; l < b; l++)
            p->sums[l] += y[i * b + l];
    scree__parallel(p->threads, p->padded / GROUP, split, p);
}

/* A strip of a group of rows, in its own buffer or in the worker's. */
static scree__panel_tile tile_at(const scree__inplace *p, int64_t strip, int64_t group, int worker)
{
    const scree__ops *ops = p->tiles.ops;
    const int64_t apart = scree__tiles_apart(GROUP, ops);
    char *laid = p->laid + (p->keeps ? strip : worker) * p->laid_one;
    return (scree__panel_tile){.c = laid + group * p->strip / SCREE__BLOCK * apart * ops->size,
                               .apart = apart,
                               .rows = GROUP,
                               .cols = at_most(p->strip, p->tiles.padded - strip * p->strip)};
}

static scree__rows rows_of(const scree__inplace *p, int64_t group)
{
    return scree__rows_slice(&p->x, group * GROUP, at_most(GROUP, p->x.rows - group * GROUP));
}

/* Z = C_sᵀY less what the rest of the mean takes; its columns times their factors, as often as that. */
static void columns_of(const scree__inplace *p, int64_t strip, int times, int worker)
{
    const scree__tiles *t = &p->tiles;
    double *z = p->z + worker * p->z_one;
    const int64_t first = strip * p->strip;
    const int64_t known = at_most(p->strip, t->cols - first);
    memset(z, 0, (size_t)(p->strip * p->wide) * sizeof *z);
    for (int64_t g = 0; g * GROUP < p->x.rows; g++) {
        const scree__panel_tile tile = tile_at(p, strip, g, worker);
        if (!p->is_laid) {
            const scree__rows x = rows_of(p, g);
            scree__tiles_lay(t, &x, first, &tile);
        }
        for (int64_t col = 0; col < p->wide;) {
            const scree__panel_kind *kind = scree__panels_at(t->panels, col, p->wide);
            kind->backward(&tile, p->thin + (col * p->padded + g * GROUP * kind->width) * t->ops->size,
                           z + col * p->strip);
            col += kind->width;
        }
    }
    for (int64_t col = 0; col < p->wide;) {
        const int64_t width = scree__panels_at(t->panels, col, p->wide)->width;
        for (int64_t j = 0; j < known; j++) {
            const double d = t->rest ? t->rest[first + j] : 0;
            const double f = t->factor ? t->factor[first + j] : 1;
            for (int64_t l = 0; l < width; l++) {
                double *at = z + col * p->strip + j * width + l;
                *at = (*at - d * p->sums[col + l]) * (times == 2 ? f * f : f);
            }
        }
        col += width;
    }
}

/* The strip after this one of a lane. */
static scree__panel_ahead ahead_of(const scree__inplace *p, int64_t strip, const scree__rows *x)
{
    const int64_t size = scree__tiles_element(x->type);
    const int64_t first = (strip + p->lanes) * p->strip;
    if (p->is_laid || first + p->strip > p->x.cols || x->rows < GROUP)
        return (scree__panel_ahead){NULL, 0, 0};
    return (scree__panel_ahead){(const char *)x->data + first * size, x->stride * size, size};
}

/* V of a lane gains C_s Z, but for what the rest of the mean takes from every row, which is gathered apart. */
static void gain(const scree__inplace *p, int64_t strip, int64_t lane, int worker)
{
    const scree__tiles *t = &p->tiles;
    const double *z = p->z + worker * p->z_one;
    char *thin = p->z_thin + worker * p->z_one * t->ops->size;
    t->ops->narrow(z, p->strip * p->wide, thin);
    for (int64_t g = 0; g * GROUP < p->x.rows; g++) {
        const scree__rows x = rows_of(p, g);
        scree__panel_tile tile = tile_at(p, strip, g, worker);
        tile.ahead = ahead_of(p, strip, &x);
        for (int64_t col = 0; col < p->wide;) {
            const scree__panel_kind *kind = scree__panels_at(t->panels, col, p->wide);
            kind->forward(&tile, thin + col * p->strip * t->ops->size,
                          p->v + (lane * p->wide + col) * p->padded + g * GROUP * kind->width);
            tile.ahead.rows = NULL;
            col += kind->width;
        }
    }
    for (int64_t col = 0; t->rest && col < p->wide;) {
        const int64_t width = scree__panels_at(t->panels, col, p->wide)->width;
        for (int64_t j = 0; j < at_most(p->strip, t->cols - strip * p->strip); j++)
            for (int64_t l = 0; l < width; l++)
                p->rest[lane * p->wide + col + l] += t->rest[strip * p->strip + j] * z[col * p->strip + j * width + l];
        col += width;
    }
}

/* Task: the strips of a lane. */
static void add_lane(void *context, int64_t lane, int worker)
{
    const scree__inplace *p = context;
    memset(p->v + lane * p->padded * p->wide, 0, (size_t)(p->padded * p->wide) * sizeof *p->v);
    memset(p->rest + lane * p->wide, 0, (size_t)p->wide * sizeof *p->rest);
    for (int64_t strip = lane; strip < p->strips; strip += p->lanes) {
        columns_of(p, strip, 2, worker);
        gain(p, strip, lane, worker);
    }
}

/* Task: a group of rows of V, of all lanes. */
static void join(void *context, int64_t group, int worker)
{
    const scree__inplace *p = context;
    const int64_t first = group * GROUP;
    const int64_t rows = at_most(GROUP, p->x.rows - first);
    (void)worker;
    for (int64_t col = 0; col < p->wide;) {
        const int64_t width = scree__panels_at(p->tiles.panels, col, p->wide)->width;
        double *panel = p->v + col * p->padded + first * width;
        for (int64_t lane = 1; lane < p->lanes; lane++)
            for (int64_t i = 0; i < rows * width; i++)
                panel[i] += panel[lane * p->padded * p->wide + i];
        for (int64_t i = 0; i < rows; i++)
            for (int64_t l = 0; l < width && col + l < p->b; l++)
                p->to[(first + i) * p->b + col + l] = panel[i * width + l] - p->rest[col + l];
        col += width;
    }
}

void scree__inplace_apply(scree__inplace *p, const double *y, int64_t b, double *v)
{
    start(p, y, b, v);
    scree__parallel(p->threads, p->lanes, add_lane, p);
    for (int64_t lane = 1; lane < p->lanes; lane++)
        for (int64_t l = 0; l < p->wide; l++)
            p->rest[l] += p->rest[lane * p->wide + l];
    scree__parallel(p->threads, p->padded / GROUP, join, p);
    p->is_laid = p->keeps;
}

/* Task: W of a strip. */
static void set_columns(void *context, int64_t strip, int worker)
{
    const scree__inplace *p = context;
    const double *z = p->z + worker * p->z_one;
    double *w = p->to + strip * p->strip * p->b;
    columns_of(p, strip, 1, worker);
    for (int64_t col = 0; col < p->wide;) {
        const int64_t width = scree__panels_at(p->tiles.panels, col, p->wide)->width;
        for (int64_t j = 0; j < at_most(p->strip, p->x.cols - strip * p->strip); j++)
            memcpy(w + j * p->b + col, z + col * p->strip + j * width, (size_t)at_most(width, p->b - col) * sizeof *w);
        col += width;
    }
}

void scree__inplace_columns(scree__inplace *p, const double *y, int64_t b, double *w)
{
    start(p, y, b, w);
    scree__parallel(p->threads, p->strips, set_columns, p);
    p->is_laid = p->keeps;
}
