/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions asked of rows in the caller's memory: the rows are checked, the question is opened, asked once and closed.
 * Rows of any type and order, sparse ones too, are loaded where they lie, one by one. */

#include "model/answers.h"

#include "base/sized.h"
#include "base/threads.h"
#include "kernel/caller_block.h"
#include "kernel/too_wide.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

scree__question scree__question_of(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    return (scree__question){.model = model,
                             .width = view->d,
                             .mean = view->mean,
                             .scale = view->scale,
                             .names = view->columns,
                             .log1p = view->log1p};
}

/* Integers that no double is are not for questions about rows in memory: a source counts them from an origin. */
static scree_status check_wide(const scree_block *given, scree_error *error)
{
    scree_status status = SCREE_OK;
    double *row = NULL;
    if (given->type != SCREE_I64 && given->type != SCREE_U64)
        return SCREE_OK;
    SCREE_ALLOC(row, given->cols, error);
    for (int64_t i = 0; i < given->rows; i++) {
        scree__caller_block_load(given, i, row);
        for (int64_t j = 0; j < given->cols; j++)
            if (scree__is_too_wide(row[j]))
                SCREE_FAIL(error, SCREE_ERR_VALUE,
                           "memory: row %" PRId64 ", column %" PRId64
                           " is a whole number beyond 2^53, which double precision would round; hand the rows in as a "
                           "source",
                           i + 1, j + 1);
    }
done:
    free(row);
    return status;
}

scree_status scree__ask_rows(scree__ask *ask, const scree_model *model, int64_t width, const scree_block *rows,
                             const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__run_adopt(&ask->run, &run, error));
    SCREE_TRY(scree__caller_block_check(&ask->given, rows, "memory", 0, error));
    if (ask->given.cols != width)
        SCREE_FAIL(error, SCREE_ERR_SHAPE, "rows have %" PRId64 " columns, and %" PRId64 " are needed", ask->given.cols,
                   width);
    SCREE_TRY(check_wide(&ask->given, error));
    ask->model = model;
    ask->rows = (scree__row_block){
        .x = {ask->given.data, ask->given.type, ask->given.rows, width, ask->given.row_stride, NULL},
        .name = "memory",
        .caller = scree__caller_block_is_plain(&ask->given) ? NULL : &ask->given,
    };
done:
    return status;
}

/* Σ_j x_ij, of counts. */
static scree_status sum_row(double *sum, const double *x, int64_t row, int64_t cols, scree_error *error)
{
    *sum = 0;
    for (int64_t j = 0; j < cols; j++) {
        if (!(x[j] >= 0) || isinf(x[j]))
            return scree__fail(error, SCREE_ERR_VALUE,
                               "memory: row %" PRId64 ", column %" PRId64
                               " is negative, missing or infinite, and the model divides rows by their sums; give "
                               "counts of 0 or more",
                               row + 1, j + 1);
        *sum += x[j];
    }
    return SCREE_OK;
}

scree_status scree__ask_normalise(scree__ask *ask, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(ask->model);
    double *row = NULL;
    double sum = 0;
    if (!(view->normalize > 0))
        return SCREE_OK;
    if (view->normalize_columns > view->d)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "the model divides rows by their sums over %" PRId64 " columns, of which it uses %" PRId64
                   "; hand the rows in as a source of all columns",
                   view->normalize_columns, view->d);
    SCREE_ALLOC(row, view->d, error);
    SCREE_ALLOC(ask->factor, ask->rows.x.rows, error);
    for (int64_t i = 0; i < ask->rows.x.rows; i++) {
        SCREE_TRY(sum_row(&sum, scree__row_block_load(&ask->rows, i, row), i, view->d, error));
        ask->factor[i] = sum > 0 ? view->normalize / sum : 1;
    }
    ask->rows.factor = ask->factor;
done:
    free(row);
    return status;
}

void scree__ask_close(scree__ask *ask)
{
    free(ask->factor);
    ask->factor = NULL;
}

scree_status scree__ask_question(const scree__ask *ask, scree__opener open, void *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__chunks chunks = {0};
    const int threads = scree__threads(ask->run.threads);
    SCREE_TRY(open(&chunks, ask->model, ask->rows.x.cols, threads, error));
    SCREE_TRY(scree__chunks_run(&chunks, &ask->rows, threads, out, error));
done:
    scree__chunks_close(&chunks);
    return status;
}
