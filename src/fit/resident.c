/* SPDX-License-Identifier: BSD-3-Clause */
/* Loading all rows, then C = (X - 1µᵀ) diag(1/scale) in place: mean and variance of each column are sums over the rows
 * in their order, so the same bits come out for any number of threads.
 *
 * A mean that dwarfs the deviations is a double too coarse for them: with µ as computed and ε = Σ(x-µ)/N, what its
 * rounding has left, C = (X - 1µᵀ) - 1εᵀ, and the variance is the corrected one of two passes (Chan, Golub and LeVeque
 * 1983), Σ(x-µ)² - Nε². Weights w count in N, in the sums, and as a factor √w of the rows. */

#include "fit/resident.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { LOAD_ROWS = 64, COL_GROUP = 64 };

typedef struct loading {
    const scree__job *job;
    scree__resident *into;
    scree__solution *solution;
    const scree__batch *batch;
    double *zeros;
    double *buffers; /* D for each thread */
    bool bad;
} loading;

typedef struct centring {
    scree__resident *x;
    double *mean;
    double *rest; /* ε */
    double *variance;
    double weight; /* N */
    double divisor;
    const double *factor; /* 1/scale, or NULL */
    double *buffers;      /* D for each thread */
} centring;

int64_t scree__resident_memory(const scree__job *job, const scree__ops *ops, int64_t cols)
{
    const int64_t rows = scree__job_rows(job);
    const int64_t room = job->rows_known ? rows : rows + rows / 4 + LOAD_ROWS;
    return room * (cols * ops->size + (job->source->about.weighted ? 8 : 0)) +
           scree__pass_memory(job->source, LOAD_ROWS) + (job->threads + 5) * job->cols * 8;
}

void scree__resident_clear(scree__resident *r)
{
    free(r->data);
    free(r->weights);
}

/* Room for all rows that there are, or, where their number is an estimate, for somewhat more than estimated. */
static scree_status make_room(scree__resident *r, const scree__job *job, scree_error *error)
{
    r->capacity = job->rows_known ? job->rows : scree__job_rows(job) + scree__job_rows(job) / 4 + LOAD_ROWS;
    r->data = scree__alloc_raw(r->capacity * r->cols, (size_t)r->ops->size);
    if (job->source->about.weighted)
        r->weights = scree__alloc_raw(r->capacity, sizeof *r->weights);
    return r->data && (r->weights || !job->source->about.weighted)
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld rows of %lld columns cannot be kept",
                             (long long)r->capacity, (long long)r->cols);
}

/* Task: a row of the batch, as it is until it is centred. */
static void pack_row(void *context, int64_t i, int worker)
{
    loading *l = context;
    scree__resident *r = l->into;
    const scree__rows x = scree__batch_rows(l->batch);
    scree__rows row = scree__rows_slice(&x, i, 1);
    if (!scree__rows_are_finite(&row))
        __atomic_store_n(&l->bad, true, __ATOMIC_RELAXED);
    row = scree__rows_columns(&row, r->first, r->cols);
    row.weights = NULL;
    r->ops->pack(&row, l->zeros, NULL, r->data + (r->rows + i) * r->cols * r->ops->size, l->buffers + worker * r->cols);
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    loading *l = context;
    scree__resident *r = l->into;
    if (r->rows + batch->rows > r->capacity) { /* far more rows than estimated: another plan is needed */
        l->solution->misjudged = true;
        return scree__fail(error, SCREE_ERR_LIMIT, "%s has more rows than its size suggested",
                           l->job->source->about.path);
    }
    l->batch = batch;
    scree__parallel(scree__threads_for(l->job->threads, (double)batch->rows * (double)batch->cols), batch->rows,
                    pack_row, l);
    if (l->bad)
        return scree__job_bad_cell(l->job, batch, error);
    for (int64_t i = 0; r->weights && i < batch->rows; i++)
        r->weights[r->rows + i] = batch->weights[i];
    r->rows += batch->rows;
    return SCREE_OK;
}

static scree__rows rows_in(const scree__resident *r)
{
    return (scree__rows){r->data, r->ops->type, r->rows, r->cols, r->cols, r->weights};
}

