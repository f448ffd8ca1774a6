/* SPDX-License-Identifier: BSD-3-Clause */
/* Questions asked of rows in the caller's memory: the rows are checked, the question is opened, asked once and closed.
 */

#include "model/answers.h"

#include "base/threads.h"

#include <inttypes.h>

scree_status scree__rows_check(const void *data, int64_t rows, int64_t width, int64_t stride, scree_error *error)
{
    if (rows < 0 || (rows > 0 && !data))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "there are no rows at the address given; %" PRId64 " were announced", rows);
    if (stride < width)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "rows %" PRId64 " elements apart cannot hold the model's %" PRId64
                           " columns; give the stride in elements",
                           stride, width);
    return SCREE_OK;
}

scree_status scree__ask_rows(scree__opener open, const scree_model *model, const scree__rows *x, void *out,
                             scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__chunks chunks = {0};
    const int threads = scree__threads(0);
    const scree__row_block given = {*x, 0, "memory", 0, NULL};
    SCREE_TRY(scree__rows_check(x->data, x->rows, x->cols, x->stride, error));
    if (x->type != SCREE_F32 && x->type != SCREE_F64 && x->type != SCREE_U8)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "element type %d is not known; use SCREE_F32, SCREE_F64 or SCREE_U8",
                   (int)x->type);
    SCREE_TRY(open(&chunks, model, x->cols, threads, error));
    SCREE_TRY(scree__chunks_run(&chunks, &given, threads, out, error));
done:
    scree__chunks_close(&chunks);
    return status;
}
