/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a source handed to a question, with the place of the rows, so that answers do not depend on the blocks and
 * errors can say where. */

#include "answer/row_query.h"
#include "base/sized.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

scree__row_block scree__row_query_rows(const scree__row_query *query, const scree__block *block)
{
    const scree__rows rows = {block->data, block->type, block->rows, query->source->about.cols, block->stride, NULL};
    int64_t row = block->first;
    const char *file = scree__source_locate(query->source, &row);
    return (scree__row_block){rows, block->first, file, block->first - row, query->columns, NULL, block->origin, NULL};
}

scree__normal scree__row_query_normal(const scree_model *model)
{
    const scree_model_view *view = scree_model_get(model);
    return (scree__normal){.target = view->normalize, .columns = view->normalize_columns, .chosen = view->d};
}

scree_status scree__row_query_block(scree__row_query *query, const scree__block *block, void *out, int threads,
                                    scree_error *error)
{
    const scree__row_block rows = scree__row_query_rows(query, block);
    const scree_gaps before = query->chunks.met;
    const scree_status status = scree__chunks_run(&query->chunks, &rows, threads, out, error);
    if (status != SCREE_OK)
        query->chunks.met = before; /* its rows will be asked for again, without the one that is bad */
    query->source->gaps = query->chunks.met;
    return status;
}

scree_status scree__row_query_map(void *context, const scree__block *block, double *out, int threads,
                                  scree_error *error)
{
    return scree__row_query_block(context, block, out, threads, error);
}

scree_status scree__row_query_weights(const scree__row_query *query, const scree__block *block, scree_error *error)
{
    for (int64_t i = 0; block->weights && i < block->rows; i++) {
        int64_t row = block->first + i;
        if (block->weights[i] >= 0 && isfinite(block->weights[i]))
            continue;
        const char *file = scree__source_locate(query->source, &row);
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: row %" PRId64 " has the weight %g; weights are finite and not negative", file, row + 1,
                           block->weights[i]);
    }
    return SCREE_OK;
}

scree_status scree_source_gaps(const scree_source *source, scree_gaps *gaps, scree_error *error)
{
    scree_gaps met = source->gaps;
    met.size = sizeof met;
    return SCREE_GIVE(gaps, &met, error);
}

void scree__row_query_close(scree__row_query *query)
{
    scree__chunks_close(&query->chunks);
    free(query->columns);
    query->columns = NULL;
}
