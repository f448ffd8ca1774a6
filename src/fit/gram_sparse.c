/* SPDX-License-Identifier: BSD-3-Clause */
/* Method gram for sparse rows: one pass finds the means and variances of the columns and keeps the entries, which are
 * turned to columns (kernel/sparse_turned.c). G = CCᵀ/N takes Σ n²/2 products for columns of n entries
 * (kernel/sparse_gram.c), and the vectors and their residuals 6k flops an entry (kernel/sparse_vectors.c); nothing has
 * a cell for every row and column. Entries are in memory twice, and G with them. */

#include "fit/gram.h"

#include "base/memory.h"
#include "data/entries.h"
#include "fit/course.h"
#include "kernel/dense.h"
#include "kernel/sparse_columns.h"
#include "kernel/sparse_gram.h"
#include "kernel/sparse_vectors.h"

#include <math.h>

enum { SPARE_ROWS = 64 };
static const double GROWN = 1.5; /* what the memory of kept entries may be too large */

typedef struct work {
    const scree__job *job;
    scree__solution *solution;
    scree__sparse_columns *columns;
    scree__entries_room room;
    scree__sparse_centring centring;
    scree__sparse_turned turned;
    double *factor; /* D: 1/scale, or NULL */
    double *g;      /* N×N */
    double *v;      /* k×N: eigenvectors of G as rows */
} work;

/* Seconds of products of entries. */
static double pairs_time(const scree__job *job)
{
    const double cols = (double)job->cols;
    return scree__estimate_outer(job->rates, cols, scree__job_entries(job) / cols);
}

bool scree__gram_is_sparse(const scree__job *job)
{
    scree__job reference = *job;
    const double n = (double)scree__job_rows(job);
    reference.rates = &scree__rates_builtin;
    return job->source->sparse && !job->team &&
           pairs_time(&reference) <
               scree__estimate_product(&scree__rates_builtin, SCREE_F64, n * n * (double)job->cols, n);
}

static int64_t memory_of(const scree__job *job, int64_t rows, int64_t k)
{
    const int64_t found = job->share > 0 ? rows : k; /* all are computed where a share decides */
    const double entries = scree__job_entries(job);
    const int64_t square = 8 * rows * rows;
    const int64_t kept = (int64_t)(GROWN * (double)(rows * scree__entries_row_bytes(job->source)));
    const int64_t turned = scree__sparse_turned_memory(rows, job->cols, entries);
    const int64_t eigen = square + scree__dense_memory(rows, found);
    const int64_t vectors = scree__sparse_vectors_memory(rows, job->cols, k);
    return kept + turned + scree__sparse_columns_memory(job->cols) + scree__sparse_gram_memory(rows) +
           scree__sparse_centring_memory(job->cols) + 8 * (job->cols * (k + 4) + rows * k) +
           (eigen > vectors ? eigen : vectors) +
           scree__pass_memory_sparse(job->source, scree__sparse_columns_rows(job->cols));
}

void scree__gram_sparse_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const int64_t rows = scree__job_rows(job);
    const int64_t k = scree__job_components(job, rows);
    const double entries = scree__job_entries(job);
    const double d = (double)job->cols;
    const double kd = (double)k;
    effort->passing += scree__estimate_entries(job->rates, SCREE_F64, entries, 1);
    effort->alone += scree__estimate_entries(job->rates, SCREE_F64, entries, 1); /* to turn them */
    effort->shared += pairs_time(job) + 2 * scree__estimate_entries(job->rates, SCREE_F64, entries, kd) +
                      scree__estimate_product(job->rates, SCREE_F64, 4 * d * kd * kd, kd) +
                      scree__estimate_finishing(job->rates, d * kd);
    entry->flops = entries * entries / d + 6 * entries * kd + 4 * d * kd * kd +
                   scree__estimate_dense(job->rates, effort, rows, k, job->share > 0);
    entry->memory = memory_of(job, rows, k) + scree__solution_spare_memory(job, rows, k);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    scree_status status = SCREE_OK;
    work *w = context;
    const scree__entries *x = batch->entries;
    const int64_t planned = scree__job_rows(w->job);
    const scree__block block = {.data = x->value,
                                .type = x->type,
                                .rows = batch->rows,
                                .starts = x->starts,
                                .indices = x->indices,
                                .weights = x->weights};
    if (!w->job->rows_known && w->room.rows + batch->rows > planned + planned / 4 + SPARE_ROWS) {
        w->solution->misjudged = true; /* another plan is needed */
        SCREE_FAIL(error, SCREE_ERR_LIMIT, "%s has more rows than its size suggested", w->job->source->about.path);
    }
    if (!scree__sparse_columns_add(w->columns, x))
        SCREE_TRY(scree__job_bad_cell(w->job, batch, error));
    SCREE_TRY(scree__entries_add(&w->room, &block, 0, batch->rows, w->job->source->about.path, error));
