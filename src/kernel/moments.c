/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean µ and scatter M = Σ(x-µ)(x-µ)ᵀ of N rows in one read, without cancellation (centred.c): N D² flops, or the
 * diagonal of M alone in 2 N D.
 *
 * Each lane has a scatter of its own, cut into tiles; one task is one lane, or one tile of it, over the lane's chunks
 * in order. Tiles and lanes depend on D alone: the same bits for any number of threads. What a batch has for a lane is
 * gathered in the type of the rows before the scatter, in double, gains it: a few chunks, so that nothing is lost. */

#include "kernel/moments.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <string.h>

enum { TILE_COLS = 512, MIRROR = 64 };

struct scree__moments {
    scree__centred rows;
    bool diagonal;
    int64_t cols;
    int64_t tiles;   /* the scatter is tiles×tiles tiles */
    int64_t size;    /* doubles of a scatter */
    double *scatter; /* of each lane; the upper triangle, or the diagonal */
    char *scratch;   /* for each thread */
    int64_t scratch_size;
    double *w;
    bool failed;
};

static int64_t scatter_size(int64_t cols, bool diagonal)
{
    return diagonal ? cols : cols * cols;
}

static int64_t tile_count(int64_t cols)
{
    return (cols + TILE_COLS - 1) / TILE_COLS;
}

static int64_t largest_tile(int64_t cols)
{
    int64_t side = (cols + tile_count(cols) - 1) / tile_count(cols);
    return side * side;
}

static scree__centred shape(int64_t cols, bool diagonal, const scree__ops *ops)
{
    return scree__centred_shape(cols, scatter_size(cols, diagonal) * 8, ops);
}

/* Bytes for each thread: a row of doubles, all tiles of a lane, or, where lanes are too large to go whole, one tile. */
static int64_t scratch_size(int64_t cols, bool diagonal, const scree__ops *ops)
{
    if (diagonal)
        return cols * 8;
    return (shape(cols, false, ops).lanes > 1 ? cols * cols : largest_tile(cols)) * ops->scratch;
}

int64_t scree__moments_rows(int64_t cols, bool diagonal, const scree__ops *ops)
{
    return shape(cols, diagonal, ops).batch_rows;
}

int64_t scree__moments_memory(int64_t cols, bool diagonal, const scree__ops *ops, int threads)
{
    scree__centred c = shape(cols, diagonal, ops);
    return scree__centred_memory(&c) + c.lanes * scatter_size(cols, diagonal) * 8 +
           threads * scratch_size(cols, diagonal, ops);
}

/* Task: a lane's scatter is zero; pages are made by several threads. */
static void clear_lane(void *context, int64_t lane, int worker)
{
    scree__moments *m = context;
    (void)worker;
    memset(m->scatter + lane * m->size, 0, (size_t)m->size * sizeof *m->scatter);
}

scree_status scree__moments_new(scree__moments **out, int64_t cols, bool diagonal, const scree__ops *ops, int threads,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__moments *m = NULL;
    SCREE_ALLOC(m, 1, error);
    m->rows = shape(cols, diagonal, ops);
    m->diagonal = diagonal;
    m->cols = cols;
    m->tiles = tile_count(cols);
    m->scratch_size = scratch_size(cols, diagonal, ops);
    m->size = scatter_size(cols, diagonal);
    SCREE_TRY(scree__centred_start(&m->rows, threads, error));
    m->scatter = scree__alloc_raw(m->rows.lanes * m->size, sizeof *m->scatter);
    m->scratch = scree__alloc_raw(threads * m->scratch_size, 1);
    if (!m->scatter || !m->scratch)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a scatter of %lld columns is too large", (long long)cols);
    scree__parallel(threads, m->rows.lanes, clear_lane, m);
    SCREE_ALLOC(m->w, cols, error);
    *out = m;
    m = NULL;
done:
    scree__moments_free(m);
    return status;
}

void scree__moments_free(scree__moments *m)
{
    if (!m)
        return;
    scree__centred_clear(&m->rows);
    free(m->scatter);
    free(m->scratch);
    free(m->w);
    free(m);
}

static int64_t tile_start(const scree__moments *m, int64_t tile)
{
    return tile * m->cols / m->tiles;
}

/* What a task works on: a chunk of the batch, where it stands, who works, and whether on all tiles of a lane. */
typedef struct at_work {
    int64_t chunk;
    int64_t place;
    int worker;
    bool whole;
} at_work;

/* One tile of a lane's scatter gains what one chunk contributes, in scratch until the last chunk of the batch. */
static void add_chunk(scree__moments *m, at_work at, int64_t row_tile, int64_t col_tile)
{
    const int64_t size = m->rows.ops->size;
    const int64_t i = tile_start(m, row_tile);
    const int64_t j = tile_start(m, col_tile);
    const char *packed = scree__centred_chunk(&m->rows, at.place);
    char *scratch = m->scratch + at.worker * m->scratch_size;
    scree__tile tile = {
        .a = packed + i * size,
        .b = packed + j * size,
        .lda = m->cols,
        .ldb = m->cols,
        .m = tile_start(m, row_tile + 1) - i,
        .n = tile_start(m, col_tile + 1) - j,
        .k = scree__centred_chunk_rows(&m->rows, at.chunk),
        .acc = m->scatter + scree__centred_chunk_lane(&m->rows, at.chunk) * m->size + i * m->cols + j,
        .ldacc = m->cols,
        .scratch =
            scratch + (at.whole ? i * m->cols + (tile_start(m, row_tile + 1) - i) * j : 0) * m->rows.ops->scratch,
        .more = at.chunk >= m->rows.lanes,
        .waits = at.chunk + m->rows.lanes < m->rows.batch_chunks,
    };
    if (m->rows.ops->inner(&tile) != 0)
        __atomic_store_n(&m->failed, true, __ATOMIC_RELAXED);
}

