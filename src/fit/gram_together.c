/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram by several processes, which share the columns: each reads all rows and keeps its own columns of them, cut
 * into ranges as rows are elsewhere. Sums over the columns, which are all that is needed of them, are joined by a tree
 * over the ranges: G, then Y and H of the vectors, then the squares of the residuals (wide_vectors.c). Columns of U
 * come together in the end. The eigenvectors of G each process finds for itself.
 *
 * Several ranges are summed at once, so that threads that are through with one go on with the next. */

#include "fit/gram.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/held.h"
#include "kernel/integer_gram.h"
#include "kernel/wide_gram.h"

#include <string.h>

enum { BAND = 64, MOST_RANGES = 16 /* at once */, MOST_LANES = 16 /* of all ranges of vectors */ };
static const int64_t SUMS_BYTES = INT64_C(32) << 20; /* of ranges that are at work */

/* What is done with ranges of columns, of those of this process. */
typedef struct visit {
    const scree__job *job;
    scree__team_items items; /* columns */
    const scree__wide_rows *rows;
    int64_t divisor; /* of integers */
    scree__wide_pairs pairs;
    const scree__wide_sums_known *known; /* of the second read */
    bool orthonormal;
    scree_status (*of)(const struct visit *v, const scree__wide_ranges *ranges, scree_error *error);
    int64_t count; /* of sums of a range */
    int64_t side;  /* of these, where they are a symmetric matrix, of which the upper triangle counts; or 0 */
} visit;

/* How many ranges are at work at once. */
static int64_t ranges_at_once(const scree__team_items *items, int64_t count)
{
    const int64_t own = items->ranges.end - items->ranges.first;
    int64_t most = SUMS_BYTES / (8 * count);
    most = most < 1 ? 1 : most < MOST_RANGES ? most : MOST_RANGES;
    return own < most ? own : most;
}

static scree__wide_ranges shape_of(const scree__team_items *items)
{
    const int64_t each = items->ranges.count < MOST_LANES ? MOST_LANES / items->ranges.count : 1;
    return (scree__wide_ranges){.widest = scree__range_start(&items->ranges, 1), .lanes = each > 2 ? each : 2};
}

int64_t scree__gram_together_memory(const scree__job *job, int64_t rows, int64_t k)
{
    const scree__ops *ops = &scree__ops_f64;
    const scree__team_items items = scree__held_items(job);
    const int64_t count = scree__wide_vectors_sums(rows, k);
    scree__wide_ranges ranges = shape_of(&items);
    ranges.count = ranges_at_once(&items, count);
    const int64_t square = ranges_at_once(&items, rows * rows);
    const int64_t of_g = 8 * (scree__team_tree_doubles(job->team, rows * rows) + square * rows * rows) +
                         scree__wide_gram_ranges_memory(rows, square, ops, job->threads);
    const int64_t of_vectors = 8 * (scree__team_tree_doubles(job->team, count) + ranges.count * count) +
                               scree__wide_vectors_ranges_memory(rows, &ranges, k, ops);
    return of_g > of_vectors ? of_g : of_vectors;
}

/* Some ranges of items at work, and their arrays. */
typedef struct window {
    int64_t start[MOST_RANGES + 1];
    double *sums[MOST_RANGES];
    int64_t count;
} window;

static scree_status open_window(window *w, const visit *v, scree__team_tree *tree, int64_t first, scree_error *error)
{
    const scree__ranges *r = &v->items.ranges;
    const int64_t own = scree__range_start(r, r->first);
    const int64_t most = ranges_at_once(&v->items, v->count);
    *w = (window){.count = r->end - first < most ? r->end - first : most};
    for (int64_t i = 0; i <= w->count; i++)
        w->start[i] = scree__range_start(r, first + i) - own;
    for (int64_t i = 0; i < w->count; i++) {
        w->sums[i] = scree__team_tree_take(tree);
        if (!w->sums[i])
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld sums do not fit", (long long)v->count);
    }
    return SCREE_OK;
}

static scree_status add_ranges(const visit *v, scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *items = &v->items.ranges;
    window w = {0};
    for (int64_t first = items->first; first < items->end; first += w.count) {
        SCREE_TRY(open_window(&w, v, tree, first, error));
        scree__wide_ranges ranges = shape_of(&v->items);
        ranges.count = w.count;
        ranges.start = w.start;
        ranges.sums = w.sums;
        SCREE_TRY(v->of(v, &ranges, error));
        for (int64_t i = 0; i < w.count; i++) {
            double *sums = w.sums[i];
            w.sums[i] = NULL;
            SCREE_TRY(scree__team_tree_put_items(tree, v->items.each, sums, error));
        }
    }
done:
    for (int64_t i = 0; i < w.count; i++)
        free(w.sums[i]);
    return status;
}

/* Sums that are joined: lines of them, or of a square the rows of its upper triangle. */
typedef struct joining {
    double *into;
    const double *from;
    int64_t count;
    int64_t side;
} joining;

/* Task: a band of rows, or as many sums. */
static void join_band(void *context, int64_t band, int worker)
{
    const joining *j = context;
    const int64_t line = j->side > 0 ? j->side : BAND;
    const int64_t lines = (j->count + line - 1) / line;
    (void)worker;
    for (int64_t i = band * BAND; i < lines && i < (band + 1) * BAND; i++) {
        const int64_t end = (i + 1) * line < j->count ? (i + 1) * line : j->count;
        for (int64_t at = i * line + (j->side > 0 ? i : 0); at < end; at++)
            j->into[at] += j->from[at];
    }
}

