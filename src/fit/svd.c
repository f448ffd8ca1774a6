/* SPDX-License-Identifier: BSD-3-Clause */
/* Method svd (10.47–10.49): singular values of the centred data itself, λ = σ²/N; nothing is squared, so that small
 * ones keep their digits.
 *
 * N ≥ D: one pass of streaming QR (tsqr.c, 2ND² flops), then the SVD of the triangle R. N < D: QR of the rows in memory
 * (svd_wide.c), then the SVD of its triangle. The triangle goes to the one-sided Jacobi method (Drmač and Veselić
 * 2008), which finds tiny singular values to high relative accuracy where the columns, or rows, are only badly scaled.
 *
 * Several processes join triangles of ranges of rows by a tree. Of rows in memory, each folds several ranges at once,
 * so that its threads seldom wait for each other (tsqr_ranges.c); of others one after the other, to the same bits. */

#include "fit/svd.h"

#include "base/memory.h"
#include "base/progress.h"
#include "fit/held.h"
#include "fit/method.h"
#include "fit/reduce.h"
#include "fit/solve.h"
#include "kernel/tsqr_ranges.h"

#include <string.h>

static bool is_wide(const scree__job *job)
{
    return job->rows >= 0 && job->rows < job->cols;
}

static bool applicable(const scree__job *job, char *reason)
{
    return is_wide(job) || scree__job_has_squares(job, reason);
}

static scree__tsqr_size size_of(const scree__job *job)
{
    return (scree__tsqr_size){.cols = job->cols,
                              .lanes = scree__tsqr_lanes(scree__team_range_rows(job->team), job->cols),
                              .ranges = job->team->ranges.end - job->team->ranges.first,
                              .threads = job->threads};
}

/* Of a process beside others. */
static int64_t together_memory(const scree__job *job)
{
    const scree__tsqr_size size = size_of(job);
    const int64_t square = job->cols * job->cols;
    const int64_t at_once = scree__held_are_lent(job) ? scree__tsqr_at_once(&size) : 0;
    const int64_t joins = at_once / 2 < job->threads ? at_once / 2 : job->threads;
    const int64_t sums = at_once > 0 ? scree__tsqr_ranges_memory(&size)
                                     : scree__tsqr_memory(job->cols, job->threads) +
                                           scree__pass_memory(job->source, scree__tsqr_rows(job->cols));
    return sums + 8 * (scree__team_tree_doubles(job->team, square) + (at_once + 3 * joins) * square);
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const int64_t rows = scree__job_rows(job);
    const double n = (double)rows;
    const double d = (double)job->cols;
    const int64_t side = is_wide(job) ? rows : job->cols;
    const double small = (double)side;
    const int64_t kept = scree__job_components(job, rows);
    entry->passes = 1;
    entry->flops = 2 * n * d * small + 30 * small * small * small;
    effort->alone += scree__estimate_triangle(job->rates, small);
    entry->memory =
        scree__triangle_memory(side) + 8 * 2 * job->cols * kept + scree__solution_spare_memory(job, rows, kept);
    if (is_wide(job)) {
        scree__svd_wide_cost(job, entry, effort);
        return;
    }
    effort->passing +=
        scree__estimate_centring(job->rates, n, d) + scree__estimate_qr(job->rates, 2 * n * d * small, small);
    if (job->team)
        entry->memory += together_memory(job);
    else
        entry->memory +=
            scree__tsqr_memory(job->cols, job->threads) + scree__pass_memory(job->source, scree__tsqr_rows(job->cols));
}

typedef struct work {
    const scree__job *job;
    scree__tsqr *tsqr;
    scree__tsqr_ranges *ranges; /* of rows in memory instead */
    scree__parcel_shape shape;  /* of what ranges of rows come to, where several processes share them: */
    scree__team_tree *tree;
    double *mean; /* D each */
    double *rest;
    int64_t lanes;
    int64_t rows; /* of the range at work */
} work;

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    work *w = context;
    scree__rows x = scree__batch_rows(batch);
    w->rows += x.rows;
    scree_status status = scree__tsqr_add(w->tsqr, &x, error);
    return status == SCREE_ERR_VALUE ? scree__job_bad_cell(w->job, batch, error) : status;
}

static void move(void *context, scree__snapshot *snapshot)
{
    scree__tsqr_move(((work *)context)->tsqr, snapshot);
}

static scree_status no_room(const work *w, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: a triangle of %lld columns is too large",
                       (long long)w->shape.cols);
}

/* A range has ended: its triangle joins those of others, and another is begun; one without rows comes to nothing. */
static scree_status ended(void *context, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    scree__tally tally;
    if (w->rows > 0) {
        double *parcel = scree__team_tree_room(w->tree);
        if (!parcel)
            SCREE_TRY(no_room(w, error));
        SCREE_TRY(scree__tsqr_tally(w->tsqr, w->mean, w->rest, &tally, error));
        scree__parcel_fill(&w->shape, &tally, parcel);
        scree__tsqr_free(w->tsqr);
        w->tsqr = NULL;
        SCREE_TRY(scree__tsqr_new_few(&w->tsqr, w->shape.cols, w->lanes, w->job->threads, error));
    }
    w->rows = 0;
    SCREE_TRY(scree__team_tree_add(w->tree, error));
done:
    return status;
}

