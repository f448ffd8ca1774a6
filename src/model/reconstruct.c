/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of a code: x̃ = (U z)·scale + µ  (10.3).
 *
 * One matrix product a chunk, X̃ = Z U, then the way back to where the data lives. 2 D M flops a row. */

#include "kernel/blas.h"
#include "model/answers.h"
#include "model/network_answers.h"

#include "base/cpu.h"
SCREE_CLONES void scree__scale_and_shift(const double *x, const double *scale, const double *mean, int64_t n,
                                         double *out)
{
    for (int64_t j = 0; scale && j < n; j++)
        out[j] = x[j] * scale[j] + mean[j];
    for (int64_t j = 0; !scale && j < n; j++)
        out[j] = x[j] + mean[j];
}

void scree__restore_row(const scree_model_view *model, const double *x, double *out)
{
    scree__scale_and_shift(x, model->scale, model->mean, model->d, out);
}

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    int64_t d = model->d;
    int64_t m = model->m;
    double *data = out;
    scree__dgemm(false, false, chunk->height, d, m, 1.0, chunk->x, m, model->components, d, 0.0, chunk->work, d);
    for (int64_t i = 0; i < chunk->count; i++)
        scree__restore_row(model, chunk->work + (chunk->skip + i) * d, data + (chunk->from + i) * d);
}

scree_status scree__reconstruct_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                     scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    scree__question question = {.model = view, .width = view->m, .work = view->d, .answer = answer};
    scree__network_reconstruct(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_reconstruct_rows(const scree_model *model, const scree_block *codes, double *data,
                                          const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ask ask;
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->m, codes, run, error));
    SCREE_TRY(scree__ask_question(&ask, scree__reconstruct_open, data, error));
done:
    return status;
}
