/* SPDX-License-Identifier: BSD-3-Clause */
/* The pass: blocks as the source lends them become batches of exactly batch_rows rows, for visit.
 *
 * A whole batch inside a block is passed on as a pointer; a batch that two blocks share is put together in one buffer.
 * Blocks are planned as whole batches, so that the buffer is used only when a format lends what it likes. Sources
 * outside memory are read ahead for the time of the pass. Rows of weight 0 are left out of batches, which are then
 * those of a source that never had them. Memory: two blocks read ahead, the source's own block, and one batch; a block
 * is about 4 MB, or one batch where that is more. */

#include "data/pass.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "data/entries.h"
#include "data/wide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, SEVERAL_BYTES = 16 << 20 /* for each thread, where rows are in memory */ };

typedef struct pass_state {
    const scree__pass *pass;
    const scree_source *source;
    int64_t rows_total; /* -1: not known */
    int64_t rows_guess; /* for progress, when they are not known; -1: no idea */
    int64_t cols;
    int64_t element; /* bytes */
    scree_type type;
    char *buffer;             /* one batch, made when first needed */
    int64_t held;             /* rows in the buffer */
    int64_t seen;             /* rows given to visit */
    int64_t read;             /* rows that the source has lent */
    int64_t passed;           /* of these, rows that were visited, and those of weight 0 before them */
    double *weights;          /* of the rows in the buffer, where they have any */
    int64_t *numbers;         /* of these rows in the source */
    bool sparse;              /* rows come as entries: */
    scree__entries_room room; /* the buffer of these */
    int64_t range;            /* at work, where the pass has ranges */
    int64_t cut;              /* rows that the source has lent when it ends; INT64_MAX: there are no ranges */
    double began;             /* for progress */
} pass_state;

int64_t scree__batch_number(const scree__batch *batch, int64_t row)
{
    return batch->numbers ? batch->numbers[row] : batch->first + row;
}

/* How many rows so many bytes hold, at least one. */
static int64_t rows_in(const scree_source *source, bool sparse, int64_t bytes)
{
    const int64_t rows = sparse ? bytes / scree__entries_row_bytes(source) : scree__source_rows_in(source, bytes);
    return rows > 1 ? rows : 1;
}

/* The most whole batches that a block of the usual size holds, at least one. */
static int64_t planned_block_rows(const scree_source *source, bool sparse, int64_t batch_rows)
{
    int64_t batches = rows_in(source, sparse, BLOCK_BYTES) / batch_rows;
    return batch_rows * (batches > 1 ? batches : 1);
}

int64_t scree__pass_memory_sparse(const scree_source *source, int64_t batch_rows)
{
    const int64_t rows =
        (source->can & SCREE__IN_STEP ? 1 : 3) * planned_block_rows(source, true, batch_rows) + batch_rows;
    return source->memory + rows * (scree__entries_row_bytes(source) + (source->about.weighted ? 16 : 0));
}

int64_t scree__pass_memory(const scree_source *source, int64_t batch_rows)
{
    if (source->can & SCREE__IN_MEMORY)
        return 0;
    int64_t block_rows = planned_block_rows(source, false, batch_rows);
    if (source->about.rows >= 0 && source->about.rows < block_rows)
        block_rows = source->about.rows; /* buffers grow with what is read */
    int64_t rows = (source->can & SCREE__IN_STEP ? 1 : 3) * block_rows + batch_rows;
    const int64_t weights = source->about.weighted ? rows * 16 : 0;
    return source->memory + rows * source->about.cols * scree__type_size(source->about.type) + weights;
}

static scree_status report(const pass_state *state, scree_error *error)
{
    const scree__pass *pass = state->pass;
    const scree_progress progress = {
        .stage = pass->stage,
        .pass = pass->pass,
        .passes = pass->passes,
        .rows = state->seen,
        .rows_total = state->rows_total < 0 && state->seen <= state->rows_guess ? state->rows_guess : state->rows_total,
        .bytes = state->seen * state->cols * state->element,
    };
    return scree__progress_tell(pass->run, progress, state->began, error);
}

