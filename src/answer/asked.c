/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a source handed to a question, with the place of the rows, so that answers do not depend on the blocks and
 * errors can say where. */

#include "answer/asked.h"

#include <stdlib.h>

scree__given scree__asked_given(const scree__asked *asked, const scree__block *block)
{
    const scree__rows rows = {block->data, block->type, block->rows, asked->source->cols, block->stride, NULL};
    int64_t row = block->first;
    const char *file = scree__source_locate(asked->source, &row);
    return (scree__given){rows, block->first, file, block->first - row, asked->columns};
}

scree_status scree__asked_block(scree__asked *asked, const scree__block *block, void *out, int threads,
                                scree_error *error)
{
    const scree__given given = scree__asked_given(asked, block);
    const scree_status status = scree__chunks_run(&asked->chunks, &given, threads, out, error);
    asked->source->gaps = asked->chunks.met;
    return status;
}

scree_status scree__asked_rows(void *context, const scree__block *block, double *out, int threads, scree_error *error)
{
    return scree__asked_block(context, block, out, threads, error);
}

scree_gaps scree_source_gaps(const scree_source *source)
{
    return source->gaps;
}

void scree__asked_close(scree__asked *asked)
{
    scree__chunks_close(&asked->chunks);
    free(asked->columns);
    asked->columns = NULL;
}
