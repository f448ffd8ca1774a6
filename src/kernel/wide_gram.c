/* SPDX-License-Identifier: BSD-3-Clause */
/* G = CCᵀ/divisor (N×N) for N rows of many columns: N²D flops and one read of the rows.
 *
 * A panel of columns is measured and centred into a buffer, then multiplied while it is in the cache. Panel p belongs
 * to lane p mod lanes, and each lane adds up its panels in order, tile by tile, in a sum of its own; lanes are added up
 * in order at the end. How many lanes there are follows from N and D alone: the same bits for any number of threads.
 * Where there are lanes enough, a thread takes whole lanes; else all work on a panel of each lane together.
 *
 * Of ranges of columns that are summed apart, each is a lane, whose panels follow each other. */

#include "kernel/wide_gram.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { PANEL = SCREE__WIDE_PANEL, TILE = 256, MOST_LANES = 16, BAND = 64, COLUMNS = 64, WATCHED_ROUNDS = 4 };
static const int64_t LANES_BYTES = INT64_C(32) << 20;

typedef struct shape {
    int64_t panels;
    int64_t lanes;
    int64_t tiles;   /* of a side of G */
    int64_t buffers; /* for a panel each */
    bool apart;      /* threads take whole lanes */
} shape;

struct scree__wide_sums {
    scree__wide_rows *rows;
    shape shape;
    const scree__wide_ranges *ranges; /* the lanes; NULL: panels go to them in turn, and their sums are */
    double *g;                        /* lane 0's, and the result, */
    double *sums;                     /* and those of the others */
    char *packed;                     /* buffers of N×PANEL elements */
    char *scratch;                    /* a tile for each thread */
    int64_t first;                    /* panel of the round, where all threads work together */
    int64_t next;                     /* panel of the part that is not begun, a multiple of the lanes */
    int64_t end;                      /* of the part at work */
    bool failed;
};

typedef struct scree__wide_sums gram;

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static shape shape_of(int64_t rows, int64_t cols, int threads)
{
    shape s = {.panels = (cols + PANEL - 1) / PANEL, .lanes = MOST_LANES, .tiles = (rows + TILE - 1) / TILE};
    while (s.lanes > 1 && (s.lanes > s.panels || s.lanes * rows * rows * 8 > LANES_BYTES))
        s.lanes /= 2;
    const bool is_even = s.panels % s.lanes == 0 || s.panels >= 4 * s.lanes; /* lanes are about as long as each other */
    s.apart = threads == 1 || (is_even && (s.lanes % threads == 0 || s.lanes >= 4 * threads));
    s.buffers = s.apart ? least(threads, s.lanes) : s.lanes;
    return s;
}

int64_t scree__wide_gram_memory(int64_t rows, int64_t cols, const scree__ops *ops, int threads)
{
    const shape s = shape_of(rows, cols, threads);
    return (s.lanes - 1) * rows * rows * 8 + s.buffers * rows * PANEL * ops->size +
           threads * TILE * TILE * ops->scratch;
}

static char *buffer_of(const gram *w, int64_t index)
{
    return w->packed + index * w->rows->x.rows * PANEL * w->rows->ops->size;
}

static int64_t panel_first(const gram *w, int64_t panel)
{
    const int64_t lane = panel % w->shape.lanes;
    return w->ranges ? w->ranges->start[lane] + panel / w->shape.lanes * PANEL : panel * PANEL;
}

/* Where its range is shorter than others, none. */
static int64_t panel_cols(const gram *w, int64_t panel)
{
    const int64_t end = w->ranges ? w->ranges->start[panel % w->shape.lanes + 1] : w->rows->x.cols;
    const int64_t left = end - panel_first(w, panel);
    return left < 0 ? 0 : least(PANEL, left);
}

static double *sums_of(const gram *w, int64_t lane)
{
    const int64_t n = w->rows->x.rows;
    return w->ranges ? w->ranges->sums[lane] : lane == 0 ? w->g : w->sums + (lane - 1) * n * n;
}

/* A tile of the upper triangle gains the product of a panel. */
static void multiply(gram *w, const char *packed, int64_t panel, int64_t index, int worker)
{
    const int64_t n = w->rows->x.rows;
    const int64_t cols = panel_cols(w, panel);
    const int64_t line = cols * w->rows->ops->size;
    double *sums = sums_of(w, panel % w->shape.lanes);
    int64_t row = 0;
    while (index >= w->shape.tiles - row)
        index -= w->shape.tiles - row++;
    const int64_t i = row * TILE;
    const int64_t j = (row + index) * TILE;
    const scree__tile tile = {
        .a = packed + i * line,
        .b = packed + j * line,
        .lda = cols,
        .ldb = cols,
        .m = least(TILE, n - i),
        .n = least(TILE, n - j),
        .k = cols,
        .acc = sums + i * n + j,
        .ldacc = n,
        .scratch = w->scratch + worker * TILE * TILE * w->rows->ops->scratch,
    };
    if (cols > 0 && w->rows->ops->outer(&tile) != 0)
        __atomic_store_n(&w->failed, true, __ATOMIC_RELAXED);
}