/* rows, from data on; what they are as a whole is the pass's. */
static scree_status visit(pass_state *state, scree__batch batch, scree_error *error)
{
    batch.type = state->type;
    batch.cols = state->cols;
    scree_status status = state->pass->visit(state->pass->context, &batch, error);
    if (status != SCREE_OK)
        return status;
    state->seen += batch.rows;
    if (state->pass->between && state->held == 0)
        status = state->pass->between(state->pass->between_context, state->passed, state->seen, error);
    return status == SCREE_OK ? report(state, error) : status;
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
        if (state->pass->between)
            SCREE_TRY(state->pass->between(state->pass->between_context, state->seen, state->seen, error));
        status = report(state, error);
    }
done:
    return status;
}

static scree_status visit_buffer(pass_state *state, scree_error *error)
{
    scree__entries entries = scree__entries_of(&state->room, state->cols);
    entries.weights = state->weights;
    scree__entries_empty(&state->room);
    const scree__batch batch = {.data = state->buffer,
                                .entries = state->sparse ? &entries : NULL,
                                .rows = state->held,
                                .stride = state->cols,
                                .first = state->numbers ? state->numbers[0] : state->seen,
                                .weights = state->weights,
                                .numbers = state->numbers};
    state->held = 0;
    return batch.rows > 0 ? visit(state, batch, error) : SCREE_OK;
}

/* The buffer of a batch, and what goes with its rows. */
static scree_status make_buffer(pass_state *state, scree_error *error)
{
    const int64_t rows = state->pass->batch_rows;
    const int64_t row_bytes = state->cols * state->element;
    if (!state->buffer && !state->sparse)
        state->buffer = scree__alloc_raw(rows, (size_t)row_bytes);
    if (!state->weights && state->source->about.weighted) {
        state->weights = scree__alloc_raw(rows, sizeof *state->weights);
        state->numbers = scree__alloc(rows, sizeof *state->numbers);
    }
    return (state->buffer || state->sparse) && (!state->source->about.weighted || (state->weights && state->numbers))
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "cannot allocate %lld rows of %lld bytes for a batch",
                             (long long)rows, (long long)row_bytes);
}

/* Rows from number at on of a block, into the buffer. */
static scree_status keep(pass_state *state, const scree__block *block, int64_t at, int64_t rows, scree_error *error)
{
    const int64_t row_bytes = state->cols * state->element;
    const int64_t stride = block->stride * state->element;
    const char *data = (const char *)block->data + at * stride;
    scree_status status = make_buffer(state, error);
    if (status == SCREE_OK && state->sparse && state->room.room == 0 && state->source->entries > 0) {
        const int64_t usual = state->source->entries / (state->rows_total > 0 ? state->rows_total : 1) + 1;
        scree__entries_expect(&state->room, block, state->pass->batch_rows,
                              state->pass->batch_rows * (usual + usual / 4));
    }
    if (status == SCREE_OK && state->sparse)
        status = scree__entries_add(&state->room, block, at, rows, state->source->about.path, error);
    for (int64_t i = 0; status == SCREE_OK && i < rows; i++) {
        if (!state->sparse)
            memcpy(state->buffer + (state->held + i) * row_bytes, data + i * stride, (size_t)row_bytes);
        if (block->weights) {
            state->weights[state->held + i] = block->weights[at + i];
            state->numbers[state->held + i] = block->first + at + i;
        }
    }
    state->held += rows;
    return status;
}

static scree_status check_weights(const pass_state *state, const scree__block *block, scree_error *error)
{
    for (int64_t i = 0; block->weights && i < block->rows; i++) {
        const double weight = block->weights[i];
        if (weight >= 0 && isfinite(weight))
            continue;
        const char *name = state->source->about.weight_name;
        int64_t row = block->first + i;
        const char *file = scree__source_locate(state->source, &row);
        char what[32];
        scree__format(what, sizeof what, "%g", weight);
        if (scree__is_too_wide(weight))
            return scree__fail(
                error, SCREE_ERR_VALUE,
                "%s: row %lld: the weight%s%.200s%s is a whole number beyond 2^53, which double precision "
                "would round; divide the weights by a constant",
                file, (long long)(row + 1), name ? ", column '" : "", name ? name : "", name ? "'," : "");
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: row %lld: the weight%s%.200s%s is %s; give it a number of 0 or more", file,
                           (long long)(row + 1), name ? ", column '" : "", name ? name : "", name ? "'," : "",
                           isnan(weight)   ? "missing"
                           : isinf(weight) ? "infinite"
                                           : what);
    }
    return SCREE_OK;
}

