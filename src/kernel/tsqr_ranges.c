/* SPDX-License-Identifier: BSD-3-Clause */
/* Triangles of several ranges of rows at once (tsqr.c): with a loop for each, all threads would wait for the last one
 * at its end, and for the one that folds its lanes together. Here a task is a few chunks of a lane of a range, which
 * are centred and folded into its triangle; tasks of a lane follow each other in turn. Then each range folds its lanes
 * together, as a task of a second loop. What is done to a range, and in what order, is what tsqr.c does: the same bits,
 * whichever ranges come together. */

#include "kernel/tsqr_ranges.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/tsqr_parts.h"

#include <string.h>

enum { TASK_CHUNKS = 2 };
static const int64_t RANGES_BYTES = INT64_C(64) << 20; /* triangles of all lanes, if there is more than one range */

struct scree__tsqr_ranges {
    scree__tsqr range[SCREE__TSQR_RANGES]; /* each with lanes of its own; threads have the buffers of all */
    scree__rows x[SCREE__TSQR_RANGES];     /* rows of each */
    scree__turn turn[SCREE__TSQR_RANGES][SCREE__MOST_LANES];
    int64_t most;
    int64_t count; /* at work */
    int64_t lanes; /* of each */
    int threads;
    double *packed; /* a chunk for each thread */
    double *mean;   /* D for each thread */
    double *turned; /* the buffers of the ranges */
    double *t;
    double *w;
    bool bad; /* a cell is not finite */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t lanes_of(const scree__tsqr_size *size)
{
    return least(size->lanes, scree__tsqr_shape(size->cols).lanes);
}

int64_t scree__tsqr_at_once(const scree__tsqr_size *size)
{
    const int64_t most = RANGES_BYTES / (8 * lanes_of(size) * size->cols * size->cols);
    return most < 1 ? 1 : least(least(most, SCREE__TSQR_RANGES), size->ranges);
}

int64_t scree__tsqr_ranges_memory(const scree__tsqr_size *size)
{
    const scree__centred c = scree__tsqr_shape(size->cols);
    const int64_t range = lanes_of(size) * (size->cols + 1) + 1;
    const int64_t thread = 2 * scree__tsqr_tallest(&c) + SCREE__TSQR_PANEL + 2;
    return 8 * size->cols * (scree__tsqr_at_once(size) * range + size->threads * thread);
}

static scree_status new_range(scree__tsqr_ranges *s, scree__tsqr *q, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    *q = (scree__tsqr){.rows = scree__tsqr_shape(cols), .cols = cols, .turn = s->turned, .t = s->t, .w = s->w};
    q->rows.lanes = s->lanes;
    SCREE_ALLOC(q->r, s->lanes * cols * cols, error);
    SCREE_ALLOC(q->rows.lane_means, s->lanes * cols, error);
    SCREE_ALLOC(q->rows.origin, cols, error);
    for (int64_t l = 0; l < s->lanes; l++)
        q->rows.lane[l].mean = q->rows.lane_means + l * cols;
done:
    return status;
}

scree_status scree__tsqr_ranges_new(scree__tsqr_ranges **out, const scree__tsqr_size *size, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__centred c = scree__tsqr_shape(size->cols);
    const int64_t chunk = size->cols * scree__tsqr_tallest(&c);
    scree__tsqr_ranges *s = NULL;
    SCREE_ALLOC(s, 1, error);
    s->threads = size->threads;
    s->lanes = lanes_of(size);
    SCREE_ALLOC(s->packed, size->threads * chunk, error);
    SCREE_ALLOC(s->mean, size->threads * size->cols, error);
    SCREE_ALLOC(s->turned, size->threads * chunk, error);
    SCREE_ALLOC(s->t, size->threads * size->cols * SCREE__TSQR_PANEL, error);
    SCREE_ALLOC(s->w, size->threads * size->cols, error);
    for (; s->most < scree__tsqr_at_once(size); s->most++)
        SCREE_TRY(new_range(s, &s->range[s->most], size->cols, error));
    *out = s;
    s = NULL;
done:
    scree__tsqr_ranges_free(s);
    return status;
}

void scree__tsqr_ranges_free(scree__tsqr_ranges *s)
{
    if (!s)
        return;
    for (int64_t i = 0; i < SCREE__TSQR_RANGES; i++) {
        free(s->range[i].r);
        free(s->range[i].rows.lane_means);
        free(s->range[i].rows.origin);
    }
    free(s->packed);
    free(s->mean);
    free(s->turned);
    free(s->t);
    free(s->w);
    free(s);
}

/* A chunk of a range, centred, into its lane. */
static void fold_chunk(scree__tsqr_ranges *s, int64_t range, int64_t chunk, int worker)
{
    scree__tsqr *q = &s->range[range];
    const scree__rows *all = &s->x[range];
    const int64_t first = chunk * q->rows.chunk_rows;
    const scree__rows x = scree__rows_slice(all, first, least(q->rows.chunk_rows, all->rows - first));
    const int64_t lane = chunk % s->lanes;
    double *packed = s->packed + worker * q->cols * scree__tsqr_tallest(&q->rows);
    double *mean = s->mean + worker * q->cols;
    if (!scree__chunk_centre(q->rows.ops, &x, q->rows.origin, mean, packed)) {
        __atomic_store_n(&s->bad, true, __ATOMIC_RELAXED);
        return;
    }
    scree__chunk_join(&q->rows.lane[lane], scree__rows_weight(&x), mean, q->cols);
    memcpy(packed + x.rows * q->cols, mean, (size_t)q->cols * sizeof *mean);
    scree__tsqr_fold_chunk(q, lane, x.rows + 1, packed, worker);
}

/* Task: some chunks of a lane. */
static void fold_lane(void *context, int64_t index, int worker)
{
    scree__tsqr_ranges *s = context;
    const int64_t lane = index % s->lanes;
    const int64_t range = index / s->lanes % s->count;
    const int64_t round = index / s->lanes / s->count;
    const scree__rows *x = &s->x[range];
    const int64_t chunk_rows = s->range[range].rows.chunk_rows;
    scree__turn_wait(&s->turn[range][lane], round);
    for (int64_t i = round * TASK_CHUNKS; i < (round + 1) * TASK_CHUNKS; i++)
        if ((lane + i * s->lanes) * chunk_rows < x->rows && !__atomic_load_n(&s->bad, __ATOMIC_RELAXED))
            fold_chunk(s, range, lane + i * s->lanes, worker);
    scree__turn_done(&s->turn[range][lane]);
}

/* Task: a range begins anew. */
static void begin_range(void *context, int64_t range, int worker)
{
    scree__tsqr_ranges *s = context;
    scree__tsqr *q = &s->range[range];
    const scree__rows *x = &s->x[range];
    (void)worker;
    memset(q->r, 0, (size_t)(s->lanes * q->cols * q->cols) * sizeof *q->r);
    memset(q->rows.lane_means, 0, (size_t)(s->lanes * q->cols) * sizeof *q->rows.lane_means);
    q->rows.rows = x->rows;
    for (int64_t l = 0; l < s->lanes; l++) {
        q->rows.lane[l].weight = 0;
        atomic_store(&s->turn[range][l], 0);
    }
    if (x->rows > 0) {
        const scree__rows first = scree__rows_slice(x, 0, least(q->rows.chunk_rows, x->rows));
        scree__chunk_origin(&first, q->rows.origin);
    }
}

/* Task: the lanes of a range, together. */
static void join_range(void *context, int64_t range, int worker)
{
    scree__tsqr_ranges *s = context;
    scree__tsqr_join_lanes(&s->range[range], worker);
}

scree_status scree__tsqr_ranges_add(scree__tsqr_ranges *s, const scree__rows *x, const int64_t *start, int64_t count,
                                    scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t round_rows = TASK_CHUNKS * s->lanes * s->range[0].rows.chunk_rows;
    int64_t rounds = 0;
    s->count = count;
    s->bad = false;
    for (int64_t i = 0; i < count; i++) {
        s->x[i] = scree__rows_slice(x, start[i], start[i + 1] - start[i]);
        if (s->x[i].rows > rounds * round_rows)
            rounds = (s->x[i].rows + round_rows - 1) / round_rows;
    }
    scree__parallel(s->threads, count, begin_range, s);
    scree__blas_enter();
    scree__parallel(s->threads, rounds * count * s->lanes, fold_lane, s);
    if (!s->bad)
        scree__parallel(s->threads, count, join_range, s);
    scree__blas_leave();
    if (s->bad)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "a cell is missing, infinite or too large");
    for (int64_t i = 0; i < count; i++)
        SCREE_TRY(scree__tsqr_outcome(&s->range[i], error));
done:
    return status;
}

scree__tally scree__tsqr_ranges_tally(const scree__tsqr_ranges *s, int64_t i, double *mean, double *rest)
{
    return scree__tsqr_lend(&s->range[i], mean, rest);
}
