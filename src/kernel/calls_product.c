/* SPDX-License-Identifier: BSD-3-Clause */
/* T = ZᵀQ and W += ZT for some hundred variants at a time, 2 bits a call in memory: 2NVb flops each.
 *
 * A tile of Z, some variants × some samples, is made from the packed calls where it is multiplied, in the cache of one
 * processor (calls_lay.h), and multiplied by the kernels of panel.h: so a call costs a quarter of a byte of memory, and
 * an instruction or less to unpack for the b that it takes part in. Forward, a thread has some variants and all
 * samples; backward, some samples and all variants of the block. Each sum belongs to one thread then, in the order of
 * samples or variants: the same bits for any number of threads, and no more than one W. Sums over a tile are in the
 * type, those over tiles in double. Memory: N·b numbers of the type and N·b doubles. */

#include "kernel/calls_product.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum {
    TILE_VARIANTS = 4 * SCREE__BLOCK,
    TILE_SAMPLES = 16 * SCREE__BLOCK,
    LEAST = TILE_VARIANTS,
    MOST = 32 * TILE_VARIANTS,
    PACKED_BYTES = 4 << 20,
    LINE = 64
};

struct scree__calls_product {
    scree__calls_size size;
    const scree__panels *panels;
    int64_t element;
    int64_t padded; /* samples, filled up to whole tiles */
    int64_t at_once;
    int64_t wide;  /* of the widest Q, filled up */
    char *q;       /* padded×wide in panels */
    double *w;     /* the same */
    double *t;     /* at_once×wide in panels */
    char *t_thin;  /* the same, of the type */
    char *tables;  /* at_once×4 of the type */
    char *tiles;   /* one for each thread */
    int64_t b;     /* of the Q at hand, */
    int64_t width; /* filled up */
    const scree__calls_block *block;
};

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t filled(int64_t n, int64_t part)
{
    return (n + part - 1) / part * part;
}

int64_t scree__calls_at_once(int64_t samples)
{
    const int64_t tiles = PACKED_BYTES / ((samples + 3) / 4 * TILE_VARIANTS);
    return tiles * TILE_VARIANTS < LEAST ? LEAST : at_most(tiles * TILE_VARIANTS, MOST);
}

double scree__calls_chain(int64_t samples, int64_t variants, scree_type type)
{
    const double inside = TILE_SAMPLES + TILE_VARIANTS + 4; /* and what is rounded to the type: Z, Q and T */
    const int64_t across = samples / TILE_SAMPLES + variants / TILE_VARIANTS + 8;
    return type == SCREE_F32 ? inside : inside + (double)across;
}

static const scree__panels *panels_of(scree_type type)
{
    return type == SCREE_F32 ? scree__panels_best_f32() : scree__panels_best_f64();
}

static int64_t element_of(scree_type type)
{
    return type == SCREE_F32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double);
}

int64_t scree__calls_product_memory(const scree__calls_size *size)
{
    const int64_t element = element_of(size->type);
    const int64_t wide = scree__panels_padded(panels_of(size->type), size->b);
    const int64_t rows = filled(size->samples, TILE_SAMPLES) + scree__calls_at_once(size->samples);
    return rows * wide * (8 + element) + scree__calls_at_once(size->samples) * SCREE__CALLS * element +
           (int64_t)size->threads * TILE_VARIANTS * TILE_SAMPLES * element;
}

scree_status scree__calls_product_new(scree__calls_product **out, const scree__calls_size *size, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__calls_product *p = NULL;
    SCREE_ALLOC(p, 1, error);
    p->size = *size;
    p->panels = panels_of(size->type);
    p->element = element_of(size->type);
    p->padded = filled(size->samples, TILE_SAMPLES);
    p->at_once = scree__calls_at_once(size->samples);
    p->wide = scree__panels_padded(p->panels, size->b);
    SCREE_ALLOC(p->q, p->padded * p->wide * p->element, error);
    SCREE_ALLOC(p->w, p->padded * p->wide, error);
    SCREE_ALLOC(p->t, p->at_once * p->wide, error);
    SCREE_ALLOC(p->t_thin, p->at_once * p->wide * p->element, error);
    SCREE_ALLOC(p->tables, p->at_once * SCREE__CALLS * p->element, error);
    SCREE_ALLOC(p->tiles, size->threads * TILE_VARIANTS * TILE_SAMPLES * p->element, error);
    *out = p;
    p = NULL;
done:
    scree__calls_product_free(p);
    return status;
}

void scree__calls_product_free(scree__calls_product *p)
{
    if (!p)
        return;
    free(p->q);
    free(p->w);
    free(p->t);
    free(p->t_thin);
    free(p->tables);
    free(p->tiles);
    free(p);
}

/* Rows (n×b) as panels of the type, n filled up with zeros to `rows`. */
static void split(const scree__calls_product *p, const double *x, int64_t n, int64_t rows, char *out)
{
    for (int64_t col = 0; col < p->width;) {
        const int64_t width = scree__panels_at(p->panels, col, p->width)->width;
        const scree__thin thin = {.x = x + col, .n = n, .ld = p->b};
        p->panels->split(&thin, p->b - col, width, out);
        memset(out + n * width * p->element, 0, (size_t)((rows - n) * width * p->element));
        out += rows * width * p->element;
        col += width;
    }
}

