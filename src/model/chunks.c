/* SPDX-License-Identifier: BSD-3-Clause */
/* Cutting rows into chunks of fixed shape, loading them as (x - µ)/scale in double, and answering them in parallel.
 *
 * The height depends on the width alone: up to 256 rows, so that the basis is read once for many rows and a chunk stays
 * in the cache (2 MiB), and at least 16, so that very wide rows still make a matrix product. A value that is not finite
 * is noticed while loading, in the exponent bits, at no cost; which one it was is only asked for then. */

#include "model/chunks.h"

#include "base/cpu.h"
#include "base/memory.h"
#include "base/threads.h"
#include "kernel/blas.h"
#include "kernel/caller_block.h"
#include "model/frame.h"
#include "model/kind.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TALLEST = 256, LOWEST = 16, CHUNK_CELLS = 1 << 18, LINE = 8 /* doubles in a cache line */ };

static int64_t height_for(int64_t width)
{
    int64_t height = TALLEST;
    while (height > LOWEST && height * width > CHUNK_CELLS)
        height /= 2;
    return height;
}

scree_status scree__chunks_open(scree__chunks *chunks, const scree__question *question, int64_t cols, int threads,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = scree_model_get(question->model)->d;
    int64_t width = question->width;
    int64_t share;
    int64_t all;
    memset(chunks, 0, sizeof *chunks);
    chunks->question = *question;
    if (question->gaps && question->model->kind->density)
        chunks->solver = question->solver ? question->solver : question->model->kind->density->gaps;
    chunks->cols = cols;
    chunks->height = height_for(d);
    SCREE_TRY(scree__blas_reserve(threads, error));
    chunks->workers = scree__threads(threads);
    if (d > INT_MAX || __builtin_add_overflow(width, question->work, &share) ||
        __builtin_mul_overflow(chunks->height, share, &share) ||
        __builtin_add_overflow(share, cols + width + LINE, &share) ||
        __builtin_mul_overflow(share / LINE * LINE, chunks->workers, &all))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "rows of %" PRId64 " columns are too wide; at most %d can be used", d,
                   INT_MAX);
    chunks->share = share / LINE * LINE;
    SCREE_ALLOC(chunks->memory, all, error);
    SCREE_ALLOC(chunks->outcome, chunks->workers, error);
    SCREE_ALLOC(chunks->gap, chunks->workers * chunks->height, error);
    SCREE_ALLOC(chunks->gap_rows, chunks->workers, error);
    for (int i = 0; i < chunks->workers; i++)
        chunks->gap_rows[i].solver = chunks->solver;
done:
    if (status != SCREE_OK)
        scree__chunks_close(chunks);
    return status;
}

void scree__chunks_close(scree__chunks *chunks)
{
    for (int i = 0; chunks->gap_rows && i < chunks->workers; i++)
        scree__gap_rows_close(&chunks->gap_rows[i]);
    free(chunks->memory);
    free(chunks->outcome);
    free(chunks->gap);
    free(chunks->gap_rows);
    free(chunks->base);
    memset(chunks, 0, sizeof *chunks);
}

const double *scree__row_block_load(const scree__row_block *rows, int64_t i, double *buffer)
{
    const double *x = buffer;
    if (rows->caller)
        scree__caller_block_load(rows->caller, i, buffer);
    else
        x = scree__rows_load(&rows->x, i, buffer);
    for (int64_t j = 0; rows->factor && j < rows->x.cols; j++)
        buffer[j] = x[j] * rows->factor[i];
    return rows->factor ? buffer : x;
}

/* Numbers whose exponent bits are all ones: NaN and the infinities. */
static inline uint64_t is_bad(double value)
{
    const uint64_t exponent = UINT64_C(0x7ff) << 52;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & exponent) == exponent;
}

SCREE_CLONES bool scree__load_row(const double *x, const double *mean, const double *scale, int64_t n, double *out)
{
    uint64_t bad = 0;
    for (int64_t j = 0; mean && j < n; j++)
        out[j] = x[j] - mean[j];
    for (int64_t j = 0; scale && j < n; j++)
        out[j] /= scale[j];
    for (int64_t j = 0; !mean && j < n; j++)
        out[j] = x[j];
    for (int64_t j = 0; j < n; j++)
        bad |= is_bad(out[j]);
    return bad == 0;
}

