/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of a fit with gaps. The first pass counts and measures the observed cells of each column, chunk by chunk by
 * two passes over the chunk, joined by the formula of Chan, Golub and LeVeque (1983); columns are shared out among the
 * threads, so that sums are over the rows in their order. Rows of a file or a pipe are kept on the way, as they are,
 * while they fit; every further pass is then over memory. Otherwise it reads the source again. */

#include "fit/em.h"

#include "base/memory.h"
#include "base/threads.h"

#include <math.h>
#include <string.h>

enum { RUN_ROWS = 256, BATCH_ROWS = 1024, COL_GROUP = 32 };

typedef struct measuring {
    scree__em_rows *r;
    const scree__job *job;
    int64_t budget;
    bool keeping;
    scree__rows x; /* the run at work */
    bool bad;
    int64_t expected; /* rows */
    double *buffers;  /* D for each thread */
    bool *something;  /* RUN_ROWS: a row has a cell */
    double *origin;   /* D: a value that there is, which means are counted from */
    scree__team_tree *tree;
} measuring;

static int64_t row_bytes(const scree__job *job)
{
    return job->cols * scree__type_size(job->source->about.type);
}

/* With the weight that is kept beside it. */
static int64_t kept_bytes(const scree__job *job)
{
    return row_bytes(job) + (job->source->about.weighted ? 8 : 0);
}

static bool is_in_memory(const scree__job *job)
{
    return (job->source->can & SCREE__IN_MEMORY) != 0 || job->source->cells;
}

int64_t scree__em_rows_bytes(const scree__job *job)
{
    const int64_t rows = scree__em_rows_most(job);
    const int64_t room = job->rows_known ? rows : rows + rows / 4 + BATCH_ROWS;
    return is_in_memory(job) ? 0 : room * kept_bytes(job);
}

static double cell_at(const scree__rows *x, int64_t i, int64_t j)
{
    const int64_t at = i * x->stride + j;
    return x->type == SCREE_F64   ? ((const double *)x->data)[at]
           : x->type == SCREE_F32 ? (double)((const float *)x->data)[at]
                                  : (double)((const uint8_t *)x->data)[at];
}

/* The first cell of a column that is there, or 0. */
static double first_of(const scree__rows *x, int64_t j)
{
    for (int64_t i = 0; i < x->rows; i++)
        if (isfinite(cell_at(x, i, j)))
            return cell_at(x, i, j);
    return 0;
}

/* One column of a run: its count, mean and squares joined to those before. */
static void measure_column(measuring *w, int64_t j)
{
    const scree__rows *x = &w->x;
    scree__em_rows *r = w->r;
    if (r->seen[j] == 0)
        w->origin[j] = first_of(x, j); /* equal values have exactly their own mean */
    const double origin = w->origin[j];
    double count = 0;
    double sum = 0;
    double rest = 0;
    double squares = 0;
    int64_t cells = 0;
    for (int64_t i = 0; i < x->rows; i++) {
        const double cell = cell_at(x, i, j);
        const bool is_there = !isnan(cell);
        const double weight = x->weights ? x->weights[i] : 1;
        if (isinf(cell))
            __atomic_store_n(&w->bad, true, __ATOMIC_RELAXED);
        cells += is_there;
        count += is_there ? weight : 0;
        sum += is_there ? weight * (cell - origin) : 0;
    }
    r->counts[j] += cells;
    if (cells == 0)
        return;
    const double mean = sum / count;
    for (int64_t i = 0; i < x->rows; i++) {
        const double off = cell_at(x, i, j) - origin - mean;
        const double weight = x->weights ? x->weights[i] : 1;
        if (isnan(off))
            continue;
        rest += weight * off;
        squares += weight * (off * off);
    }
    squares -= rest * rest / count;
    const double before = r->seen[j];
    const double step = mean + rest / count - r->mean[j];
    r->mean[j] += step * (count / (before + count));
    r->variance[j] += squares + step * step * (before * count / (before + count));
    r->seen[j] += count;
}

static void measure_group(void *context, int64_t group, int worker)
{
    measuring *w = context;
    const int64_t end = (group + 1) * COL_GROUP;
    (void)worker;
    for (int64_t j = group * COL_GROUP; j < end && j < w->x.cols; j++)
        measure_column(w, j);
}