/* Rows from number at on that are followed by none of weight 0. */
static int64_t rows_in_row(const scree__block *block, int64_t at)
{
    int64_t end = at;
    if (!block->weights)
        return block->rows - at;
    while (end < block->rows && block->weights[end] > 0)
        end++;
    return end - at;
}

/* Rows of a block from number at on, as they lie. */
static scree_status visit_part(pass_state *state, const scree__block *block, int64_t at, int64_t count,
                               scree_error *error)
{
    const scree__block part = scree__block_part(state->source, block, at, count);
    const scree__entries entries = scree__block_entries(&part, state->cols);
    const scree__batch batch = {.data = state->sparse ? NULL : part.data,
                                .entries = state->sparse ? &entries : NULL,
                                .rows = count,
                                .stride = block->stride,
                                .first = block->weights ? block->first + at : state->seen,
                                .weights = part.weights};
    return visit(state, batch, error);
}

/* Of a block, rows that an earlier pass has seen, so many from its first row on. */
static int64_t rows_before(int64_t passed, const scree__block *block)
{
    return passed <= 0 ? 0 : passed < block->rows ? passed : block->rows;
}

/* The range of the row that comes next; cut is where it ends. */
static void enter_range(pass_state *state, int64_t range)
{
    const scree__ranges *ranges = state->pass->ranges;
    const int64_t *cuts = state->pass->cuts;
    state->range = range;
    state->cut = !ranges || range >= ranges->end ? INT64_MAX
                 : cuts                          ? cuts[range + 1 - ranges->first]
                        : scree__range_start(ranges, range + 1) - scree__range_start(ranges, ranges->first);
}

/* Ranges that end with so many rows, some of which may have none. */
static scree_status end_ranges(pass_state *state, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (state->cut == rows) {
        SCREE_TRY(visit_buffer(state, error));
        SCREE_TRY(state->pass->ended(state->pass->context, error));
        enter_range(state, state->range + 1);
    }
done:
    return status;
}

static scree_status take_block(pass_state *state, const scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t batch_rows = state->pass->batch_rows;
    const int64_t before = state->read;
    bool last = block->first + block->rows == state->rows_total;
    SCREE_TRY(check_weights(state, block, error));
    state->read += block->rows;
    for (int64_t at = rows_before(state->pass->passed - before, block), count = 0; at < block->rows; at += count) {
        SCREE_TRY(end_ranges(state, before + at, error));
        const int64_t together = rows_in_row(block, at);
        const int64_t left = together < state->cut - before - at ? together : state->cut - before - at;
        const bool to_the_end = (last && at + left == block->rows) || before + at + left == state->cut;
        if (left == 0) {
            count = 1;
            continue;
        }
        count = left < batch_rows - state->held ? left : batch_rows - state->held;
        if (state->held == 0 && state->pass->takes_several && (to_the_end || left > batch_rows))
            count = to_the_end ? left : left / batch_rows * batch_rows;
        state->passed = before + at + count;
        if (state->held == 0 && (count >= batch_rows || to_the_end)) {
            SCREE_TRY(visit_part(state, block, at, count, error));
            continue;
        }
        SCREE_TRY(keep(state, block, at, count, error));
        if (state->held == batch_rows)
            SCREE_TRY(visit_buffer(state, error));
    }
done:
    return status;
}

/* Rows in memory come in batches, or in several at once, so that threads seldom wait for each other. */
static int64_t memory_block_rows(const scree_source *source, const scree__pass *pass)
{
    const bool sparse = source->sparse && pass->takes_sparse;
    const int64_t several = rows_in(source, sparse, (int64_t)SEVERAL_BYTES * source->threads) / pass->batch_rows;
    return pass->batch_rows * (pass->takes_several && several > 1 ? several : 1);
}

