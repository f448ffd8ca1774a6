/* SPDX-License-Identifier: BSD-3-Clause */
/* Mean µ and scatter M = Σ(x-µ)(x-µ)ᵀ of N rows in one read, without cancellation (chunk.c): N D² flops, or the
 * diagonal of M alone in 2 N D.
 *
 * Rows are cut into chunks, chunks into groups, and groups go in turn to lanes, each with a mean and a scatter of its
 * own, joined in order at the end. All of these depend on D and the type alone, and how threads share them
 * (moments_groups.c) changes no operation: the same bits for any number of threads. Float products are gathered in
 * float for the few chunks of a group, so that nothing is lost. */

#include "kernel/moments.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "kernel/moments_groups.h"

#include <math.h>
#include <string.h>

enum { TILE_COLS = 512, MIRROR = 64, MOST_LANES = 16, GROUP = 4, MOST_CHUNKS = 32, MOST_HELD = 8 };

static const int64_t MEGABYTE = INT64_C(1) << 20;
static const int64_t LANES_BYTES = INT64_C(33) << 20;    /* of all lanes */
static const int64_t GROUP_BYTES = INT64_C(1) << 20;     /* packed, of rows whose chunks fit a cache */
static const int64_t WIDE_BYTES = INT64_C(16) << 20;     /* packed, of others */
static const int64_t BATCH_BYTES = INT64_C(29) << 20;    /* packed groups of a batch, where they are not wide */
static const int64_t NARROW_BYTES = INT64_C(4) << 20;    /* a scatter that each thread may have */
static const int64_t SCRATCH_BYTES = INT64_C(256) << 20; /* of all threads, if each has one */
static const int64_t HELD_BYTES = INT64_C(128) << 20;    /* packed groups whose tiles are shared */

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t share(int64_t count, int64_t each)
{
    return (count + each - 1) / each;
}

/* Functions of the columns and the type. */
static void shape_rows(scree__moments *m)
{
    const bool narrow = m->diagonal || m->cols * m->cols * m->ops->size <= NARROW_BYTES;
    m->size = m->diagonal ? m->cols : m->cols * m->cols;
    m->chunk_rows = scree__chunk_rows(m->cols * m->ops->size);
    m->strip_cols = m->cols;
    if (m->diagonal)
        m->strip_cols = at_most(m->cols, MEGABYTE / (m->chunk_rows * m->ops->size) / 64 * 64);
    m->strips = share(m->cols, m->strip_cols);
    m->tiles = share(m->cols, TILE_COLS);
    m->pairs = m->tiles * (m->tiles + 1) / 2;
    for (m->lanes = MOST_LANES; m->lanes > 1 && m->lanes > LANES_BYTES / (m->size * 8);)
        m->lanes /= 2;
    const int64_t chunk_bytes = (m->chunk_rows + 1) * m->cols * m->ops->size;
    m->group_chunks = narrow ? at_least(2, GROUP_BYTES / chunk_bytes) : at_least(1, WIDE_BYTES / chunk_bytes);
    m->group_chunks = at_most(m->group_chunks, GROUP);
    const int64_t group_bytes = m->group_chunks * chunk_bytes;
    m->batch_groups = at_most(MOST_CHUNKS / m->group_chunks, (narrow ? BATCH_BYTES : WIDE_BYTES) / group_bytes);
    m->batch_groups = at_least(1, m->batch_groups);
}

/* How threads share them. */
static void shape_work(scree__moments *m, int threads)
{
    const int64_t all = m->cols * m->cols * m->ops->size;
    const int64_t group_bytes = m->group_chunks * scree__moments_chunk_bytes(m);
    m->threads = threads;
    m->by_groups = m->diagonal || (all <= NARROW_BYTES && threads <= SCRATCH_BYTES / all);
    m->held = at_most(at_most(MOST_HELD, threads / 2), HELD_BYTES / group_bytes);
    m->held = m->by_groups ? 0 : at_least(m->held, m->batch_groups);
    const int64_t side = share(m->cols, m->tiles);
    m->scratch_size = m->diagonal ? 2 * m->strip_cols * 8 : m->by_groups ? all : side * side * m->ops->size;
}

static scree__moments shape(int64_t cols, bool diagonal, const scree__ops *ops, int threads)
{
    scree__moments m = {.ops = ops, .cols = cols, .diagonal = diagonal};
    shape_rows(&m);
    shape_work(&m, threads);
    return m;
}

