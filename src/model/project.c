/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a row: z = Uᵀ((x - µ)/scale)  (10.3).
 *
 * x is centred in double, whatever its type, before anything is multiplied; then one matrix product a chunk, Z = X Uᵀ.
 * 2 D M flops a row. */

#include "kernel/blas.h"
#include "model/answers.h"
#include "model/network_answers.h"

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
    scree__question question = {.model = view,
                                .width = view->d,
                                .mean = view->mean,
                                .scale = view->scale,
                                .names = view->columns,
                                .work = view->m,
                                .answer = answer,
                                .gaps = true};
    scree__network_project(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_project_rows(const scree_model *model, const scree_block *rows, double *codes,
                                      const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ask ask;
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->d, rows, run, error));
    SCREE_TRY(scree__ask_question(&ask, scree__project_open, codes, error));
done:
    return status;
}