static int64_t tile_count(const gram *w)
{
    return w->shape.tiles * (w->shape.tiles + 1) / 2;
}

/* Task: all panels of a lane. */
static void add_lane(void *context, int64_t lane, int worker)
{
    gram *w = context;
    char *packed = buffer_of(w, worker);
    for (int64_t panel = w->next + lane; panel < w->end; panel += w->shape.lanes) {
        const scree__wide_part part = {0, w->rows->x.rows, panel_first(w, panel), panel_cols(w, panel)};
        if (!w->rows->measured)
            scree__wide_measure(w->rows, part.col, part.cols);
        scree__wide_lay(w->rows, &part, packed);
        for (int64_t tile = 0; tile < tile_count(w); tile++)
            multiply(w, packed, panel, tile, worker);
    }
}

/* Task: a few columns of a panel of the round. */
static void measure_columns(void *context, int64_t index, int worker)
{
    const gram *w = context;
    const int64_t panel = w->first + index / (PANEL / COLUMNS);
    const int64_t first = index % (PANEL / COLUMNS) * COLUMNS;
    (void)worker;
    scree__wide_measure(w->rows, panel_first(w, panel) + first, least(COLUMNS, panel_cols(w, panel) - first));
}

static int64_t bands(const gram *w)
{
    return (w->rows->x.rows + BAND - 1) / BAND;
}

/* Task: a few rows of a panel of the round. */
static void lay_band(void *context, int64_t index, int worker)
{
    const gram *w = context;
    const int64_t panel = w->first + index / bands(w);
    const int64_t row = index % bands(w) * BAND;
    const scree__wide_part part = {row, least(BAND, w->rows->x.rows - row), panel_first(w, panel),
                                   panel_cols(w, panel)};
    (void)worker;
    scree__wide_lay(w->rows, &part, buffer_of(w, panel - w->first) + row * part.cols * w->rows->ops->size);
}

/* Task: a tile of a lane. */
static void multiply_tile(void *context, int64_t index, int worker)
{
    gram *w = context;
    const int64_t panel = w->first + index / tile_count(w);
    multiply(w, buffer_of(w, panel - w->first), panel, index % tile_count(w), worker);
}

/* A round is a panel of each lane. */
static void add_together(gram *w)
{
    const int threads = w->rows->threads;
    for (w->first = w->next; w->first < w->end; w->first += w->shape.lanes) {
        const int64_t panels = least(w->shape.lanes, w->end - w->first);
        if (!w->rows->measured)
            scree__parallel(threads, panels * (PANEL / COLUMNS), measure_columns, w);
        scree__parallel(threads, panels * bands(w), lay_band, w);
        scree__parallel(threads, panels * tile_count(w), multiply_tile, w);
    }
}

/* Task: some rows of the upper triangle, lanes joined; and the lower one. */
static void finish_band(void *context, int64_t index, int worker)
{
    gram *w = context;
    const int64_t n = w->rows->x.rows;
    const int64_t end = least((index + 1) * BAND, n);
    (void)worker;
    for (int64_t left = index * BAND; left < n; left += BAND)
        for (int64_t i = index * BAND; i < end; i++)
            for (int64_t j = left > i ? left : i; j < least(left + BAND, n); j++) {
                double sum = w->g[i * n + j];
                for (int64_t lane = 1; lane < w->shape.lanes; lane++)
                    sum += w->sums[((lane - 1) * n + i) * n + j];
                w->g[i * n + j] = sum / w->rows->divisor;
                w->g[j * n + i] = w->g[i * n + j];
            }
}

/* All panels that are left, in parts where somebody watches. */
static scree_status add_panels(gram *w, const scree__wide_watch *watch, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t part = watch ? WATCHED_ROUNDS * w->shape.lanes : w->shape.panels;
    while (status == SCREE_OK && w->next < w->shape.panels && !w->failed) {
        w->end = least(w->next + part, w->shape.panels);
        scree__blas_enter();
        if (w->shape.apart)
            scree__parallel(w->rows->threads, w->shape.lanes, add_lane, w);
        else
            add_together(w);
        scree__blas_leave();
        w->next = w->end;
        status = watch && !w->failed ? watch->between(watch->context, (double)w->next / (double)w->shape.panels, error)
                                     : SCREE_OK;
    }
    if (w->failed)
        return scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows",
                           (long long)w->rows->x.rows);
    return status;
}

