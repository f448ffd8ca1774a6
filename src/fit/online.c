/* SPDX-License-Identifier: BSD-3-Clause */
/* One pass over rows with gaps. The first rows are kept and fitted by EM as any rows are; from there stepwise EM takes
 * batch after batch (online_chain.c) and forgets them. Three chains run: one over all batches, whose average is the
 * model, and one each over the even and the odd ones, started from the two halves of the first rows. The latter saw
 * nothing in common: what they disagree by is the error that is stated, of each component (as residuals) and of the
 * whole. How many rows are first and in a batch depends on D alone. Rows that end among the first ones are fitted by
 * EM, and those with no gap by their covariance: neither has that error. Memory: the first rows, and O(D M²). */

#include "fit/online.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { BATCH_CELLS = 1 << 18, MIN_BATCH = 128, MAX_BATCH = 1024, FIRST = 8, CHAINS = 3 };
static const double MIN_NOISE = 1e-12; /* of the average variance */

typedef struct online {
    const scree__job *job;
    scree_fit_options options;
    scree_run run; /* of EM over the first rows */
    scree__job inner;
    scree__online_exact *exact; /* NULL once a cell was missing */
    int64_t size;               /* rows of a batch */
    double *x;                  /* the rows held, FIRST×size at most */
    int64_t held;
    double *row;     /* D */
    int64_t batches; /* after the first rows */
    int64_t rows;    /* in all */
    int64_t empty;
    int64_t cells;
    int64_t *seen;   /* D */
    double *mean;    /* D, of all cells so far */
    double *squares; /* D, about it */
    bool gap;
    bool started;
    scree__em em;
    scree__online_chain chain[CHAINS]; /* all, even, odd */
} online;

static int64_t batch_size(const scree__job *job)
{
    const int64_t rows = BATCH_CELLS / job->cols;
    return rows < MIN_BATCH ? MIN_BATCH : rows > MAX_BATCH ? MAX_BATCH : rows;
}

/* Count, mean and squares of the cells of a row (Welford 1962). */
static bool measure_row(online *o, const double *row)
{
    int64_t seen = 0;
    for (int64_t j = 0; j < o->job->cols; j++) {
        if (isnan(row[j]))
            continue;
        const double off = row[j] - o->mean[j];
        if (isinf(row[j]))
            return false;
        seen++;
        o->mean[j] += off / (double)++o->seen[j];
        o->squares[j] += off * (row[j] - o->mean[j]);
    }
    o->empty += seen == 0;
    o->cells += seen;
    o->gap = o->gap || seen < o->job->cols;
    return true;
}

static bool has_value(const double *x, int64_t count, int64_t stride)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(x[i * stride]))
            return true;
    return false;
}

/* Every column has a value in the rows that a chain starts from. */
static scree_status check_columns(const online *o, const scree__online_rows *rows, scree_error *error)
{
    char label[256];
    const int64_t d = o->job->cols;
    const int64_t before = (rows->x - o->x) / d;
    for (int64_t j = 0; j < d; j++)
        if (!has_value(rows->x + j, rows->count, d))
            return scree__fail(error, SCREE_ERR_VALUE,
                               "%s: %s has no value in rows %" PRId64 " to %" PRId64
                               ", and a fit in one pass starts from these; leave the column out, or save the rows to a "
                               "file and fit that",
                               o->job->source->about.path, scree__column_label(o->job->source, j, label, sizeof label),
                               before + 1, before + rows->count);
    return SCREE_OK;
}

/* EM over rows that are held. */
static scree_status fit_rows(online *o, const scree__online_rows *rows, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *source = NULL;
    scree__job job;
    char reason[256] = "";
    SCREE_TRY(check_columns(o, rows, error));
    SCREE_TRY(scree__memory_open(&source, rows->x, SCREE_F64, rows->count, o->job->cols, o->job->cols, error));
    SCREE_TRY(scree__job_make(&job, source, &o->options, error));
    job.memory = INT64_MAX / 4; /* the caller has counted it */
    if (!scree__method_em.applicable(&job, reason))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: an online fit of missing values is not possible: %s",
                   o->job->source->about.path, reason);
    SCREE_TRY(scree__method_em.run(&job, s, error));
done:
    scree_source_free(source);
    return status;
}

/* W = U(Λ - σ²I)^½, µ from the origin. */
static void take_state(scree__em_state *state, const scree__em *em, const scree__solution *s)
{
    state->noise = fmax(s->next, em->floor);
    for (int64_t j = 0; j < em->d; j++) {
        state->offset[j] = s->mean[j] - em->rows.mean[j];
        for (int64_t k = 0; k < s->k; k++)
            state->w[j * s->k + k] = sqrt(fmax(s->values[k] - state->noise, 0)) * s->vectors[k * em->d + j];
    }
}