/* The other way round, doubles. */
static void join(const scree__calls_product *p, const double *panels, int64_t n, int64_t rows, double *x)
{
    for (int64_t col = 0; col < p->width;) {
        const int64_t width = scree__panels_at(p->panels, col, p->width)->width;
        for (int64_t i = 0; i < n; i++)
            for (int64_t l = 0; l < at_most(width, p->b - col); l++)
                x[i * p->b + col + l] = panels[i * width + l];
        panels += rows * width;
        col += width;
    }
}

void scree__calls_product_start(scree__calls_product *p, const double *q, int64_t b)
{
    p->b = b;
    p->width = scree__panels_padded(p->panels, b);
    split(p, q, p->size.samples, p->padded, p->q);
    memset(p->w, 0, (size_t)(p->padded * p->width) * sizeof *p->w);
}

static void narrow(const scree__calls_product *p, const double *x, int64_t n, char *out)
{
    if (p->size.type == SCREE_F32)
        for (int64_t i = 0; i < n; i++)
            ((float *)(void *)out)[i] = (float)x[i];
    else
        memcpy(out, x, (size_t)n * sizeof *x);
}

/* Brings the packed calls of a tile nearer, while another one is worked on. */
static void fetch(const scree__calls_product *p, int64_t variant, int64_t sample)
{
    const scree__calls_block *block = p->block;
    const int64_t end = at_most(variant + TILE_VARIANTS, block->variants);
    const int64_t from = sample / SCREE__CALLS;
    const int64_t to = at_most(from + TILE_SAMPLES / SCREE__CALLS, block->stride);
    for (int64_t v = variant; v < end; v++)
        for (int64_t at = from; at < to; at += LINE)
            __builtin_prefetch(block->packed + v * block->stride + at, 0, 3);
}

/* A tile of the block; its rows are filled up. */
static scree__panel_tile lay(const scree__calls_product *p, int64_t variant, int64_t sample, int worker)
{
    const scree__calls_block *block = p->block;
    const int64_t variants = at_most(TILE_VARIANTS, block->variants - variant);
    const int64_t samples = at_most(TILE_SAMPLES, filled(p->size.samples, SCREE__BLOCK) - sample);
    const int64_t rows = filled(variants, SCREE__BLOCK);
    char *tile = p->tiles + worker * TILE_VARIANTS * TILE_SAMPLES * p->element;
    const scree__calls_part part = {.packed = block->packed + variant * block->stride,
                                    .stride = block->stride,
                                    .variants = variants,
                                    .block = sample / SCREE__BLOCK,
                                    .blocks = samples / SCREE__BLOCK,
                                    .rows = rows,
                                    .apart = rows * SCREE__BLOCK};
    (p->size.type == SCREE_F32 ? scree__calls_lay_f32
                               : scree__calls_lay_f64)(&part, p->tables + variant * SCREE__CALLS * p->element, tile);
    return (scree__panel_tile){.c = tile, .apart = part.apart, .rows = rows, .cols = samples};
}

/* Task: some variants of T. */
static void forward(void *context, int64_t index, int worker)
{
    const scree__calls_product *p = context;
    const int64_t variant = index * TILE_VARIANTS;
    for (int64_t sample = 0; sample < p->size.samples; sample += TILE_SAMPLES) {
        const scree__panel_tile tile = lay(p, variant, sample, worker);
        fetch(p, variant, sample + TILE_SAMPLES);
        for (int64_t col = 0; col < p->width;) {
            const scree__panel_kind *kind = scree__panels_at(p->panels, col, p->width);
            kind->forward(&tile, p->q + (p->padded * col + sample * kind->width) * p->element,
                          p->t + p->at_once * col + variant * kind->width);
            col += kind->width;
        }
    }
}

/* Task: some samples of W. */
static void backward(void *context, int64_t index, int worker)
{
    const scree__calls_product *p = context;
    const int64_t sample = index * TILE_SAMPLES;
    for (int64_t variant = 0; variant < p->block->variants; variant += TILE_VARIANTS) {
        const scree__panel_tile tile = lay(p, variant, sample, worker);
        fetch(p, variant + TILE_VARIANTS, sample);
        for (int64_t col = 0; col < p->width;) {
            const scree__panel_kind *kind = scree__panels_at(p->panels, col, p->width);
            kind->backward(&tile, p->t_thin + (p->at_once * col + variant * kind->width) * p->element,
                           p->w + p->padded * col + sample * kind->width);
            col += kind->width;
        }
    }
}

static int threads_for(const scree__calls_product *p)
{
    return scree__threads_for(p->size.threads, (double)p->size.samples * (double)p->block->variants * (double)p->width);
}

void scree__calls_product_forward(scree__calls_product *p, const scree__calls_block *block, double *t)
{
    p->block = block;
    narrow(p, block->tables, block->variants * SCREE__CALLS, p->tables);
    memset(p->t, 0, (size_t)(p->at_once * p->width) * sizeof *p->t);
    scree__parallel(threads_for(p), (block->variants + TILE_VARIANTS - 1) / TILE_VARIANTS, forward, p);
    join(p, p->t, block->variants, p->at_once, t);
}

void scree__calls_product_backward(scree__calls_product *p, const scree__calls_block *block, const double *t)
{
    p->block = block;
    narrow(p, block->tables, block->variants * SCREE__CALLS, p->tables);
    split(p, t, block->variants, p->at_once, p->t_thin);
    scree__parallel(threads_for(p), p->padded / TILE_SAMPLES, backward, p);
}

void scree__calls_product_finish(scree__calls_product *p, double *w)
{
    join(p, p->w, p->size.samples, p->padded, w);
}
