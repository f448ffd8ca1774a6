/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_source_copy: rows as they are, missing values included, from one format to another. It asks no model; it stands
 * here because it is the simplest thing that goes from a source to a sink. */

#include "base/sized.h"
#include "data/stream.h"
#include "kernel/rows.h"

#include <string.h>

/* One thread: memory, not arithmetic, is the limit. */
static scree_status copy_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    const scree_source *source = context;
    const scree__rows rows = {block->data, block->type, block->rows, source->about.cols, block->stride, NULL};
    (void)threads;
    (void)error;
    for (int64_t i = 0; i < rows.rows; i++) {
        double *to = out + i * rows.cols;
        const double *from = scree__rows_load(&rows, i, to);
        if (from != to)
            memcpy(to, from, (size_t)rows.cols * sizeof *to);
    }
    return SCREE_OK;
}

scree_status scree_source_copy(scree_source *source, scree_sink *sink, const scree_run *run, scree_error *error)
{
    scree_run own;
    const scree__map map = {.stage = "copy",
                            .cols = source->about.cols,
                            .columns = (const char *const *)source->about.columns,
                            .rows = copy_rows,
                            .same_shape = true,
                            .context = source};
    const scree_status status = scree__run_adopt(&own, &run, error);
    return status ? status : scree__stream_run(source, &map, sink, run, error);
}
