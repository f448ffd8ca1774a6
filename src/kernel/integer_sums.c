/* SPDX-License-Identifier: BSD-3-Clause */
/* G = Σ x xᵀ and s = Σ x of bytes in 64-bit integers, which hold 2^47 products. L² operations for each of the depth, of
 * which an instruction does 32 to 128 (integer_kernel.h).
 *
 * Integers add up to the same in any order. Where memory allows, each thread has sums of its own and takes pieces of
 * the depth, which stay in its cache from packing to multiplying; else all threads share one pack and one sum, and a
 * task is some blocks of it. Sums are kept as blocks of 16×16, upper triangle only: block (i, j) stands at
 * iP - i(i-1)/2 + j-i of P panels. */

#include "kernel/integer_sums.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum {
    PANEL = SCREE__PANEL,
    BLOCK = SCREE__SQUARE,
    CHUNK = 1024,      /* of the depth, in a pack: less costs more additions of 64 bits, more leaves the cache */
    LONG_CHUNK = 2048, /* where the sums have left it anyway */
    SHORTEST = 64,
    STEP = 64,          /* of one call of pack: whole lines of the source stay near until all their panels are made */
    WIDEST = 2 * PANEL, /* bytes of a panel, for each of the depth: the most of any kernel, so that plans are alike */
    SEGMENT = 8         /* panels of a task, where threads share the sums */
};
static const int64_t PACK_BYTES = INT64_C(16) << 20;   /* many lines come in shorter chunks */
static const int64_t LANES_BYTES = INT64_C(128) << 20; /* for threads with sums of their own */
static const int64_t LANE_BYTES = INT64_C(12) << 20;   /* for each of them: what the cache may have for a thread */

/* The sums of one thread, or of all. */
struct scree__integer_lane {
    int64_t *sums;  /* blocks×BLOCK: Σ x_i (x_j - shift) */
    int64_t *lines; /* panels×PANEL: Σ x */
    char *packed;   /* panels×stride */
};

/* A part of the batch, in the pack of a lane. */
typedef struct chunk {
    const scree__integer_lane *lane;
    int64_t first;
    int64_t depth;
} chunk;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

scree__integer_shape scree__integer_shape_of(int64_t lines, int threads)
{
    scree__integer_shape s = {.panels = (lines + PANEL - 1) / PANEL, .depth = CHUNK};
    s.blocks = s.panels * (s.panels + 1) / 2;
    const int64_t sums = s.blocks * BLOCK * 8;
    if (sums > LANE_BYTES)
        s.depth = LONG_CHUNK;
    while (s.depth > SHORTEST && s.panels * s.depth * WIDEST > PACK_BYTES)
        s.depth /= 2;
    s.stride = s.depth * WIDEST;
    s.lanes = sums + s.panels * s.stride <= least(LANES_BYTES / threads, LANE_BYTES) ? threads : 1;
    return s;
}

int64_t scree__integer_sums_memory(int64_t lines, int threads)
{
    const scree__integer_shape s = scree__integer_shape_of(lines, threads);
    return s.lanes * (s.blocks * BLOCK * 8 + s.panels * (PANEL * 8 + s.stride));
}

scree_status scree__integer_sums_init(scree__integer_sums *w, int64_t lines, bool across, int threads,
                                      const char *kernel, scree_error *error)
{
    scree_status status = SCREE_OK;
    *w = (scree__integer_sums){.kernel = scree__integer_kernel_find(kernel),
                               .shape = scree__integer_shape_of(lines, threads),
                               .lines = lines,
                               .across = across,
                               .threads = threads};
    if (!w->kernel)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "this machine cannot run the kernel %s; leave the choice to scree",
                   kernel);
    w->shape.stride = w->shape.depth / w->kernel->group * w->kernel->bytes;
    SCREE_ALLOC(w->lane, w->shape.lanes, error);
    for (int64_t l = 0; l < w->shape.lanes; l++) {
        SCREE_ALLOC(w->lane[l].sums, w->shape.blocks * BLOCK, error);
        SCREE_ALLOC(w->lane[l].lines, w->shape.panels * PANEL, error);
        SCREE_ALLOC(w->lane[l].packed, w->shape.panels * w->shape.stride, error);
    }
done:
    return status;
}

void scree__integer_sums_clear(scree__integer_sums *w)
{
    for (int64_t l = 0; w->lane && l < w->shape.lanes; l++) {
        free(w->lane[l].sums);
        free(w->lane[l].lines);
        free(w->lane[l].packed);
    }
    free(w->lane);
    w->lane = NULL;
}

/* sums[j] += Σ x_ij over 16 columns and at most STEP rows. */
static void sum_columns(const uint8_t *x, int64_t stride, int64_t rows, int64_t *restrict sums)
{
    uint32_t part[PANEL] = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < PANEL; j++)
            part[j] += x[i * stride + j];
    for (int j = 0; j < PANEL; j++)
        sums[j] += part[j];
}

