/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram by several processes, which share the columns: each reads all rows and keeps its own columns of them, cut
 * into ranges as rows are elsewhere. Sums over the columns, which are all that is needed of them, are joined by a tree
 * over the ranges: G, then Y and H of the vectors, then the squares of the residuals (wide_vectors.c). Columns of U
 * come together in the end. The eigenvectors of G each process finds for itself. */

#include "fit/gram.h"

#include "base/memory.h"
#include "base/threads.h"
#include "fit/held.h"
#include "kernel/integer_gram.h"
#include "kernel/wide_gram.h"

#include <string.h>

enum { JOINED = 1 << 16 }; /* sums that a thread adds at a time */

/* What is done with one range of columns; sums: what it comes to. */
typedef struct visit {
    const scree__job *job;
    scree__team_items items; /* columns */
    const scree__wide_rows *rows;
    int64_t divisor; /* of integers */
    const scree__wide_pairs *pairs;
    const scree__wide_sums_known *known; /* of the second read */
    bool orthonormal;
    scree_status (*of)(const struct visit *v, const scree__wide_rows *range, const scree__wide_pairs *pairs,
                       double *sums, scree_error *error);
    int64_t count; /* of sums */
} visit;

/* The columns of a range, and what belongs to them, of those of this process. */
static void narrow(const visit *v, int64_t range, scree__wide_rows *rows, scree__wide_pairs *pairs)
{
    const scree__ranges *r = &v->items.ranges;
    const int64_t own = scree__range_start(r, r->first);
    const int64_t first = scree__range_start(r, range);
    const int64_t cols = scree__range_start(r, range + 1) - first;
    *rows = *v->rows;
    rows->x = scree__rows_columns(&v->rows->x, first - own, cols);
    rows->mean = v->rows->mean + (first - own);
    rows->rest = v->rows->rest + (first - own);
    rows->variance = v->rows->variance + (first - own);
    rows->factor = v->rows->factor ? v->rows->factor + (first - own) : NULL;
    if (v->pairs) {
        *pairs = *v->pairs;
        pairs->u += first;
    }
}

static scree_status add_ranges(const visit *v, scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &v->job->team->ranges;
    for (int64_t range = ranges->first; range < ranges->end; range++) {
        scree__wide_rows rows;
        scree__wide_pairs pairs = {0};
        if (range % v->items.each == 0) {
            double *sums = scree__team_tree_place(tree);
            if (!sums)
                SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: %lld sums do not fit", (long long)v->count);
            narrow(v, range / v->items.each, &rows, &pairs);
            SCREE_TRY(v->of(v, &rows, &pairs, sums, error));
        }
        SCREE_TRY(scree__team_tree_add(tree, error));
    }
done:
    return status;
}

/* Sums that are joined. */
typedef struct joining {
    double *into;
    const double *from;
    int64_t count;
} joining;

/* Task: some of them. */
static void join_part(void *context, int64_t part, int worker)
{
    const joining *j = context;
    const int64_t end = (part + 1) * JOINED < j->count ? (part + 1) * JOINED : j->count;
    (void)worker;
    for (int64_t i = part * JOINED; i < end; i++)
        j->into[i] += j->from[i];
}

static scree_status join(void *context, double *into, double *from, scree_error *error)
{
    const visit *v = context;
    joining j = {into, from, v->count};
    (void)error;
    scree__parallel(scree__threads_for(v->job->threads, (double)v->count), (v->count + JOINED - 1) / JOINED, join_part,
                    &j);
    return SCREE_OK;
}

/* out: what all ranges come to. */
static scree_status add_up(visit *v, double *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team_tree *tree = NULL;
    double *all;
    v->items = scree__held_items(v->job);
    SCREE_TRY(scree__team_tree_new(&tree, v->job->team, v->count, join, v, error));
    status = add_ranges(v, tree, error);
    SCREE_TRY(scree__team_tree_finish(tree, status, NULL, &all, error));
    memcpy(out, all, (size_t)v->count * sizeof *out);
done:
    scree__team_tree_free(tree);
    return status;
}

static scree_status multiply(const visit *v, const scree__wide_rows *range, const scree__wide_pairs *pairs,
                             double *sums, scree_error *error)
{
    scree__wide_rows rows = *range;
    (void)v;
    (void)pairs;
    return scree__wide_gram(&rows, sums, NULL, error);
}

static scree_status multiply_integers(const visit *v, const scree__wide_rows *range, const scree__wide_pairs *pairs,
                                      double *sums, scree_error *error)
{
    double *g = NULL;
    (void)pairs;
    const scree_status status = scree__integer_gram(&g, &range->x, v->divisor, range->threads, NULL, error);
    if (status == SCREE_OK)
        memcpy(sums, g, (size_t)v->count * sizeof *g);
    free(g);
    return status;
}

static scree_status read_vectors(const visit *v, const scree__wide_rows *range, const scree__wide_pairs *pairs,
                                 double *sums, scree_error *error)
{
    return scree__wide_vectors_read(range, pairs, v->orthonormal, sums, error);
}

static scree_status finish_vectors(const visit *v, const scree__wide_rows *range, const scree__wide_pairs *pairs,
                                   double *sums, scree_error *error)
{
    return scree__wide_vectors_finish(range, pairs, v->known, sums, error);
}

scree_status scree__gram_multiply_together(const scree__job *job, scree__wide_rows *rows, double *g, scree_error *error)
{
    visit v = {.job = job, .rows = rows, .of = multiply, .count = rows->x.rows * rows->x.rows};
    const scree_status status = add_up(&v, g, error);
    rows->measured = true;
    return status;
}

scree_status scree__gram_integers_together(const scree__job *job, const scree__wide_rows *rows, int64_t divisor,
                                           double *g, scree_error *error)
{
    visit v = {
        .job = job, .rows = rows, .divisor = divisor, .of = multiply_integers, .count = rows->x.rows * rows->x.rows};
    return add_up(&v, g, error);
}

/* Vectors that Cholesky's factor cannot make orthonormal, each process those of all columns. */
static scree_status start_over(visit *v, double *sums, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = v->job;
    SCREE_TRY(scree__team_gather(job->team, v->pairs->u, v->pairs->k, &v->items, error));
    SCREE_TRY(scree__wide_vectors_orthonormalise(v->pairs, job->cols, job->threads, error));
    v->orthonormal = true;
    SCREE_TRY(add_up(v, sums, error));
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
    visit v = {.job = job, .rows = rows, .pairs = pairs, .of = read_vectors, .count = scree__wide_vectors_sums(n, k)};
    SCREE_ALLOC(sums, v.count, error);
    SCREE_ALLOC(squares, k, error);
    SCREE_TRY(add_up(&v, sums, error));
    SCREE_TRY(scree__wide_vectors_settle(n, k, job->threads, sums, &settled, error));
    if (!settled)
        SCREE_TRY(start_over(&v, sums, error));
    const scree__wide_sums_known known = {sums, !settled};
    v.known = &known;
    v.of = finish_vectors;
    v.count = k;
    SCREE_TRY(add_up(&v, squares, error));
    scree__wide_vectors_residuals(pairs, squares);
    SCREE_TRY(scree__team_gather(job->team, pairs->u, k, &v.items, error));
done:
    free(sums);
    free(squares);
    return status;
}
