/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions asked of rows in the caller's memory: the rows are checked, the question is opened, asked once and closed.
 */

#include "model/answers.h"

#include "base/sized.h"
#include "base/threads.h"

#include <inttypes.h>

static scree_status check(const scree_block *b, int64_t width, scree_error *error)
{
    if (b->rows < 0 || (b->rows > 0 && !b->data))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "there are no rows at the address given; %" PRId64 " were announced", b->rows);
    if (b->cols != width)
        return scree__fail(error, SCREE_ERR_SHAPE, "rows have %" PRId64 " columns, and %" PRId64 " are needed", b->cols,
                           width);
    if (b->type != SCREE_F32 && b->type != SCREE_F64 && b->type != SCREE_U8)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "element type %d is not known; use SCREE_F32, SCREE_F64 or SCREE_U8", (int)b->type);
    if (b->starts || b->col_stride != 1)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "rows must be dense and in C order here");
    if (b->row_stride < width)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "rows %" PRId64 " elements apart cannot hold the model's %" PRId64
                           " columns; give the stride in elements",
                           b->row_stride, width);
    return SCREE_OK;
}

scree__question scree__question_of(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    return (scree__question){
        .model = model, .width = view->d, .mean = view->mean, .scale = view->scale, .names = view->columns};
}

scree_status scree__ask_rows(scree__ask *ask, const scree_model *model, int64_t width, const scree_block *rows,
                             const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_block b = SCREE_BLOCK_INIT;
    SCREE_TRY(scree__run_adopt(&ask->run, &run, error));
    SCREE_TRY(SCREE_ADOPT(&b, rows, error));
    b.row_stride = b.row_stride ? b.row_stride : b.cols;
    b.col_stride = b.col_stride ? b.col_stride : 1;
    SCREE_TRY(check(&b, width, error));
    ask->model = model;
    ask->x = (scree__rows){b.data, b.type, b.rows, b.cols, b.row_stride, NULL};
done:
    return status;
}

scree_status scree__ask_question(const scree__ask *ask, scree__opener open, void *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__chunks chunks = {0};
    const int threads = scree__threads(ask->run.threads);
    const scree__row_block rows = {ask->x, 0, "memory", 0, NULL};
    SCREE_TRY(open(&chunks, ask->model, ask->x.cols, threads, error));
    SCREE_TRY(scree__chunks_run(&chunks, &rows, threads, out, error));
done:
    scree__chunks_close(&chunks);
    return status;
}