static int64_t places(const scree__moments *m)
{
    return m->by_groups ? m->threads : m->held * m->group_chunks;
}

static int64_t group_places(const scree__moments *m)
{
    return m->by_groups ? m->threads : m->held;
}

int64_t scree__moments_rows(int64_t cols, bool diagonal, const scree__ops *ops)
{
    const scree__moments m = shape(cols, diagonal, ops, 1);
    return m.batch_groups * scree__moments_group_rows(&m);
}

int64_t scree__moments_step(int64_t cols, const scree__ops *ops)
{
    const scree__moments m = shape(cols, false, ops, 1);
    return scree__moments_group_rows(&m);
}

int64_t scree__moments_memory(int64_t cols, bool diagonal, const scree__ops *ops, int threads)
{
    const scree__moments m = shape(cols, diagonal, ops, threads);
    return places(&m) * scree__moments_chunk_bytes(&m) + m.lanes * m.size * 8 + threads * m.scratch_size +
           (places(&m) + group_places(&m) + m.lanes + 1) * cols * 8;
}

/* Task: the scatter of the next lane is zero; pages are made by several threads. */
static void clear_lane(void *context, int64_t lane, int worker)
{
    scree__moments *m = context;
    (void)worker;
    memset(m->scatter + (m->ready + lane) * m->size, 0, (size_t)m->size * sizeof *m->scatter);
}

void scree__moments_ready(scree__moments *m, int64_t lanes)
{
    const int64_t more = at_most(lanes, m->lanes) - m->ready;
    if (more <= 0)
        return;
    scree__parallel(scree__threads_for(m->threads, (double)(more * m->size)), more, clear_lane, m);
    m->ready += more;
}

