/* SPDX-License-Identifier: BSD-3-Clause */
/* An Arrow C stream of record batches as a source. Columns are chosen by the rules of a CSV with a header
 * (csv_layout.c): columns of numbers are the row, columns of text are carried along, options decide otherwise. A batch
 * is held until its rows were lent, a block at a time, gathered column by column in strips that stay in the cache. It
 * can be read once. */

#include "data/source.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/utf8.h"
#include "data/arrow_column.h"
#include "data/csv.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20 };

static const char stream_name[] = "Arrow stream";

typedef struct arrow_source {
    scree_source base;
    struct ArrowArrayStream stream;
    struct ArrowArray batch; /* the one that is being lent; release is NULL: none */
    int64_t at;              /* next row of the batch */
    int64_t read;            /* rows lent so far */
    int64_t fields;          /* columns of the stream */
    scree__arrow_column *columns;
    scree__csv_layout layout; /* what becomes of each */
    scree__buffer own;        /* for blocks, where the driver offers none */
    scree__buffer texts;      /* pointers into chars */
    scree__buffer chars;
} arrow_source;

static scree_status fail_stream(struct ArrowArrayStream *stream, int code, const char *doing, scree_error *error)
{
    const char *said = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    return scree__fail(error, SCREE_ERR_IO, "%s: %s failed: %.800s", stream_name, doing,
                       said && *said ? said : strerror(code));
}

static void drop_batch(arrow_source *from)
{
    if (from->batch.release)
        from->batch.release(&from->batch);
    from->batch = (struct ArrowArray){0};
    from->at = 0;
}

static scree_status check_batch(const arrow_source *from, scree_error *error)
{
    const struct ArrowArray *batch = &from->batch;
    char label[300];
    bool fits = batch->length >= 0 && batch->offset >= 0 && batch->n_children == from->fields &&
                batch->offset <= INT64_MAX - batch->length;
    if (fits && batch->null_count != 0 && batch->n_buffers > 0 && batch->buffers && batch->buffers[0] &&
        scree__arrow_has_nulls(batch, 0, batch->length))
        return scree__fail(error, SCREE_ERR_VALUE, "%s: a record batch has rows that are null as a whole", stream_name);
    for (int64_t i = 0; fits && i < from->fields; i++)
        fits = from->layout.field[i].use == SCREE__CSV_SKIP ||
               scree__arrow_column_fits(&from->columns[i], batch->children[i], batch->offset + batch->length);
    for (int64_t i = 0; fits && from->base.about.type == SCREE_U8 && i < from->fields; i++)
        if (from->layout.field[i].use == SCREE__CSV_VALUE &&
            scree__arrow_has_nulls(batch->children[i], batch->offset, batch->length))
            return scree__fail(error, SCREE_ERR_VALUE, "%s: %s has nulls, and its schema says that there are none",
                               stream_name,
                               scree__column_label(&from->base, from->layout.field[i].place, label, sizeof label));
    return fits ? SCREE_OK
                : scree__fail(error, SCREE_ERR_FORMAT, "%s: a record batch does not have the columns of the schema",
                              stream_name);
}

/* A batch with rows that were not lent yet, or none at the end. */
static scree_status hold_batch(arrow_source *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (!from->batch.release || from->at == from->batch.length) {
        drop_batch(from);
        const int code = from->stream.get_next(&from->stream, &from->batch);
        if (code != 0) {
            from->batch = (struct ArrowArray){0};
            SCREE_TRY(fail_stream(&from->stream, code, "reading the next batch", error));
        }
        if (!from->batch.release)
            break;
        SCREE_TRY(check_batch(from, error));
    }
done:
    return status;
}

