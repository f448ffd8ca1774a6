/* SPDX-License-Identifier: BSD-3-Clause */
/* What scree explore writes has columns before those of the model: row, draw and, with --latent, the code. Names tell
 * them apart; in an NPY file, which has none, the width does, and the first line: draw 1 of a row with a number. */

#include "explored.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Whether the first row is what explore would write there. */
static scree_status starts_with_draw(bool *does, cli_work *work)
{
    scree_status status = SCREE_OK;
    scree_source *first = NULL;
    scree_sink *sink = NULL;
    const int64_t cols = scree_source_cols(work->source);
    double *row = cli_alloc((size_t)cols, sizeof *row);
    *does = false;
    if (scree_source_rows(work->source) < 1)
        goto done;
    status = scree_source_slice(&first, work->source, 0, 1, &work->error);
    if (status == SCREE_ERR_UNSUPPORTED) /* it can be read only once: its width is refused later */
        status = SCREE_OK;
    if (!first)
        goto done;
    CLI_TRY(scree_sink_to_memory(&sink, row, 1, cols, &work->error));
    CLI_TRY(scree_source_copy(first, sink, &work->run, &work->error));
    *does = row[0] >= 1.0 && floor(row[0]) == row[0] && row[1] == 1.0;
done:
    scree_sink_free(sink);
    scree_source_free(first);
    free(row);
    return status;
}

scree_status cli_explored_rows(cli_work *work, int first)
{
    static char columns[48]; /* the options of the work point to it */
    const scree_model_view *view = scree_model_get(work->model);
    const int64_t cols = scree_source_cols(work->source), before = cols - view->d;
    scree_status status = SCREE_OK;
    bool drawn = false;
    if (work->read.columns || scree_source_column(work->source, 0) || (before != 2 && before != 2 + view->m))
        return SCREE_OK;
    CLI_TRY(starts_with_draw(&drawn, work));
    if (!drawn)
        return SCREE_OK;
    snprintf(columns, sizeof columns, "%" PRId64 "-%" PRId64, before + 1, cols);
    work->read.columns = columns;
    if (!work->quiet)
        cli_print(stderr,
                  "%s: the first %" PRId64 " columns are the row%s that scree explore wrote, and are left out\n",
                  scree_source_name(work->source), before, before > 2 ? ", the draw and the code" : " and the draw");
    scree_source_free(work->source);
    work->source = NULL;
    CLI_TRY(cli_work_rows(work, first));
done:
    return status;
}