/* Task: whether a row has anything. */
static void look_at_row(void *context, int64_t i, int worker)
{
    measuring *w = context;
    const double *row = scree__rows_load(&w->x, i, w->buffers + worker * w->x.cols);
    w->something[i] = false;
    for (int64_t j = 0; j < w->x.cols && !w->something[i]; j++)
        w->something[i] = !isnan(row[j]);
}

static void forget(measuring *w)
{
    free(w->r->data);
    free(w->r->weights);
    w->r->data = NULL;
    w->r->weights = NULL;
    w->keeping = false;
}

/* Room for more rows, or no rows kept at all where the memory allowed is too small. */
static scree_status make_room(measuring *w, int64_t rows, scree_error *error)
{
    scree__em_rows *r = w->r;
    const int64_t bytes = row_bytes(w->job);
    if (rows <= r->capacity)
        return SCREE_OK;
    const int64_t all = kept_bytes(w->job);
    int64_t wanted = w->expected;
    if (wanted < rows)
        wanted = rows + rows / 2;
    if (wanted > w->budget / all)
        wanted = w->budget / all;
    char *data = wanted >= rows ? scree__alloc_raw(wanted, (size_t)bytes) : NULL;
    double *weights = data && w->job->source->about.weighted ? scree__alloc_raw(wanted, sizeof *weights) : NULL;
    if (data && (weights || !w->job->source->about.weighted)) {
        if (r->data)
            memcpy(data, r->data, (size_t)(r->own * bytes));
        if (weights && r->weights)
            memcpy(weights, r->weights, (size_t)r->own * sizeof *weights);
        free(r->data);
        free(r->weights);
        r->data = data;
        r->weights = weights;
        r->capacity = wanted;
        return SCREE_OK;
    }
    free(data);
    if (wanted >= rows)
        return scree__fail(error, SCREE_ERR_MEMORY, "out of memory: %lld rows of %lld columns cannot be kept",
                           (long long)wanted, (long long)w->job->cols);
    forget(w);
    if (w->job->source->can & SCREE__CAN_REWIND)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s has missing values, can be read only once, and its rows do not fit in the memory allowed; "
                       "save them to a file, or allow more memory",
                       w->job->source->about.path);
}

static scree_status keep(measuring *w, const scree__batch *batch, scree_error *error)
{
    scree__em_rows *r = w->r;
    const int64_t bytes = row_bytes(w->job);
    const scree__rows x = scree__batch_rows(batch);
    scree_status status = make_room(w, r->own + batch->rows, error);
    for (int64_t i = 0; status == SCREE_OK && w->keeping && i < batch->rows; i++) {
        memcpy(r->data + (r->own + i) * bytes, scree__rows_slice(&x, i, 1).data, (size_t)bytes);
        if (x.weights)
            r->weights[r->own + i] = x.weights[i];
    }
    return status;
}

scree_status scree__em_bad_cell(const scree__job *job, const scree__batch *batch, scree_error *error)
{
    const scree__rows x = scree__batch_rows(batch);
    char label[256];
    int64_t row = batch->first;
    for (int64_t i = 0; x.data && i < x.rows * x.cols; i++) {
        if (!isinf(cell_at(&x, i / x.cols, i % x.cols)))
            continue;
        row = scree__batch_number(batch, i / x.cols);
        const char *file = scree__source_locate(job->source, &row);
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: row %lld, %s is infinite; fill the cell in, empty it, or leave the row or column out",
                           file, (long long)(row + 1),
                           scree__column_label(job->source, i % x.cols, label, sizeof label));
    }
    const char *near = scree__source_locate(job->source, &row);
    return scree__fail(error, SCREE_ERR_VALUE,
                       "%s: values near row %lld are too large for their sums; rescale the columns", near,
                       (long long)(row + 1));
}

static scree_status visit(void *context, const scree__batch *batch, scree_error *error)
{
    measuring *w = context;
    const scree__rows all = scree__batch_rows(batch);
    scree_status status = w->keeping ? keep(w, batch, error) : SCREE_OK;
    for (int64_t first = 0; status == SCREE_OK && first < all.rows; first += RUN_ROWS) {
        w->x = scree__rows_slice(&all, first, all.rows - first < RUN_ROWS ? all.rows - first : RUN_ROWS);
        scree__parallel(w->job->threads, (all.cols + COL_GROUP - 1) / COL_GROUP, measure_group, w);
        scree__parallel(w->job->threads, w->x.rows, look_at_row, w);
        for (int64_t i = 0; i < w->x.rows; i++)
            w->r->empty += !w->something[i];
    }
    w->r->own += batch->rows;
    w->r->weight += scree__rows_weight(&all);
    if (status == SCREE_OK && w->bad)
        status = scree__em_bad_cell(w->job, batch, error);
    return status;
}

