/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean µ and scatter M = Σ(x-µ)(x-µ)ᵀ of N rows in one read: N D² flops.
 *
 * Rows are taken in chunks of fixed size. A chunk is centred by its own mean, so that no sum ever sees the size of the
 * data's mean, and joined to what came before by the pairwise formula of Chan, Golub and LeVeque (1983),
 *
 *     M_ab = M_a + M_b + w w ᵀ,   w = √(n_a n_b / (n_a + n_b)) (µ_b - µ_a),
 *
 * whose last term is simply one more row of the centred chunk: the whole update is a single SYRK.
 *
 * Chunks go in turn to a fixed number of lanes, each with a scatter of its own, cut into tiles; one task is one tile of
 * one lane. Lanes and tiles depend on D alone, and lanes are joined in order, so the result is the same bits for any
 * number of threads and any way the rows arrived. */

#include "kernel/moments.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum {
    CHUNK_ROWS = 512,
    TILE_COLS = 512,
    MOST_LANES = 16,
    MOST_CHUNKS = 32,
};
static const int64_t LANE_BYTES = INT64_C(33) << 20; /* scatter matrices of all lanes */
static const int64_t BATCH_BYTES = INT64_C(8) << 20; /* packed chunks that wait for their tiles */

typedef struct lane {
    int64_t rows;
    double *mean;    /* D */
    double *scatter; /* D×D, upper triangle */
} lane;

struct scree__moments {
    const scree__ops *ops;
    scree__moments_shape shape;
    int threads;
    int64_t cols;
    int64_t rows;
    int64_t chunks; /* seen so far: decides the lane of the next */
    bool failed;
    lane lanes[MOST_LANES];
    double *lane_memory;
    char *packed;     /* chunks of a batch, (chunk_rows+1)×D each: the last row is w */
    double *means;    /* of the chunks of a batch, D each */
    double *buffers;  /* D for each thread */
    char *scratch;    /* a tile for each thread */
    int64_t tile_max; /* elements of the largest tile */
    /* The batch at work. */
    const scree__rows *batch;
    int64_t batch_chunks;
};

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

scree__moments_shape scree__moments_plan(int64_t cols, const scree__ops *ops)
{
    scree__moments_shape s = {.chunk_rows = CHUNK_ROWS, .lanes = MOST_LANES};
    while (s.lanes > 1 && s.lanes * cols * cols * 8 > LANE_BYTES)
        s.lanes /= 2;
    int64_t chunk_bytes = (CHUNK_ROWS + 1) * cols * ops->size;
    int64_t chunks = at_least(s.lanes, BATCH_BYTES / at_least(chunk_bytes, 1));
    chunks = chunks > MOST_CHUNKS ? MOST_CHUNKS : chunks;
    s.batch_rows = chunks * CHUNK_ROWS;
    s.tiles = (cols + TILE_COLS - 1) / TILE_COLS;
    int64_t tile = (cols + s.tiles - 1) / at_least(s.tiles, 1);
    s.memory = s.lanes * (cols * cols + cols) * 8 + chunks * (chunk_bytes + cols * 8);
    s.memory_thread = cols * 8 + tile * tile * ops->size;
    return s;
}

scree_status scree__moments_new(scree__moments **out, int64_t cols, const scree__ops *ops, int threads,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__moments *m = NULL;
    SCREE_ALLOC(m, 1, error);
    m->ops = ops;
    m->shape = scree__moments_plan(cols, ops);
    m->threads = threads;
    m->cols = cols;
    int64_t tile = (cols + m->shape.tiles - 1) / at_least(m->shape.tiles, 1);
    m->tile_max = tile * tile;
    int64_t chunks = m->shape.batch_rows / m->shape.chunk_rows;
    SCREE_ALLOC(m->lane_memory, m->shape.lanes * (cols * cols + cols), error);
    SCREE_ALLOC(m->packed, chunks * (m->shape.chunk_rows + 1) * cols * ops->size, error);
    SCREE_ALLOC(m->means, chunks * cols, error);
    SCREE_ALLOC(m->buffers, threads * cols, error);
    SCREE_ALLOC(m->scratch, threads * m->tile_max * ops->size, error);
    for (int64_t l = 0; l < m->shape.lanes; l++) {
        m->lanes[l].mean = m->lane_memory + l * (cols * cols + cols);
        m->lanes[l].scatter = m->lanes[l].mean + cols;
    }
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
    free(m->lane_memory);
    free(m->packed);
    free(m->means);
    free(m->buffers);
    free(m->scratch);
    free(m);
}

static char *packed_chunk(const scree__moments *m, int64_t chunk)
{
    return m->packed + chunk * (m->shape.chunk_rows + 1) * m->cols * m->ops->size;
}

static scree__rows chunk_of(const scree__moments *m, int64_t chunk)
{
    int64_t first = chunk * m->shape.chunk_rows;
    int64_t left = m->batch->rows - first;
    return scree__rows_slice(m->batch, first, left < m->shape.chunk_rows ? left : m->shape.chunk_rows);
}

/* Task: the mean of a chunk, and its rows less that mean. */
static void centre_chunk(void *context, int64_t chunk, int worker)
{
    scree__moments *m = context;
    scree__rows x = chunk_of(m, chunk);
    double *mean = m->means + chunk * m->cols;
    double *buffer = m->buffers + worker * m->cols;
    memset(mean, 0, (size_t)m->cols * sizeof *mean);
    scree__rows_sum(&x, mean, buffer);
    for (int64_t j = 0; j < m->cols; j++)
        mean[j] /= (double)x.rows;
    m->ops->pack(&x, mean, NULL, packed_chunk(m, chunk), buffer);
}

