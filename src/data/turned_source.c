/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that were made of entries (turned.h), as a source. */

#include "base/memory.h"
#include "data/turned.h"

#include <inttypes.h>
#include <stdio.h>

enum { BLOCK_BYTES = 4 << 20 };

typedef struct turned_source {
    scree_source base;
    scree__turned turned;
} turned_source;

static scree_status turned_next(scree_source *source, scree__block *block, scree_error *error)
{
    return scree__turned_next(&((turned_source *)source)->turned, source->block_rows, block, error);
}

static scree_status turned_rewind(scree_source *source, scree_error *error)
{
    (void)error;
    scree__turned_rewind(&((turned_source *)source)->turned);
    return SCREE_OK;
}

static void turned_close(scree_source *source)
{
    scree__turned_clear(&((turned_source *)source)->turned);
}

static const scree__source_table turned_table = {
    .name = "turned", .next = turned_next, .rewind = turned_rewind, .close = turned_close};

scree_status scree__turned_open(scree_source **out, scree__turned *turned, scree_error *error)
{
    scree_status status = SCREE_OK;
    turned_source *made = NULL;
    char note[160];
    const double all = (double)turned->rows * (double)turned->cols;
    SCREE_ALLOC(made, 1, error);
    scree_source *base = &made->base;
    base->table = &turned_table;
    base->can = SCREE__CAN_REWIND | (turned->in_memory ? SCREE__IN_STEP : 0);
    base->about.path = scree__strdup(turned->file);
    base->about.type = turned->type;
    base->about.rows = base->about.rows_estimate = turned->rows;
    base->about.cols = turned->cols;
    base->sparse = true;
    base->entries = turned->entries;
    base->memory = scree__turned_memory(turned);
    base->block_rows = scree__source_rows_in(base, BLOCK_BYTES);
    scree__format(note, sizeof note,
                  "%" PRId64 " cells of %" PRId64 " rows and %" PRId64 " columns, %.3g %% of all; the others are 0",
                  turned->entries, turned->rows, turned->cols, 100 * (double)turned->entries / all);
    base->about.note = scree__strdup(note);
    if (!base->about.path || !base->about.note)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", turned->file);
    made->turned = *turned;
    made->turned.file = base->about.path;
    made->turned.scratch.file = scree__scratch_is_open(&turned->scratch) ? base->about.path : NULL;
    *turned = (scree__turned){0};
    *out = base;
    made = NULL;
done:
    scree_source_free(made ? &made->base : NULL);
    return status;
}
