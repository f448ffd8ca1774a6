/* SPDX-License-Identifier: BSD-3-Clause */
/* Method svd of N < D rows, which all are in memory: Cᵀ = QR, R = UΣVᵀ, and the components are the columns of QU. The
 * D×N matrix Cᵀ is cut into slabs of columns of the data (slabs.c), 2DN² flops in all.
 *
 * Several processes share the columns, as those of gram do: each reads all rows and keeps its own columns, so that
 * means and scales are found where they are needed. Ranges of columns come to triangles, N² numbers, which the fixed
 * tree joins (team_tree.c); what it leaves of Q stays where it was joined. The first process alone finds Σ and U, and U
 * goes the way back down the tree, k columns of it (team_descend.c). The shape of it all depends on N and D alone. A
 * process that is on its own has one slab. */

#include "fit/svd.h"

#include "base/memory.h"
#include "fit/resident.h"
#include "fit/solve.h"
#include "kernel/slabs.h"

#include <string.h>

enum {
    LEAST_COLS = 512, /* of a slab, and */
    LEAST_SHARE = 2,  /* for each row: so many */
    MOST_SLABS = 16,  /* of a range */
    MOST_HEIGHT = 16  /* of the tree over the ranges */
};

/* A join of two ranges, kept for the way back. */
typedef struct fold {
    double *v; /* N×N */
    double *t;
} fold;

typedef struct work {
    const scree__job *job;
    scree__solution *s;
    scree__team_items items; /* columns */
    scree__resident x;
    scree__slabs slabs;
    int64_t *starts;
    int64_t n;
    double *sigma; /* N */
    double *left;  /* N×N: U */
    fold *folds;
    int64_t folded;
    int info; /* of the way back */
} work;

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t least_cols(const scree__job *job)
{
    return larger(LEAST_COLS, LEAST_SHARE * scree__job_rows(job));
}

/* Columns of this process in ranges, and slabs in each of these. */
static scree__team_items items_of(const scree__job *job)
{
    if (job->team)
        return scree__team_cut(job->team, job->cols, least_cols(job));
    return (scree__team_items){.ranges = {.rows = job->cols, .count = 1, .first = 0, .end = 1}, .each = 1};
}

static int64_t slabs_each(const scree__job *job, const scree__team_items *items)
{
    const int64_t cols = job->cols / items->ranges.count;
    int64_t slabs = 1;
    while (job->team && slabs < MOST_SLABS && cols / (2 * slabs) >= least_cols(job))
        slabs *= 2;
    return slabs;
}

static int64_t own_ranges(const scree__team_items *items)
{
    return items->ranges.end - items->ranges.first;
}

static int64_t own_cols(const scree__team_items *items)
{
    return scree__range_start(&items->ranges, items->ranges.end) -
           scree__range_start(&items->ranges, items->ranges.first);
}

static int64_t most_folds(const scree__team_items *items)
{
    return own_ranges(items) + MOST_HEIGHT;
}

void scree__svd_wide_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const scree__team_items items = items_of(job);
    const int64_t rows = scree__job_rows(job);
    const int64_t k = scree__job_components(job, rows);
    const int64_t each = slabs_each(job, &items);
    const double n = (double)rows;
    const double d = (double)job->cols;
    int64_t height = 0;
    scree__estimate_keeping(job->rates, effort, n, d, false);
    *(job->team ? &effort->shared : &effort->alone) +=
        scree__estimate_qr(job->rates, (2 * n + 4 * (double)k) * d * n, n);
    entry->memory += scree__resident_memory(job, &scree__ops_f64, own_cols(&items)) +
                     scree__slabs_memory(rows, own_ranges(&items) * each, each);
    while ((int64_t)1 << height < items.ranges.count)
        height++;
    if (job->team) /* the tree, what is kept of its joins, the way back, and vectors on their way */
        entry->memory +=
            8 * (scree__team_tree_doubles(job->team, rows * rows) + height * rows * k +
                 (larger(own_ranges(&items) - 1, 0) + height) * (rows * rows + scree__triangles_doubles(rows)) +
                 own_cols(&items) * k);
}

static void work_clear(work *w)
{
    for (int64_t i = 0; w->folds && i < most_folds(&w->items); i++) {
        free(w->folds[i].v);
        free(w->folds[i].t);
    }
    free(w->folds);
    scree__slabs_clear(&w->slabs);
    scree__resident_clear(&w->x);
    free(w->starts);
    free(w->sigma);
    free(w->left);
}

static scree_status work_alloc(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &w->items.ranges;
    const int64_t each = slabs_each(w->job, &w->items);
    const int64_t count = own_ranges(&w->items) * each;
    const int64_t own = scree__range_start(ranges, ranges->first);
    SCREE_ALLOC(w->starts, count + 1, error);
    for (int64_t slab = 0; slab < count; slab++) {
        const int64_t first = scree__range_start(ranges, ranges->first + slab / each);
        const int64_t end = scree__range_start(ranges, ranges->first + slab / each + 1);
        const scree__ranges within = {.rows = end - first, .count = each};
        w->starts[slab] = first - own + scree__range_start(&within, slab % each);
    }
    w->starts[count] = w->x.cols;
    w->slabs = (scree__slabs){.x = (double *)(void *)w->x.data,
                              .rows = w->x.cols,
                              .cols = w->n,
                              .count = count,
                              .each = each,
                              .starts = w->starts,
                              .threads = w->job->threads};
    SCREE_ALLOC(w->sigma, w->n, error);
    if (!w->job->team || w->job->team->with->rank == 0)
        SCREE_ALLOC(w->left, w->n * w->n, error);
    SCREE_ALLOC(w->folds, most_folds(&w->items), error);
done:
    return status;
}

