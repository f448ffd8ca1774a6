/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean and scatter of N rows of bytes without any error but a last rounding: with s = Σx and G = Σxxᵀ in 64-bit
 * integers (enough for 2^47 rows),
 *
 *     µ = s/N,   Σ(x-µ)(x-µ)ᵀ/divisor = (N G - s sᵀ) / (N divisor),
 *
 * the numerator in 128 bits and the quotient rounded once (integer_quotient.h). N D² operations, of which an
 * instruction does 128 (integer_kernel.h).
 *
 * Integers add up to the same in any order. Where memory allows, each thread has sums of its own and takes pieces of
 * rows, which stay in its cache from packing to multiplying; else all threads share one pack and one sum, and a task is
 * some blocks of it. Sums are kept as blocks of 16×16, upper triangle only: block (i, j) stands at iP - i(i-1)/2 + j-i
 * of P panels. */

#include "kernel/integer.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/integer_kernel.h"
#include "kernel/integer_quotient.h"

#include <string.h>

enum {
    PANEL = SCREE__PANEL,
    BLOCK = SCREE__BLOCK,
    CHUNK_ROWS = 1024, /* of a pack: fewer cost more additions of 64 bits, more leave the cache */
    FEWEST_ROWS = 64,
    STEP_ROWS = 64,     /* of one call of pack: whole lines of the source stay near until all their panels are made */
    WIDEST = 2 * PANEL, /* bytes of a row of a panel: the most that a kernel takes, so that plans are the same */
    SEGMENT = 8         /* panels of a task, where threads share the sums */
};
static const int64_t PACK_BYTES = INT64_C(16) << 20;   /* wide rows come in chunks of fewer */
static const int64_t LANES_BYTES = INT64_C(128) << 20; /* for threads with sums of their own */
static const int64_t BATCH_BYTES = INT64_C(4) << 20;   /* rows to ask for at a time */

/* What follows from the number of columns and of threads. */
typedef struct shape {
    int64_t panels;
    int64_t blocks; /* of a sum */
    int64_t pack_rows;
    int64_t stride; /* bytes of a panel of a pack */
    int64_t lanes;  /* sums, each with a pack: one for each thread, or one */
} shape;

/* The sums of one thread, or of all. */
typedef struct lane {
    int64_t *sums;    /* blocks×BLOCK: Σ x_i (x_j - shift) */
    int64_t *columns; /* panels×PANEL: Σ x */
    char *packed;     /* panels×stride */
} lane;

/* Rows of the batch, in the pack of a lane. */
typedef struct chunk {
    const lane *lane;
    int64_t first;
    int64_t rows;
} chunk;

struct scree__integer {
    const scree__integer_kernel *kernel;
    shape shape;
    int64_t cols;
    int threads;
    int64_t rows;
    lane *lane;
    double *mean;
    double *scatter;
    /* At work. */
    const scree__rows *batch;
    int64_t piece; /* rows of a piece of the batch */
    chunk one;     /* where all threads work on one */
    int64_t divisor;
};

static shape shape_of(int64_t cols, int threads)
{
    shape s = {.panels = (cols + PANEL - 1) / PANEL, .pack_rows = CHUNK_ROWS};
    s.blocks = s.panels * (s.panels + 1) / 2;
    while (s.pack_rows > FEWEST_ROWS && s.panels * s.pack_rows * WIDEST > PACK_BYTES)
        s.pack_rows /= 2;
    s.stride = s.pack_rows * WIDEST;
    s.lanes = s.blocks * BLOCK * 8 + s.panels * s.stride <= LANES_BYTES / threads ? threads : 1;
    return s;
}

int64_t scree__integer_rows(int64_t cols, int threads)
{
    const shape s = shape_of(cols, threads);
    const int64_t chunks = BATCH_BYTES / (cols * s.pack_rows);
    return (chunks > s.lanes ? chunks : s.lanes) * s.pack_rows;
}

int64_t scree__integer_memory(int64_t cols, int threads)
{
    const shape s = shape_of(cols, threads);
    return s.lanes * (s.blocks * BLOCK * 8 + s.panels * (PANEL * 8 + s.stride)) + 8 * cols * (cols + 1);
}