/* sums[j] += Σ x_ji over 16 rows and at most STEP columns. */
static void sum_rows(const uint8_t *x, int64_t stride, int64_t cols, int64_t *restrict sums)
{
    for (int j = 0; j < PANEL; j++) {
        uint32_t part = 0;
        for (int64_t i = 0; i < cols; i++)
            part += x[j * stride + i];
        sums[j] += part;
    }
}

/* Where the bytes of a step are: rows×cols of them; or in a copy, filled up with zeros, what is not a whole panel or
 * whole groups of the depth. */
typedef struct step {
    const uint8_t *x;
    int64_t stride;
    int64_t depth; /* filled up */
    uint8_t copy[STEP * PANEL];
} step;

static void find_step(const scree__integer_sums *w, int64_t first, int64_t depth, int64_t panel, step *s)
{
    const int64_t group = w->kernel->group;
    const int64_t lines = least(w->lines - panel * PANEL, PANEL);
    const int64_t row = w->across ? panel * PANEL : first;
    const int64_t col = w->across ? first : panel * PANEL;
    const int64_t rows = w->across ? lines : depth;
    const int64_t cols = w->across ? depth : lines;
    s->stride = w->batch->stride;
    s->x = (const uint8_t *)w->batch->data + row * s->stride + col;
    s->depth = (depth + group - 1) / group * group;
    if (lines == PANEL && s->depth == depth)
        return;
    const int64_t wide = w->across ? STEP : PANEL;
    memset(s->copy, 0, sizeof s->copy);
    for (int64_t i = 0; i < rows; i++)
        memcpy(s->copy + i * wide, s->x + i * s->stride, (size_t)cols);
    s->x = s->copy;
    s->stride = wide;
}

/* A panel of a step: at is where its depth begins in the chunk. */
static void pack_step(const scree__integer_sums *w, const chunk *c, int64_t at, int64_t panel)
{
    step s;
    find_step(w, c->first + at, least(c->depth - at, STEP), panel, &s);
    char *packed = c->lane->packed + panel * w->shape.stride + at / w->kernel->group * w->kernel->bytes;
    int64_t *sums = c->lane->lines + panel * PANEL;
    if (w->across) {
        sum_rows(s.x, s.stride, s.depth, sums);
        w->kernel->pack_across(s.x, s.stride, s.depth, packed);
    } else {
        sum_columns(s.x, s.stride, s.depth, sums);
        w->kernel->pack(s.x, s.stride, s.depth, packed);
    }
}

/* Bytes are read as they lie: a few whole rows, or rows from their beginning to their end. */
static void pack_panels(const scree__integer_sums *w, const chunk *c, int64_t from, int64_t to)
{
    const int64_t steps = (c->depth + STEP - 1) / STEP;
    for (int64_t i = 0; i < steps * (to - from); i++) {
        const int64_t at = w->across ? i % steps : i / (to - from);
        const int64_t panel = w->across ? i / steps : i % (to - from);
        pack_step(w, c, at * STEP, from + panel);
    }
}

static int64_t block_at(const scree__integer_sums *w, int64_t i, int64_t j)
{
    return (i * w->shape.panels - i * (i - 1) / 2 + j - i) * BLOCK;
}

/* Neighbours are taken together, as many as a kernel can: the first set is what is left over, so that the long ones are
 * whole. */
static int64_t set_count(const scree__integer_sums *w)
{
    return (w->shape.panels + SCREE__MOST_PANELS - 1) / SCREE__MOST_PANELS;
}

/* Panels i from .. to-1 times those of a set, upper triangle. */
static void multiply_set(const scree__integer_sums *w, const chunk *c, int64_t set, int64_t from, int64_t to)
{
    const int64_t end = w->shape.panels - (set_count(w) - 1 - set) * SCREE__MOST_PANELS;
    const int64_t start = end > SCREE__MOST_PANELS ? end - SCREE__MOST_PANELS : 0;
    for (int64_t i = from; i < least(to, end); i++) {
        const int64_t j = i > start ? i : start;
        const scree__integer_piece piece = {.a = c->lane->packed + i * w->shape.stride,
                                            .b = c->lane->packed + j * w->shape.stride,
                                            .stride = w->shape.stride,
                                            .panels = end - j,
                                            .groups = (c->depth + w->kernel->group - 1) / w->kernel->group,
                                            .sums = c->lane->sums + block_at(w, i, j)};
        w->kernel->multiply(&piece);
    }
}