/* Task: mean and variance of a group of columns. */
static void measure(void *context, int64_t group, int worker)
{
    centring *c = context;
    double buffer[COL_GROUP];
    double origin[COL_GROUP];
    scree__rows x = rows_in(c->x);
    const int64_t first = group * COL_GROUP;
    (void)worker;
    x.data = (const char *)x.data + first * c->x->ops->size;
    x.cols = x.cols - first < COL_GROUP ? x.cols - first : COL_GROUP;
    memcpy(origin, scree__rows_load(&x, 0, buffer), (size_t)x.cols * sizeof *origin);
    scree__rows_sum_from(&x, origin, c->mean + first); /* equal values have exactly their own mean */
    for (int64_t j = 0; j < x.cols; j++)
        c->mean[first + j] = origin[j] + c->mean[first + j] / c->weight;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, buffer);
        const double weight = x.weights ? x.weights[i] : 1;
        for (int64_t j = 0; j < x.cols; j++) {
            const double off = row[j] - c->mean[first + j];
            c->rest[first + j] += weight * off;
            c->variance[first + j] += weight * (off * off);
        }
    }
    for (int64_t j = first; j < first + x.cols; j++) {
        c->rest[j] /= c->weight;
        const double squares = c->variance[j] - c->weight * c->rest[j] * c->rest[j];
        c->variance[j] = squares < 0 ? 0 : squares / c->divisor; /* a NaN stays one, and is told */
    }
}

/* Task: one row, centred and scaled where it lies. */
static void centre(void *context, int64_t i, int worker)
{
    centring *c = context;
    const scree__rows all = rows_in(c->x);
    const scree__rows row = scree__rows_slice(&all, i, 1);
    scree__rows plain = row;
    char *place = c->x->data + i * c->x->cols * c->x->ops->size;
    double *buffer = c->buffers + worker * c->x->cols;
    plain.weights = NULL;
    c->x->ops->pack(&plain, c->mean, NULL, place, buffer);
    c->x->ops->pack(&row, c->rest, c->factor, place, buffer);
}

static double trace_of(const scree__solution *s, const double *variance, int64_t cols)
{
    double trace = 0;
    for (int64_t j = 0; j < cols; j++)
        trace += s->scale ? variance[j] / (s->scale[j] * s->scale[j]) : variance[j];
    return trace;
}

/* Mean, rest and variance of all columns, of which each process knows those of its own. */
static scree_status gather(const centring *c, const scree__job *job, const scree__team_items *columns,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    double *const found[] = {c->mean, c->rest, c->variance};
    for (int i = 0; columns && i < 3; i++)
        SCREE_TRY(scree__team_gather(job->team, found[i] - c->x->first, 1, columns, error));
done:
    return status;
}

static void shape(scree__resident *r, const scree__job *job, const scree__ops *ops, const scree__team_items *columns)
{
    *r = (scree__resident){.ops = ops, .cols = job->cols};
    if (!columns)
        return;
    r->first = scree__range_start(&columns->ranges, columns->ranges.first);
    r->cols = scree__range_start(&columns->ranges, columns->ranges.end) - r->first;
}

scree_status scree__resident_load(scree__resident *r, const scree__job *job, const scree__ops *ops,
                                  const scree__team_items *columns, scree__solution *s, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t k;
    double *variance = NULL;
    double *rest = NULL;
    double *buffers = NULL;
    loading l = {.job = job, .into = r, .solution = s};
    shape(r, job, ops, columns);
    SCREE_ALLOC(l.zeros, job->cols, error);
    SCREE_ALLOC(l.buffers, job->threads * r->cols, error);
    SCREE_ALLOC(variance, job->cols, error);
    SCREE_ALLOC(rest, job->cols, error);
    SCREE_TRY(make_room(r, job, error));
    SCREE_TRY(scree__job_pass(job, 1, 1, LOAD_ROWS, visit, &l, NULL, error));
    free(l.buffers);
    l.buffers = NULL;
    s->rows = r->rows;
    SCREE_TRY(scree__job_settle(job, r->rows, &k, error));
    SCREE_TRY(scree__solution_alloc(s, job, k, error));
    const scree__rows all = rows_in(r);
    s->weight = scree__rows_weight(&all);
    centring c = {.x = r,
                  .mean = s->mean + r->first,
                  .rest = rest + r->first,
                  .variance = variance + r->first,
                  .weight = s->weight,
                  .divisor = scree__job_divisor(job, s->weight)};
    scree__parallel(job->threads, (r->cols + COL_GROUP - 1) / COL_GROUP, measure, &c);
    SCREE_TRY(gather(&c, job, columns, error));
    for (int64_t j = 0; job->options->uncentred && j < job->cols; j++) {
        s->mean[j] += rest[j];
        rest[j] = 0;
    }
    scree__job_uncentre(job, s->mean, variance, 1);
    SCREE_TRY(scree__solution_scale(s, job, variance, error));
    SCREE_ALLOC(buffers, job->cols + job->threads * r->cols, error);
    c.buffers = buffers + job->cols;
    for (int64_t j = 0; s->scale && j < job->cols; j++)
        buffers[j] = 1 / s->scale[j];
    c.factor = s->scale ? buffers + r->first : NULL;
    scree__parallel(job->threads, r->rows, centre, &c);
    for (int64_t j = 0; j < job->cols; j++)
        s->mean[j] += rest[j];
    s->total = trace_of(s, variance, job->cols);
done:
    free(l.zeros);
    free(l.buffers);
    free(variance);
    free(rest);
    free(buffers);
    return status;
}