scree_status scree__integer_new(scree__integer **out, int64_t cols, int threads, const char *kernel, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__integer *w = NULL;
    SCREE_ALLOC(w, 1, error);
    w->kernel = scree__integer_kernel_find(kernel);
    if (!w->kernel)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "this machine cannot run the kernel %s; leave the choice to scree",
                   kernel);
    w->shape = shape_of(cols, threads);
    w->shape.stride = w->shape.pack_rows / w->kernel->group * w->kernel->bytes;
    w->cols = cols;
    w->threads = threads;
    SCREE_ALLOC(w->lane, w->shape.lanes, error);
    for (int64_t l = 0; l < w->shape.lanes; l++) {
        SCREE_ALLOC(w->lane[l].sums, w->shape.blocks * BLOCK, error);
        SCREE_ALLOC(w->lane[l].columns, w->shape.panels * PANEL, error);
        SCREE_ALLOC(w->lane[l].packed, w->shape.panels * w->shape.stride, error);
    }
    SCREE_ALLOC(w->mean, cols, error);
    SCREE_ALLOC(w->scatter, cols * cols, error);
    *out = w;
    w = NULL;
done:
    scree__integer_free(w);
    return status;
}

void scree__integer_free(scree__integer *w)
{
    if (!w)
        return;
    for (int64_t l = 0; w->lane && l < w->shape.lanes; l++) {
        free(w->lane[l].sums);
        free(w->lane[l].columns);
        free(w->lane[l].packed);
    }
    free(w->lane);
    free(w->mean);
    free(w->scatter);
    free(w);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* sums[j] += Σ x_ij over 16 columns and at most STEP_ROWS rows. */
static void sum_columns(const uint8_t *x, int64_t stride, int64_t rows, int64_t *restrict sums)
{
    uint32_t part[PANEL] = {0};
    for (int64_t i = 0; i < rows; i++)
        for (int j = 0; j < PANEL; j++)
            part[j] += x[i * stride + j];
    for (int j = 0; j < PANEL; j++)
        sums[j] += part[j];
}

/* Some rows of a panel. Where rows or columns are missing, a copy filled up with zeros is packed. */
static void pack_step(const scree__integer *w, const chunk *c, int64_t at, int64_t panel)
{
    uint8_t whole[STEP_ROWS * PANEL];
    const int64_t group = w->kernel->group;
    const int64_t cols = least(w->cols - panel * PANEL, PANEL);
    const uint8_t *x = (const uint8_t *)w->batch->data + (c->first + at) * w->batch->stride + panel * PANEL;
    int64_t stride = w->batch->stride;
    int64_t rows = least(c->rows - at, STEP_ROWS);
    if (cols < PANEL || rows % group != 0) {
        memset(whole, 0, sizeof whole);
        for (int64_t i = 0; i < rows; i++)
            memcpy(whole + i * PANEL, x + i * stride, (size_t)cols);
        x = whole;
        stride = PANEL;
        rows = (rows + group - 1) / group * group;
    }
    sum_columns(x, stride, rows, c->lane->columns + panel * PANEL);
    w->kernel->pack(x, stride, rows, c->lane->packed + panel * w->shape.stride + at / group * w->kernel->bytes);
}

static void pack_panels(const scree__integer *w, const chunk *c, int64_t from, int64_t to)
{
    for (int64_t at = 0; at < c->rows; at += STEP_ROWS)
        for (int64_t panel = from; panel < to; panel++)
            pack_step(w, c, at, panel);
}

static int64_t block_at(const scree__integer *w, int64_t i, int64_t j)
{
    return i * w->shape.panels - i * (i - 1) / 2 + j - i;
}

/* Neighbours are taken together, as many as a kernel can: the first set is what is left over, so that the long ones are
 * whole. */
static int64_t set_count(const scree__integer *w)
{
    return (w->shape.panels + SCREE__MOST_PANELS - 1) / SCREE__MOST_PANELS;
}

/* Panels i from .. to-1 times those of a set, upper triangle. */
static void multiply_set(const scree__integer *w, const chunk *c, int64_t set, int64_t from, int64_t to)
{
    const int64_t end = w->shape.panels - (set_count(w) - 1 - set) * SCREE__MOST_PANELS;
    const int64_t start = end > SCREE__MOST_PANELS ? end - SCREE__MOST_PANELS : 0;
    for (int64_t i = from; i < least(to, end); i++) {
        const int64_t j = i > start ? i : start;
        const scree__integer_piece piece = {.a = c->lane->packed + i * w->shape.stride,
                                            .b = c->lane->packed + j * w->shape.stride,
                                            .stride = w->shape.stride,
                                            .panels = end - j,
                                            .groups = (c->rows + w->kernel->group - 1) / w->kernel->group,
                                            .sums = c->lane->sums + block_at(w, i, j) * BLOCK};
        w->kernel->multiply(&piece);
    }
}

/* Task: a piece of the batch, into the sums of the worker. */
static void add_piece(void *context, int64_t index, int worker)
{
    const scree__integer *w = context;
    const int64_t first = index * w->piece;
    const chunk c = {&w->lane[worker], first, least(w->batch->rows - first, w->piece)};
    if (c.rows <= 0)
        return;
    pack_panels(w, &c, 0, w->shape.panels);
    for (int64_t set = 0; set < set_count(w); set++)
        multiply_set(w, &c, set, 0, w->shape.panels);
}

/* Pieces as large as a pack holds, but as many for each thread. */
static void add_apart(scree__integer *w)
{
    const int64_t rows = w->batch->rows;
    int64_t count = (rows + w->shape.pack_rows - 1) / w->shape.pack_rows;
    count = (count + w->threads - 1) / w->threads * w->threads;
    w->piece = ((rows + count - 1) / count + FEWEST_ROWS - 1) / FEWEST_ROWS * FEWEST_ROWS;
    scree__parallel(w->threads, count, add_piece, w);
}

static int64_t segment_count(const scree__integer *w)
{
    return (w->shape.panels + SEGMENT - 1) / SEGMENT;
}

/* Task: some panels of the common pack. */
static void pack_segment(void *context, int64_t index, int worker)
{
    const scree__integer *w = context;
    (void)worker;
    pack_panels(w, &w->one, index * SEGMENT, least((index + 1) * SEGMENT, w->shape.panels));
}

/* Task: some blocks of the common sums. */
static void multiply_segment(void *context, int64_t index, int worker)
{
    const scree__integer *w = context;
    const int64_t segment = index % segment_count(w);
    (void)worker;
    multiply_set(w, &w->one, index / segment_count(w), segment * SEGMENT, (segment + 1) * SEGMENT);
}

static void add_together(scree__integer *w)
{
    for (int64_t first = 0; first < w->batch->rows; first += w->shape.pack_rows) {
        w->one = (chunk){&w->lane[0], first, least(w->batch->rows - first, w->shape.pack_rows)};
        scree__parallel(w->threads, segment_count(w), pack_segment, w);
        scree__parallel(w->threads, set_count(w) * segment_count(w), multiply_segment, w);
    }
}

void scree__integer_add(scree__integer *w, const scree__rows *x)
{
    if (x->rows == 0)
        return;
    w->batch = x;
    if (w->shape.lanes == w->threads)
        add_apart(w);
    else
        add_together(w);
    w->batch = NULL;
    w->rows += x->rows;
}

/* Task: row i of the blocks; what all lanes have, as doubles in both triangles. */
static void finish_blocks(void *context, int64_t i, int worker)
{
    const scree__integer *w = context;
    const scree__wide n = w->rows;
    const int64_t *s = w->lane[0].columns;
    (void)worker;
    for (int64_t j = i; j < w->shape.panels; j++) {
        int64_t *sums = w->lane[0].sums + block_at(w, i, j) * BLOCK;
        for (int64_t l = 1; l < w->shape.lanes; l++)
            for (int64_t at = 0; at < BLOCK; at++)
                sums[at] += w->lane[l].sums[block_at(w, i, j) * BLOCK + at];
        for (int64_t at = 0; at < BLOCK; at++) {
            const int64_t row = i * PANEL + at / PANEL;
            const int64_t col = j * PANEL + at % PANEL;
            if (row >= w->cols || col >= w->cols)
                continue;
            const int64_t gram = sums[at] + w->kernel->shift * s[row];
            const double value = scree__quotient(n * gram - (scree__wide)s[row] * s[col], n * w->divisor);
            w->scatter[row * w->cols + col] = value;
            w->scatter[col * w->cols + row] = value;
        }
    }
}

void scree__integer_finish(scree__integer *w, int64_t divisor, double **mean, double **scatter)
{
    int64_t *s = w->lane[0].columns;
    w->divisor = divisor;
    for (int64_t j = 0; j < w->cols && w->rows > 0; j++) {
        for (int64_t l = 1; l < w->shape.lanes; l++)
            s[j] += w->lane[l].columns[j];
        w->mean[j] = scree__quotient(s[j], w->rows);
    }
    if (w->rows > 0)
        scree__parallel(w->threads, w->shape.panels, finish_blocks, w);
    *mean = w->mean;
    *scatter = w->scatter;
}