/* Rows of the batch from row first on, row by row. */
static void gather_numbers(const arrow_source *from, int64_t first, int64_t rows, char *to)
{
    double strip[SCREE__ARROW_STRIP];
    const scree_source *base = &from->base;
    const int64_t size = scree__type_size(base->about.type);
    for (int64_t r = 0, count = 0; r < rows; r += count) {
        count = rows - r < SCREE__ARROW_STRIP ? rows - r : SCREE__ARROW_STRIP;
        for (int64_t i = 0; i < from->fields; i++) {
            const scree__csv_field *field = &from->layout.field[i];
            if (field->use != SCREE__CSV_VALUE)
                continue;
            scree__arrow_numbers(&from->columns[i], from->batch.children[i], from->batch.offset + first + r, count,
                                 strip);
            scree__strided_store(base->about.type, strip, count, to + (r * base->about.cols + field->place) * size,
                                 base->about.cols);
        }
    }
}

/* Texts of the columns that are carried, each with a final zero, to chars, or only counted where that is NULL. */
static int64_t gather_texts(const arrow_source *from, int64_t first, int64_t rows, const char **texts, char *chars)
{
    char scratch[SCREE__NUMBER_SIZE];
    int64_t used = 0;
    for (int64_t i = 0; i < from->fields; i++) {
        const scree__csv_field *field = &from->layout.field[i];
        for (int64_t r = 0; field->use == SCREE__CSV_CARRY && r < rows; r++) {
            int64_t length = 0;
            const char *text = scree__arrow_text(&from->columns[i], from->batch.children[i],
                                                 from->batch.offset + first + r, scratch, &length);
            if (chars) {
                texts[r * from->base.about.text_count + field->place] = chars + used;
                memcpy(chars + used, text, (size_t)length);
                chars[used + length] = 0;
            }
            used += length + 1;
        }
    }
    return used;
}

static scree_status lend_texts(arrow_source *from, int64_t rows, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = rows * from->base.about.text_count;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&from->texts, count * (int64_t)sizeof(char *), stream_name, error));
    SCREE_TRY(scree__buffer_reserve(&from->chars, gather_texts(from, from->at, rows, NULL, NULL), stream_name, error));
    block->text = (const char *const *)(void *)from->texts.data;
    const int64_t size = gather_texts(from, from->at, rows, (const char **)(void *)from->texts.data, from->chars.data);
    if (scree__utf8_valid(from->chars.data, (size_t)size) < (size_t)size)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: a text in it is not UTF-8, as Arrow wants it", stream_name);
done:
    return status;
}

static scree_status arrow_next(scree_source *source, scree__block *block, scree_error *error)
{
    arrow_source *from = (arrow_source *)source;
    scree_status status = SCREE_OK;
    scree__buffer *buffer = source->buffer ? source->buffer : &from->own;
    block->first = from->read;
    SCREE_TRY(hold_batch(from, error));
    if (!from->batch.release)
        goto done;
    const int64_t left = from->batch.length - from->at;
    const int64_t rows = left < source->block_rows ? left : source->block_rows;
    SCREE_TRY(scree__buffer_reserve(buffer, rows * source->about.cols * scree__type_size(source->about.type),
                                    stream_name, error));
    gather_numbers(from, from->at, rows, buffer->data);
    SCREE_TRY(lend_texts(from, rows, block, error));
    block->data = buffer->data;
    block->rows = rows;
    from->at += rows;
    from->read += rows;
done:
    return status;
}

static void arrow_close(scree_source *source)
{
    arrow_source *from = (arrow_source *)source;
    drop_batch(from);
    if (from->stream.release)
        from->stream.release(&from->stream);
    free(from->columns);
    free(from->layout.field);
    scree__buffer_free(&from->own);
    scree__buffer_free(&from->texts);
    scree__buffer_free(&from->chars);
}

static const scree__source_table arrow_table = {.name = "arrow", .next = arrow_next, .close = arrow_close};