/* Task: a piece of the batch, into the sums of the worker. */
static void add_piece(void *context, int64_t index, int worker)
{
    const scree__integer_sums *w = context;
    const int64_t first = index * w->piece;
    const chunk c = {&w->lane[worker], first, least(w->depth - first, w->piece)};
    if (c.depth <= 0)
        return;
    pack_panels(w, &c, 0, w->shape.panels);
    for (int64_t set = 0; set < set_count(w); set++)
        multiply_set(w, &c, set, 0, w->shape.panels);
}

/* Pieces as large as a pack holds, but as many for each thread. */
static void add_apart(scree__integer_sums *w)
{
    int64_t count = (w->depth + w->shape.depth - 1) / w->shape.depth;
    count = (count + w->threads - 1) / w->threads * w->threads;
    w->piece = ((w->depth + count - 1) / count + SHORTEST - 1) / SHORTEST * SHORTEST;
    scree__parallel(w->threads, count, add_piece, w);
}

static int64_t segment_count(const scree__integer_sums *w)
{
    return (w->shape.panels + SEGMENT - 1) / SEGMENT;
}

/* The common pack. */
static chunk common(const scree__integer_sums *w)
{
    return (chunk){&w->lane[0], w->first, least(w->depth - w->first, w->shape.depth)};
}

/* Task: some panels of the common pack. */
static void pack_segment(void *context, int64_t index, int worker)
{
    const scree__integer_sums *w = context;
    const chunk c = common(w);
    (void)worker;
    pack_panels(w, &c, index * SEGMENT, least((index + 1) * SEGMENT, w->shape.panels));
}

/* Task: some blocks of the common sums. */
static void multiply_segment(void *context, int64_t index, int worker)
{
    const scree__integer_sums *w = context;
    const chunk c = common(w);
    const int64_t segment = index % segment_count(w);
    (void)worker;
    multiply_set(w, &c, index / segment_count(w), segment * SEGMENT, (segment + 1) * SEGMENT);
}

static void add_together(scree__integer_sums *w)
{
    for (w->first = 0; w->first < w->depth; w->first += w->shape.depth) {
        scree__parallel(w->threads, segment_count(w), pack_segment, w);
        scree__parallel(w->threads, set_count(w) * segment_count(w), multiply_segment, w);
    }
}

void scree__integer_sums_add(scree__integer_sums *w, const scree__rows *x)
{
    w->batch = x;
    w->depth = w->across ? x->cols : x->rows;
    if (w->depth > 0 && w->shape.lanes == w->threads)
        add_apart(w);
    else
        add_together(w);
    w->batch = NULL;
}

const int64_t *scree__integer_sums_of_lines(scree__integer_sums *w)
{
    for (int64_t l = 1; l < w->shape.lanes; l++)
        for (int64_t j = 0; j < w->lines; j++)
            w->lane[0].lines[j] += w->lane[l].lines[j];
    return w->lane[0].lines;
}

void scree__integer_sums_join(scree__integer_sums *w, int64_t i)
{
    const int64_t *lines = w->lane[0].lines + i * PANEL;
    for (int64_t j = i; j < w->shape.panels; j++) {
        int64_t *sums = w->lane[0].sums + block_at(w, i, j);
        for (int64_t l = 1; l < w->shape.lanes; l++)
            for (int64_t at = 0; at < BLOCK; at++)
                sums[at] += w->lane[l].sums[block_at(w, i, j) + at];
        for (int64_t at = 0; at < BLOCK; at++)
            sums[at] += w->kernel->shift * lines[at / PANEL];
    }
}

const int64_t *scree__integer_sums_block(const scree__integer_sums *w, int64_t i, int64_t j)
{
    return w->lane[0].sums + block_at(w, i, j);
}

/* Numbers of all lanes, added up; read back they are those of the first. */
static void move_lanes(scree__integer_sums *w, bool of_lines, int64_t first, int64_t count, scree__snapshot *s)
{
    int64_t sums[BLOCK] = {0};
    for (int64_t l = 0; !s->reads && l < w->shape.lanes; l++)
        for (int64_t at = 0; at < count; at++)
            sums[at] += (of_lines ? w->lane[l].lines : w->lane[l].sums)[first + at];
    scree__snapshot_bytes(s, sums, count * (int64_t)sizeof *sums);
    for (int64_t at = 0; s->reads && s->status == SCREE_OK && at < count; at++)
        (of_lines ? w->lane[0].lines : w->lane[0].sums)[first + at] = sums[at];
}

void scree__integer_sums_move(scree__integer_sums *w, scree__snapshot *s)
{
    scree__snapshot_same(s, w->lines);
    scree__snapshot_same(s, w->across);
    scree__snapshot_same(s, w->kernel->shift);
    for (int64_t block = 0; block < w->shape.blocks; block++)
        move_lanes(w, false, block * BLOCK, BLOCK, s);
    for (int64_t panel = 0; panel < w->shape.panels; panel++)
        move_lanes(w, true, panel * PANEL, PANEL, s);
}
