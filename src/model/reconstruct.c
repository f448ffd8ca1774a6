/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of a code, x̃ (10.3), as the model's kind makes it, and the way back to where the data lives. */

#include "base/cpu.h"
#include "model/answers.h"
#include "model/frame.h"
#include "model/kind.h"
#include "model/model.h"

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

void scree__frame_expand(const scree_model_view *view, double *x, int64_t rows)
{
    for (int64_t i = 0; view->log1p && i < rows * view->d; i++)
        x[i] = expm1(x[i]);
}

scree_status scree__reconstruct_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                     scree_error *error)
{
    scree__question question = {.model = model, .width = scree_model_get(model)->m};
    const scree_status status = scree__kind_needs(model, SCREE_CAN_RECONSTRUCT, "reconstruct", error);
    if (status != SCREE_OK)
        return status;
    model->kind->reconstruct(&question);
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
