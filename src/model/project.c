/* SPDX-License-Identifier: BSD-3-Clause */
/* The code of a row, z (10.3), as the model's kind makes it. */

#include "model/answers.h"
#include "model/kind.h"
#include "model/model.h"

scree_status scree__project_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                 scree_error *error)
{
    scree__question question = scree__question_of(model);
    const scree_status status = scree__kind_needs(model, SCREE_CAN_PROJECT, "project", error);
    if (status != SCREE_OK)
        return status;
    model->kind->project(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_project_rows(const scree_model *model, const scree_block *rows, double *codes,
                                      const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ask ask = {0};
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->d, rows, run, error));
    SCREE_TRY(scree__ask_normalise(&ask, error));
    SCREE_TRY(scree__ask_question(&ask, scree__project_open, codes, error));
done:
    scree__ask_close(&ask);
    return status;
}

scree_status scree__project_shown(const scree_model *model, const scree_block *rows, double *codes,
                                  const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ask ask = {0};
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->d, rows, run, error));
    SCREE_TRY(scree__ask_question(&ask, scree__project_open, codes, error));
done:
    return status;
}