static scree_status join(void *context, double *into, double *from, scree_error *error)
{
    const visit *v = context;
    joining j = {into, from, v->count, v->side};
    const int64_t line = v->side > 0 ? v->side : BAND;
    (void)error;
    scree__parallel(scree__threads_for(v->job->threads, (double)v->count), (v->count + BAND * line - 1) / (BAND * line),
                    join_band, &j);
    return SCREE_OK;
}

/* A square that is finished. */
typedef struct squaring {
    const double *upper;
    double *out;
    int64_t n;
    double divisor;
} squaring;

/* Task: a band of rows of the upper triangle, divided, and the lower one, tile by tile. */
static void finish_band(void *context, int64_t band, int worker)
{
    const squaring *s = context;
    const int64_t n = s->n;
    const int64_t first = band * BAND;
    const int64_t end = first + BAND < n ? first + BAND : n;
    (void)worker;
    for (int64_t left = first; left < n; left += BAND)
        for (int64_t i = first; i < end; i++)
            for (int64_t j = left > i ? left : i; j < n && j < left + BAND; j++)
                s->out[i * n + j] = s->out[j * n + i] = s->upper[i * n + j] / s->divisor;
}

/* What all ranges come to. */
static scree_status add_up(visit *v, double divisor, double *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team_tree *tree = NULL;
    double *all;
    v->items = scree__held_items(v->job);
    SCREE_TRY(scree__team_tree_new(&tree, v->job->team, v->count, join, v, error));
    status = add_ranges(v, tree, error);
    SCREE_TRY(scree__team_tree_finish(tree, status, NULL, &all, error));
    squaring s = {all, out, v->side, divisor};
    if (v->side > 0)
        scree__parallel(scree__threads_for(v->job->threads, (double)v->count), (v->side + BAND - 1) / BAND, finish_band,
                        &s);
    else
        memcpy(out, all, (size_t)v->count * sizeof *out);
done:
    scree__team_tree_free(tree);
    return status;
}

static scree_status multiply(const visit *v, const scree__wide_ranges *ranges, scree_error *error)
{
    return scree__wide_gram_ranges(v->rows, ranges, error);
}

static scree_status multiply_integers(const visit *v, const scree__wide_ranges *ranges, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < ranges->count; i++) {
        const scree__rows x =
            scree__rows_columns(&v->rows->x, ranges->start[i], ranges->start[i + 1] - ranges->start[i]);
        double *g = NULL;
        SCREE_TRY(scree__integer_gram(&g, &x, v->divisor, v->rows->threads, NULL, error));
        memcpy(ranges->sums[i], g, (size_t)v->count * sizeof *g);
        free(g);
    }
done:
    return status;
}

static scree_status read_vectors(const visit *v, const scree__wide_ranges *ranges, scree_error *error)
{
    return scree__wide_vectors_read(v->rows, &v->pairs, ranges, v->orthonormal, error);
}

static scree_status finish_vectors(const visit *v, const scree__wide_ranges *ranges, scree_error *error)
{
    return scree__wide_vectors_finish(v->rows, &v->pairs, ranges, v->known, error);
}

scree_status scree__gram_multiply_together(const scree__job *job, scree__wide_rows *rows, double *g, scree_error *error)
{
    const int64_t n = rows->x.rows;
    visit v = {.job = job, .rows = rows, .of = multiply, .count = n * n, .side = n};
    const scree_status status = add_up(&v, rows->divisor, g, error);
    rows->measured = true;
    return status;
}

scree_status scree__gram_integers_together(const scree__job *job, const scree__wide_rows *rows, int64_t divisor,
                                           double *g, scree_error *error)
{
    const int64_t n = rows->x.rows;
    visit v = {.job = job, .rows = rows, .divisor = divisor, .of = multiply_integers, .count = n * n, .side = n};
    return add_up(&v, 1, g, error);
}

/* Vectors that Cholesky's factor cannot make orthonormal, each process those of all columns. */
static scree_status start_over(visit *v, const scree__wide_pairs *pairs, double *sums, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = v->job;
    SCREE_TRY(scree__team_gather(job->team, pairs->u, pairs->k, &v->items, error));
    SCREE_TRY(scree__wide_vectors_orthonormalise(pairs, job->cols, job->threads, error));
    v->orthonormal = true;
    SCREE_TRY(add_up(v, 1, sums, error));
done:
    return status;
}

scree_status scree__gram_vectors_together(const scree__job *job, const scree__wide_rows *rows,
                                          const scree__wide_pairs *pairs, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t n = rows->x.rows;
    const int64_t k = pairs->k;
    double *sums = NULL;
    double *squares = NULL;
    bool settled;
    const scree__team_items items = scree__held_items(job);
    visit v = {.job = job, .rows = rows, .pairs = *pairs, .of = read_vectors, .count = scree__wide_vectors_sums(n, k)};
    v.pairs.u += scree__range_start(&items.ranges, items.ranges.first);
    SCREE_ALLOC(sums, v.count, error);
    SCREE_ALLOC(squares, k, error);
    SCREE_TRY(add_up(&v, 1, sums, error));
    SCREE_TRY(scree__wide_vectors_settle(n, k, job->threads, sums, &settled, error));
    if (!settled)
        SCREE_TRY(start_over(&v, pairs, sums, error));
    const scree__wide_sums_known known = {sums, !settled};
    v.known = &known;
    v.of = finish_vectors;
    v.count = k;
    SCREE_TRY(add_up(&v, 1, squares, error));
    scree__wide_vectors_residuals(pairs, squares);
    SCREE_TRY(scree__team_gather(job->team, pairs->u, k, &v.items, error));
done:
    free(sums);
    free(squares);
    return status;
}
