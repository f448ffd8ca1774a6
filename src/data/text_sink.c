/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows to a file of text. Threads turn parts of some thousand cells into text, each in a buffer of its own; the parts
 * are written in order, so that the file does not depend on the threads. */

#include "data/text_sink.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { PART_CELLS = 1 << 14, PARTS_PER_THREAD = 2 };

/* What the threads work on together. */
typedef struct round {
    scree__text_sink *sink;
    const double *data;
    const char *const *text;
    int64_t rows;
    int64_t step; /* rows a part */
} round;

bool scree__text_reserve(scree__text *text, int64_t needed)
{
    if (text->capacity - text->size >= needed)
        return true;
    const int64_t capacity = 2 * text->size + needed;
    char *bytes = realloc(text->bytes, (size_t)capacity);
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

bool scree__text_put(scree__text *text, const char *bytes, int64_t size)
{
    if (!scree__text_reserve(text, size))
        return false;
    memcpy(text->bytes + text->size, bytes, (size_t)size);
    text->size += size;
    return true;
}

static void format_part(void *context, int64_t index, int worker)
{
    const round *work = context;
    const scree__text_sink *sink = work->sink;
    scree__text_part *part = &sink->parts[index];
    int64_t row = index * work->step;
    const int64_t end = row + work->step < work->rows ? row + work->step : work->rows;
    (void)worker;
    part->text.size = 0;
    part->failed = false;
    for (; row < end && !part->failed; row++)
        part->failed = !sink->format->row(sink, sink->rows + row, work->data + row * sink->cols,
                                          work->text ? work->text + row * sink->text_count : NULL, &part->text);
}

static scree_status make_parts(scree__text_sink *sink, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_part *parts = NULL;
    if (count <= sink->part_count)
        return SCREE_OK;
    SCREE_ALLOC(parts, count, error);
    if (sink->part_count > 0)
        memcpy(parts, sink->parts, (size_t)sink->part_count * sizeof *parts);
    free(sink->parts);
    sink->parts = parts;
    sink->part_count = count;
done:
    return status;
}

static scree_status fail_memory(const scree__text_sink *sink, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the text of its rows", sink->base.path);
}

scree_status scree__text_begin(scree_sink *base, const scree__sink_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_sink *sink = (scree__text_sink *)base;
    bool empty = true;
    sink->cols = shape->cols;
    sink->text_count = shape->text_count;
    sink->text_front = shape->text_count - shape->text_behind;
    SCREE_TRY(make_parts(sink, 1, error));
    scree__text *head = &sink->parts[0].text;
    if (!sink->format->head(sink, shape, head))
        SCREE_TRY(fail_memory(sink, error));
    SCREE_TRY(scree__atomic_begins(sink->base.file, head->bytes, head->size, &empty, error));
    if (head->size > 0 && empty)
        SCREE_TRY(scree__atomic_write(sink->base.file, head->bytes, head->size, error));
done:
    return status;
}

/* As many rows as there are parts for. */
static scree_status write_round(round *work, int threads, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_sink *sink = work->sink;
    const int64_t count = (work->rows + work->step - 1) / work->step;
    scree__parallel(threads, count, format_part, work);
    for (int64_t i = 0; i < count; i++) {
        if (sink->parts[i].failed)
            SCREE_TRY(fail_memory(sink, error));
        SCREE_TRY(scree__atomic_write(sink->base.file, sink->parts[i].text.bytes, sink->parts[i].text.size, error));
    }
    sink->rows += work->rows;
done:
    return status;
}

scree_status scree__text_write(scree_sink *base, const double *data, const char *const *text, int64_t rows, int threads,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_sink *sink = (scree__text_sink *)base;
    const int64_t cells = sink->cols + sink->text_count;
    const int64_t step = cells > 0 && cells < PART_CELLS ? PART_CELLS / cells : 1;
    const int64_t parts = PARTS_PER_THREAD * (int64_t)scree__threads(threads);
    SCREE_TRY(make_parts(sink, parts, error));
    for (int64_t row = 0; row < rows; row += parts * step) {
        round work = {.sink = sink,
                      .data = data + row * sink->cols,
                      .text = text ? text + row * sink->text_count : NULL,
                      .rows = rows - row < parts * step ? rows - row : parts * step,
                      .step = step};
        SCREE_TRY(write_round(&work, scree__threads(threads), error));
    }
done:
    return status;
}

scree_status scree__text_finish(scree_sink *base, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_sink *sink = (scree__text_sink *)base;
    const char *tail = sink->format->tail;
    if (tail)
        SCREE_TRY(scree__atomic_write(sink->base.file, tail, (int64_t)strlen(tail), error));
done:
    return status;
}

void scree__text_close(scree_sink *base)
{
    scree__text_sink *sink = (scree__text_sink *)base;
    for (int64_t i = 0; i < sink->part_count; i++)
        free(sink->parts[i].text.bytes);
    free(sink->parts);
    free(sink->keys.bytes);
    free(sink->key_ends);
}

scree_status scree__text_open(scree_sink **out, const char *path, const scree__text_format *format, bool append,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__text_sink *sink = NULL;
    SCREE_ALLOC(sink, 1, error);
    sink->base = (scree_sink){.table = &format->table, .path = scree__strdup(path), .type = SCREE_F64};
    sink->format = format;
    if (!sink->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", path);
    SCREE_TRY((append ? scree__atomic_open_append : scree__atomic_open)(&sink->base.file, path, error));
    sink->visible = scree__atomic_is_terminal(sink->base.file);
    *out = &sink->base;
    sink = NULL;
done:
    scree_sink_free(sink ? &sink->base : NULL);
    return status;
}