/* Task: a tile of the upper triangle of a lane. */
static void add_tile(void *context, int64_t index, int worker)
{
    scree__moments *m = context;
    const int64_t lane = index % m->rows.lanes;
    int64_t pair = index / m->rows.lanes;
    int64_t row_tile = 0;
    while (pair >= m->tiles - row_tile)
        pair -= m->tiles - row_tile++;
    for (int64_t chunk = 0; chunk < m->rows.batch_chunks; chunk++)
        if (scree__centred_chunk_lane(&m->rows, chunk) == lane)
            add_chunk(m, (at_work){chunk, chunk, worker, false}, row_tile, row_tile + pair);
}

static void add_diagonal(scree__moments *m, at_work at)
{
    const scree__rows packed = {scree__centred_chunk(&m->rows, at.place),
                                m->rows.ops->type,
                                scree__centred_chunk_rows(&m->rows, at.chunk),
                                m->cols,
                                m->cols,
                                NULL};
    scree__rows_squares(&packed, m->scatter + scree__centred_chunk_lane(&m->rows, at.chunk) * m->size,
                        (double *)(void *)(m->scratch + at.worker * m->scratch_size));
}

/* Task: a whole lane, from its rows to its scatter. */
static void add_lane(void *context, int64_t lane, int worker)
{
    scree__moments *m = context;
    for (int64_t chunk = 0; chunk < m->rows.batch_chunks; chunk++) {
        const at_work at = {chunk, lane, worker, true};
        if (scree__centred_chunk_lane(&m->rows, chunk) != lane)
            continue;
        if (!scree__centred_next(&m->rows, chunk, lane))
            return;
        if (m->diagonal)
            add_diagonal(m, at);
        for (int64_t i = 0; !m->diagonal && i < m->tiles; i++)
            for (int64_t j = i; j < m->tiles; j++)
                add_chunk(m, at, i, j);
    }
}

/* Whole lanes keep a chunk in the cache from centring to multiplying, but there may be too few of them to go round. The
 * sums are the same either way. */
static bool goes_by_lanes(const scree__moments *m)
{
    return m->diagonal ||
           (m->rows.lanes > 1 && (m->rows.lanes % m->rows.threads == 0 || m->rows.lanes >= 4 * m->rows.threads));
}

static scree_status add_batch(scree__moments *m, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (goes_by_lanes(m)) {
        scree__centred_begin(&m->rows, x);
        scree__parallel(m->rows.threads, m->rows.lanes, add_lane, m);
        SCREE_TRY(scree__centred_outcome(&m->rows, error));
    } else {
        SCREE_TRY(scree__centred_take(&m->rows, x, error));
        scree__parallel(m->rows.threads, m->rows.lanes * m->tiles * (m->tiles + 1) / 2, add_tile, m);
    }
done:
    return status;
}

scree_status scree__moments_add(scree__moments *m, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__blas_enter();
    status = add_batch(m, x, error);
    scree__blas_leave();
    scree__centred_done(&m->rows);
    if (status == SCREE_OK && m->failed)
        status = scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                             (long long)m->cols);
    return status;
}

typedef struct joining {
    double *into;
    const double *from;
    const double *w;
    int64_t cols;
} joining;

/* Task: row i of the upper triangle of M_a + M_b + w wᵀ. */
static void join_row(void *context, int64_t i, int worker)
{
    const joining *j = context;
    (void)worker;
    for (int64_t col = i; col < j->cols; col++)
        j->into[i * j->cols + col] += j->from[i * j->cols + col] + j->w[i] * j->w[col];
}

/* Task: a band of rows of the lower triangle, copied from the upper one tile by tile. */
static void mirror_band(void *context, int64_t band, int worker)
{
    const joining *j = context;
    (void)worker;
    const int64_t first = band * MIRROR;
    const int64_t end = first + MIRROR < j->cols ? first + MIRROR : j->cols;
    for (int64_t left = 0; left <= first; left += MIRROR)
        for (int64_t i = first; i < end; i++)
            for (int64_t col = left; col < i && col < left + MIRROR; col++)
                j->into[i * j->cols + col] = j->into[col * j->cols + i];
}

void scree__moments_finish(scree__moments *m, int64_t *rows, double **mean, double **scatter)
{
    joining j = {m->scatter, NULL, m->w, m->cols};
    for (int64_t lane = 1; lane < m->rows.lanes; lane++) {
        if (!scree__centred_join(&m->rows, 0, lane, m->w))
            continue;
        j.from = m->scatter + lane * m->size;
        if (!m->diagonal)
            scree__parallel(m->rows.threads, m->cols, join_row, &j);
        for (int64_t i = 0; m->diagonal && i < m->cols; i++)
            j.into[i] += j.from[i] + m->w[i] * m->w[i];
    }
    if (!m->diagonal)
        scree__parallel(m->rows.threads, (m->cols + MIRROR - 1) / MIRROR, mirror_band, &j);
    *rows = m->rows.rows;
    *mean = scree__centred_mean(&m->rows);
    *scatter = m->scatter;
}

double scree__moments_weight(const scree__moments *m)
{
    return scree__centred_weight(&m->rows);
}

double scree__moments_rounding(const scree__moments *m)
{
    return scree__centred_rounding(&m->rows);
}
