/* SPDX-License-Identifier: BSD-3-Clause */
/* The pass: blocks as the source lends them become batches of exactly batch_rows rows, for visit.
 *
 * A whole batch inside a block is passed on as a pointer; a batch that two blocks share is put together in one buffer.
 * Blocks are planned as whole batches, so that the buffer is used only when a format lends what it likes. Sources
 * outside memory are read ahead for the time of the pass. Memory: two blocks read ahead, the source's own block, and
 * one batch; a block is about 4 MB, or one batch where that is more. */

#include "data/pass.h"

#include "base/memory.h"

#include <string.h>

enum { BLOCK_BYTES = 4 << 20 };

typedef struct pass_state {
    const scree__pass *pass;
    int64_t rows_total; /* -1: not known */
    int64_t rows_guess; /* for progress, when they are not known; -1: no idea */
    int64_t cols;
    int64_t element; /* bytes */
    scree_type type;
    char *buffer; /* one batch, made when first needed */
    int64_t held; /* rows in the buffer */
    int64_t seen; /* rows given to visit */
} pass_state;

/* The most whole batches that a block of the usual size holds, at least one. */
static int64_t planned_block_rows(const scree_source *source, int64_t batch_rows)
{
    int64_t batches = scree__source_rows_in(source, BLOCK_BYTES) / batch_rows;
    return batch_rows * (batches > 1 ? batches : 1);
}

int64_t scree__pass_memory(const scree_source *source, int64_t batch_rows)
{
    if (source->can & SCREE__IN_MEMORY)
        return 0;
    int64_t block_rows = planned_block_rows(source, batch_rows);
    if (source->rows >= 0 && source->rows < block_rows)
        block_rows = source->rows; /* buffers grow with what is read */
    int64_t rows = 3 * block_rows + batch_rows;
    return source->memory + rows * source->cols * scree__type_size(source->type);
}

static scree_status report(const pass_state *state, scree_error *error)
{
    const scree__pass *pass = state->pass;
    if (!pass->run || !pass->run->progress)
        return SCREE_OK;
    const scree_progress progress = {
        .stage = pass->stage,
        .pass = pass->pass,
        .passes = pass->passes,
        .rows = state->seen,
        .rows_total = state->rows_total < 0 && state->seen <= state->rows_guess ? state->rows_guess : state->rows_total,
        .bytes = state->seen * state->cols * state->element,
    };
    if (pass->run->progress(pass->run->progress_context, &progress) != 0)
        return scree__fail(error, SCREE_ERR_CANCELLED, "cancelled");
    return SCREE_OK;
}

static scree_status visit(pass_state *state, const void *data, int64_t rows, int64_t stride, scree_error *error)
{
    const scree__batch batch = {
        .data = data,
        .type = state->type,
        .rows = rows,
        .cols = state->cols,
        .stride = stride,
        .first = state->seen,
    };
    scree_status status = state->pass->visit(state->pass->context, &batch, error);
    if (status != SCREE_OK)
        return status;
    state->seen += rows;
    return report(state, error);
}

/* Rows that are kept as cells need no block: batches are numbers of rows. */
static scree_status visit_cells(pass_state *state, const scree__csr *cells, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && state->seen < cells->rows) {
        const int64_t left = cells->rows - state->seen;
        const scree__batch batch = {
            .type = state->type,
            .rows = left < state->pass->batch_rows ? left : state->pass->batch_rows,
            .cols = state->cols,
            .first = state->seen,
            .cells = cells,
        };
        SCREE_TRY(state->pass->visit(state->pass->context, &batch, error));
        state->seen += batch.rows;
        status = report(state, error);
    }
done:
    return status;
}

static scree_status visit_buffer(pass_state *state, scree_error *error)
{
    int64_t rows = state->held;
    state->held = 0;
    return rows > 0 ? visit(state, state->buffer, rows, state->cols, error) : SCREE_OK;
}

/* Rows from data into the buffer. */
static scree_status keep(pass_state *state, const char *data, int64_t stride, int64_t rows, scree_error *error)
{
    int64_t row_bytes = state->cols * state->element;
    if (!state->buffer)
        state->buffer = scree__alloc_raw(state->pass->batch_rows, (size_t)row_bytes);
    if (!state->buffer)
        return scree__fail(error, SCREE_ERR_MEMORY,
                           "out of memory: %lld rows of %lld bytes are not to be had to put a batch together",
                           (long long)state->pass->batch_rows, (long long)row_bytes);
    for (int64_t i = 0; i < rows; i++)
        memcpy(state->buffer + (state->held + i) * row_bytes, data + i * stride * state->element, (size_t)row_bytes);
    state->held += rows;
    return SCREE_OK;
}

static scree_status take_block(pass_state *state, const scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t batch_rows = state->pass->batch_rows;
    bool last = block->first + block->rows == state->rows_total;
    for (int64_t at = 0, count = 0; at < block->rows; at += count) {
        const char *data = (const char *)block->data + at * block->stride * state->element;
        int64_t left = block->rows - at;
        count = left < batch_rows - state->held ? left : batch_rows - state->held;
        if (state->held == 0 && (count == batch_rows || last)) {
            SCREE_TRY(visit(state, data, count, block->stride, error));
            continue;
        }
        SCREE_TRY(keep(state, data, block->stride, count, error));
        if (state->held == batch_rows)
            SCREE_TRY(visit_buffer(state, error));
    }
done:
    return status;
}

scree_status scree__pass_run(scree_source *source, const scree__pass *pass, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *ahead = NULL;
    scree__block block = {0};
    bool in_memory = source->can & SCREE__IN_MEMORY;
    pass_state state = {.pass = pass,
                        .rows_total = source->rows,
                        .rows_guess = source->rows_estimate,
                        .cols = source->cols,
                        .element = scree__type_size(source->type),
                        .type = source->type};
    SCREE_TRY(scree__source_restart(source, error));
    if (pass->takes_cells && source->cells) {
        SCREE_TRY(visit_cells(&state, source->cells, error));
        goto done;
    }
    if (pass->run && pass->run->block_rows > 0)
        source->block_rows = pass->run->block_rows;
    else
        source->block_rows = in_memory ? pass->batch_rows : planned_block_rows(source, pass->batch_rows);
    source->once = pass->passes == 1;
    if (!in_memory)
        SCREE_TRY(scree__readahead_open(&ahead, source, error));
    do {
        SCREE_TRY(scree__source_next(ahead ? ahead : source, &block, error));
        SCREE_TRY(take_block(&state, &block, error));
    } while (block.rows > 0);
    SCREE_TRY(visit_buffer(&state, error));
done:
    scree_source_close(ahead);
    free(state.buffer);
    if (status == SCREE_OK)
        source->rows = state.seen;
    if (status == SCREE_OK && rows)
        *rows = state.seen;
    return status;
}