static scree_status ended(void *context, scree_error *error)
{
    const measuring *w = context;
    return scree__em_rows_range(w->r, w->tree, w->origin, error);
}

/* By several processes, each its own rows. */
static scree_status measure_together(measuring *w, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_rows *r = w->r;
    const scree__range_visits visits = {.visit = visit, .ended = ended, .context = w, .ranges = &r->items.ranges};
    SCREE_TRY(scree__em_rows_tree(&w->tree, r, error));
    status = scree__job_pass_ranges(&r->job, 1, 0, BATCH_ROWS, &visits, NULL, error);
    SCREE_TRY(scree__em_rows_join(r, w->tree, status, error));
done:
    scree__team_tree_free(w->tree);
    return status;
}

static scree_status measure(measuring *w, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__em_rows *r = w->r;
    w->keeping = !is_in_memory(job);
    w->expected = job->rows_known ? scree__em_rows_most(job) : scree__em_rows_bytes(job) / kept_bytes(job);
    if (job->source->cells)
        return scree__em_rows_measure(r, job, error);
    if (job->team) {
        SCREE_TRY(scree__em_rows_share(r, job, error));
        SCREE_TRY(measure_together(w, error));
    } else {
        SCREE_TRY(scree__job_pass(job, 1, 0, BATCH_ROWS, visit, w, NULL, error));
        r->rows = r->own;
    }
done:
    return status;
}

/* Passes from now on are over what was kept. */
static scree_status use_kept(scree__em_rows *r, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__memory_open(&r->kept, r->data, job->source->about.type, r->own, job->cols, job->cols, error));
    if (r->weights)
        SCREE_TRY(scree_source_weigh(r->kept, r->weights, r->own, error));
    r->job.source = r->kept;
done:
    return status;
}

scree_status scree__em_rows_open(scree__em_rows *r, const scree__job *job, int64_t budget, scree_error *error)
{
    scree_status status = SCREE_OK;
    measuring w = {.r = r, .job = &r->job, .budget = budget};
    *r = (scree__em_rows){.job = *job};
    SCREE_ALLOC(r->counts, job->cols, error);
    SCREE_ALLOC(r->seen, job->cols, error);
    SCREE_ALLOC(r->mean, job->cols, error);
    SCREE_ALLOC(r->variance, job->cols, error);
    SCREE_ALLOC(w.buffers, job->threads * job->cols, error);
    SCREE_ALLOC(w.something, RUN_ROWS, error);
    SCREE_ALLOC(w.origin, job->cols, error);
    r->job.takes_cells = true;
    r->job.witnesses = NULL; /* of rows without gaps */
    SCREE_TRY(measure(&w, job, error));
    r->passes = 1;
    for (int64_t j = 0; j < job->cols; j++) {
        r->mean[j] += w.origin[j];
        r->cells += r->counts[j];
        r->cell_weight += r->seen[j];
        r->variance[j] = r->seen[j] > 0 ? r->variance[j] / r->seen[j] : 0;
    }
    if (r->data)
        SCREE_TRY(use_kept(r, job, error));
done:
    free(w.buffers);
    free(w.something);
    free(w.origin);
    return status;
}

void scree__em_rows_close(scree__em_rows *r)
{
    scree_source_free(r->kept);
    scree_source_free(r->part);
    free(r->cuts);
    free(r->data);
    free(r->weights);
    free(r->counts);
    free(r->seen);
    free(r->mean);
    free(r->variance);
}

scree_status scree__em_rows_read(scree__em_rows *r, scree__reading *reading, scree_error *error)
{
    const int passes = r->passes + (r->kept == NULL);
    if (r->cuts && r->own == 0) /* a process without rows */
        return SCREE_OK;
    reading->pass = passes;
    const scree_status status = scree__job_read(&r->job, reading, NULL, error);
    if (status == SCREE_OK)
        r->passes = passes; /* a pass counts when it is over: it may be broken off, and saved, before */
    return status;
}