void scree__wide_sums_move(scree__wide_sums *w, scree__snapshot *s)
{
    const int64_t n = w->rows->x.rows;
    scree__snapshot_same(s, n);
    scree__snapshot_same(s, w->rows->x.cols);
    scree__snapshot_same(s, w->rows->ops->type);
    scree__snapshot_same(s, w->shape.lanes);
    scree__snapshot_same(s, w->rows->measured);
    scree__snapshot_count(s, &w->next, 0, w->shape.panels);
    if (s->status == SCREE_OK && w->next < w->shape.panels && w->next % w->shape.lanes != 0)
        scree__snapshot_refuse(s);
    scree__snapshot_doubles(s, w->rows->mean, w->rows->x.cols);
    scree__snapshot_doubles(s, w->rows->rest, w->rows->x.cols);
    scree__snapshot_doubles(s, w->rows->variance, w->rows->x.cols);
    for (int64_t i = 0; i < n; i++)
        scree__snapshot_doubles(s, w->g + i * n + i, n - i);
    for (int64_t i = 0; i < (w->shape.lanes - 1) * n; i++)
        scree__snapshot_doubles(s, w->sums + i * n + i % n, n - i % n);
}

scree_status scree__wide_gram(scree__wide_rows *rows, double *g, const scree__wide_watch *watch, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = rows->x.rows;
    gram w = {.rows = rows, .g = g, .shape = shape_of(n, rows->x.cols, rows->threads)};
    bool over = false;
    SCREE_ALLOC(w.sums, (w.shape.lanes - 1) * n * n, error);
    w.packed = scree__alloc_raw(w.shape.buffers * n * PANEL, (size_t)rows->ops->size);
    SCREE_ALLOC(w.scratch, rows->threads * TILE * TILE * rows->ops->scratch, error);
    if (!w.packed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate panels of %lld rows", (long long)n);
    if (watch)
        SCREE_TRY(watch->begin(watch->context, &w, &over, error));
    if (!over) {
        status = add_panels(&w, watch, error);
        SCREE_TRY(watch ? watch->end(watch->context, status, error) : status);
    }
    rows->measured = true;
    scree__parallel(scree__threads_for(rows->threads, (double)n * (double)n), bands(&w), finish_band, &w);
done:
    free(w.sums);
    free(w.packed);
    free(w.scratch);
    return status;
}

/* ---- ranges ---- */

static shape shape_of_ranges(int64_t rows, const scree__wide_ranges *ranges, int threads)
{
    const int64_t lanes = ranges->count;
    const bool apart = threads == 1 || lanes % threads == 0 || lanes >= 4 * threads;
    return (shape){.panels = (ranges->widest + PANEL - 1) / PANEL * lanes,
                   .lanes = lanes,
                   .tiles = (rows + TILE - 1) / TILE,
                   .buffers = apart ? least(threads, lanes) : lanes,
                   .apart = apart};
}

int64_t scree__wide_gram_ranges_memory(int64_t rows, int64_t count, const scree__ops *ops, int threads)
{
    return (count > threads ? count : threads) * rows * PANEL * ops->size + threads * TILE * TILE * ops->scratch;
}

/* Task: some rows of the sums of a range become 0, from their first tile on. */
static void clear_band(void *context, int64_t index, int worker)
{
    const gram *w = context;
    const int64_t n = w->rows->x.rows;
    const int64_t first = index % bands(w) * BAND;
    const int64_t left = first / TILE * TILE;
    (void)worker;
    for (int64_t i = first; i < least(first + BAND, n); i++)
        memset(sums_of(w, index / bands(w)) + i * n + left, 0, (size_t)(n - left) * sizeof *w->g);
}

scree_status scree__wide_gram_ranges(const scree__wide_rows *rows, const scree__wide_ranges *ranges, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__wide_rows x = *rows;
    const int64_t n = x.x.rows;
    gram w = {.rows = &x, .ranges = ranges, .shape = shape_of_ranges(n, ranges, x.threads)};
    w.packed = scree__alloc_raw(w.shape.buffers * n * PANEL, (size_t)x.ops->size);
    SCREE_ALLOC(w.scratch, x.threads * TILE * TILE * x.ops->scratch, error);
    if (!w.packed)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: cannot allocate panels of %lld rows", (long long)n);
    scree__parallel(scree__threads_for(x.threads, (double)n * (double)n), ranges->count * bands(&w), clear_band, &w);
    SCREE_TRY(add_panels(&w, NULL, error));
done:
    free(w.packed);
    free(w.scratch);
    return status;
}

/* Longest chains of additions: a panel, then the panels of a lane, then lanes; those of the centring twice; weights as
 * in centred.c. Float panels as there. */
double scree__wide_gram_rounding(const scree__wide_rows *w)
{
    const shape s = shape_of(w->x.rows, w->x.cols, 1);
    const double panels = (double)s.panels;
    const double chain = (double)least(w->x.cols, PANEL);
    const double of_sums =
        (chain + panels / (double)s.lanes + (double)(s.lanes + w->x.rows) + 5) * 0x1p-53 * (w->x.weights ? 2 : 1);
    return w->ops->type == SCREE_F32 ? of_sums + 8 * sqrt(chain / panels) * 0x1p-24 : of_sums;
}