/* What kinds of columns there are, as the rules of a CSV want to know it. */
static scree_status look_at(arrow_source *from, scree__csv_guess *guess, const struct ArrowSchema *schema,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t usable = 0;
    if (!schema->format || strcmp(schema->format, "+s") != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: is of type '%.40s', and record batches ('+s') are needed", stream_name,
                   schema->format ? schema->format : "");
    from->fields = guess->fields = schema->n_children;
    SCREE_ALLOC(from->columns, from->fields, error);
    SCREE_ALLOC(guess->names, from->fields, error);
    SCREE_ALLOC(guess->is_text, from->fields, error);
    SCREE_ALLOC(guess->text_lines, from->fields, error);
    for (int64_t i = 0; i < from->fields; i++) {
        const struct ArrowSchema *child = schema->children[i];
        char number[24];
        snprintf(number, sizeof number, "c%" PRId64, i + 1);
        scree__arrow_column_read(&from->columns[i], child);
        guess->is_text[i] = from->columns[i].kind == SCREE__ARROW_TEXT;
        usable += !guess->is_text[i];
        guess->names[i] = scree__strdup(child->name && *child->name ? child->name : number);
        if (!guess->names[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns", stream_name);
    }
    if (usable == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: no column holds numbers", stream_name);
    SCREE_TRY(scree__utf8_names((const char *const *)guess->names, from->fields, "column", stream_name, error));
done:
    return status;
}

/* The type that holds all columns of numbers that were chosen; others cannot be. */
static scree_status choose_type(arrow_source *from, const struct ArrowSchema *schema, scree_error *error)
{
    bool doubles = false;
    bool bytes = true;
    for (int64_t i = 0; i < from->fields; i++) {
        const scree__arrow_column *column = &from->columns[i];
        if (from->layout.field[i].use == SCREE__CSV_SKIP)
            continue;
        if (column->kind == SCREE__ARROW_OTHER)
            return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                               "%s: column '%.200s' is of the Arrow type '%.40s', neither numbers nor text that can be "
                               "read; choose others, or convert it",
                               stream_name, schema->children[i]->name ? schema->children[i]->name : "",
                               schema->children[i]->format ? schema->children[i]->format : "");
        if (from->layout.field[i].use != SCREE__CSV_VALUE)
            continue;
        doubles = doubles || column->type == SCREE_F64;
        bytes = bytes && column->type == SCREE_U8;
        from->base.about.wide_integers =
            from->base.about.wide_integers || column->number == 'l' || column->number == 'L';
    }
    from->base.about.type = doubles ? SCREE_F64 : bytes ? SCREE_U8 : SCREE_F32;
    return SCREE_OK;
}

static scree_status arrange(arrow_source *from, const struct ArrowSchema *schema, const scree_read_options *options,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__csv_guess guess = {.delimiter = ',', .header = true};
    scree_read_options mine = *options;
    mine.delimiter = ','; /* and a header: nothing was guessed that the note should tell */
    mine.header = 1;
    SCREE_TRY(look_at(from, &guess, schema, error));
    SCREE_TRY(scree__csv_layout_make(&from->layout, &from->base, &guess, &mine, error));
    SCREE_TRY(choose_type(from, schema, error));
    from->base.block_rows = scree__source_rows_in(&from->base, BLOCK_BYTES);
done:
    scree__csv_guess_clear(&guess);
    return status;
}

scree_status scree_source_from_arrow(scree_source **out, struct ArrowArrayStream *stream,
                                     const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    arrow_source *from = NULL;
    scree_source *source = NULL;
    struct ArrowSchema schema = {0};
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    if (!stream || !stream->release)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: was released already, or there is none", stream_name);
    const int code = stream->get_schema(stream, &schema);
    if (code != 0) {
        schema.release = NULL;
        SCREE_TRY(fail_stream(stream, code, "reading the schema", error));
    }
    SCREE_ALLOC(from, 1, error);
    source = &from->base;
    from->base = (scree_source){
        .table = &arrow_table, .about.path = scree__strdup(stream_name), .about.rows = -1, .about.rows_estimate = -1};
    if (!from->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", stream_name);
    SCREE_TRY(arrange(from, &schema, &mine, error));
    if (mine.weights) {
        scree_source *weighted = NULL;
        SCREE_TRY(scree__weighted_open(&weighted, source, mine.weights, error));
        source = weighted;
    }
    from->stream = *stream;
    stream->release = NULL;
    *out = source;
    source = NULL;
done:
    scree_source_free(source);
    if (schema.release)
        schema.release(&schema);
    return status;
}
