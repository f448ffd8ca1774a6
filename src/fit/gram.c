/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram, for N < D (10.5): eigenvectors v of the N×N matrix G = CCᵀ/N give those of S, u = Cᵀv/√(Nλ).
 *
 *   C   N×D  centred data; the rows lie in memory as they are, and are centred a panel of columns at a time
 *   G   N×N  N²D flops (wide_gram.c)
 *   U   D×k  CᵀV, orthonormalised again: small eigenvalues have lost orthogonality (wide_vectors.c)
 *
 * Eigenvalues below the unit round-off times tr S are lost, as in every method that squares the data. Rows of bytes
 * that are not scaled are multiplied in integers, and G is the exact one rounded once (integer_gram.c). Sparse rows
 * stay sparse where that is less work (gram_sparse.c). Several processes share the columns (gram_together.c). */

#include "fit/gram.h"

#include "base/memory.h"
#include "fit/course.h"
#include "fit/held.h"
#include "fit/stopping.h"
#include "kernel/dense.h"
#include "kernel/integer_gram.h"
#include "kernel/wide_gram.h"
#include "kernel/wide_vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ROUND_OFF = 0x1p-53;
static const double FLOAT_LEAST = 1e-30; /* variances between which float holds products of centred elements */
static const double FLOAT_MOST = 1e30;

typedef struct work {
    const scree__job *job;
    scree__held held;
    scree__wide_rows rows; /* of the columns that are held */
    double *rest;          /* D */
    double *variance;      /* D */
    double *factor;        /* D: 1/scale, or NULL */
    double *g;             /* N×N */
    double *v;             /* k×N: eigenvectors of G as rows */
    bool exact;
} work;

static bool is_exact(const scree__job *job)
{
    return job->source->about.type == SCREE_U8 && !job->source->about.weighted &&
           job->options->scale == SCREE_SCALE_NONE;
}

static const scree__ops *ops_of(const scree__job *job)
{
    return scree__job_ops(job, (double)scree__job_rows(job) * (double)scree__job_rows(job) * (double)job->cols);
}

static bool applicable(const scree__job *job, char *reason)
{
    if (job->rows < 0) {
        snprintf(reason, 256, "the number of rows is not known");
        return false;
    }
    if (job->rows >= job->cols) {
        snprintf(reason, 256, "it is only for fewer rows than columns");
        return false;
    }
    return true;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* What lives from the loading on; and on top of it G while it is summed up or its eigenvectors are found, or else what
 * U takes. Floats may have to be computed with as doubles. */
static int64_t memory_of(const scree__job *job, int64_t rows, int64_t k)
{
    const scree__ops *ops = &scree__ops_f64;
    const int64_t found = job->share > 0 ? rows : k; /* all are computed where a share decides */
    const int64_t held = scree__held_memory(job) + 8 * (job->cols * (k + 6) + rows * k);
    const int64_t square = 8 * rows * rows;
    const int64_t together = job->team ? scree__gram_together_memory(job, rows, k) : 0;
    const int64_t alone = job->team ? 0 : scree__wide_gram_memory(rows, job->cols, ops, job->threads);
    const int64_t sums = is_exact(job) ? scree__integer_gram_memory(rows, job->threads) : square + alone;
    const int64_t eigen = square + scree__dense_memory(rows, found);
    return held + larger(larger(sums, eigen), scree__wide_vectors_memory(rows, job->cols, k, ops, job->threads)) +
           together;
}

static void cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const scree__ops *ops = ops_of(job);
    const int64_t rows = scree__job_rows(job);
    const int64_t k = scree__job_components(job, rows);
    const double n = (double)rows;
    const double d = (double)job->cols;
    const double kd = (double)k;
    entry->passes = 1;
    if (scree__gram_is_sparse(job)) {
        scree__gram_sparse_cost(job, entry, effort);
        return;
    }
    scree__estimate_keeping(job->rates, effort, n, d, scree__held_are_lent(job));
    effort->shared += scree__estimate_product(job->rates, is_exact(job) ? SCREE_U8 : ops->type, n * n * d, n) +
                      scree__estimate_product(job->rates, ops->type, 6 * n * d * kd, kd) +
                      scree__estimate_product(job->rates, SCREE_F64, 2 * d * kd * kd, kd) +
                      scree__estimate_finishing(job->rates, d * kd);
    entry->flops = n * n * d + 6 * n * d * kd + 2 * d * kd * kd +
                   scree__estimate_dense(job->rates, effort, rows, k, job->share > 0);
    entry->memory = memory_of(job, rows, k) + scree__solution_spare_memory(job, rows, k);
}

