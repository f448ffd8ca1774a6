/* SPDX-License-Identifier: BSD-3-Clause */
/* Centred chunks (chunk.c) of rows that arrive in pieces: each with the row that joins it to those before, so that
 * whoever sums outer products of all these rows gets the scatter Σ(x-µ)(x-µ)ᵀ, and whoever takes their QR gets its
 * square root.
 *
 * Chunks go in turn to a fixed number of lanes, joined in order at the end. Chunk size and lanes depend on D alone, so
 * that results are the same bits for any number of threads and any way the rows arrived. */

#include "kernel/centred.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { MOST_CHUNKS = 32 };
static const int64_t WAIT_BYTES = INT64_C(64) << 20;  /* a chunk of every lane */
static const int64_t LANES_BYTES = INT64_C(33) << 20; /* for the users of all lanes */
static const int64_t BATCH_BYTES = INT64_C(8) << 20;  /* packed chunks that wait for their use */

static int64_t at_least(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t at_most(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t batch_chunks_of(const scree__centred *c)
{
    return c->batch_rows / c->chunk_rows;
}

static int64_t chunk_bytes(const scree__centred *c)
{
    return (c->chunk_rows + 1) * c->cols * c->ops->size;
}

scree__centred scree__centred_shape(int64_t cols, int64_t lane_bytes, const scree__ops *ops)
{
    scree__centred c = {.ops = ops, .cols = cols, .lanes = SCREE__MOST_LANES};
    c.chunk_rows = scree__chunk_rows(cols * ops->size);
    while (c.lanes > 1 && (c.lanes > LANES_BYTES / at_least(lane_bytes, 1) || c.lanes * chunk_bytes(&c) > WAIT_BYTES))
        c.lanes /= 2;
    const int64_t chunks = at_most(BATCH_BYTES / chunk_bytes(&c), MOST_CHUNKS) / c.lanes * c.lanes;
    c.batch_rows = at_least(chunks, c.lanes) * c.chunk_rows;
    return c;
}

int64_t scree__centred_memory(const scree__centred *c)
{
    return batch_chunks_of(c) * (chunk_bytes(c) + c->cols * 8) + (c->lanes + 1) * c->cols * 8;
}

scree_status scree__centred_start(scree__centred *c, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    c->threads = threads;
    c->packed = scree__alloc_raw(batch_chunks_of(c) * chunk_bytes(c), 1);
    if (!c->packed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate %lld rows of %lld columns",
                   (long long)c->batch_rows, (long long)c->cols);
    SCREE_ALLOC(c->means, batch_chunks_of(c) * c->cols, error);
    SCREE_ALLOC(c->lane_means, c->lanes * c->cols, error);
    SCREE_ALLOC(c->origin, c->cols, error);
    for (int64_t l = 0; l < c->lanes; l++)
        c->lane[l].mean = c->lane_means + l * c->cols;
done:
    return status;
}

void scree__centred_clear(scree__centred *c)
{
    free(c->packed);
    free(c->means);
    free(c->lane_means);
    free(c->origin);
}

void *scree__centred_chunk(const scree__centred *c, int64_t place)
{
    return c->packed + place * chunk_bytes(c);
}

static scree__rows rows_of(const scree__centred *c, int64_t chunk)
{
    int64_t first = chunk * c->chunk_rows;
    int64_t left = c->batch->rows - first;
    return scree__rows_slice(c->batch, first, left < c->chunk_rows ? left : c->chunk_rows);
}

int64_t scree__centred_chunk_rows(const scree__centred *c, int64_t chunk)
{
    return rows_of(c, chunk).rows + 1;
}

int64_t scree__centred_chunk_lane(const scree__centred *c, int64_t chunk)
{
    return (c->chunks + chunk) % c->lanes;
}

/* Joins the chunk at a place to its lane; w follows its rows. */
static void join_chunk(scree__centred *c, int64_t chunk, int64_t place)
{
    const scree__rows x = rows_of(c, chunk);
    double *w = c->means + place * c->cols;
    scree__chunk_join(&c->lane[scree__centred_chunk_lane(c, chunk)], scree__rows_weight(&x), w, c->cols);
    c->ops->narrow(w, c->cols, (char *)scree__centred_chunk(c, place) + x.rows * c->cols * c->ops->size);
}

/* Task: a chunk of the batch, each at its own place. */
static void take_chunk(void *context, int64_t chunk, int worker)
{
    scree__centred *c = context;
    const scree__rows x = rows_of(c, chunk);
    (void)worker;
    if (!scree__chunk_centre(c->ops, &x, c->origin, c->means + chunk * c->cols, scree__centred_chunk(c, chunk)))
        __atomic_store_n(&c->bad, true, __ATOMIC_RELAXED);
}

scree_status scree__centred_take(scree__centred *c, const scree__rows *x, scree_error *error)
{
    c->batch = x;
    c->batch_chunks = (x->rows + c->chunk_rows - 1) / c->chunk_rows;
    c->bad = false;
    if (c->rows == 0 && x->rows > 0) {
        const scree__rows first = rows_of(c, 0);
        scree__chunk_origin(&first, c->origin);
    }
    scree__parallel(c->threads, c->batch_chunks, take_chunk, c);
    for (int64_t chunk = 0; !c->bad && chunk < c->batch_chunks; chunk++)
        join_chunk(c, chunk, chunk);
    return c->bad ? scree__fail(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large") : SCREE_OK;
}

void scree__centred_done(scree__centred *c)
{
    c->chunks += c->batch_chunks;
    c->rows += c->batch->rows;
    c->batch = NULL;
    c->batch_chunks = 0;
}

bool scree__centred_join(scree__centred *c, int64_t into, int64_t from, double *w)
{
    if (!(c->lane[from].weight > 0))
        return false;
    memcpy(w, c->lane[from].mean, (size_t)c->cols * sizeof *w);
    scree__chunk_join(&c->lane[into], c->lane[from].weight, w, c->cols);
    c->lane[from].weight = 0;
    return true;
}

double scree__centred_weight(const scree__centred *c)
{
    double sum = 0;
    for (int64_t lane = 0; lane < c->lanes; lane++)
        sum += c->lane[lane].weight;
    return sum;
}

double *scree__centred_mean(scree__centred *c)
{
    for (int64_t j = 0; j < c->cols; j++)
        c->lane[0].mean[j] += c->origin[j];
    return c->lane[0].mean;
}

void scree__centred_move(scree__centred *c, scree__snapshot *s)
{
    scree__snapshot_same(s, c->cols);
    scree__snapshot_same(s, c->ops->type);
    scree__snapshot_same(s, c->lanes);
    scree__snapshot_count(s, &c->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_count(s, &c->chunks, 0, SCREE__SNAPSHOT_MOST);
    for (int64_t l = 0; l < c->lanes; l++)
        scree__snapshot_double(s, &c->lane[l].weight);
    scree__snapshot_doubles(s, c->lane_means, c->lanes * c->cols);
    scree__snapshot_doubles(s, c->origin, c->cols);
}
