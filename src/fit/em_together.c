/* SPDX-License-Identifier: BSD-3-Clause */
/* Method em by several processes, each of which has some ranges of the rows: it measures them, keeps them where they
 * fit, and makes its passes over them alone. What a range comes to is joined by the tree (team_tree.c): counts, means
 * and squares of columns by the formula of Chan, Golub and LeVeque with means in two doubles, the sums of a pass by
 * addition. Rows of weight 0 are not kept: where ranges begin among those that are is noted. */

#include "fit/em.h"

#include "base/memory.h"
#include "kernel/tally.h"

#include <math.h>
#include <string.h>

enum { HEAD = 3, LINES = 5, TABLE_ROWS = 256 /* of a range of a sample, at least */ };

int64_t scree__em_rows_most(const scree__job *job)
{
    const int64_t rows = scree__job_rows(job);
    if (!job->team || job->source->cells)
        return rows;
    const int64_t ranks = job->team->with->ranks;
    const int64_t own = (job->team->ranges.count + ranks - 1) / ranks * scree__team_range_rows(job->team);
    return own < rows ? own : rows;
}

scree_status scree__em_rows_share(scree__em_rows *r, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__team *team = job->team;
    const int64_t rows = scree__job_rows(job);
    r->items =
        rows == team->ranges.rows ? (scree__team_items){team->ranges, 1} : scree__team_cut(team, rows, TABLE_ROWS);
    SCREE_ALLOC(r->cuts, r->items.ranges.end - r->items.ranges.first + 1, error);
    SCREE_TRY(scree__team_part(&r->part, &r->items.ranges, job->source, error));
    if (r->part)
        r->job.source = r->part;
done:
    return status;
}

/* ---- what rows are measured by: rows, weight, empty; of each column cells, their weight, mean, its rest, squares ----
 */

typedef struct lines {
    double *counts;
    double *seen;
    double *mean;
    double *rest;
    double *squares;
} lines;

static lines lines_of(double *parcel, int64_t cols)
{
    double *x = parcel + HEAD;
    return (lines){x, x + cols, x + 2 * cols, x + 3 * cols, x + 4 * cols};
}

static int64_t measures_of(const scree__em_rows *r)
{
    return HEAD + LINES * r->job.cols;
}

static scree_status join_measures(void *context, double *into, double *from, scree_error *error)
{
    const scree__em_rows *r = context;
    const int64_t cols = r->job.cols;
    const lines a = lines_of(into, cols);
    const lines b = lines_of(from, cols);
    (void)error;
    for (int64_t i = 0; i < HEAD; i++)
        into[i] += from[i];
    for (int64_t j = 0; j < cols; j++) {
        const double seen = a.seen[j] + b.seen[j];
        const double share = seen > 0 ? b.seen[j] / seen : 0;
        const double step = a.seen[j] > 0 ? (b.mean[j] - a.mean[j]) + (b.rest[j] - a.rest[j]) : 0;
        if (!(b.seen[j] > 0))
            continue;
        if (a.seen[j] > 0) {
            scree__two_sum(a.mean[j], a.rest[j] + share * step, &a.mean[j], &a.rest[j]);
        } else {
            a.mean[j] = b.mean[j];
            a.rest[j] = b.rest[j];
        }
        a.squares[j] += b.squares[j] + step * step * (a.seen[j] * share);
        a.counts[j] += b.counts[j];
        a.seen[j] = seen;
    }
    return SCREE_OK;
}

scree_status scree__em_rows_range(scree__em_rows *r, scree__team_tree *tree, double *origin, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t cols = r->job.cols;
    double *parcel = scree__team_tree_take(tree);
    if (!parcel)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: means of %lld columns do not fit", (long long)cols);
    const lines to = lines_of(parcel, cols);
    parcel[0] = (double)(r->own - r->cuts[r->range]);
    parcel[1] = r->weight;
    parcel[2] = (double)r->empty;
    for (int64_t j = 0; j < cols; j++) {
        to.counts[j] = (double)r->counts[j];
        to.seen[j] = r->seen[j];
        scree__two_sum(origin[j], r->mean[j], &to.mean[j], &to.rest[j]);
        to.squares[j] = r->variance[j];
        r->counts[j] = 0;
        r->seen[j] = r->mean[j] = r->variance[j] = origin[j] = 0;
    }
    r->own_empty += r->empty;
    r->empty = 0;
    r->weight = 0;
    r->cuts[++r->range] = r->own;
    SCREE_TRY(scree__team_tree_put_items(tree, r->items.each, parcel, error));
done:
    return status;
}