static scree_status start_chain(online *o, int index, const scree__online_rows *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__solution s = {0};
    SCREE_TRY(fit_rows(o, rows, &s, error));
    if (!o->em.slot)
        SCREE_TRY(scree__em_open(&o->em, s.k, error));
    if (s.k != o->em.max_components)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: %" PRId64 " components are too many to start from the first %" PRId64 " rows; ask for fewer",
                   o->job->source->about.path, o->em.max_components, FIRST * o->size);
    SCREE_TRY(scree__online_chain_new(&o->chain[index], o->em.d, s.k, error));
    take_state(&o->chain[index].state, &o->em, &s);
    const double age = (double)rows->count / (double)o->size;
    SCREE_TRY(scree__online_chain_start(&o->chain[index], &o->em, rows, age, error));
done:
    scree__solution_clear(&s);
    return status;
}

/* The first rows are there: what chains need, and their starts. */
static scree_status start(online *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = o->job->cols;
    const int64_t half = o->held / 2;
    double variance = 0;
    o->inner = *o->job;
    o->inner.options = &o->options;
    o->em = (scree__em){.job = o->job, .d = d};
    o->em.rows.job = o->inner;
    SCREE_ALLOC(o->em.rows.mean, d, error);
    memcpy(o->em.rows.mean, o->mean, (size_t)d * sizeof *o->mean);
    for (int64_t j = 0; j < d; j++)
        variance += o->seen[j] > 0 ? o->squares[j] / (double)o->seen[j] / (double)d : 0;
    o->em.floor = MIN_NOISE * variance;
    SCREE_TRY(start_chain(o, 0, &(scree__online_rows){o->x, o->held}, error));
    SCREE_TRY(start_chain(o, 1, &(scree__online_rows){o->x, half}, error));
    SCREE_TRY(start_chain(o, 2, &(scree__online_rows){o->x + half * d, o->held - half}, error));
    o->started = true;
    o->held = 0;
done:
    return status;
}

/* A batch is there, or what is left in the end. */
static scree_status step(online *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__online_rows rows = {o->x, o->held};
    SCREE_TRY(scree__online_chain_step(&o->chain[0], &o->em, &rows, o->size, error));
    SCREE_TRY(scree__online_chain_step(&o->chain[1 + o->batches % 2], &o->em, &rows, o->size, error));
    o->batches++;
    o->held = 0;
done:
    return status;
}

/* A row more; when these are enough, they are worked on. */
static scree_status take_row(online *o, const double *row, scree_error *error)
{
    const int64_t cols = o->job->cols;
    memcpy(o->x + o->held * cols, row, (size_t)cols * sizeof *row);
    o->held++;
    o->rows++;
    if (!o->started)
        return o->held == FIRST * o->size ? start(o, error) : SCREE_OK;
    return o->held == o->size ? step(o, error) : SCREE_OK;
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    online *o = context;
    scree_status status = SCREE_OK;
    const scree__rows x = scree__batch_rows(batch);
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, o->row);
        if (!measure_row(o, row))
            return scree__em_bad_cell(o->job, batch, error);
        SCREE_TRY(take_row(o, row, error));
    }
    bool added = false;
    if (o->exact && !o->gap)
        SCREE_TRY(scree__online_exact_add(o->exact, batch, &added, error));
    if (o->exact && !added) {
        scree__online_exact_free(o->exact);
        o->exact = NULL;
    }
done:
    return status;
}

/* What two chains disagree by, and no less than two standard errors of σ². */
static scree_status state_error(const online *o, scree__solution *s, scree_error *error)
{
    const scree__em_state *even = &o->chain[1].average;
    const scree__em_state *odd = &o->chain[2].average;
    const double apart = (even->noise - odd->noise) / o->chain[0].average.noise;
    s->likelihood->online_noise = hypot(apart, 2 * sqrt(2 / (double)o->cells));
    return scree__online_angle(&s->likelihood->online_angle, even, odd, o->job->threads, error);
}

/* The average of the first chain as a solution. */
static scree_status finish(const online *o, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = o->job->cols;
    const scree__em_state *found = &o->chain[0].average;
    const double wider = (double)o->rows / scree__job_divisor(o->job, (double)o->rows);
    double *r = NULL;
    SCREE_ALLOC(r, d, error);
    SCREE_ALLOC(s->likelihood, 1, error);
    SCREE_TRY(scree__solution_alloc(s, o->job, found->m, error));
    SCREE_TRY(scree__em_principal(found, o->job->threads, s->values, s->vectors, error));
    s->total = (double)(d - found->m) * found->noise * wider;
    for (int64_t k = 0; k < found->m; k++) {
        const double *u = s->vectors + k * d;
        s->residuals[k] = wider * scree__em_moved(&o->chain[1].average, &o->chain[2].average, u, r);
        s->values[k] = (s->values[k] + found->noise) * wider;
        s->total += s->values[k];
    }
    for (int64_t j = 0; j < d; j++) {
        s->mean[j] = o->em.rows.mean[j] + found->offset[j];
        const int64_t rest = o->seen[j] - o->job->options->ddof;
        s->variances[j] = o->squares[j] / (double)(rest > 0 ? rest : 1);
    }
    s->next = found->noise * wider;
    s->likelihood->log_likelihood = NAN;
    s->likelihood->iterations = (int)(o->batches < INT32_MAX ? o->batches : INT32_MAX);
    s->likelihood->stopped = "pass";
    s->converged = true;
    SCREE_TRY(state_error(o, s, error));
done:
    free(r);
    return status;
}