static scree_status work_alloc(work *w, const scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = w->job->cols;
    w->rows = (scree__wide_rows){.ops = ops_of(w->job),
                                 .x = w->held.x,
                                 .threads = w->job->threads,
                                 .weight = s->weight,
                                 .divisor = scree__job_divisor(w->job, s->weight),
                                 .mean = s->mean + w->held.first};
    SCREE_ALLOC(w->rest, d, error);
    SCREE_ALLOC(w->variance, d, error);
    w->rows.rest = w->rest + w->held.first;
    w->rows.variance = w->variance + w->held.first;
    if (s->scale)
        SCREE_ALLOC(w->factor, d, error);
    SCREE_ALLOC(w->v, s->rows * s->k, error);
done:
    return status;
}

static void work_clear(work *w)
{
    scree__held_clear(&w->held);
    free(w->rest);
    free(w->variance);
    free(w->factor);
    free(w->g);
    free(w->v);
}

/* Means and variances are known: they are checked, and become scale and total. */
static scree_status settle(work *w, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *const found[] = {s->mean, w->rest, w->variance};
    const double *variance = w->variance;
    bool finite = true;
    for (int i = 0; w->job->team && i < 3; i++) {
        const scree__team_items items = scree__held_items(w->job);
        SCREE_TRY(scree__team_gather(w->job->team, found[i], 1, &items, error));
    }
    for (int64_t j = 0; j < w->job->cols; j++)
        finite = finite && isfinite(variance[j]);
    if (!finite)
        SCREE_TRY(scree__held_check(&w->held, w->job, error));
    SCREE_TRY(scree__solution_scale(s, w->job, variance, error));
    for (int64_t j = 0; j < w->job->cols; j++) {
        const double factor = s->scale ? 1 / s->scale[j] : 1;
        s->total += variance[j] * factor * factor;
        if (w->factor)
            w->factor[j] = factor;
    }
    w->rows.factor = w->factor ? w->factor + w->held.first : NULL;
done:
    return status;
}

/* Where parts of what follows the rows end, as shares of its time. */
typedef struct parts {
    double products;
    double values;
} parts;

static parts parts_of(const scree__job *job, const scree__solution *s)
{
    const double n = (double)s->rows;
    const double d = (double)job->cols;
    const double k = (double)s->k;
    const double threads = job->threads;
    const scree_type type = ops_of(job)->type;
    scree__effort eigen = {0};
    scree__estimate_dense(job->rates, &eigen, s->rows, s->k, job->share > 0);
    const double products =
        scree__estimate_product(job->rates, is_exact(job) ? SCREE_U8 : type, n * n * d, n) / threads;
    const double values = products + eigen.shared / threads + eigen.alone;
    const double all = values + scree__estimate_product(job->rates, type, 6 * n * d * k, k) / threads;
    return (parts){products / all, values / all};
}

/* The sums of G, watched, and as a stage of a checkpoint. */
typedef struct watching {
    const scree__job *job;
    scree__wide_sums *sums;
    scree__watch told;
} watching;

static void move_sums(void *context, scree__snapshot *s)
{
    scree__wide_sums_move(((watching *)context)->sums, s);
}

static scree_status begin_sums(void *context, scree__wide_sums *sums, bool *over, scree_error *error)
{
    scree_status status = SCREE_OK;
    watching *w = context;
    const scree__stage stage = {.name = "gram", .move = move_sums, .context = w};
    scree__reached reached;
    w->sums = sums;
    SCREE_TRY(scree__checkpoint_begin(w->job->checkpoint, &stage, &reached, error));
    *over = reached == SCREE__OVER;
done:
    return status;
}