/* A row's columns in the question's order, and their logarithms where it wants these: where they lie, or gathered. */
static const double *pick(const scree__question *question, const scree__row_block *given, int64_t row, double *loaded,
                          double *picked)
{
    const double *x = scree__row_block_load(given, row, loaded);
    if (!given->columns && !question->log1p)
        return x;
    for (int64_t j = 0; j < question->width; j++) {
        const int64_t column = given->columns ? given->columns[j] : j;
        picked[j] = x[column];
        if (question->log1p)
            picked[j] = scree__log1p(x[column] + (given->origin ? given->origin[column] : 0));
    }
    return picked;
}

/* A row as the question wants it; false: a cell is not finite. */
static bool load_row(const scree__chunks *chunks, const double *row, int64_t width, double *out)
{
    const double *scale = chunks->question.scale;
    if (!chunks->rest)
        return scree__load_row(row, chunks->mean, scale, width, out);
    scree__load_row(row, chunks->mean, NULL, width, out);
    for (int64_t j = 0; j < width; j++)
        out[j] = (out[j] - chunks->rest[j]) / (scale ? scale[j] : 1);
    return scree__load_row(out, NULL, NULL, width, out);
}

/* What is subtracted from the rows of a run. Both parts of a difference are near each other, or the answer is far out:
 * little is lost, and nothing where an integer origin is near an integer mean. */
static scree_status settle_mean(scree__chunks *chunks, const scree__row_block *given, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__question *question = &chunks->question;
    chunks->mean = question->mean;
    chunks->rest = question->mean == question->model->mean ? question->model->mean_rest : NULL;
    if (!given->origin || !question->mean || question->log1p)
        return SCREE_OK;
    if (!chunks->base)
        SCREE_ALLOC(chunks->base, question->width, error);
    for (int64_t j = 0; j < question->width; j++)
        chunks->base[j] = question->mean[j] - given->origin[given->columns ? given->columns[j] : j];
    chunks->mean = chunks->base;
done:
    return status;
}

typedef struct job {
    scree__chunks *chunks;
    const scree__row_block *given;
    void *out;
} job;

static bool fills_gaps(const scree__chunks *chunks)
{
    return chunks->question.gaps && chunks->solver;
}

static void answer_chunk(void *context, int64_t index, int worker)
{
    const job *all = context;
    scree__chunks *chunks = all->chunks;
    const scree__question *question = &chunks->question;
    const scree__row_block *given = all->given;
    int64_t height = chunks->height;
    int64_t width = question->width;
    int64_t top = (given->first / height + index) * height - given->first; /* of the chunk, among the rows given */
    int64_t from = top > 0 ? top : 0;
    int64_t end = top + height < given->x.rows ? top + height : given->x.rows;
    double *x = chunks->memory + worker * chunks->share;
    double *work = x + height * width;
    double *loaded = work + height * question->work;
    bool *gap = chunks->gap + worker * height;
    scree__chunk chunk = {x, work, height, from - top, end - from, from, NULL, NULL, question->keeps_logarithm};
    scree_status status = SCREE_OK;
    bool fine = true;
    memset(x, 0, (size_t)(chunk.skip * width) * sizeof *x);
    for (int64_t i = from; i < end; i++) {
        const double *row = pick(question, given, i, loaded, loaded + chunks->cols);
        gap[i - top] = !load_row(chunks, row, width, x + (i - top) * width) || question->ignored;
        fine &= !gap[i - top];
    }
    memset(x + (end - top) * width, 0, (size_t)((top + height - end) * width) * sizeof *x);
    chunk.gap = fine ? NULL : gap;
    if (!fine)
        status = fills_gaps(chunks) ? scree__gap_rows_fill(&chunks->gap_rows[worker], question, &chunk, x, all->out)
                                    : SCREE_ERR_VALUE;
    if (status != SCREE_OK)
        chunks->outcome[worker] = status;
    else if (question->answer)
        question->answer(question->model, &chunk, all->out);
}