/* Rows that ended among the first ones: all of them are held. */
static scree_status finish_first(online *o, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t k;
    SCREE_TRY(scree__job_settle(o->job, o->rows, &k, error));
    o->options.ddof = o->job->options->ddof; /* nothing is to be widened afterwards */
    SCREE_TRY(fit_rows(o, &(scree__online_rows){o->x, o->held}, s, error));
done:
    return status;
}

static int64_t memory_of(const online *o)
{
    const int64_t d = o->job->cols;
    const int64_t m = o->job->k;
    /* Two of EM: that of the chains is there while the second and the third are started by one of their own. */
    return FIRST * o->size * d * 8 + 2 * scree__em_memory(o->job, m + 8, true) +
           CHAINS * scree__online_chain_memory(d, m) +
           scree__pass_memory(o->job->source, scree__online_exact_rows(o->job)) + (d <= 2048 ? 24 * d * d : 0);
}

static scree_status prepare(online *o, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__job *job = o->job;
    o->size = batch_size(job);
    if (job->options->solver || job->options->components == SCREE_AUTO)
        SCREE_FAIL(
            error, SCREE_ERR_ARGUMENT,
            "%s: an online fit has its own method and cannot choose the number of components; leave the solver out, "
            "and say how many components",
            job->source->about.path);
    if (job->source->about.weighted)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: an online fit takes no weights; leave one of the two out",
                   job->source->about.path);
    if (job->options->scale != SCREE_SCALE_NONE || job->share > 0)
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: an online fit knows the scale of the columns and shares of the variance only at its end; leave the "
            "scale out, and say how many components",
            job->source->about.path);
    if (job->options->bayes || (job->options->em && strcmp(job->options->em, "vb") == 0))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "%s: an online fit is by maximum likelihood, not Bayes; leave one of the two out",
                   job->source->about.path);
    const int64_t needed = memory_of(o);
    if (needed > job->memory)
        SCREE_FAIL(error, SCREE_ERR_LIMIT,
                   "%s: an online fit of %" PRId64 " columns needs %" PRId64
                   " MiB; allow that much memory, or ask for fewer components",
                   job->source->about.path, job->cols, (needed >> 20) + 1);
    o->options = *job->options;
    o->options.solver = scree__method_em.name;
    o->options.no_imputer = true;
    o->options.em = "ml";
    o->run = *job->options->run;
    o->run.progress = NULL;
    o->run.memory = 0;
    o->options.run = &o->run;
    o->options.ddof = 0;
    o->options.components = job->k < job->cols ? job->k : job->cols - 1;
    SCREE_ALLOC(o->x, FIRST * o->size * job->cols, error);
    SCREE_ALLOC(o->row, job->cols, error);
    SCREE_ALLOC(o->seen, job->cols, error);
    SCREE_ALLOC(o->mean, job->cols, error);
    SCREE_ALLOC(o->squares, job->cols, error);
    SCREE_TRY(scree__online_exact_new(&o->exact, job, job->memory - needed, error));
done:
    return status;
}

static void clear(online *o)
{
    for (int i = 0; i < CHAINS; i++)
        scree__online_chain_clear(&o->chain[i]);
    scree__em_close(&o->em);
    scree__online_exact_free(o->exact);
    free(o->x);
    free(o->row);
    free(o->seen);
    free(o->mean);
    free(o->squares);
}

scree_status scree__online_run(const scree__method **method, const scree__job *job, scree__solution *s,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    online o = {.job = job};
    SCREE_TRY(scree__em_check_cells(job, error));
    SCREE_TRY(prepare(&o, error));
    SCREE_TRY(scree__job_pass(job, 1, 1, scree__online_exact_rows(job), visit, &o, NULL, error));
    if (o.started && o.held > 0)
        SCREE_TRY(step(&o, error));
    if (o.exact && o.rows > 0)
        SCREE_TRY(scree__online_exact_finish(o.exact, s, error));
    else if (o.started)
        SCREE_TRY(finish(&o, s, error));
    else
        SCREE_TRY(finish_first(&o, s, error));
    s->rows = o.rows;
    s->weight = (double)o.rows;
    s->passes = 1;
    *method = s->likelihood ? &scree__method_em : &scree__method_covariance;
    if (s->likelihood) {
        s->likelihood->observed = o.cells;
        s->likelihood->empty_rows = o.empty;
    }
done:
    clear(&o);
    return status;
}
