/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_reconstruct: codes in, rows x̃ = (U z)·scale + µ out (10.3), in the model's columns. */

#include "answer/match.h"
#include "answer/row_query.h"
#include "base/sized.h"

scree_status scree_model_reconstruct(const scree_model *model, scree_source *codes, scree_sink *sink,
                                     const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree_run own;
    scree__row_query query = {.source = codes};
    const scree__map map = {.stage = "reconstruct",
                            .cols = view->d,
                            .columns = view->columns,
                            .rows = scree__row_query_map,
                            .context = &query};
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(scree__match_codes(&query.columns, model, codes, error));
    SCREE_TRY(scree__reconstruct_open(&query.chunks, model, codes->about.cols, run->threads, error));
    SCREE_TRY(scree__stream_run(codes, &map, sink, run, error));
done:
    scree__row_query_close(&query);
    return status;
}
