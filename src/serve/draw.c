/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample of the rows, kept in memory as they came, for a page that is there at once.
 *
 * Where any row can be reached, the rows are cut into as many stretches as rows are wanted, and one row of each is
 * read, a random one: time goes with the sample, not with the rows. Elsewhere all rows are read once, and those with
 * the smallest keys are kept, keys being random functions of seed and number, in a heap whose largest key goes first.
 */

#include "serve/server.h"

#include <inttypes.h>
#include <string.h>

static const uint64_t STREAM = 0x7365727665; /* of random numbers: apart from those of draws and reports */

typedef struct drawing_row {
    uint64_t key;
    int64_t row;
    int64_t slot;
} drawing_row;

typedef struct filling {
    scree__drawing *drawing;
    uint64_t seed;
    int64_t most;
    int64_t first; /* number of the next row that comes */
    drawing_row *heap;
} filling;

static uint64_t key_of(uint64_t seed, int64_t row)
{
    uint32_t words[4];
    scree__philox(seed, STREAM, (uint64_t)row, words);
    return (uint64_t)words[0] << 32 | words[1];
}

static int64_t element_size(scree_type type)
{
    return type == SCREE_U8 ? 1 : type == SCREE_F32 ? 4 : 8;
}

/* Bytes, floats and doubles stay what they are. */
static void keep_cells(scree__drawing *drawing, int64_t slot, const double *x)
{
    char *out = drawing->cells + slot * drawing->cols * element_size(drawing->type);
    for (int64_t c = 0; c < drawing->cols; c++) {
        if (drawing->type == SCREE_U8)
            ((uint8_t *)out)[c] = (uint8_t)x[c];
        else if (drawing->type == SCREE_F32)
            ((float *)(void *)out)[c] = (float)x[c];
        else
            ((double *)(void *)out)[c] = x[c];
    }
}

static scree_status keep_row(scree__drawing *drawing, int64_t slot, const scree_block *rows, int64_t i,
                             scree_error *error)
{
    const int64_t stride = rows->row_stride ? rows->row_stride : rows->cols;
    keep_cells(drawing, slot, (const double *)rows->data + i * stride);
    for (int64_t t = 0; t < drawing->text_count; t++) {
        const char *text = rows->texts ? rows->texts[i * drawing->text_count + t] : NULL;
        char **own = &drawing->texts[slot * drawing->text_count + t];
        free(*own);
        *own = scree__strdup(text ? text : "");
        if (!*own)
            return scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the texts of the rows that are shown");
    }
    return SCREE_OK;
}

/* ---- rows as they come ---- */

static void sink_down(drawing_row *heap, int64_t count, int64_t at)
{
    for (int64_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && heap[child + 1].key > heap[child].key;
        if (heap[at].key >= heap[child].key)
            return;
        const drawing_row row = heap[at];
        heap[at] = heap[child];
        heap[child] = row;
    }
}