scree_status scree__moments_new(scree__moments **out, int64_t cols, bool diagonal, const scree__ops *ops, int threads,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__moments *m = NULL;
    SCREE_ALLOC(m, 1, error);
    *m = shape(cols, diagonal, ops, threads);
    m->scatter = scree__alloc_raw(m->lanes * m->size, sizeof *m->scatter);
    m->scratch = scree__alloc_raw(threads * m->scratch_size, 1);
    m->packed = scree__alloc_raw(places(m) * scree__moments_chunk_bytes(m), 1);
    if (!m->scatter || !m->scratch || !m->packed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a scatter of %lld columns is too large", (long long)cols);
    scree__moments_ready(m, 1);
    SCREE_ALLOC(m->means, places(m) * cols, error);
    SCREE_ALLOC(m->group_means, group_places(m) * cols, error);
    SCREE_ALLOC(m->lane_means, m->lanes * cols, error);
    SCREE_ALLOC(m->lane_weights, m->lanes * m->strips, error);
    SCREE_ALLOC(m->turns, m->lanes * at_least(m->strips, m->pairs), error);
    SCREE_ALLOC(m->origin, cols, error);
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
    free(m->scatter);
    free(m->scratch);
    free(m->packed);
    free(m->means);
    free(m->group_means);
    free(m->lane_means);
    free(m->lane_weights);
    free(m->turns);
    free(m->origin);
    free(m);
}

/* Rows that can be worked on at once. */
static scree_status add_rows(scree__moments *m, const scree__rows *x, scree_error *error)
{
    m->batch = x;
    scree__moments_ready(m, m->groups + share(x->rows, scree__moments_group_rows(m)));
    if (m->by_groups)
        scree__moments_by_groups(m);
    else
        scree__moments_by_tiles(m);
    m->batch = NULL;
    m->rows += x->rows;
    m->chunks += share(x->rows, m->chunk_rows);
    m->groups += share(x->rows, scree__moments_group_rows(m));
    if (m->bad)
        return scree__fail(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large");
    return m->failed ? scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                                   (long long)m->cols)
                     : SCREE_OK;
}

scree_status scree__moments_add(scree__moments *m, const scree__rows *x, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t most = m->by_groups ? x->rows : m->held * scree__moments_group_rows(m);
    m->weighted = m->weighted || x->weights;
    if (m->rows == 0 && x->rows > 0) {
        const scree__rows first = scree__rows_slice(x, 0, at_most(x->rows, m->chunk_rows));
        scree__chunk_origin(&first, m->origin);
    }
    scree__blas_enter();
    for (int64_t at = 0; status == SCREE_OK && at < x->rows; at += most) {
        const scree__rows part = scree__rows_slice(x, at, at_most(most, x->rows - at));
        status = add_rows(m, &part, error);
    }
    scree__blas_leave();
    return status;
}

/* The lanes at the end: lane 0 gains the others in order, lane l with the row w_l, D doubles from w + l·D on. */
typedef struct joining {
    scree__moments *m;
    bool joins[MOST_LANES];
} joining;

/* Task: row i of the upper triangle of the sum of M_l + w_l w_lᵀ, or the whole diagonal. */
static void join_row(void *context, int64_t i, int worker)
{
    const joining *j = context;
    const scree__moments *m = j->m;
    const int64_t from = m->diagonal ? 0 : i * m->cols;
    (void)worker;
    for (int64_t lane = 1; lane < m->lanes; lane++) {
        const double *w = m->lane_means + lane * m->cols;
        const double *add = m->scatter + lane * m->size + from;
        for (int64_t col = m->diagonal ? 0 : i; j->joins[lane] && col < m->cols; col++)
            m->scatter[from + col] += add[col] + w[m->diagonal ? col : i] * w[col];
    }
}

/* Task: a band of rows of the lower triangle, copied from the upper one tile by tile. */
static void mirror_band(void *context, int64_t band, int worker)
{
    const scree__moments *m = context;
    (void)worker;
    const int64_t first = band * MIRROR;
    const int64_t end = at_most(first + MIRROR, m->cols);
    for (int64_t left = 0; left <= first; left += MIRROR)
        for (int64_t i = first; i < end; i++)
            for (int64_t col = left; col < i && col < left + MIRROR; col++)
                m->scatter[i * m->cols + col] = m->scatter[col * m->cols + i];
}

/* Lane 0 gains the mean of another, strip by strip, which becomes w. */
static bool join_mean(scree__moments *m, int64_t from)
{
    if (!(m->lane_weights[from * m->strips] > 0))
        return false;
    for (int64_t s = 0; s < m->strips; s++) {
        const int64_t first = s * m->strip_cols;
        scree__lane into = {m->lane_weights[s], m->lane_means + first};
        scree__chunk_join(&into, m->lane_weights[from * m->strips + s], m->lane_means + from * m->cols + first,
                          at_most(m->strip_cols, m->cols - first));
        m->lane_weights[s] = into.weight;
    }
    return true;
}

void scree__moments_join_upper(scree__moments *m)
{
    joining j = {.m = m};
    const int threads = scree__threads_for(m->threads, (double)(m->lanes * m->size));
    for (int64_t lane = 1; lane < m->lanes; lane++)
        j.joins[lane] = join_mean(m, lane);
    scree__parallel(threads, m->diagonal ? 1 : m->cols, join_row, &j);
}

void scree__moments_join(scree__moments *m)
{
    const int threads = scree__threads_for(m->threads, (double)(m->lanes * m->size));
    scree__moments_join_upper(m);
    if (!m->diagonal)
        scree__parallel(threads, share(m->cols, MIRROR), mirror_band, m);
}

void scree__moments_finish(scree__moments *m, int64_t *rows, double **mean, double **scatter)
{
    scree__moments_join(m);
    for (int64_t i = 0; i < m->cols; i++)
        m->lane_means[i] += m->origin[i];
    *rows = m->rows;
    *mean = m->lane_means;
    *scatter = m->scatter;
}

double scree__moments_weight(const scree__moments *m)
{
    return m->lane_weights[0];
}

/* Double: |ΔM| ≤ γ Σ|x-µ||x-µ|ᵀ with γ the longest chain of additions times the unit round-off (Higham 2002, 3.1), and
 * ‖Σ|x-µ||x-µ|ᵀ‖ ≤ tr M. Float: chains end with the group, whose products take part in as many more additions as it has
 * chunks, and the errors of different chunks are taken as independent with mean zero (Higham and Mary 2019), at eight
 * standard deviations. Weights add a rounding of √w and one of the product to each factor; the sum of them, by which
 * the scatter is to be divided, is another such chain. */
double scree__moments_rounding(const scree__moments *m)
{
    const double chain = (double)(at_most(m->rows, m->chunk_rows) + 1 + m->group_chunks);
    const double chunks = (double)at_least(m->chunks, 1);
    const double lanes = (double)m->lanes;
    const double of_sums = (chain + (double)m->groups / lanes + lanes + 5) * 0x1p-53 * (m->weighted ? 2 : 1);
    return m->ops->type == SCREE_F32 ? of_sums + 8 * sqrt(chain / chunks) * 0x1p-24 : of_sums;
}
