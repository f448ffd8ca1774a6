/* SPDX-License-Identifier: BSD-3-Clause */
/* One-pass centring. Rows are first taken from an origin near them, the rounded mean of the first chunk: rows far from
 * zero then have means as exact as their deviations. They come in chunks of fixed size; a chunk is centred by its own
 * mean, and joined to what came before by the pairwise formula of Chan, Golub and LeVeque (1983),
 *
 *     M_ab = M_a + M_b + w wᵀ,   w = √(n_a n_b / (n_a + n_b)) (µ_b - µ_a),
 *
 * whose last term is simply one more row of the centred chunk. Whoever sums outer products of these rows gets the
 * scatter Σ(x-µ)(x-µ)ᵀ; whoever takes their QR gets its square root. Rows with weights w count for Σw rows in n and µ,
 * and are centred and multiplied by √w.
 *
 * Chunks go in turn to a fixed number of lanes, joined in order at the end. Chunk size and lanes depend on D alone, so
 * that results are the same bits for any number of threads and any way the rows arrived. */

#include "kernel/centred.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

/* 512 rows, and one that joins them, would fall badly into the blocks that BLAS libraries cut. */
enum { CHUNK_ROWS = 448, FEWEST_ROWS = 28, MOST_CHUNKS = 32, GROUP = 4 };
static const int64_t CHUNK_BYTES = INT64_C(16) << 20; /* wide rows come in chunks of fewer */
static const int64_t WAIT_BYTES = INT64_C(64) << 20;  /* a chunk of every lane */
static const int64_t LANES_BYTES = INT64_C(33) << 20; /* for the users of all lanes */
static const int64_t BATCH_BYTES = INT64_C(8) << 20;  /* packed chunks that wait for their use */
static const int64_t GROUP_BYTES = INT64_C(32) << 20; /* so many where they are gathered, up to GROUP a lane */

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
    scree__centred c = {.ops = ops, .cols = cols, .chunk_rows = CHUNK_ROWS, .lanes = SCREE__MOST_LANES};
    while (c.chunk_rows > FEWEST_ROWS && chunk_bytes(&c) > CHUNK_BYTES)
        c.chunk_rows /= 2;
    while (c.lanes > 1 && (c.lanes > LANES_BYTES / at_least(lane_bytes, 1) || c.lanes * chunk_bytes(&c) > WAIT_BYTES))
        c.lanes /= 2;
    int64_t chunks = BATCH_BYTES / chunk_bytes(&c);
    if (ops->scratch > 0 && chunks < GROUP * c.lanes)
        chunks = at_most(GROUP * c.lanes, GROUP_BYTES / chunk_bytes(&c));
    chunks = at_most(chunks, MOST_CHUNKS) / c.lanes * c.lanes; /* every lane gets as many */
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

/* The mean of a chunk from the origin, and its rows less that mean, at a place; false when a cell is not finite. */
static bool centre_chunk(const scree__centred *c, int64_t chunk, int64_t place)
{
    scree__rows x = rows_of(c, chunk);
    double *mean = c->means + place * c->cols;
    const double weight = scree__rows_weight(&x);
    bool finite = true;
    memset(mean, 0, (size_t)c->cols * sizeof *mean);
    scree__rows_sum_from(&x, c->origin, mean);
    for (int64_t j = 0; j < c->cols; j++) {
        mean[j] /= weight;
        finite = finite && isfinite(mean[j]);
    }
    c->ops->centre(&x, c->origin, mean, scree__centred_chunk(c, place));
    return finite;
}

/* The origin is zero until then. */
static void choose_origin(scree__centred *c)
{
    scree__rows x = rows_of(c, 0);
    const double weight = scree__rows_weight(&x);
    scree__rows_sum_from(&x, c->origin, c->means);
    for (int64_t j = 0; j < c->cols; j++) {
        c->origin[j] = c->means[j] / weight;
        c->means[j] = 0;
    }
}

/* lane.mean moves to the mean of lane and rows of this weight and mean; mean becomes w. */
static void join(scree__lane *lane, double weight, double *mean, int64_t cols)
{
    double total = lane->weight + weight;
    double root = sqrt(lane->weight * weight / total);
    double part = weight / total;
    for (int64_t j = 0; j < cols; j++) {
        double step = mean[j] - lane->mean[j];
        lane->mean[j] += step * part;
        mean[j] = root * step;
    }
    lane->weight = total;
}

/* Joins the chunk at a place to its lane; w follows its rows. */
static void join_chunk(scree__centred *c, int64_t chunk, int64_t place)
{
    const scree__rows x = rows_of(c, chunk);
    double *w = c->means + place * c->cols;
    join(&c->lane[scree__centred_chunk_lane(c, chunk)], scree__rows_weight(&x), w, c->cols);
    c->ops->narrow(w, c->cols, (char *)scree__centred_chunk(c, place) + x.rows * c->cols * c->ops->size);
}

void scree__centred_begin(scree__centred *c, const scree__rows *x)
{
    c->batch = x;
    c->batch_chunks = (x->rows + c->chunk_rows - 1) / c->chunk_rows;
    c->bad = false;
    c->weighted = c->weighted || x->weights;
    if (c->rows == 0 && x->rows > 0)
        choose_origin(c);
}

bool scree__centred_next(scree__centred *c, int64_t chunk, int64_t place)
{
    if (!centre_chunk(c, chunk, place)) {
        __atomic_store_n(&c->bad, true, __ATOMIC_RELAXED);
        return false;
    }
    join_chunk(c, chunk, place);
    return true;
}

/* Task: a chunk of the batch, each at its own place. */
static void take_chunk(void *context, int64_t chunk, int worker)
{
    scree__centred *c = context;
    (void)worker;
    if (!centre_chunk(c, chunk, chunk))
        __atomic_store_n(&c->bad, true, __ATOMIC_RELAXED);
}

scree_status scree__centred_outcome(const scree__centred *c, scree_error *error)
{
    return c->bad ? scree__fail(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large") : SCREE_OK;
}

scree_status scree__centred_take(scree__centred *c, const scree__rows *x, scree_error *error)
{
    scree__centred_begin(c, x);
    scree__parallel(c->threads, c->batch_chunks, take_chunk, c);
    for (int64_t chunk = 0; !c->bad && chunk < c->batch_chunks; chunk++)
        join_chunk(c, chunk, chunk);
    return scree__centred_outcome(c, error);
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
    join(&c->lane[into], c->lane[from].weight, w, c->cols);
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

/* Double: |ΔM| ≤ γ Σ|x-µ||x-µ|ᵀ with γ the longest chain of additions times the unit round-off (Higham 2002, 3.1), and
 * ‖Σ|x-µ||x-µ|ᵀ‖ ≤ tr M. Float: chains end with the chunk, whose products take part in as many more additions as a
 * batch has chunks for a lane, and the errors of different chunks are taken as independent with mean zero (Higham and
 * Mary 2019), at eight standard deviations. Weights add a rounding of √w and one of the product to each factor; the sum
 * of them, by which the scatter is to be divided, is another such chain. */
double scree__centred_rounding(const scree__centred *c)
{
    double chain = (double)(at_most(c->rows, c->chunk_rows) + 1 + batch_chunks_of(c) / c->lanes);
    double chunks = (double)at_least(c->chunks, 1);
    double lanes = (double)c->lanes;
    double of_sums = (chain + chunks / lanes + lanes + 4) * 0x1p-53 * (c->weighted ? 2 : 1);
    return c->ops->type == SCREE_F32 ? of_sums + 8 * sqrt(chain / chunks) * 0x1p-24 : of_sums;
}