static int by_row(const void *a, const void *b)
{
    const drawing_row *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* The slot of a row that is kept, -1: it is not. Rows that come first fill the heap, which then is made one. */
static int64_t offer(filling *all, int64_t row)
{
    scree__drawing *drawing = all->drawing;
    const uint64_t key = key_of(all->seed, row);
    if (drawing->count < all->most) {
        const int64_t slot = drawing->count++;
        all->heap[slot] = (drawing_row){key, row, slot};
        for (int64_t at = drawing->count / 2 - 1; drawing->count == all->most && at >= 0; at--)
            sink_down(all->heap, drawing->count, at);
        return slot;
    }
    if (key >= all->heap[0].key)
        return -1;
    all->heap[0].key = key;
    all->heap[0].row = row;
    const int64_t slot = all->heap[0].slot;
    sink_down(all->heap, drawing->count, 0);
    return slot;
}

static scree_status take_some(void *context, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    filling *all = context;
    for (int64_t i = 0; i < rows->rows; i++) {
        const int64_t slot = offer(all, all->first + i);
        if (slot >= 0)
            SCREE_TRY(keep_row(all->drawing, slot, rows, i, error));
    }
    all->first += rows->rows;
done:
    return status;
}

/* One row, into the next slot. */
static scree_status take_one(void *context, const scree_block *rows, scree_error *error)
{
    filling *all = context;
    return rows->rows > 0 ? keep_row(all->drawing, all->first++, rows, 0, error) : SCREE_OK;
}

static scree_status copy(scree_source *source, filling *all, bool one, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_sink *sink = NULL;
    scree_sink_calls calls = SCREE_SINK_CALLS_INIT;
    calls.context = all;
    calls.write = one ? take_one : take_some;
    calls.name = "sample";
    SCREE_TRY(scree_sink_to_calls(&sink, &calls, error));
    SCREE_TRY(scree_source_copy(source, sink, run, error));
    SCREE_TRY(scree_sink_finish(sink, error));
done:
    scree_sink_free(sink);
    return status;
}

/* ---- the two ways ---- */

static scree_status draw_anywhere(filling *all, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__drawing *drawing = all->drawing;
    scree_source *slice = NULL;
    scree_run quiet = SCREE_RUN_INIT;
    quiet.threads = 1;
    (void)run;
    drawing->count = drawing->of < all->most ? drawing->of : all->most;
    for (int64_t k = 0; k < drawing->count; k++) {
        const int64_t start = (int64_t)((__int128)k * drawing->of / drawing->count);
        const int64_t end = (int64_t)((__int128)(k + 1) * drawing->of / drawing->count);
        drawing->numbers[k] = start + (int64_t)(key_of(all->seed, k) % (uint64_t)(end - start));
        SCREE_TRY(scree_source_slice(&slice, source, drawing->numbers[k], 1, error));
        SCREE_TRY(copy(slice, all, true, &quiet, error));
        scree_source_free(slice);
        slice = NULL;
    }
done:
    scree_source_free(slice);
    return status;
}

/* Rows are put into their order: cells and texts change places along the cycles of the permutation. */
static scree_status put_in_order(filling *all, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__drawing *drawing = all->drawing;
    const int64_t size = drawing->cols * element_size(drawing->type);
    char *cells = NULL, **texts = NULL;
    SCREE_ALLOC(cells, drawing->count * size, error);
    SCREE_ALLOC(texts, drawing->count * drawing->text_count, error);
    qsort(all->heap, (size_t)drawing->count, sizeof *all->heap, by_row);
    for (int64_t k = 0; k < drawing->count; k++) {
        const int64_t slot = all->heap[k].slot;
        drawing->numbers[k] = all->heap[k].row;
        memcpy(cells + k * size, drawing->cells + slot * size, (size_t)size);
        for (int64_t t = 0; t < drawing->text_count; t++)
            texts[k * drawing->text_count + t] = drawing->texts[slot * drawing->text_count + t];
    }
    free(drawing->cells);
    free(drawing->texts);
    drawing->cells = cells;
    drawing->texts = texts;
    cells = NULL;
    texts = NULL;
done:
    free(cells);
    free(texts);
    return status;
}

static scree_status draw_all(filling *all, scree_source *source, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(all->heap, all->most, error);
    SCREE_TRY(copy(source, all, false, run, error));
    all->drawing->of = all->first;
    SCREE_TRY(put_in_order(all, error));
done:
    free(all->heap);
    return status;
}

/* ---- the source that they are ---- */

static scree_status next(void *context, int64_t max_rows, scree_block *block, scree_error *error)
{
    (void)error;
    scree__drawing *drawing = context;
    const int64_t left = drawing->count - drawing->lent, at = drawing->lent;
    block->rows = left < max_rows ? left : max_rows;
    block->cols = drawing->cols;
    block->type = drawing->type;
    block->data = drawing->cells + at * drawing->cols * element_size(drawing->type);
    block->texts =
        drawing->text_count > 0 ? (const char *const *)(const void *)(drawing->texts + at * drawing->text_count) : NULL;
    drawing->lent += block->rows;
    return SCREE_OK;
}

static scree_status again(void *context, scree_error *error)
{
    (void)error;
    ((scree__drawing *)context)->lent = 0;
    return SCREE_OK;
}

static void release(void *context)
{
    (void)context; /* scree__drawing_clear frees it */
}

static scree_status make_source(scree__drawing *drawing, scree_source *source, scree_error *error)
{
    scree__source_texts texts;
    scree_source_calls calls = SCREE_SOURCE_CALLS_INIT;
    scree__source_texts_of(source, &texts);
    calls.context = drawing;
    calls.next = next;
    calls.rewind = again;
    calls.release = release;
    calls.name = scree_source_name(source);
    calls.rows = drawing->count;
    calls.cols = drawing->cols;
    calls.type = drawing->type;
    calls.columns = (const char *const *)drawing->names;
    calls.text_names = texts.names;
    calls.text_count = texts.count;
    calls.text_label = texts.label + 1;
    calls.text_id = texts.id + 1;
    return scree_source_from_calls(&drawing->source, &calls, error);
}

static scree_status reserve(scree__drawing *drawing, scree_source *source, int64_t most, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_type stored = scree_source_type(source);
    scree__source_texts texts;
    scree__source_texts_of(source, &texts);
    drawing->type = stored == SCREE_U8 || stored == SCREE_F32 ? stored : SCREE_F64;
    drawing->cols = scree_source_cols(source);
    drawing->text_count = texts.count;
    drawing->of = scree_source_rows(source);
    SCREE_ALLOC(drawing->numbers, most, error);
    SCREE_ALLOC(drawing->cells, most * drawing->cols * element_size(drawing->type), error);
    SCREE_ALLOC(drawing->texts, most * texts.count, error);
    if (!scree_source_column(source, 0))
        return SCREE_OK;
    SCREE_ALLOC(drawing->names, drawing->cols + 1, error);
    for (int64_t c = 0; c < drawing->cols; c++) {
        drawing->names[c] = scree__strdup(scree_source_column(source, c));
        if (!drawing->names[c])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for %" PRId64 " names of columns", drawing->cols);
    }
done:
    return status;
}

scree_status scree__drawing_make(scree__drawing *drawing, scree_source *source, int64_t most, int64_t bytes,
                                 uint64_t seed, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    filling all = {.drawing = drawing, .seed = seed};
    const int64_t within = bytes / (8 * scree_source_cols(source) + 64), rows = scree_source_rows(source);
    all.most = within < 100 ? 100 : within;
    all.most = all.most > most ? most : all.most;
    all.most = rows > 0 && all.most > rows ? rows : all.most;
    SCREE_TRY(reserve(drawing, source, all.most, error));
    drawing->fetches = scree__source_slices(source) && rows >= 0;
    SCREE_TRY((drawing->fetches ? draw_anywhere : draw_all)(&all, source, run, error));
    if (drawing->of == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: has no rows; give a file with some", scree_source_name(source));
    SCREE_TRY(make_source(drawing, source, error));
done:
    return status;
}

void scree__drawing_clear(scree__drawing *drawing)
{
    scree_source_free(drawing->source);
    scree__strings_free(drawing->texts, drawing->texts ? drawing->count * drawing->text_count : 0);
    scree__strings_free(drawing->names, drawing->names ? drawing->cols : 0);
    free(drawing->numbers);
    free(drawing->cells);
}
