/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_TESTS_ARROW_STREAMS_H
#define SCREE_TESTS_ARROW_STREAMS_H

/* Arrow C streams made by hand: columns over arrays of the test, cut into batches of a few rows each. What is released
 * is counted. Include after cmocka.h. */

#include "data/arrow.h"

#include <errno.h>
#include <string.h>

enum { ARROW_COLUMNS = 96 };

typedef struct made_column {
    const char *format;
    const char *name;
    bool nullable;
    const uint8_t *valid; /* bitmap, or NULL */
    const void *values;   /* or offsets of texts, or indices into a dictionary */
    const char *chars;    /* of texts */
    const char *dictionary_format;
    const void *dictionary_offsets;
    const char *dictionary_chars;
    int64_t dictionary_length;
    int64_t dictionary_offset;
} made_column;

typedef struct made_stream {
    made_column columns[ARROW_COLUMNS];
    int64_t count;
    int64_t rows;
    int64_t batch;    /* rows of a batch */
    bool child_shift; /* batches begin at an offset of the columns; else of the struct */
    int64_t at;
    int64_t fail_at;    /* row at which get_next fails; 0: never */
    bool fail_schema;   /* get_schema fails */
    int64_t uncounted;  /* null_count of the columns: -1 or as this says */
    int schemas;        /* given and not released */
    int batches;        /* given and not released */
    int released;       /* how often the stream was */
    const char *format; /* of the whole; NULL: "+s" */
} made_stream;

/* One batch and all that it points to. */
typedef struct made_batch {
    struct ArrowArray children[ARROW_COLUMNS];
    struct ArrowArray *pointers[ARROW_COLUMNS];
    struct ArrowArray dictionaries[ARROW_COLUMNS];
    const void *buffers[ARROW_COLUMNS][3];
    const void *dictionary_buffers[ARROW_COLUMNS][3];
    const void *none[1];
    made_stream *stream;
} made_batch;

typedef struct made_schema {
    struct ArrowSchema children[ARROW_COLUMNS];
    struct ArrowSchema *pointers[ARROW_COLUMNS];
    struct ArrowSchema dictionaries[ARROW_COLUMNS];
    made_stream *stream;
} made_schema;

static inline void made_schema_release(struct ArrowSchema *schema)
{
    made_schema *made = schema->private_data;
    made->stream->schemas--;
    free(made);
    schema->release = NULL;
}

static inline void made_batch_release(struct ArrowArray *array)
{
    made_batch *made = array->private_data;
    made->stream->batches--;
    free(made);
    array->release = NULL;
}

static inline int made_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    made_stream *s = stream->private_data;
    if (s->fail_schema)
        return EINVAL;
    made_schema *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->stream = s;
    s->schemas++;
    for (int64_t i = 0; i < s->count; i++) {
        const made_column *column = &s->columns[i];
        made->children[i] = (struct ArrowSchema){.format = column->format, .name = column->name};
        made->children[i].flags = column->nullable ? ARROW_FLAG_NULLABLE : 0;
        made->dictionaries[i].format = column->dictionary_format;
        made->children[i].dictionary = column->dictionary_format ? &made->dictionaries[i] : NULL;
        made->pointers[i] = &made->children[i];
    }
    *out = (struct ArrowSchema){.format = s->format ? s->format : "+s",
                                .n_children = s->count,
                                .children = made->pointers,
                                .release = made_schema_release,
                                .private_data = made};
    return 0;
}

static inline int made_get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    made_stream *s = stream->private_data;
    *out = (struct ArrowArray){0};
    if (s->fail_at > 0 && s->at >= s->fail_at)
        return EIO;
    if (s->at >= s->rows)
        return 0;
    made_batch *made = calloc(1, sizeof *made);
    const int64_t lent = s->rows - s->at < s->batch ? s->rows - s->at : s->batch;
    assert_non_null(made);
    made->stream = s;
    s->batches++;
    for (int64_t i = 0; i < s->count; i++) {
        const made_column *column = &s->columns[i];
        const bool text = !column->dictionary_format && (column->format[0] == 'u' || column->format[0] == 'U');
        const void *buffers[] = {column->valid, column->values, column->chars};
        const void *dictionary[] = {NULL, column->dictionary_offsets, column->dictionary_chars};
        memcpy(made->buffers[i], buffers, sizeof buffers);
        memcpy(made->dictionary_buffers[i], dictionary, sizeof dictionary);
        made->dictionaries[i] = (struct ArrowArray){.length = column->dictionary_length,
                                                    .offset = column->dictionary_offset,
                                                    .n_buffers = 3,
                                                    .buffers = made->dictionary_buffers[i]};
        made->children[i] =
            (struct ArrowArray){.length = s->child_shift ? lent : s->rows,
                                .null_count = column->valid ? s->uncounted : 0,
                                .offset = s->child_shift ? s->at : 0,
                                .n_buffers = text ? 3 : 2,
                                .buffers = made->buffers[i],
                                .dictionary = column->dictionary_format ? &made->dictionaries[i] : NULL};
        made->pointers[i] = &made->children[i];
    }
    *out = (struct ArrowArray){.length = lent,
                               .offset = s->child_shift ? 0 : s->at,
                               .n_buffers = 1,
                               .buffers = made->none,
                               .n_children = s->count,
                               .children = made->pointers,
                               .release = made_batch_release,
                               .private_data = made};
    s->at += lent;
    return 0;
}

static inline const char *made_last_error(struct ArrowArrayStream *stream)
{
    const made_stream *s = stream->private_data;
    return s->fail_at > 0 ? "the cable was cut" : NULL;
}

static inline void made_release(struct ArrowArrayStream *stream)
{
    ((made_stream *)stream->private_data)->released++;
    stream->release = NULL;
}

static inline struct ArrowArrayStream made_open(made_stream *s)
{
    s->at = 0;
    s->released = 0;
    return (struct ArrowArrayStream){made_get_schema, made_get_next, made_last_error, made_release, s};
}

#endif