/* Joins the mean of a chunk to its lane; the chunk's mean becomes w, its last packed row. */
static void join_mean(scree__moments *m, int64_t chunk)
{
    int64_t rows = chunk_of(m, chunk).rows;
    lane *into = &m->lanes[(m->chunks + chunk) % m->shape.lanes];
    double *mean = m->means + chunk * m->cols;
    double total = (double)(into->rows + rows);
    double weight = sqrt((double)into->rows * (double)rows / total);
    for (int64_t j = 0; j < m->cols; j++) {
        double step = mean[j] - into->mean[j];
        into->mean[j] += step * ((double)rows / total);
        mean[j] = weight * step;
    }
    into->rows += rows;
    m->ops->narrow(mean, m->cols, packed_chunk(m, chunk) + rows * m->cols * m->ops->size);
}

static int64_t tile_start(const scree__moments *m, int64_t tile)
{
    return tile * m->cols / m->shape.tiles;
}

/* Task: one tile of the upper triangle of one lane gains what this lane's chunks of the batch contribute. */
static void add_tile(void *context, int64_t index, int worker)
{
    scree__moments *m = context;
    int64_t lane_index = index % m->shape.lanes;
    int64_t pair = index / m->shape.lanes;
    int64_t row_tile = 0;
    while (pair >= m->shape.tiles - row_tile)
        pair -= m->shape.tiles - row_tile++;
    int64_t i = tile_start(m, row_tile);
    int64_t j = tile_start(m, row_tile + pair);
    for (int64_t c = 0; c < m->batch_chunks; c++) {
        if ((m->chunks + c) % m->shape.lanes != lane_index)
            continue;
        const char *packed = packed_chunk(m, c);
        scree__tile tile = {
            .a = packed + i * m->ops->size,
            .b = packed + j * m->ops->size,
            .lda = m->cols,
            .ldb = m->cols,
            .m = tile_start(m, row_tile + 1) - i,
            .n = tile_start(m, row_tile + pair + 1) - j,
            .k = chunk_of(m, c).rows + 1,
            .acc = m->lanes[lane_index].scatter + i * m->cols + j,
            .ldacc = m->cols,
            .scratch = m->scratch + worker * m->tile_max * m->ops->size,
        };
        if (m->ops->inner(&tile) != 0)
            __atomic_store_n(&m->failed, true, __ATOMIC_RELAXED);
    }
}

scree_status scree__moments_add(scree__moments *m, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    m->batch = x;
    m->batch_chunks = (x->rows + m->shape.chunk_rows - 1) / m->shape.chunk_rows;
    scree__parallel(m->threads, m->batch_chunks, centre_chunk, m);
    for (int64_t i = 0; i < m->batch_chunks * m->cols; i++)
        if (!isfinite(m->means[i]))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large");
    for (int64_t c = 0; c < m->batch_chunks; c++)
        join_mean(m, c);
    scree__parallel(m->threads, m->shape.lanes * m->shape.tiles * (m->shape.tiles + 1) / 2, add_tile, m);
    if (m->failed)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns", (long long)m->cols);
    m->chunks += m->batch_chunks;
    m->rows += x->rows;
done:
    m->batch = NULL;
    return status;
}

typedef struct joining {
    lane *into;
    const lane *from;
    int64_t cols;
    double weight;
} joining;

/* Task: row i of M_a + M_b + n_a n_b/n (µ_b - µ_a)(µ_b - µ_a)ᵀ. */
static void join_row(void *context, int64_t i, int worker)
{
    const joining *join = context;
    (void)worker;
    double step = join->from->mean[i] - join->into->mean[i];
    double *into = join->into->scatter + i * join->cols;
    const double *from = join->from->scatter + i * join->cols;
    for (int64_t j = i; j < join->cols; j++)
        into[j] += from[j] + join->weight * step * (join->from->mean[j] - join->into->mean[j]);
}

static void join_lanes(scree__moments *m, lane *into, const lane *from)
{
    if (from->rows == 0)
        return;
    double total = (double)(into->rows + from->rows);
    joining join = {into, from, m->cols, (double)into->rows * (double)from->rows / total};
    scree__parallel(m->threads, m->cols, join_row, &join);
    for (int64_t j = 0; j < m->cols; j++)
        into->mean[j] += (from->mean[j] - into->mean[j]) * ((double)from->rows / total);
    into->rows += from->rows;
}

void scree__moments_finish(scree__moments *m, int64_t *rows, const double **mean, double **scatter)
{
    lane *all = &m->lanes[0];
    for (int64_t l = 1; l < m->shape.lanes; l++)
        join_lanes(m, all, &m->lanes[l]);
    for (int64_t i = 0; i < m->cols; i++)
        for (int64_t j = 0; j < i; j++)
            all->scatter[i * m->cols + j] = all->scatter[j * m->cols + i];
    *rows = m->rows;
    *mean = all->mean;
    *scatter = all->scatter;
}

/* Double: |ΔM| ≤ γ Σ|x-µ||x-µ|ᵀ with γ the longest chain of additions times the unit round-off (Higham 2002, 3.1), and
 * ‖Σ|x-µ||x-µ|ᵀ‖ ≤ tr M. Float: chains end with the chunk, and errors of different chunks are taken as independent with
 * mean zero (Higham and Mary 2019), at eight standard deviations. */
double scree__moments_rounding(const scree__moments *m)
{
    double chain = (double)(m->rows < m->shape.chunk_rows ? m->rows : m->shape.chunk_rows) + 1;
    double chunks = (double)at_least(m->chunks, 1);
    double lanes = (double)m->shape.lanes;
    double of_sums = (chain + chunks / lanes + lanes + 4) * 0x1p-53;
    return m->ops->type == SCREE_F32 ? of_sums + 8 * sqrt(chain / chunks) * 0x1p-24 : of_sums;
}
