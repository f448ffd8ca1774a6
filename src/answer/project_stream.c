/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_project: rows in, codes out (10.3, 10.76), in columns that the kind of the model names: pc1..pcM. Of
 * sparse rows they are found from the entries (project_entries.c). */

#include "answer/match.h"
#include "answer/project_entries.h"
#include "answer/row_query.h"
#include "base/memory.h"
#include "base/sized.h"
#include "data/team.h"
#include "model/kind.h"

scree_status scree_model_project(const scree_model *model, scree_source *source, scree_sink *sink, const scree_run *run,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t m = scree_model_get(model)->m;
    scree_run own;
    scree__row_query query = {.source = source};
    scree__entry_query entries = {0};
    bool sparse = false;
    bool shared = false;
    char **names = NULL;
    SCREE_TRY(scree__run_adopt(&own, &run, error));
    SCREE_TRY(scree__match_columns(&query.columns, model, source, error));
    SCREE_TRY(scree__name_codes(&names, scree__model_code_prefix(model), m, error));
    SCREE_TRY(scree__entry_query_open(&entries, &sparse, model, source, query.columns, run, error));
    if (!sparse)
        SCREE_TRY(scree__project_open(&query.chunks, model, source->about.cols, run->threads, error));
    scree__map map = {.stage = "project",
                      .cols = m,
                      .columns = (const char *const *)names,
                      .rows = sparse ? scree__entry_query_map : scree__row_query_map,
                      .takes_origin = true,
                      .normal = scree__row_query_normal(model),
                      .uses = query.columns,
                      .use_count = scree_model_get(model)->d,
                      .takes_sparse = sparse,
                      .shares = true,
                      .context = sparse ? (void *)&entries : (void *)&query};
    map.normal.log1p = sparse && scree_model_get(model)->log1p;
    shared = true;
    SCREE_TRY(scree__stream_run(source, &map, sink, run, error));
done:
    scree__entry_query_close(&entries);
    scree__row_query_close(&query);
    scree__strings_free(names, m);
    return scree__team_settle(run, shared, status, error);
}
