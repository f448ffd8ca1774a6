/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_reconstruct: codes in, rows x̃ = (U z)·scale + µ out (10.3), in the model's columns. */

#include "answer/asked.h"
#include "answer/match.h"

scree_status scree_reconstruct(const scree_model *model, scree_source *codes, scree_sink *sink, const scree_run *run,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree__asked asked = {.source = codes};
    const scree__map map = {.stage = "reconstruct",
                            .cols = view->d,
                            .columns = view->columns,
                            .rows = scree__asked_rows,
                            .context = &asked};
    SCREE_TRY(scree__match_codes(&asked.columns, model, codes, error));
    SCREE_TRY(scree__reconstruct_open(&asked.chunks, model, codes->cols, run ? run->threads : 0, error));
    SCREE_TRY(scree__stream_run(codes, &map, sink, run, error));
done:
    scree__asked_close(&asked);
    return status;
}
