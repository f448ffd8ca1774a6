/* SPDX-License-Identifier: BSD-3-Clause */
/* The stream: blocks as the source lends them, through a map, into a sink. Rows answer for themselves, so that the size
 * of a block changes nothing but the speed. Sources outside memory are read ahead while the map computes.
 *
 * An input and an output block together are about 8 MB, more where many threads share one, less when the memory limit
 * is near; rows for a sink in memory are computed where they belong; read-ahead and the source
 * itself hold three more input blocks at most. A limit that leaves no space for one row is refused.
 *
 * Of a live pipe the answers are written out after each block, which ends where the pipe pauses. A row that cannot be
 * used is an error after the rows before it, is skipped, or is answered with NaN (faults.h). */

#include "data/stream.h"

#include "base/memory.h"
#include "base/progress.h"
#include "base/threads.h"
#include "data/entries.h"
#include "data/live.h"
#include "data/wide.h"

#include <math.h>

enum { BLOCK_BYTES = 8 << 20, THREAD_BYTES = 4 << 20, BLOCKS_HELD = 4 };

typedef struct stream_state {
    const scree__map *map;
    scree_source *source;
    scree_sink *sink; /* may be NULL */
    const scree_run *run;
    int threads;
    int64_t repeat;
    double *out; /* block_rows × repeat × map->cols */
    int64_t out_rows;
    const char **text_names; /* those of the source and the map's; NULL: the map makes none */
    const char **text;       /* block_rows × repeat × as many, where they are not those of the source as they are */
    int64_t text_count;
    scree_progress progress;
    double began;
    int64_t row_bytes; /* of the input */
} stream_state;

static int64_t repeat_of(const scree__map *map)
{
    return map->repeat > 0 ? map->repeat : 1;
}

/* Of a row, in and out. */
static int64_t bytes_of_row(const scree_source *source, const scree__map *map)
{
    const int64_t cells = map->takes_sparse && source->sparse
                              ? scree__entries_row_bytes(source)
                              : source->about.cols * scree__type_size(source->about.type);
    return cells + repeat_of(map) * map->cols * (int64_t)sizeof(double);
}

static int64_t planned_block_rows(const scree_source *source, const scree__map *map, const scree_run *run, int threads)
{
    int64_t row_bytes = bytes_of_row(source, map);
    int64_t bytes = (int64_t)threads * THREAD_BYTES > BLOCK_BYTES ? (int64_t)threads * THREAD_BYTES : BLOCK_BYTES;
    if (run && run->block_rows > 0)
        return run->block_rows;
    if (run && run->memory > 0 && (run->memory - source->memory - map->holds) / BLOCKS_HELD < bytes)
        bytes = (run->memory - source->memory - map->holds) / BLOCKS_HELD;
    return row_bytes > 0 && bytes > row_bytes ? bytes / row_bytes : 1;
}

/* What the source holds for itself does not shrink with the blocks. The need is rounded up, so that the number in the
 * sentence is enough when it is given back. */
static scree_status check_memory(const scree_source *source, const scree__map *map, const scree_run *run,
                                 scree_error *error)
{
    const double kilo = 1024;
    int64_t rows = run && run->block_rows > 0 ? run->block_rows : 1;
    if (source->about.rows >= 0 && rows > source->about.rows)
        rows = source->about.rows;
    const int64_t row_bytes = BLOCKS_HELD * bytes_of_row(source, map);
    const double need = (double)source->memory + (double)rows * (double)row_bytes;
    if (!run || run->memory <= 0 || (double)run->memory >= need)
        return SCREE_OK;
    const bool small = run->memory < INT64_C(1) << 20;
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s: %.0f %s is too little memory: reading and answering its rows needs at least %.0f MiB; "
                       "allow that much",
                       source->about.path, (double)run->memory / (small ? kilo : kilo * kilo), small ? "KiB" : "MiB",
                       need / (kilo * kilo) + 1.0);
}

int64_t scree__stream_spare(const scree_source *source, const scree__map *map, const scree_run *run)
{
    if (!run || run->memory <= 0)
        return scree__memory_available() / 10 * 8;
    const int64_t rest = run->memory - source->memory;
    const int64_t blocks = BLOCKS_HELD * bytes_of_row(source, map) * (run->block_rows > 0 ? run->block_rows : 1);
    const int64_t most = rest - blocks < rest / 2 ? rest - blocks : rest / 2;
    return most > 0 ? most : 0;
}