/* The sentence about column j of a row, from 0 of those given, where x cannot be used. */
static scree_status refuse_cell(const scree__question *question, const scree__row_block *given, int64_t row, int64_t j,
                                double x, scree_error *error)
{
    const bool lacks_solver = isnan(x) && question->gaps && question->model->kind->density;
    const char *advice =
        isnan(x) && question->advice ? question->advice : "give the cell a number or leave the row out";
    char label[300];
    char refusal[600];
    if (question->log1p && x == -HUGE_VAL)
        advice = "log(1 + x) of the model needs more than -1: correct the cell or leave the row out";
    if (question->names)
        snprintf(label, sizeof label, "column '%.200s'", question->names[j]);
    else
        snprintf(label, sizeof label, "column %" PRId64, j + 1);
    if (lacks_solver)
        scree__kind_refusal(question->model, "a row with gaps", refusal, sizeof refusal);
    return scree__fail(error, lacks_solver ? SCREE_ERR_UNSUPPORTED : SCREE_ERR_VALUE,
                       "%s: row %" PRId64 ", %s is %s; %s", given->name, given->first - given->before + row + 1, label,
                       isnan(x)   ? "missing"
                       : isinf(x) ? (question->log1p && x < 0 ? "-1 or less" : "infinite")
                                  : "too large",
                       lacks_solver ? refusal : advice);
}

/* The same about the first cell that could not be loaded. */
static scree_status refuse(const scree__chunks *chunks, const scree__row_block *given, scree_error *error)
{
    const scree__question *question = &chunks->question;
    double *loaded = chunks->memory;
    double *picked = loaded + chunks->cols;
    for (int64_t i = 0; i < given->x.rows; i++) {
        const double *x = pick(question, given, i, loaded, picked);
        for (int64_t j = 0; j < question->width; j++) {
            double value =
                (x[j] - (chunks->mean ? chunks->mean[j] : 0.0)) / (question->scale ? question->scale[j] : 1.0);
            if (!isfinite(value) && !(fills_gaps(chunks) && isnan(x[j])))
                return refuse_cell(question, given, i, j, x[j], error);
        }
    }
    return scree__fail(error, SCREE_ERR_VALUE, "%s: a value changed while it was read; keep the rows unchanged",
                       given->name);
}

/* What the threads have met, into one. */
static void gather_gaps(scree__chunks *chunks)
{
    for (int i = 0; i < chunks->workers; i++) {
        scree_gaps *met = &chunks->gap_rows[i].met;
        chunks->met.rows += met->rows;
        chunks->met.cells += met->cells;
        chunks->met.empty += met->empty;
        *met = (scree_gaps){0};
    }
}

scree_status scree__chunks_run(scree__chunks *chunks, const scree__row_block *given, int threads, void *out,
                               scree_error *error)
{
    job all = {chunks, given, out};
    int64_t rows = given->x.rows;
    scree_status status = SCREE_OK;
    if (rows < 1)
        return SCREE_OK;
    status = settle_mean(chunks, given, error);
    if (status != SCREE_OK)
        return status;
    int64_t count = (given->first + rows - 1) / chunks->height - given->first / chunks->height + 1;
    memset(chunks->outcome, 0, (size_t)chunks->workers * sizeof *chunks->outcome);
    scree__blas_enter();
    scree__parallel(threads < chunks->workers ? threads : chunks->workers, count, answer_chunk, &all);
    scree__blas_leave();
    for (int i = 0; i < chunks->workers; i++)
        if (status == SCREE_OK || chunks->outcome[i] == SCREE_ERR_VALUE) /* the cell's place says most */
            status = chunks->outcome[i];
    gather_gaps(chunks);
    if (status == SCREE_ERR_VALUE)
        return refuse(chunks, given, error);
    if (status != SCREE_OK)
        return scree__fail(error, status, "%s: rows with gaps cannot be filled: %s", given->name,
                           scree_status_text(status));
    return SCREE_OK;
}
