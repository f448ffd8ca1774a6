/* SPDX-License-Identifier: BSD-3-Clause */
/* Grams of folds of columns, where several processes share these: each reads all rows and keeps its own columns of
 * them, cut into ranges as those of gram are (gram_together.c). A range comes to one N×N Gram for each fold, of which
 * the upper triangle counts, and the tree adds up ranges: F N² numbers a range. A sample of the rows is the same for
 * all, and each tells the others its columns of them. */

#include "fit/select_wide.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { LEAST_COLS = 2048 }; /* of a range: several folds share them, and Grams of each take a while to add up */

scree__team_items scree__wide_items(const scree__job *job)
{
    return scree__team_cut(job->team, job->cols, LEAST_COLS);
}

int64_t scree__wide_cols(const scree__job *job)
{
    if (!job->team)
        return job->cols;
    const scree__team_items items = scree__wide_items(job);
    return scree__range_start(&items.ranges, items.ranges.end) - scree__range_start(&items.ranges, items.ranges.first);
}

int64_t scree__wide_together_memory(const scree__job *job, int folds)
{
    const int64_t n = scree__job_rows(job);
    const int64_t grams = scree__team_tree_doubles(job->team, folds * n * n);
    const int64_t kept = scree__select_rows_wanted(job);
    return 8 * (grams + kept * scree__wide_cols(job) + job->cols); /* columns of rows on their way */
}

/* Ranges at work. */
typedef struct ranging {
    scree__fold_columns columns;
    double *grams; /* of the range */
    int64_t n;
    int info;
} ranging;

/* Task: one fold of a range. */
static void multiply(void *context, int64_t fold, int worker)
{
    ranging *r = context;
    (void)worker;
    const int info = scree__fold_gram(&r->columns, fold, r->grams + fold * r->n * r->n);
    if (info != 0)
        __atomic_store_n(&r->info, info, __ATOMIC_RELAXED);
}

/* Grams that are added, or made symmetric. */
typedef struct squares {
    double *into;
    const double *from;
    int64_t n;
} squares;

/* Task: a row of the upper triangle of one of them. */
static void add_row(void *context, int64_t index, int worker)
{
    const squares *s = context;
    double *into = s->into + index * s->n;
    const double *from = s->from + index * s->n;
    (void)worker;
    for (int64_t j = index % s->n; j < s->n; j++)
        into[j] += from[j];
}

/* Task: one of them. */
static void mirror(void *context, int64_t index, int worker)
{
    const squares *s = context;
    double *gram = s->into + index * s->n * s->n;
    (void)worker;
    for (int64_t i = 0; i < s->n; i++)
        for (int64_t j = 0; j < i; j++)
            gram[i * s->n + j] = gram[j * s->n + i];
}

static scree_status join(void *context, double *into, double *from, scree_error *error)
{
    const scree__fold_columns *c = context;
    squares s = {into, from, c->x->rows};
    const int64_t rows = c->w->folds * s.n;
    (void)error;
    scree__parallel(scree__threads_for(c->w->job->threads, (double)(rows * s.n)), rows, add_row, &s);
    return SCREE_OK;
}

static scree_status add_ranges(ranging *r, const scree__team_items *items, scree__team_tree *tree, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *ranges = &items->ranges;
    const scree__selecting *w = r->columns.w;
    for (int64_t range = ranges->first; range < ranges->end; range++) {
        r->columns.first = scree__range_start(ranges, range) - r->columns.x->first;
        r->columns.end = scree__range_start(ranges, range + 1) - r->columns.x->first;
        r->grams = scree__team_tree_take(tree);
        if (!r->grams)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: products of %lld rows are too large", (long long)r->n);
        scree__parallel(w->job->threads, w->folds, multiply, r);
        double *grams = r->grams;
        r->grams = NULL;
        SCREE_TRY(scree__team_tree_put_items(tree, items->each, grams, error));
    }
    if (r->info != 0)
        SCREE_FAIL(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld rows", (long long)r->n);
done:
    return status;
}

scree_status scree__wide_grams_together(const scree__fold_columns *columns, scree__team_tree **tree, double **grams,
                                        scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = columns->w->job;
    const int folds = columns->w->folds;
    const scree__team_items items = scree__wide_items(job);
    ranging r = {.columns = *columns, .n = columns->x->rows};
    r.columns.begins = true;
    SCREE_TRY(scree__team_tree_new(tree, job->team, folds * r.n * r.n, join, &r.columns, error));
    status = add_ranges(&r, &items, *tree, error);
    SCREE_TRY(scree__team_tree_finish(*tree, status, NULL, grams, error));
    squares s = {.into = *grams, .n = r.n};
    scree__parallel(job->threads, folds, mirror, &s);
done:
    return status;
}

scree_status scree__wide_sample_together(const scree__selecting *w, const scree__resident *x, scree__row_sample *sample,
                                         scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = w->job->cols;
    const double *own = (const double *)(const void *)x->data;
    const scree__team_items items = scree__wide_items(w->job);
    double *row = NULL;
    SCREE_TRY(scree__row_sample_make(sample, w->sample_rows, cols, w->options->seed, error));
    SCREE_ALLOC(row, cols, error);
    const scree__rows one = {row, SCREE_F64, 1, cols, cols, NULL};
    for (int64_t i = 0; i < x->rows; i++) {
        memcpy(row + x->first, own + i * x->cols, (size_t)x->cols * sizeof *row);
        scree__row_sample_add(sample, &one, 0);
    }
    SCREE_TRY(scree__row_sample_sort(sample, error));
    SCREE_TRY(scree__team_gather(w->job->team, sample->x, sample->rows, &items, error));
done:
    free(row);
    return status;
}