static scree_status begin(const scree_source *source, stream_state *state, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__map *map = state->map;
    state->text_count = source->about.text_count + (map->text_name ? 1 : 0);
    if (!state->sink)
        return SCREE_OK;
    if (map->text_name) {
        SCREE_ALLOC(state->text_names, state->text_count, error);
        for (int64_t i = 0; i < source->about.text_count; i++)
            state->text_names[i] = source->about.text_names[i];
        state->text_names[source->about.text_count] = map->text_name;
    }
    const bool may_skip = source->faults && !scree__faults_want_nan(source->faults);
    const scree__sink_shape shape = {
        .rows = source->about.rows < 0 || may_skip ? -1 : source->about.rows * state->repeat,
        .cols = map->cols,
        .columns = map->columns,
        .text_count = state->text_count,
        .text_names = state->text_names ? state->text_names : (const char *const *)source->about.text_names,
        .text_behind = map->text_name ? 1 : 0,
        .is_vector = map->same_shape && source->about.is_vector && map->cols == 1,
    };
    SCREE_TRY(scree__sink_begin(state->sink, &shape, error));
done:
    return status;
}

static scree_status report(stream_state *state, int64_t rows, scree_error *error)
{
    state->progress.rows += rows;
    state->progress.bytes += rows * state->row_bytes;
    return scree__progress_tell(state->run, state->progress, state->began, error);
}

/* Room for the output of so many rows, which may have a place already. */
static scree_status reserve(stream_state *state, int64_t rows, bool placed, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (rows <= state->out_rows)
        return SCREE_OK;
    if (placed && !state->text_names && state->repeat == 1)
        return SCREE_OK;
    free(state->out);
    free(state->text);
    state->out_rows = 0;
    state->out = NULL;
    state->text = NULL;
    SCREE_ALLOC(state->out, rows * state->repeat * state->map->cols, error);
    if (state->text_names || state->repeat > 1)
        SCREE_ALLOC(state->text, rows * state->repeat * state->text_count, error);
    state->out_rows = rows;
done:
    return status;
}

/* The texts that came with the rows, each followed by the one that the map has made, as often as rows are repeated. */
static const char *const *join_texts(const stream_state *state, const scree__block *block)
{
    const int64_t carried = state->text_count - (state->text_names ? 1 : 0);
    if (!state->text)
        return block->text;
    const char *const *made = state->text_names ? state->map->texts(state->map->context) : NULL;
    for (int64_t i = 0; i < block->rows * state->repeat; i++) {
        const int64_t from = i / state->repeat;
        const char **row = state->text + i * state->text_count;
        for (int64_t j = 0; j < carried; j++)
            row[j] = block->text ? block->text[from * carried + j] : "";
        if (made)
            row[carried] = made[from];
    }
    return state->text;
}

/* The answer to a row that cannot be used, where it has one. */
static scree_status answer_bad(stream_state *state, const scree__block *row, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__map *map = state->map;
    if (!scree__faults_want_nan(state->source->faults) || !state->sink)
        return SCREE_OK;
    double *placed = scree__sink_place(state->sink, state->repeat);
    SCREE_TRY(reserve(state, 1, placed != NULL, error));
    double *out = placed ? placed : state->out;
    for (int64_t i = 0; i < state->repeat * map->cols; i++)
        out[i] = map->numbered && i % map->cols == 0   ? (double)(row->first + 1)
                 : map->numbered && i % map->cols == 1 ? (double)(i / map->cols + 1)
                                                       : (double)NAN;
    const char *const none = "";
    const char *const *text = state->text_names ? NULL : join_texts(state, row);
    for (int64_t i = 0; !text && i < state->repeat * state->text_count; i++) {
        const int64_t j = i % state->text_count;
        state->text[i] = row->text && j + 1 < state->text_count ? row->text[j] : none;
    }
    SCREE_TRY(scree__sink_write(state->sink, out, text ? text : state->text, state->repeat, 1, error));
    if (map->bad)
        SCREE_TRY(map->bad(map->context, row, error));
done:
    return status;
}

static scree_status compute(stream_state *state, const scree__block *block, double **out, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__map *map = state->map;
    double *placed = state->sink ? scree__sink_place(state->sink, block->rows * state->repeat) : NULL;
    if (!block->starts)
        SCREE_TRY(scree__wide_check(state->source, block, map->uses, map->use_count, error));
    SCREE_TRY(reserve(state, block->rows, placed != NULL, error));
    *out = placed ? placed : state->out;
    SCREE_TRY(map->rows(map->context, block, *out, state->threads, error));
done:
    return status;
}