/* ---- several processes ---- */

/* For scree__team_tree_new. */
static scree_status join(void *context, double *into, double *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    const int64_t n = w->n;
    fold *kept = &w->folds[w->folded++];
    SCREE_ALLOC(kept->v, n * n, error);
    SCREE_ALLOC(kept->t, scree__triangles_doubles(n), error);
    memcpy(kept->v, from, (size_t)(n * n) * sizeof *from);
    scree__blas_enter();
    const int info = scree__triangles_join(n, into, n, kept->v, n, kept->t);
    scree__blas_leave();
    if (info != 0)
        SCREE_TRY(scree__blas_fail(info, "the QR factorisation of a matrix", n, error));
done:
    return status;
}

static scree_status add_ranges(work *w, scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &w->job->team->ranges;
    for (int64_t range = ranges->first; range < ranges->end; range++) {
        if (range % w->items.each == 0) {
            double *r = scree__team_tree_room(tree);
            if (!r)
                SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: a triangle of %lld rows is too large",
                           (long long)w->n);
            scree__slabs_triangle(&w->slabs, range / w->items.each - w->items.ranges.first, r);
        }
        SCREE_TRY(scree__team_tree_add(tree, error));
    }
done:
    return status;
}

/* The first process finds σ, which all get, and U. */
static scree_status solve_first(work *w, double *r, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = w->job->team;
    const scree_communicator *with = team->with;
    if (with->rank == 0)
        status = scree__triangle_svd(r, w->n, w->sigma, w->left, NULL, w->job->options->run, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(with->broadcast(with->context, w->sigma, w->n * 8, error));
done:
    return status;
}

static scree_status factor_together(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team_tree *tree = NULL;
    double *r;
    SCREE_TRY(scree__team_tree_new(&tree, w->job->team, w->n * w->n, join, w, error));
    status = scree__slabs_factor(&w->slabs, error);
    if (status == SCREE_OK)
        status = add_ranges(w, tree, error);
    SCREE_TRY(scree__team_tree_finish(tree, status, NULL, &r, error));
    SCREE_TRY(solve_first(w, r, error));
done:
    scree__team_tree_free(tree);
    return status;
}

/* For scree__team_descend: of the last join that is left. */
static void split(void *context, double *x, double *other)
{
    work *w = context;
    fold *last = &w->folds[--w->folded];
    scree__blas_enter();
    const int info = scree__triangles_split(w->n, w->s->k, last->v, w->n, last->t, x, other, w->n);
    scree__blas_leave();
    w->info = scree__blas_first(w->info, info);
}

/* U of a range of columns, into the first slab of it. */
static void arrived(void *context, int64_t range, const double *x)
{
    work *w = context;
    double *u = w->s->vectors + scree__range_start(&w->items.ranges, range);
    for (int64_t j = 0; j < w->s->k; j++)
        memcpy(u + j * w->job->cols, x + j * w->n, (size_t)w->n * sizeof *u);
}

static double *own_vectors(const work *w)
{
    return w->s->vectors + w->x.first;
}

static scree_status vectors_together(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = w->job->team;
    const scree__team_way way = {
        .items = &w->items, .count = w->n * w->s->k, .split = split, .arrived = arrived, .context = w};
    SCREE_TRY(scree__team_descend(team, &way, w->left, error));
    if (w->info != 0)
        status = scree__blas_fail(w->info, "the singular value decomposition of a matrix", w->n, error);
    else
        status = scree__slabs_spread(&w->slabs, own_vectors(w), w->job->cols, w->s->k, error);
    SCREE_TRY(scree__team_agree(team, status, NULL, error));
    SCREE_TRY(scree__team_gather(team, w->s->vectors, w->s->k, &w->items, error));
done:
    return status;
}

/* ---- one process ---- */

static scree_status factor_alone(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *r = NULL;
    SCREE_ALLOC(r, w->n * w->n, error);
    SCREE_TRY(scree__slabs_factor(&w->slabs, error));
    scree__slabs_triangle(&w->slabs, 0, r);
    SCREE_TRY(scree__triangle_svd(r, w->n, w->sigma, w->left, NULL, w->job->options->run, error));
done:
    free(r);
    return status;
}

static scree_status vectors_alone(work *w, scree_error *error)
{
    arrived(w, 0, w->left);
    return scree__slabs_spread(&w->slabs, own_vectors(w), w->job->cols, w->s->k, error);
}

scree_status scree__svd_wide(const scree__job *job, scree__solution *s, bool *misjudged, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job, .s = s, .items = items_of(job)};
    SCREE_TRY(scree__resident_load(&w.x, job, &scree__ops_f64, job->team ? &w.items : NULL, s, error));
    s->passes = 1;
    w.n = s->rows;
    *misjudged = w.n > job->cols;
    if (*misjudged)
        goto done;
    SCREE_TRY(work_alloc(&w, error));
    SCREE_TRY((job->team ? factor_together : factor_alone)(&w, error));
    SCREE_TRY(scree__svd_settle(job, w.sigma, w.n, job->share, s, error));
    SCREE_TRY((job->team ? vectors_together : vectors_alone)(&w, error));
done:
    work_clear(&w);
    return status;
}
