/* SPDX-License-Identifier: BSD-3-Clause */
/* Streaming QR of centred rows (after Demmel, Grigori, Hoemmen, Langou 2012): each lane keeps a triangle R and folds
 * its chunks into it,
 *
 *     [R; chunk] = Q R'      2 rows D² flops, Q thrown away,
 *
 * and the triangles of the lanes are folded together at the end. Rows are centred on the way (centred.c), so one read
 * does, and singular values keep the digits that a Gram matrix would square away. */

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/tsqr_parts.h"

#include <math.h>
#include <string.h>

enum { FEWEST_LANES = 2, LANE_ROWS = 16 /* for each column, that one more lane is worth its triangle */ };

scree__centred scree__tsqr_shape(int64_t cols)
{
    return scree__centred_shape(cols, cols * cols * 8, &scree__ops_f64);
}

int64_t scree__tsqr_tallest(const scree__centred *c)
{
    return c->chunk_rows + 1;
}

int64_t scree__tsqr_rows(int64_t cols)
{
    return scree__tsqr_shape(cols).batch_rows;
}

int64_t scree__tsqr_memory(int64_t cols, int threads)
{
    scree__centred c = scree__tsqr_shape(cols);
    return scree__centred_memory(&c) +
           8 * (c.lanes * cols * cols + threads * cols * (scree__tsqr_tallest(&c) + SCREE__TSQR_PANEL + 1));
}

int64_t scree__tsqr_lanes(int64_t rows, int64_t cols)
{
    int64_t lanes = SCREE__MOST_LANES;
    while (lanes > FEWEST_LANES && rows < LANE_ROWS * cols * lanes)
        lanes /= 2;
    return lanes;
}

scree_status scree__tsqr_new_few(scree__tsqr **out, int64_t cols, int64_t lanes, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__tsqr *q = NULL;
    SCREE_ALLOC(q, 1, error);
    q->rows = scree__tsqr_shape(cols);
    q->rows.lanes = lanes < q->rows.lanes ? lanes : q->rows.lanes;
    q->cols = cols;
    SCREE_TRY(scree__centred_start(&q->rows, threads, error));
    SCREE_ALLOC(q->r, q->rows.lanes * cols * cols, error);
    SCREE_ALLOC(q->turn, threads * cols * scree__tsqr_tallest(&q->rows), error);
    SCREE_ALLOC(q->t, threads * cols * SCREE__TSQR_PANEL, error);
    SCREE_ALLOC(q->w, threads * cols, error);
    *out = q;
    q = NULL;
done:
    scree__tsqr_free(q);
    return status;
}

scree_status scree__tsqr_new(scree__tsqr **out, int64_t cols, int threads, scree_error *error)
{
    return scree__tsqr_new_few(out, cols, SCREE__MOST_LANES, threads, error);
}

void scree__tsqr_free(scree__tsqr *q)
{
    if (!q)
        return;
    scree__centred_clear(&q->rows);
    free(q->r);
    free(q->turn);
    free(q->t);
    free(q->w);
    free(q);
}

/* Folds b, m×D column-major with its last l rows upper trapezoidal, into the triangle of a lane. */
static void fold(scree__tsqr *q, int64_t lane, int64_t m, int64_t l, double *b, int worker)
{
    const int64_t n = q->cols;
    const int64_t panel = n < SCREE__TSQR_PANEL ? n : SCREE__TSQR_PANEL;
    const int info =
        scree__dtpqrt(m, n, l, panel, q->r + lane * n * n, n, b, m, q->t + worker * n * SCREE__TSQR_PANEL, panel);
    if (info != 0)
        __atomic_store_n(&q->info, info, __ATOMIC_RELAXED);
}

void scree__tsqr_fold_chunk(scree__tsqr *q, int64_t lane, int64_t m, const double *packed, int worker)
{
    double *turned = q->turn + worker * q->cols * scree__tsqr_tallest(&q->rows);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < q->cols; j++)
            turned[j * m + i] = packed[i * q->cols + j];
    fold(q, lane, m, 0, turned, worker);
}

/* Task: the chunks of one lane, in order. */
static void fold_lane(void *context, int64_t lane, int worker)
{
    scree__tsqr *q = context;
    for (int64_t chunk = 0; chunk < q->rows.batch_chunks; chunk++) {
        if (scree__centred_chunk_lane(&q->rows, chunk) != lane)
            continue;
        scree__tsqr_fold_chunk(q, lane, scree__centred_chunk_rows(&q->rows, chunk),
                               scree__centred_chunk(&q->rows, chunk), worker);
    }
}

scree_status scree__tsqr_outcome(const scree__tsqr *q, scree_error *error)
{
    return q->info != 0 ? scree__blas_fail(q->info, "the QR factorisation of a matrix", q->cols, error) : SCREE_OK;
}

