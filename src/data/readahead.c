/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: a thread reads the next block while the last one is worked on (ring.h).
 *
 * A slot holds a block with its text, or what ended the reading: no rows, or an error, which so arrive in order. The
 * slot's buffer is offered to the inner source, which reads straight into it when it can; otherwise the rows are
 * copied. Closing waits for the block that is being read, and for no other. */

#include "data/source.h"

#include "base/memory.h"
#include "data/entries.h"
#include "data/ring.h"

#include <string.h>

typedef struct slot {
    scree_status status;
    scree_error error;
    scree__block block;
    scree__buffer rows;
    scree__buffer text;  /* pointers into chars */
    scree__buffer chars; /* what they point to */
    scree__buffer weights;
    scree__buffer bad;
    scree__buffer totals;
    scree__entries_room entries;
} slot;

typedef struct readahead {
    scree_source base;
    scree_source *inner;
    slot slots[SCREE__SLOTS];
    scree__ring ring;
} readahead;

static scree_status copy_entries(slot *to, const scree__block *block, const char *file, scree_error *error)
{
    scree__entries_empty(&to->entries);
    const scree_status status = scree__entries_add(&to->entries, block, 0, block->rows, file, error);
    to->block.data = to->entries.values;
    to->block.starts = to->entries.starts;
    to->block.indices = to->entries.indices;
    return status;
}

static scree_status copy_rows(slot *to, const scree__block *block, const scree_source *inner, scree_error *error)
{
    int64_t cols = inner->about.cols;
    int64_t size = scree__type_size(block->type);
    scree_status status = scree__buffer_reserve(&to->rows, block->rows * cols * size, inner->about.path, error);
    if (status != SCREE_OK)
        return status;
    if (block->stride == cols) {
        memcpy(to->rows.data, block->data, (size_t)(block->rows * cols * size));
    } else {
        for (int64_t i = 0; i < block->rows; i++)
            memcpy(to->rows.data + i * cols * size, (const char *)block->data + i * block->stride * size,
                   (size_t)(cols * size));
    }
    to->block.data = to->rows.data;
    to->block.stride = cols;
    return SCREE_OK;
}

static scree_status copy_text(slot *to, const char *const *text, int64_t count, const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t total = 0;
    for (int64_t i = 0; i < count; i++)
        total += (int64_t)strlen(text[i]) + 1;
    SCREE_TRY(scree__buffer_reserve(&to->text, count * (int64_t)sizeof *text, file, error));
    SCREE_TRY(scree__buffer_reserve(&to->chars, total, file, error));
    char *at = to->chars.data;
    const char **pointers = (const char **)(void *)to->text.data;
    for (int64_t i = 0; i < count; i++) {
        size_t size = strlen(text[i]) + 1;
        pointers[i] = memcpy(at, text[i], size);
        at += size;
    }
    to->block.text = pointers;
done:
    return status;
}

static scree_status copy_weights(slot *to, const scree__block *block, const char *file, scree_error *error)
{
    const int64_t size = block->rows * (int64_t)sizeof *block->weights;
    const scree_status status = scree__buffer_reserve(&to->weights, size, file, error);
    if (status == SCREE_OK)
        to->block.weights = memcpy(to->weights.data, block->weights, (size_t)size);
    return status;
}

static scree_status copy_bad(slot *to, const scree__block *block, const char *file, scree_error *error)
{
    const scree_status status = scree__buffer_reserve(&to->bad, block->rows, file, error);
    if (status == SCREE_OK)
        to->block.bad = memcpy(to->bad.data, block->bad, (size_t)block->rows);
    return status;
}

static scree_status copy_totals(slot *to, const scree__block *block, const char *file, scree_error *error)
{
    const int64_t size = block->rows * (int64_t)sizeof *block->totals;
    const scree_status status = scree__buffer_reserve(&to->totals, size, file, error);
    if (status == SCREE_OK)
        to->block.totals = memcpy(to->totals.data, block->totals, (size_t)size);
    return status;
}