/* The next ranges of rows in memory, as many as are at work at once: x, from row start[0] on. */
static scree_status fold_ranges(work *w, const scree__rows *x, const int64_t *start, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *parcels[SCREE__TSQR_RANGES] = {0};
    const int64_t rows = start[count] - start[0];
    status = scree__tsqr_ranges_add(w->ranges, x, start, count, error);
    if (status == SCREE_ERR_VALUE) {
        const scree__rows all = scree__rows_slice(x, start[0], rows);
        const scree__batch batch = {
            .data = all.data, .type = all.type, .rows = rows, .cols = x->cols, .stride = x->stride, .first = start[0]};
        status = scree__job_bad_cell(w->job, &batch, error);
    }
    SCREE_TRY(status);
    for (int64_t i = 0; i < count; i++) {
        if (start[i + 1] == start[i])
            continue;
        parcels[i] = scree__team_tree_take(w->tree);
        if (!parcels[i])
            SCREE_TRY(no_room(w, error));
        const scree__tally tally = scree__tsqr_ranges_tally(w->ranges, i, w->mean, w->rest);
        scree__parcel_fill(&w->shape, &tally, parcels[i]);
    }
    const scree_progress progress = {.stage = "fit",
                                     .pass = 1,
                                     .passes = 1,
                                     .rows = start[count],
                                     .rows_total = x->rows,
                                     .bytes = start[count] * x->cols * scree__type_size(x->type)};
    SCREE_TRY(scree__progress_tell(w->job->options->run, progress, 0, error));
    status = scree__team_tree_put_several(w->tree, parcels, count, w->job->threads, error);
    memset(parcels, 0, sizeof parcels);
done:
    for (int64_t i = 0; i < count; i++)
        free(parcels[i]);
    return status;
}

static scree_status fold_memory(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__ranges *r = &w->job->team->ranges;
    const int64_t own = scree__range_start(r, r->first);
    const scree__tsqr_size size = size_of(w->job);
    const int64_t most = scree__tsqr_at_once(&size);
    scree__rows x;
    SCREE_TRY(scree__job_lend(w->job, scree__range_start(r, r->end) - own, &x, error));
    SCREE_TRY(scree__tsqr_ranges_new(&w->ranges, &size, error));
    for (int64_t first = r->first, count = 0; first < r->end; first += count) {
        int64_t start[SCREE__TSQR_RANGES + 1];
        count = r->end - first < most ? r->end - first : most;
        for (int64_t i = 0; i <= count; i++)
            start[i] = scree__range_start(r, first + i) - own;
        SCREE_TRY(fold_ranges(w, &x, start, count, error));
    }
done:
    return status;
}

static scree_status fold_pass(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = w->shape.cols;
    const scree__range_visits visits = {.visit = visit, .ended = ended, .context = w};
    SCREE_TRY(scree__tsqr_new_few(&w->tsqr, d, w->lanes, w->job->threads, error));
    SCREE_TRY(scree__job_pass_ranges(w->job, 1, 1, scree__tsqr_rows(d), &visits, NULL, error));
done:
    return status;
}

/* Several processes: a tree of triangles. */
static scree_status run_together(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    scree__job mine;
    scree_source *part = NULL;
    double *parcel = NULL;
    work w = {.job = &mine, .shape = {d, d * d, job->threads}, .lanes = size_of(job).lanes};
    s->passes = 1;
    SCREE_ALLOC(w.mean, d, error);
    SCREE_ALLOC(w.rest, d, error);
    SCREE_TRY(scree__team_tree_new(&w.tree, job->team, scree__parcel_doubles(&w.shape), scree__parcel_join_triangles,
                                   &w.shape, error));
    status = scree__job_share(&mine, &part, job, error);
    if (status == SCREE_OK)
        status = (part && scree__held_are_lent(&mine) ? fold_memory : fold_pass)(&w, error);
    SCREE_TRY(scree__team_tree_finish(w.tree, status, job->gap, &parcel, error));
    const scree__tally all = scree__parcel_tally(&w.shape, parcel);
    s->rows = all.rows;
    s->weight = all.weight;
    SCREE_TRY(
        scree__svd_solve(job, scree__parcel_mean(&w.shape, parcel), scree__parcel_matrix(&w.shape, parcel), s, error));
done:
    scree__tsqr_free(w.tsqr);
    scree__tsqr_ranges_free(w.ranges);
    scree__team_tree_free(w.tree);
    scree_source_free(part);
    free(w.mean);
    free(w.rest);
    return status;
}

static scree_status run_tall(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    work w = {.job = job};
    double *mean;
    double *r;
    s->passes = 1;
    SCREE_TRY(scree__tsqr_new(&w.tsqr, d, job->threads, error));
    const scree__reading reading = {
        .pass = 1, .passes = 1, .batch_rows = scree__tsqr_rows(d), .visit = visit, .context = &w, .move = move};
    SCREE_TRY(scree__job_read(job, &reading, NULL, error));
    SCREE_TRY(scree__tsqr_finish(w.tsqr, &s->rows, &mean, &r, error));
    s->weight = scree__tsqr_weight(w.tsqr);
    SCREE_TRY(scree__svd_solve(job, mean, r, s, error));
done:
    scree__tsqr_free(w.tsqr);
    return status;
}

/* There may be more rows than the estimate said. */
static scree_status run_wide(const scree__job *job, scree__solution *s, scree_error *error)
{
    bool misjudged = false;
    const scree_status status = scree__svd_wide(job, s, &misjudged, error);
    if (status != SCREE_OK || !misjudged)
        return status;
    scree__solution_clear(s);
    *s = (scree__solution){0};
    const scree_status again = run_tall(job, s, error);
    s->passes++;
    return again;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    return is_wide(job) ? run_wide(job, s, error) : (job->team ? run_together : run_tall)(job, s, error);
}

const scree__method scree__method_svd = {
    .name = "svd",
    .text = "singular values of the rows themselves, which keep the digits of small eigenvalues; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES | SCREE__TAKES_UNCENTRED,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