scree_status scree__tsqr_add(scree__tsqr *q, const scree__rows *x, scree_error *error)
{
    scree_status status = scree__centred_take(&q->rows, x, error);
    if (status != SCREE_OK)
        return status;
    scree__blas_enter();
    scree__parallel(q->rows.threads, q->rows.lanes, fold_lane, q);
    scree__blas_leave();
    scree__centred_done(&q->rows);
    return scree__tsqr_outcome(q, error);
}

void scree__tsqr_join_lanes(scree__tsqr *q, int worker)
{
    const int64_t n = q->cols;
    double *w = q->w + worker * n;
    scree__blas_enter();
    for (int64_t lane = 1; lane < q->rows.lanes; lane++) {
        if (!scree__centred_join(&q->rows, 0, lane, w))
            continue;
        fold(q, 0, n, n, q->r + lane * n * n, worker);
        fold(q, 0, 1, 0, w, worker);
    }
    scree__blas_leave();
    for (int64_t j = 0; j < n; j++)
        memset(q->r + j * n + j + 1, 0, (size_t)(n - 1 - j) * sizeof *q->r);
}

scree_status scree__tsqr_finish(scree__tsqr *q, int64_t *rows, double **mean, double **r, scree_error *error)
{
    scree__tsqr_join_lanes(q, 0);
    *rows = q->rows.rows;
    *mean = scree__centred_mean(&q->rows);
    *r = q->r;
    return scree__tsqr_outcome(q, error);
}

int64_t scree__tsqr_step(int64_t cols)
{
    return scree__tsqr_shape(cols).chunk_rows;
}

/* The same; the other lanes begin anew. */
static void settle(scree__tsqr *q)
{
    const int64_t n = q->cols;
    scree__tsqr_join_lanes(q, 0);
    if (q->rows.lanes == 1)
        return;
    memset(q->r + n * n, 0, (size_t)((q->rows.lanes - 1) * n * n) * sizeof *q->r);
    memset(q->rows.lane_means + n, 0, (size_t)((q->rows.lanes - 1) * n) * sizeof *q->rows.lane_means);
}

scree__tally scree__tsqr_lend(const scree__tsqr *q, double *mean, double *rest)
{
    for (int64_t j = 0; j < q->cols; j++)
        scree__two_sum(q->rows.origin[j], q->rows.lane_means[j], &mean[j], &rest[j]);
    return (scree__tally){.rows = q->rows.rows,
                          .weight = q->rows.lane[0].weight,
                          .mean = mean,
                          .rest = rest,
                          .matrix = q->r,
                          .height = q->cols};
}

scree_status scree__tsqr_tally(scree__tsqr *q, double *mean, double *rest, scree__tally *tally, scree_error *error)
{
    settle(q);
    *tally = scree__tsqr_lend(q, mean, rest);
    return scree__tsqr_outcome(q, error);
}

/* The first rows are others: near them is the origin. */
static void begin(scree__tsqr *q, const scree__tally *tally)
{
    const int64_t n = q->cols;
    memcpy(q->rows.origin, tally->mean, (size_t)n * sizeof *q->rows.origin);
    memcpy(q->rows.lane_means, tally->rest, (size_t)n * sizeof *q->rows.lane_means);
    memcpy(q->r, tally->matrix, (size_t)(n * n) * sizeof *q->r);
    q->rows.lane[0].weight = tally->weight;
}

scree_status scree__tsqr_gain(scree__tsqr *q, const scree__tally *tally, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = q->cols;
    double *r = NULL;
    if (!(tally->weight > 0))
        return SCREE_OK;
    if (q->rows.rows == 0) {
        begin(q, tally);
    } else {
        SCREE_ALLOC(r, n * n, error);
        memcpy(r, tally->matrix, (size_t)(n * n) * sizeof *r); /* folding destroys it */
        settle(q);
        for (int64_t j = 0; j < n; j++)
            q->w[j] = scree__tally_from(tally, q->rows.origin, j);
        scree__chunk_join(&q->rows.lane[0], tally->weight, q->w, n);
        scree__blas_enter();
        fold(q, 0, n, n, r, 0);
        fold(q, 0, 1, 0, q->w, 0);
        scree__blas_leave();
    }
    q->rows.rows += tally->rows;
    SCREE_TRY(scree__tsqr_outcome(q, error));
done:
    free(r);
    return status;
}

void scree__tsqr_fade(scree__tsqr *q, double factor)
{
    const int64_t n = q->cols;
    settle(q);
    for (int64_t i = 0; i < n * n; i++)
        q->r[i] *= sqrt(factor);
    q->rows.lane[0].weight *= factor;
}

double scree__tsqr_weight(const scree__tsqr *q)
{
    return scree__centred_weight(&q->rows);
}

void scree__tsqr_move(scree__tsqr *q, scree__snapshot *s)
{
    const int64_t n = q->cols;
    scree__centred_move(&q->rows, s);
    for (int64_t i = 0; i < q->rows.lanes * n; i++)
        scree__snapshot_doubles(s, q->r + i * n, i % n + 1);
}
