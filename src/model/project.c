/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a row: z = Uᵀ((x - µ)/scale)  (10.3).
 *
 * x is centred in double, whatever its type, before anything is multiplied; then one matrix product a chunk, Z = X Uᵀ.
 * 2 D M flops a row. */

#include "kernel/blas.h"
#include "model/answers.h"

#include "base/threads.h"

#include <inttypes.h>
#include <string.h>

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    int64_t d = model->d;
    int64_t m = model->m;
    double *codes = out;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, model->components, d, 0.0, chunk->work, m);
    memcpy(codes + chunk->from * m, chunk->work + chunk->skip * m, (size_t)(chunk->count * m) * sizeof *codes);
}

scree_status scree__project_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                 scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const scree__question question = {.model = view,
                                      .width = view->d,
                                      .mean = view->mean,
                                      .scale = view->scale,
                                      .names = view->columns,
                                      .work = view->m,
                                      .answer = answer};
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

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

scree_status scree_project_rows(const scree_model *model, const void *data, scree_type type, int64_t rows,
                                int64_t stride, double *codes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__chunks chunks = {0};
    int64_t d = scree_model_get(model)->d;
    int threads = scree__threads(0);
    const scree__given given = {{data, type, rows, d, stride}, 0, "memory", NULL};
    SCREE_TRY(scree__rows_check(data, rows, d, stride, error));
    if (type != SCREE_F32 && type != SCREE_F64 && type != SCREE_U8)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "element type %d is not known; use SCREE_F32, SCREE_F64 or SCREE_U8",
                   (int)type);
    SCREE_TRY(scree__project_open(&chunks, model, d, threads, error));
    SCREE_TRY(scree__chunks_run(&chunks, &given, threads, codes, error));
done:
    scree__chunks_close(&chunks);
    return status;
}