/* Reads one block of the inner source into a slot; what fails is kept there for the reader. */
static bool fill(void *context, int index)
{
    readahead *ahead = context;
    slot *to = &ahead->slots[index];
    scree_status status = SCREE_OK;
    scree__block block = {0};
    to->error = (scree_error)SCREE_ERROR_INIT;
    ahead->inner->buffer = &to->rows;
    SCREE_TRY(scree__source_next(ahead->inner, &block, &to->error));
    to->block = block;
    to->block.text = NULL;
    to->block.weights = NULL;
    to->block.bad = NULL;
    to->block.totals = NULL;
    if (block.rows > 0 && block.starts)
        SCREE_TRY(copy_entries(to, &block, ahead->inner->about.path, &to->error));
    else if (block.rows > 0 && !scree__buffer_holds(&to->rows, block.data))
        SCREE_TRY(copy_rows(to, &block, ahead->inner, &to->error));
    if (block.rows > 0 && block.text)
        SCREE_TRY(copy_text(to, block.text, block.rows * ahead->inner->about.text_count, ahead->inner->about.path,
                            &to->error));
    if (block.rows > 0 && block.weights)
        SCREE_TRY(copy_weights(to, &block, ahead->inner->about.path, &to->error));
    if (block.rows > 0 && block.bad)
        SCREE_TRY(copy_bad(to, &block, ahead->inner->about.path, &to->error));
    if (block.rows > 0 && block.totals)
        SCREE_TRY(copy_totals(to, &block, ahead->inner->about.path, &to->error));
done:
    to->status = status;
    return status == SCREE_OK && to->block.rows > 0;
}

static scree_status start(readahead *ahead, scree_error *error)
{
    int reason = scree__ring_start(&ahead->ring);
    return reason == 0 ? SCREE_OK
                       : scree__fail(error, SCREE_ERR_MEMORY,
                                     "%s: cannot start a thread to read it (%s); close other programs to free memory",
                                     ahead->base.about.path, strerror(reason));
}

static scree_status readahead_next(scree_source *source, scree__block *block, scree_error *error)
{
    readahead *ahead = (readahead *)source;
    const slot *from = &ahead->slots[scree__ring_next(&ahead->ring)];
    if (from->status != SCREE_OK)
        return scree__fail(error, from->status, "%s", from->error.text);
    *block = from->block;
    return SCREE_OK;
}

static scree_status readahead_rewind(scree_source *source, scree_error *error)
{
    readahead *ahead = (readahead *)source;
    scree__ring_stop(&ahead->ring);
    scree_status status = scree__source_rewind(ahead->inner, error);
    return status == SCREE_OK ? start(ahead, error) : status;
}

static void readahead_close(scree_source *source)
{
    readahead *ahead = (readahead *)source;
    scree__ring_destroy(&ahead->ring);
    ahead->inner->buffer = NULL;
    for (int i = 0; i < SCREE__SLOTS; i++) {
        scree__buffer_free(&ahead->slots[i].rows);
        scree__buffer_free(&ahead->slots[i].text);
        scree__buffer_free(&ahead->slots[i].chars);
        scree__buffer_free(&ahead->slots[i].weights);
        scree__buffer_free(&ahead->slots[i].bad);
        scree__buffer_free(&ahead->slots[i].totals);
        scree__entries_clear(&ahead->slots[i].entries);
    }
}

static const scree__source_table readahead_table = {
    .name = "read-ahead",
    .next = readahead_next,
    .rewind = readahead_rewind,
    .close = readahead_close,
};

scree_status scree__readahead_open(scree_source **out, scree_source *inner, scree_error *error)
{
    scree_status status = SCREE_OK;
    readahead *ahead = NULL;
    SCREE_ALLOC(ahead, 1, error);
    scree__ring_init(&ahead->ring, fill, ahead);
    ahead->base.table = &readahead_table;
    ahead->inner = inner;
    SCREE_TRY(scree__source_around(&ahead->base, inner, error));
    ahead->base.can = inner->can & SCREE__CAN_REWIND;
    ahead->base.takes_sparse = inner->takes_sparse; /* what was lent to it is lent on */
    SCREE_TRY(start(ahead, error));
    *out = &ahead->base;
    ahead = NULL;
done:
    scree_source_free(ahead ? &ahead->base : NULL);
    return status;
}