done:
    return status;
}

/* Means and variances are known: scale, total, and what is taken off which columns. */
static scree_status settle(work *w, const scree__sparse_found *found, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = w->job;
    scree__solution *s = w->solution;
    const double divisor = scree__job_divisor(job, s->weight);
    double *variances = found->squares;
    for (int64_t j = 0; j < job->cols; j++) {
        s->mean[j] = found->mean[j];
        variances[j] /= divisor;
    }
    SCREE_TRY(scree__solution_scale(s, job, variances, error));
    if (s->scale)
        SCREE_ALLOC(w->factor, job->cols, error);
    for (int64_t j = 0; j < job->cols; j++) {
        const double factor = s->scale ? 1 / s->scale[j] : 1;
        if (w->factor)
            w->factor[j] = factor;
        s->total += variances[j] * factor * factor;
    }
    SCREE_TRY(
        scree__sparse_centring_init(&w->centring, job->cols, s->mean, found->rest, variances, 1, w->factor, error));
done:
    return status;
}

/* One pass, and all entries by columns. */
static scree_status load(work *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__job job = *w->job;
    scree__solution *s = w->solution;
    scree__sparse_found found;
    int64_t k;
    job.takes_sparse = true;
    SCREE_TRY(scree__sparse_columns_new(&w->columns, job.cols, job.threads, error));
    const scree__reading reading = {.pass = 1,
                                    .passes = 1,
                                    .batch_rows = scree__sparse_columns_rows(job.cols),
                                    .several = true,
                                    .visit = visit,
                                    .context = w};
    SCREE_TRY(scree__job_read(&job, &reading, NULL, error));
    scree__sparse_columns_finish(w->columns, &found);
    s->rows = found.rows;
    s->weight = found.weight;
    SCREE_TRY(scree__job_settle(w->job, s->rows, &k, error));
    SCREE_TRY(scree__solution_alloc_spare(s, w->job, k, error));
    SCREE_TRY(settle(w, &found, error));
    const scree__entries x = scree__entries_of(&w->room, job.cols);
    SCREE_TRY(scree__sparse_turned_init(&w->turned, &x, &w->centring, job.threads, error));
    scree__entries_clear(&w->room);
    scree__sparse_columns_free(w->columns);
    w->columns = NULL;
done:
    return status;
}

static void work_clear(work *w)
{
    scree__sparse_columns_free(w->columns);
    scree__entries_clear(&w->room);
    scree__sparse_centring_clear(&w->centring);
    scree__sparse_turned_clear(&w->turned);
    free(w->factor);
    free(w->g);
    free(w->v);
}

scree_status scree__gram_sparse_run(const scree__job *job, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    work w = {.job = job, .solution = s};
    SCREE_TRY(load(&w, error));
    const double divisor = scree__job_divisor(job, s->weight);
    SCREE_ALLOC(w.v, s->rows * s->k, error);
    SCREE_TRY(scree__gram_recall(job, s->rows, &w.g, error));
    if (!w.g) {
        SCREE_ALLOC(w.g, s->rows * s->rows, error);
        SCREE_TRY(scree__sparse_gram(&w.turned, divisor, w.g, error));
        SCREE_TRY(scree__gram_note(job, s->rows, w.g, error));
    }
    scree__sparse_turned_drop_rows(&w.turned);
    const scree__watch watch = scree__course_part(scree__course_of(job->options->run), "eigenvectors", 0, 1);
    SCREE_TRY(scree__gram_solve(job, &w.g, w.v, &watch, s, error));
    const scree__wide_pairs pairs = {
        .k = s->k, .values = s->values, .v = w.v, .u = s->vectors, .residuals = s->residuals};
    SCREE_TRY(scree__sparse_vectors(&w.turned, divisor, &pairs, error));
    s->rounding = scree__sparse_gram_rounding(&w.turned) / divisor +
                  scree__sparse_vectors_rounding(&w.turned) * sqrt(s->total) * sqrt(s->values[0]);
    s->passes = 1;
    s->converged = true;
    scree__solution_set_apart(s, job);
done:
    work_clear(&w);
    return status;
}
