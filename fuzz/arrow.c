/* SPDX-License-Identifier: BSD-3-Clause */
/* The target of Arrow streams: a schema and record batches that the bytes describe, read twice, with blocks of two
 * sizes. Promised, and looked at: everything that the stream handed out is released, and both give the same rows. */

#include "arrow_stream.h"
#include "input.h"
#include "target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void release_schema(struct ArrowSchema *schema)
{
    fuzz_stream *stream = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        free(schema->children[i]->dictionary);
        free(schema->children[i]);
    }
    free(schema->children);
    schema->release = NULL;
    stream->held--;
}

static int get_schema(struct ArrowArrayStream *from, struct ArrowSchema *out)
{
    fuzz_stream *stream = from->private_data;
    const uint8_t how = fuzz_next(&stream->cursor);
    if (how == 0xff)
        return EIO;
    *out = (struct ArrowSchema){.format = how == 0xfe ? "g" : "+s", .release = release_schema, .private_data = stream};
    out->children = calloc(FUZZ_FIELDS, sizeof *out->children);
    stream->held++;
    for (int i = 0; i < stream->fields; i++) {
        const fuzz_field *field = &stream->field[i];
        struct ArrowSchema *child = calloc(1, sizeof *child);
        struct ArrowSchema *texts = field->dictionary ? calloc(1, sizeof *texts) : NULL;
        *child = (struct ArrowSchema){.format = field->format, .name = field->name, .flags = field->flags};
        if (texts)
            texts->format = field->dictionary == 'U' ? "U" : "u";
        child->dictionary = texts;
        out->children[i] = child;
        out->n_children++;
    }
    return 0;
}

static int get_next(struct ArrowArrayStream *from, struct ArrowArray *out)
{
    fuzz_stream *stream = from->private_data;
    *out = (struct ArrowArray){0};
    if (stream->batches-- <= 0)
        return 0;
    if (fuzz_next(&stream->cursor) == 0xff)
        return EIO;
    fuzz_batch_make(stream, out);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *from)
{
    const fuzz_stream *stream = from->private_data;
    return stream->fields % 2 ? "the stream broke" : NULL;
}

static void release_stream(struct ArrowArrayStream *from)
{
    fuzz_stream *stream = from->private_data;
    stream->held--;
    from->release = NULL;
}

void fuzz_stream_begin(fuzz_stream *stream, struct ArrowArrayStream *out, const uint8_t *data, size_t size)
{
    static const char formats[] = "cCsSiIlLfgebuUuz";
    *stream = (fuzz_stream){.cursor = {data, size}, .held = 1};
    stream->fields = fuzz_next(&stream->cursor) % (FUZZ_FIELDS + 1);
    stream->batches = fuzz_next(&stream->cursor) % 4;
    for (int i = 0; i < stream->fields; i++) {
        fuzz_field *field = &stream->field[i];
        const uint8_t bits = fuzz_next(&stream->cursor);
        field->format[0] = formats[fuzz_next(&stream->cursor) % 16];
        field->flags = bits & ARROW_FLAG_NULLABLE;
        field->dictionary = bits & 16 ? 'u' : bits & 32 ? 'U' : 0;
        field->name[0] = bits & 64 ? 0 : (char)('a' + i);
    }
    *out = (struct ArrowArrayStream){.get_schema = get_schema,
                                     .get_next = get_next,
                                     .get_last_error = get_last_error,
                                     .release = release_stream,
                                     .private_data = stream};
}

static scree_status read_stream(fuzz_rows *rows, const fuzz_input *input, int64_t block)
{
    scree_error error = SCREE_ERROR_INIT;
    struct ArrowArrayStream stream;
    fuzz_stream state;
    scree_source *source = NULL;
    fuzz_stream_begin(&state, &stream, input->file, input->size);
    scree_status status = scree_source_from_arrow(&source, &stream, &input->read, &error);
    fuzz_require((status == SCREE_OK) == (source != NULL), "a source is there when nothing failed, and only then");
    fuzz_require((status == SCREE_OK) == (stream.release == NULL), "a stream is moved on success, and only then");
    fuzz_require(status == SCREE_OK || error.text[0], "a failure comes with a sentence");
    if (source)
        status = fuzz_rows_read(rows, source, block);
    scree_source_free(source);
    if (stream.release)
        stream.release(&stream);
    fuzz_require(state.held == 0, "everything that a stream handed out is released");
    return status;
}

void fuzz_arrow(const fuzz_target *target, const uint8_t *data, size_t size)
{
    fuzz_input input;
    fuzz_rows first = {0};
    fuzz_rows second = {0};
    (void)target;
    fuzz_input_read(&input, data, size);
    const scree_status status = read_stream(&first, &input, 0);
    fuzz_require(read_stream(&second, &input, 3) == status, "blocks of another size fail alike");
    fuzz_require(status != SCREE_OK || first.digest == second.digest, "blocks of another size give the same rows");
}