static scree_status between_sums(void *context, double done, scree_error *error)
{
    const watching *w = context;
    const scree_status status = scree__watch_tell(&w->told, done, error);
    return status == SCREE_OK ? scree__checkpoint_offer(w->job->checkpoint, error) : status;
}

static scree_status end_sums(void *context, scree_status status, scree_error *error)
{
    return scree__checkpoint_end(((watching *)context)->job->checkpoint, status, error);
}

static scree_status multiply(work *w, const scree__solution *s, scree_error *error)
{
    scree__course *course = scree__course_of(w->job->options->run);
    watching at = {.job = w->job, .told = scree__course_part(course, "products", 0, parts_of(w->job, s).products)};
    if (w->job->team)
        return scree__gram_multiply_together(w->job, &w->rows, w->g, error);
    const scree__wide_watch watch = {begin_sums, between_sums, end_sums, &at};
    return scree__wide_gram(&w->rows, w->g, w->job->checkpoint || course ? &watch : NULL, error);
}

/* G itself, as a stage that is over. */
typedef struct square {
    int64_t side;
    double **g;
} square;

static void move_square(void *context, scree__snapshot *s)
{
    const square *q = context;
    scree__snapshot_same(s, q->side);
    if (s->reads && s->status == SCREE_OK && !*q->g)
        *q->g = scree__alloc(q->side * q->side, sizeof **q->g);
    if (!*q->g)
        scree__snapshot_refuse(s);
    else
        scree__snapshot_doubles(s, *q->g, q->side * q->side);
}

scree_status scree__gram_recall(const scree__job *job, int64_t side, double **g, scree_error *error)
{
    square q = {side, g};
    const scree__stage stage = {.name = "product", .move = move_square, .context = &q};
    bool found;
    return scree__checkpoint_recall(job->checkpoint, &stage, &found, error);
}

scree_status scree__gram_note(const scree__job *job, int64_t side, double *g, scree_error *error)
{
    scree_status status = SCREE_OK;
    square q = {side, &g};
    const scree__stage stage = {.name = "product", .move = move_square, .context = &q};
    SCREE_TRY(scree__checkpoint_note(job->checkpoint, &stage, error));
    SCREE_TRY(scree__checkpoint_offer(job->checkpoint, error));
done:
    return status;
}

/* Whether products and sums of centred elements stay within the range of the operations' type. */
static bool fits_type(const work *w)
{
    double most = 0;
    if (w->rows.ops->type != SCREE_F32 || w->factor)
        return true;
    for (int64_t j = 0; j < w->job->cols; j++)
        most = fmax(most, w->variance[j]);
    return most > FLOAT_LEAST && most < FLOAT_MOST;
}

/* G in floating point. Columns are measured on the way, unless their scale is needed before. */
static scree_status sum_rows(work *w, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(w->g, s->rows * s->rows, error);
    if (w->factor) {
        scree__wide_measure_all(&w->rows);
        SCREE_TRY(settle(w, s, error));
        SCREE_TRY(multiply(w, s, error));
        goto done;
    }
    SCREE_TRY(multiply(w, s, error));
    SCREE_TRY(settle(w, s, error));
    if (!fits_type(w)) {
        w->rows.ops = &scree__ops_f64;
        memset(w->g, 0, (size_t)(s->rows * s->rows) * sizeof *w->g);
        SCREE_TRY(multiply(w, s, error));
    }
done:
    return status;
}

static scree_status sum_bytes(work *w, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t divisor = s->rows - w->job->options->ddof;
    scree__integer_columns(&w->held.x, divisor, w->job->threads, w->rows.mean, w->rows.variance);
    SCREE_TRY(settle(w, s, error));
    if (w->job->team) {
        SCREE_ALLOC(w->g, s->rows * s->rows, error);
        SCREE_TRY(scree__gram_integers_together(w->job, &w->rows, divisor, w->g, error));
        goto done;
    }
    SCREE_TRY(scree__gram_recall(w->job, s->rows, &w->g, error));
    if (w->g)
        goto done;
    SCREE_TRY(scree__integer_gram(&w->g, &w->held.x, divisor, w->job->threads, NULL, error));
    SCREE_TRY(scree__gram_note(w->job, s->rows, w->g, error));
done:
    return status;
}