/* Rows of which the map may refuse one: it is found by halving, so that those before it are answered. */
static scree_status take_rows(stream_state *state, const scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *source = state->source;
    double *out = NULL;
    scree_error why = SCREE_ERROR_INIT;
    const scree_status computed = compute(state, block, &out, &why);
    const bool matters = state->sink || source->faults; /* else nobody sees what stands before an error */
    const bool refused =
        matters && (computed == SCREE_ERR_VALUE || (computed == SCREE_ERR_UNSUPPORTED && !source->faults));
    if (computed == SCREE_OK) {
        if (state->sink)
            SCREE_TRY(scree__sink_write(state->sink, out, join_texts(state, block), block->rows * state->repeat,
                                        state->threads, error));
        SCREE_TRY(report(state, block->rows, error));
    } else if (refused && block->rows > 1) {
        const int64_t half = block->rows / 2;
        const scree__block first = scree__block_part(source, block, 0, half);
        const scree__block second = scree__block_part(source, block, half, block->rows - half);
        SCREE_TRY(take_rows(state, &first, error));
        SCREE_TRY(take_rows(state, &second, error));
    } else if (refused && source->faults) {
        scree__faults_add(source->faults, why.text);
        SCREE_TRY(answer_bad(state, block, error));
        SCREE_TRY(report(state, 1, error));
    } else {
        SCREE_FAIL(error, computed, "%s", why.text);
    }
done:
    return status;
}

/* Rows between those that the source has found bad, and those. */
static scree_status take_block(stream_state *state, const scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t from = 0, end = 0; from < block->rows; from = end) {
        const bool bad = block->bad && block->bad[from];
        for (end = from + 1; end < block->rows && !bad && !(block->bad && block->bad[end]);)
            end++;
        const scree__block part = scree__block_part(state->source, block, from, end - from);
        SCREE_TRY(bad ? answer_bad(state, &part, error) : take_rows(state, &part, error));
        if (bad)
            SCREE_TRY(report(state, 1, error));
    }
    if (state->source->live && state->sink)
        SCREE_TRY(scree__sink_flush(state->sink, error));
done:
    return status;
}

scree_status scree__stream_run(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                               scree_error *error)
{
    return (map->shares && run && run->communicator ? scree__stream_together : scree__stream_alone)(source, map, sink,
                                                                                                    run, error);
}

scree_status scree__stream_alone(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *ahead = NULL;
    scree_source *normalised = NULL;
    scree_source *read = source;
    scree__block block = {0};
    const bool small = scree__source_is_small(source);
    stream_state state = {
        .map = map,
        .source = source,
        .sink = sink,
        .run = run,
        .repeat = repeat_of(map),
        .threads = small ? 1 : scree__threads(run ? run->threads : 0),
        .progress = {.stage = map->stage,
                     .pass = map->pass > 0 ? map->pass : 1,
                     .passes = map->passes > 0 ? map->passes : 1,
                     .rows_total = source->about.rows},
        .began = scree__seconds(),
        .row_bytes = source->about.cols * scree__type_size(source->about.type),
    };
    if (map->normal.target > 0)
        SCREE_TRY(scree__normalised_open(&normalised, source, &map->normal, error));
    read = normalised ? normalised : source;
    SCREE_TRY(check_memory(read, map, run, error));
    if (source->faults)
        scree__faults_pass(source->faults, state.progress.pass);
    SCREE_TRY(scree__source_restart(source, error));
    read->block_rows = planned_block_rows(read, map, run, state.threads);
    read->single_pass = state.progress.passes == 1;
    read->takes_origin = map->takes_origin;
    read->takes_sparse = map->takes_sparse && read->sparse;
    SCREE_TRY(begin(source, &state, error));
    read->threads = state.threads;
    if (!small && !(read->can & (SCREE__IN_MEMORY | SCREE__IN_STEP)))
        SCREE_TRY(scree__readahead_open(&ahead, read, error));
    for (;;) {
        SCREE_TRY(scree__source_next(ahead ? ahead : read, &block, error));
        if (block.rows == 0)
            break;
        SCREE_TRY(take_block(&state, &block, error));
        if (scree__input_stopped())
            break;
    }
done:
    scree_source_free(ahead);
    read->takes_sparse = false;
    scree_source_free(normalised);
    free(state.out);
    free(state.text);
    free(state.text_names);
    if (status == SCREE_OK)
        source->about.rows = state.progress.rows;
    else if (sink) {
        if (state.progress.rows > 0) /* who reads answers as they come has those before the error */
            (void)scree__sink_flush(sink, NULL);
        sink->failed = true;
    }
    return status;
}