/* Where blocks are lent, they end where ranges do: rows of one that goes on would have to be kept, and visited in
 * parts.
 */
static scree_status end_block_with_range(pass_state *state, scree_source *source, int64_t usual, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(end_ranges(state, state->read, error));
    const int64_t left = state->cut - state->read;
    source->block_rows = left < usual ? left : usual;
done:
    return status;
}

/* Whether rows of a range are missing. */
static bool lacks_rows(const pass_state *state)
{
    return state->cut < INT64_MAX;
}

/* Whether the weights belonged to these rows, and whether all are there. */
static scree_status check_end(const pass_state *state, scree_error *error)
{
    const scree_source *source = state->source;
    const char *name = source->about.weight_name;
    if (source->weights && state->read != source->weight_count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are %lld rows, and %lld weights were given; give a weight for each row",
                           source->about.path, (long long)state->read, (long long)source->weight_count);
    if (lacks_rows(state))
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are fewer rows than before: %lld are missing; leave the file alone while it is "
                           "read",
                           source->about.path, (long long)(state->cut - state->read));
    if (source->about.weighted && state->read > 0 && state->seen == 0 && !state->pass->ranges)
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: every weight%s%.200s%s is 0, so that no row counts; give some a weight above 0",
                           source->about.path, name ? ", column '" : "", name ? name : "", name ? "'," : "");
    return SCREE_OK;
}

scree_status scree__pass_run(scree_source *source, const scree__pass *pass, int64_t *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *ahead = NULL;
    scree__block block = {0};
    bool in_memory = source->can & SCREE__IN_MEMORY;
    source->takes_sparse = source->takes_whole = pass->takes_sparse;
    pass_state state = {.pass = pass,
                        .sparse = pass->takes_sparse && source->sparse,
                        .seen = pass->visited,
                        .source = source,
                        .rows_total = source->about.rows,
                        .rows_guess = source->about.rows_estimate,
                        .cols = source->about.cols,
                        .element = scree__type_size(source->about.type),
                        .type = source->about.type,
                        .began = pass->run && pass->run->progress ? scree__seconds() : 0};
    enter_range(&state, pass->ranges ? pass->ranges->first : 0);
    SCREE_TRY(scree__source_restart(source, error));
    if (pass->takes_cells && source->cells) {
        SCREE_TRY(visit_cells(&state, source->cells, error));
        goto done;
    }
    const bool small = scree__source_is_small(source);
    source->threads = small ? 1 : scree__threads(pass->run ? pass->run->threads : 0);
    if (pass->run && pass->run->block_rows > 0)
        source->block_rows = pass->run->block_rows;
    else
        source->block_rows = in_memory || (state.sparse && (source->can & SCREE__IN_STEP))
                                 ? memory_block_rows(source, pass)
                                 : planned_block_rows(source, state.sparse, pass->batch_rows);
    source->single_pass = pass->passes == 1;
    source->takes_origin = pass->takes_origin;
    if (!small && !(source->can & (SCREE__IN_MEMORY | SCREE__IN_STEP)))
        SCREE_TRY(scree__readahead_open(&ahead, source, error));
    const int64_t usual = source->block_rows;
    do {
        if (pass->ranges && in_memory)
            SCREE_TRY(end_block_with_range(&state, source, usual, error));
        SCREE_TRY(scree__source_next(ahead ? ahead : source, &block, error));
        if (!block.starts)
            SCREE_TRY(scree__wide_check(source, &block, NULL, 0, error));
        SCREE_TRY(take_block(&state, &block, error));
    } while (block.rows > 0);
    SCREE_TRY(end_ranges(&state, state.read, error));
    SCREE_TRY(visit_buffer(&state, error));
    SCREE_TRY(check_end(&state, error));
    source->about.rows = state.read;
done:
    scree_source_free(ahead);
    free(state.buffer);
    free(state.weights);
    free(state.numbers);
    scree__entries_clear(&state.room);
    source->takes_sparse = source->takes_whole = false;
    if (status == SCREE_OK && rows)
        *rows = state.seen;
    return status;
}