scree_status scree__em_rows_join(scree__em_rows *r, scree__team_tree *tree, scree_status failed, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *all;
    SCREE_TRY(scree__team_tree_finish(tree, failed, NULL, &all, error));
    const lines from = lines_of(all, r->job.cols);
    r->rows = (int64_t)all[0];
    r->weight = all[1];
    r->empty = (int64_t)all[2];
    for (int64_t j = 0; j < r->job.cols; j++) {
        r->counts[j] = (int64_t)from.counts[j];
        r->seen[j] = from.seen[j];
        r->mean[j] = from.mean[j] + from.rest[j];
        r->variance[j] = from.squares[j];
    }
done:
    return status;
}

scree_status scree__em_rows_tree(scree__team_tree **out, scree__em_rows *r, scree_error *error)
{
    return scree__team_tree_new(out, r->job.team, measures_of(r), join_measures, r, error);
}

/* ---- passes ---- */

typedef struct sharing {
    scree__em_pass *pass;
    scree__team_tree *tree;
} sharing;

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    return scree__em_visit(((const sharing *)context)->pass, batch, error);
}

static scree_status ended(void *context, scree_error *error)
{
    const sharing *all = context;
    scree__em_pass *pass = all->pass;
    double *sums = scree__team_tree_take(all->tree);
    if (!sums)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: sums of %lld columns do not fit",
                           (long long)pass->em->d);
    pass->give(pass, sums);
    return scree__team_tree_put_items(all->tree, pass->em->rows.items.each, sums, error);
}

scree_status scree__em_pass_together(scree__em_pass *pass, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_rows *r = &pass->em->rows;
    sharing all = {.pass = pass};
    const scree__range_visits visits = {
        .visit = visit, .ended = ended, .context = &all, .ranges = &r->items.ranges, .cuts = r->kept ? r->cuts : NULL};
    double *sums;
    SCREE_TRY(scree__team_tree_new(&all.tree, r->job.team, pass->doubles, NULL, NULL, error));
    r->passes += r->kept == NULL;
    status =
        scree__job_pass_ranges(&r->job, r->passes, 0, pass->em->slots * pass->em->slot[0].height, &visits, NULL, error);
    SCREE_TRY(scree__team_tree_finish(all.tree, status, NULL, &sums, error));
    pass->take(pass, sums);
done:
    scree__team_tree_free(all.tree);
    return status;
}

/* ---- a table of some rows, which all have in the end ---- */

/* One number of each process, all of which all have in the end. */
static scree_status tell_numbers(const scree__em_rows *r, int64_t own, int64_t *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__team *team = r->job.team;
    double *x = scree__alloc(team->with->ranks, sizeof *x);
    if (x) {
        for (int rank = 0; rank < team->with->ranks; rank++)
            all[rank] = 1;
        x[team->with->rank] = (double)own;
    } else {
        status = scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %d numbers do not fit", team->with->ranks);
    }
    SCREE_TRY(scree__team_collect(team, status, x, all, error));
    for (int rank = 0; rank < team->with->ranks; rank++)
        all[rank] = (int64_t)x[rank];
done:
    free(x);
    return status;
}

scree_status scree__em_rows_before(const scree__em_rows *r, int64_t *before, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_communicator *with = r->job.team->with;
    int64_t *filled = NULL;
    *before = 0;
    SCREE_ALLOC(filled, with->ranks, error);
    SCREE_TRY(tell_numbers(r, r->own - r->own_empty, filled, error));
    for (int rank = 0; rank < with->rank; rank++)
        *before += filled[rank];
done:
    free(filled);
    return status;
}

scree_status scree__em_rows_collect(const scree__em_rows *r, scree_status failed, const scree__em_collected *c,
                                    scree_error *error)
{
    scree_status status = failed;
    scree__team *team = r->job.team;
    const int ranks = team->with->ranks;
    int64_t *counts = NULL;
    SCREE_ALLOC(counts, ranks, error);
    SCREE_TRY(status);
    SCREE_TRY(tell_numbers(r, c->own, counts, error));
    if (c->weights)
        SCREE_TRY(scree__team_collect(team, SCREE_OK, c->weights, counts, error));
    for (int rank = 0; rank < ranks; rank++)
        counts[rank] *= c->cols;
    SCREE_TRY(scree__team_collect(team, SCREE_OK, c->x, counts, error));
done:
    free(counts);
    return status;
}