static scree_status load(work *w, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t k;
    SCREE_TRY(scree__held_load(&w->held, w->job, s, error));
    s->rows = w->held.x.rows;
    SCREE_TRY(scree__job_settle(w->job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, w->job, k, error));
    s->weight = scree__rows_weight(&w->held.x);
    SCREE_TRY(work_alloc(w, s, error));
done:
    return status;
}

/* Of S; and of the products that residuals are made of, which float shows in these. */
static double rounding(const work *w, const scree__solution *s)
{
    scree__wide_rows all = w->rows;
    double joins = 0;
    all.x.cols = w->job->cols;
    if (w->job->team) { /* and a range is a single lane */
        const scree__team_items items = scree__held_items(w->job);
        const double ranges = (double)items.ranges.count;
        joins = log2(ranges) + ceil((double)w->job->cols / ranges / SCREE__WIDE_PANEL);
    }
    const double of_s = (w->exact ? ROUND_OFF : scree__wide_gram_rounding(&all)) + joins * ROUND_OFF;
    const double chain = scree__wide_vectors_chain(s->rows, w->job->cols, s->k, w->rows.ops);
    return of_s * s->total + chain * ROUND_OFF * sqrt(s->total) * sqrt(s->values[0]);
}

scree_status scree__gram_solve(const scree__job *job, double **g, double *v, const scree__watch *watch,
                               scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__stopping stopping = scree__stopping_of(job, s, 1);
    const scree__dense_options options = {.share = scree__solution_share(s, job),
                                          .goal = scree__stopping_dense(&stopping, s->rows),
                                          .threads = job->threads,
                                          .watch = *watch};
    SCREE_ALLOC(s->spectrum, s->rows, error);
    scree__dense_result found = {.values = s->values, .vectors = v, .residuals = s->residuals, .spectrum = s->spectrum};
    SCREE_TRY(scree__dense_eigen(*g, s->rows, &s->k, &options, &found, error));
    free(*g); /* as large as anything: what comes next has its place */
    *g = NULL;
    s->next = found.next;
    s->spectrum_count = found.has_spectrum ? s->rows : 0;
    s->squares = found.squares;
    if (found.early)
        s->stop_rule = stopping.rule;
done:
    return status;
}

static scree_status run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job, .exact = is_exact(job)};
    if (scree__gram_is_sparse(job))
        return scree__gram_sparse_run(job, s, error);
    SCREE_TRY(load(&w, s, error));
    SCREE_TRY((w.exact ? sum_bytes : sum_rows)(&w, s, error));
    const parts share = parts_of(job, s);
    scree__course *course = scree__course_of(job->options->run);
    scree__watch watch = scree__course_part(course, "eigenvectors", share.products, share.values);
    SCREE_TRY(scree__gram_solve(job, &w.g, w.v, &watch, s, error));
    watch = scree__course_part(course, "components", share.values, 1);
    const scree__wide_pairs pairs = {.k = s->k,
                                     .values = s->values,
                                     .v = w.v,
                                     .u = s->vectors,
                                     .ld = job->cols,
                                     .residuals = s->residuals,
                                     .watch = watch};
    SCREE_TRY(job->team ? scree__gram_vectors_together(job, &w.rows, &pairs, error)
                        : scree__wide_vectors(&w.rows, &pairs, error));
    for (int64_t j = 0; j < job->cols; j++)
        s->mean[j] += w.rest[j];
    s->rounding = rounding(&w, s);
    s->passes = 1;
    s->converged = true;
    scree__solution_set_apart(s, job);
done:
    work_clear(&w);
    return status;
}

const scree__method scree__method_gram = {
    .name = "gram",
    .text = "eigenvectors of the matrix of inner products of the rows, for fewer rows than columns; one pass",
    .can = SCREE__TAKES_WEIGHTS | SCREE__TAKES_BYTES | SCREE__TAKES_PIPES,
    .applicable = applicable,
    .cost = cost,
    .run = run,
};
