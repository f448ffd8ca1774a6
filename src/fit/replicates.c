/* SPDX-License-Identifier: BSD-3-Clause */
/* Poisson bootstrap (Hanley and MacGibbon 2006; Chamandy and others 2012): in replicate b row i counts w_bi times, w_bi
 * independent Poisson(1), a function of (seed, b, i) alone; of each replicate the weighted moments
 *
 *     W = Σ w,   s = Σ w (x - o),   Σ w (x - o)(x - o)ᵀ,       o the mean of the first chunk of rows
 *
 * are gathered while a method reads the rows. Covariances of all D columns, not of the leading components alone: those
 * could not turn into the rest. B·D² numbers, 0.63·B·N·D² flops: rows of weight 0 are left out.
 *
 * Rows are cut into chunks at fixed places. A replicate is one task of a chunk, and chunks come in order: the same bits
 * for any threads and blocks. */

#include "fit/replicates.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/size_text.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/dense.h"

#include <math.h>
#include <string.h>

enum { FEWEST = 40, CHUNK_NUMBERS = 1 << 17, LEAST_CHUNK = 64, MOST_CHUNK = 1024 };
static const uint64_t KEY = UINT64_C(0x626f6f7473747261); /* a stream of its own under every seed */
static const double COUNTED = 0.632;                      /* 1 - 1/e of the rows */

int scree__poisson_weight(uint64_t seed, int64_t replicate, int64_t row)
{
    uint32_t words[4];
    scree__philox(seed ^ KEY, (uint64_t)replicate, (uint64_t)row / 4, words);
    const double uniform = ((double)words[row % 4] + 0.5) * 0x1p-32;
    double chance = exp(-1);
    double below = chance;
    int weight = 0;
    while (uniform > below && weight < 16) {
        weight++;
        chance /= weight;
        below += chance;
    }
    return weight;
}

static int64_t chunk_rows(int64_t cols)
{
    const int64_t rows = CHUNK_NUMBERS / cols;
    return rows < LEAST_CHUNK ? LEAST_CHUNK : rows > MOST_CHUNK ? MOST_CHUNK : rows;
}

/* In double, for it may be more than an integer holds. */
static double bytes_of(const scree__job *job)
{
    const double d = (double)job->cols;
    const double k = (double)scree__job_components(job, scree__job_rows(job));
    const double chunk = (double)chunk_rows(job->cols) * d;
    const double eigen = (double)scree__dense_memory(job->cols, (int64_t)k) + 8 * k * d;
    return (double)job->options->bootstrap * 8 * (d * d + d + 1 + 5 * k) + 8 * chunk +
           job->threads * (8 * chunk + eigen) + (SCREE__REPLICATES_GROUP + 1) * 8 * k * d;
}

void scree__replicates_cost(const scree__job *job, scree_plan_entry *entry, scree__effort *effort)
{
    const double count = (double)job->options->bootstrap;
    const double n = (double)scree__job_rows(job);
    const double d = (double)job->cols;
    if (!(count > 0))
        return;
    scree__effort eigen = {0};
    const int64_t k = scree__job_components(job, scree__job_rows(job));
    const double flops = scree__estimate_dense(job->rates, &eigen, job->cols, k, false);
    effort->passing += COUNTED * count * scree__estimate_scatter(job->rates, SCREE_F64, n, d);
    effort->shared += count * (eigen.passing + eigen.shared + eigen.alone);
    entry->flops += count * (COUNTED * n * d * d + flops);
    entry->memory += (int64_t)fmin(bytes_of(job), 0x1p60);
}

/* What a bootstrap cannot go with. */
static scree_status check(const scree__job *job, scree_error *error)
{
    const scree_fit_options *o = job->options;
    char limit[SCREE__SIZE_TEXT];
    char need[SCREE__SIZE_TEXT];
    if (o->bootstrap < FEWEST)
        return scree__fail(
            error, SCREE_ERR_ARGUMENT,
            "a 95 %% interval needs at least %d bootstrap replicates, and %lld were asked for; ask for more", FEWEST,
            (long long)o->bootstrap);
    if (bytes_of(job) > (double)job->memory)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s is too little memory: %lld bootstrap replicates of the covariance of %lld columns "
                           "alone need %s; allow more than that, ask for fewer replicates, or read fewer columns",
                           job->source->about.path, scree__size_text(limit, job->memory), (long long)o->bootstrap,
                           (long long)job->cols, scree__size_text(need, (int64_t)fmin(bytes_of(job), 0x1p60)));
    return SCREE_OK;
}

scree_status scree__replicates_new(scree__replicates **out, const scree__job *job, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = job->cols;
    const int64_t count = job->options->bootstrap;
    scree__replicates *r = NULL;
    if (count == 0)
        goto done;
    SCREE_TRY(check(job, error));
    SCREE_ALLOC(r, 1, error);
    r->seed = job->options->seed;
    r->threads = job->threads;
    r->unit = 1;
    r->count = count;
    r->cols = d;
    r->chunk_rows = chunk_rows(d);
    SCREE_ALLOC(r->chunk, r->chunk_rows * d, error);
    SCREE_ALLOC(r->weights, r->chunk_rows, error);
    SCREE_ALLOC(r->numbers, r->chunk_rows, error);
    SCREE_ALLOC(r->origin, d, error);
    SCREE_ALLOC(r->scatter, count * d * d, error);
    SCREE_ALLOC(r->sums, count * (d + 1), error);
    SCREE_ALLOC(r->packed, r->threads * r->chunk_rows * d, error);
    *out = r;
    r = NULL;
done:
    scree__replicates_free(r);
    return status;
}

void scree__replicates_free(scree__replicates *r)
{
    if (!r)
        return;
    free(r->chunk);
    free(r->weights);
    free(r->numbers);
    free(r->origin);
    free(r->scatter);
    free(r->sums);
    free(r->packed);
    free(r);
}

/* Task: a replicate gains the rows of the chunk that it has. */
static void gain(void *context, int64_t b, int worker)
{
    scree__replicates *r = context;
    const int64_t d = r->cols;
    double *packed = r->packed + worker * r->chunk_rows * d;
    double *sums = r->sums + b * (d + 1);
    int64_t count = 0;
    for (int64_t i = 0; i < r->filled; i++) {
        const int times = scree__poisson_weight(r->seed, b, r->numbers[i]);
        if (times == 0)
            continue;
        const double weight = times * r->weights[i];
        const double root = sqrt(weight);
        const double *x = r->chunk + i * d;
        for (int64_t j = 0; j < d; j++) {
            sums[j] += weight * x[j];
            packed[count * d + j] = root * x[j];
        }
        sums[d] += weight;
        count++;
    }
    const scree__tile tile = {.a = packed,
                              .b = packed,
                              .lda = d,
                              .ldb = d,
                              .m = d,
                              .n = d,
                              .k = count,
                              .acc = r->scatter + b * d * d,
                              .ldacc = d};
    if (count > 0 && scree__ops_f64.inner(&tile) != 0)
        __atomic_store_n(&r->failed, true, __ATOMIC_RELAXED);
}

static void subtract_origin(scree__replicates *r)
{
    const int64_t d = r->cols;
    if (r->rows == r->filled) { /* the first chunk */
        memset(r->origin, 0, (size_t)d * sizeof *r->origin);
        for (int64_t i = 0; i < r->filled; i++)
            for (int64_t j = 0; j < d; j++)
                r->origin[j] += (r->chunk[i * d + j] - r->origin[j]) / (double)(i + 1);
    }
    for (int64_t i = 0; i < r->filled; i++)
        for (int64_t j = 0; j < d; j++)
            r->chunk[i * d + j] -= r->origin[j];
}

scree_status scree__replicates_flush(scree__replicates *r, scree_error *error)
{
    const double work = (double)r->count * (double)r->filled * (double)r->cols * (double)r->cols;
    if (r->filled == 0)
        return SCREE_OK;
    subtract_origin(r);
    scree__blas_enter();
    scree__parallel(scree__threads_for(r->threads, work), r->count, gain, r);
    scree__blas_leave();
    r->filled = 0;
    return r->failed ? scree__fail(error, SCREE_ERR_NUMERIC, "the BLAS library refused a matrix of %lld columns",
                                   (long long)r->cols)
                     : SCREE_OK;
}

static void begin_anew(scree__replicates *r)
{
    r->rows = 0;
    r->filled = 0;
    memset(r->scatter, 0, (size_t)(r->count * r->cols * r->cols) * sizeof *r->scatter);
    memset(r->sums, 0, (size_t)(r->count * (r->cols + 1)) * sizeof *r->sums);
}

scree_status scree__replicates_add(scree__replicates *r, const scree__batch *batch, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__rows x = scree__batch_rows(batch);
    if (batch->first == 0)
        begin_anew(r);
    for (int64_t i = 0; i < batch->rows; i++) {
        double *to = r->chunk + r->filled * r->cols;
        const double *row = scree__rows_load(&x, i, to);
        if (row != to)
            memcpy(to, row, (size_t)r->cols * sizeof *to);
        r->weights[r->filled] = x.weights ? x.weights[i] : 1;
        r->numbers[r->filled] = scree__batch_number(batch, i);
        r->filled++;
        r->rows++;
        if (r->filled == r->chunk_rows)
            SCREE_TRY(scree__replicates_flush(r, error));
    }
done:
    return status;
}

void scree__replicates_move(scree__replicates *r, scree__snapshot *s)
{
    const int64_t d = r->cols;
    scree__snapshot_same(s, d);
    scree__snapshot_same(s, r->count);
    scree__snapshot_count(s, &r->rows, 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_count(s, &r->filled, 0, r->chunk_rows - 1);
    scree__snapshot_doubles(s, r->chunk, r->filled * d);
    scree__snapshot_doubles(s, r->weights, r->filled);
    for (int64_t i = 0; i < r->filled; i++)
        scree__snapshot_count(s, &r->numbers[i], 0, SCREE__SNAPSHOT_MOST);
    scree__snapshot_doubles(s, r->origin, d);
    scree__snapshot_doubles(s, r->scatter, r->count * d * d);
    scree__snapshot_doubles(s, r->sums, r->count * (d + 1));
}
