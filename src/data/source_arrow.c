/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow record batches as a source, from a C stream or from a file (arrow_read.c). Columns are chosen by the rules of a
 * CSV with a header (csv_layout.c): columns of numbers are the row, columns of text are carried along, options decide
 * otherwise. A batch is held until its rows were lent, a block at a time, gathered column by column in strips that stay
 * in the cache. A stream can be read once. */

#include "data/source.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/utf8.h"
#include "data/arrow_column.h"
#include "data/arrow_feed.h"
#include "data/csv.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, TEXT_BYTES = 16 << 20 };

typedef struct arrow_source {
    scree_source base;
    scree__arrow_feed feed;
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

static void drop_batch(arrow_source *from)
{
    if (from->batch.release)
        from->batch.release(&from->batch);
    from->batch = (struct ArrowArray){0};
    from->at = 0;
}

static bool is_used(const scree__csv_field *field)
{
    return field->use == SCREE__CSV_VALUE || field->use == SCREE__CSV_CARRY;
}

static scree_status check_batch(const arrow_source *from, scree_error *error)
{
    const struct ArrowArray *batch = &from->batch;
    char label[300];
    bool fits = batch->length >= 0 && batch->offset >= 0 && batch->n_children == from->fields &&
                batch->offset <= INT64_MAX - batch->length;
    if (fits && batch->null_count != 0 && batch->n_buffers > 0 && batch->buffers && batch->buffers[0] &&
        scree__arrow_has_nulls(batch, 0, batch->length))
        return scree__fail(error, SCREE_ERR_VALUE, "%s: a record batch has rows that are null as a whole",
                           from->base.about.path);
    for (int64_t i = 0; fits && i < from->fields; i++)
        fits = !is_used(&from->layout.field[i]) ||
               scree__arrow_column_fits(&from->columns[i], batch->children[i], batch->offset + batch->length);
    for (int64_t i = 0; fits && from->base.about.type == SCREE_U8 && i < from->fields; i++)
        if (from->layout.field[i].use == SCREE__CSV_VALUE &&
            scree__arrow_has_nulls(batch->children[i], batch->offset, batch->length))
            return scree__fail(error, SCREE_ERR_VALUE, "%s: %s has nulls, and its schema says that there are none",
                               from->base.about.path,
                               scree__column_label(&from->base, from->layout.field[i].place, label, sizeof label));
    return fits ? SCREE_OK
                : scree__fail(error, SCREE_ERR_FORMAT, "%s: a record batch does not have the columns of the schema",
                              from->base.about.path);
}

/* A batch with rows that were not lent yet, or none at the end. */
static scree_status hold_batch(arrow_source *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (!from->batch.release || from->at == from->batch.length) {
        drop_batch(from);
        SCREE_TRY(from->feed.next(from->feed.context, &from->batch, error));
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
    char scratch[SCREE__ARROW_SCRATCH];
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

/* Of long texts fewer rows are lent at a time: many may be one text, which takes little in the file. */
static int64_t rows_by_text(const arrow_source *from, int64_t rows)
{
    while (from->base.about.text_count > 0 && rows > 1 && gather_texts(from, from->at, rows, NULL, NULL) > TEXT_BYTES)
        rows /= 2;
    return rows;
}

static scree_status lend_texts(arrow_source *from, int64_t rows, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = rows * from->base.about.text_count;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&from->texts, count * (int64_t)sizeof(char *), from->base.about.path, error));
    SCREE_TRY(scree__buffer_reserve(&from->chars, gather_texts(from, from->at, rows, NULL, NULL), from->base.about.path,
                                    error));
    block->text = (const char *const *)(void *)from->texts.data;
    const int64_t size = gather_texts(from, from->at, rows, (const char **)(void *)from->texts.data, from->chars.data);
    if (scree__utf8_valid(from->chars.data, (size_t)size) < (size_t)size)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: a text in it is not UTF-8, as Arrow wants it", from->base.about.path);
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
    const int64_t rows = rows_by_text(from, left < source->block_rows ? left : source->block_rows);
    SCREE_TRY(scree__buffer_reserve(buffer, rows * source->about.cols * scree__type_size(source->about.type),
                                    from->base.about.path, error));
    gather_numbers(from, from->at, rows, buffer->data);
    SCREE_TRY(lend_texts(from, rows, block, error));
    block->data = buffer->data;
    block->rows = rows;
    from->at += rows;
    from->read += rows;
done:
    return status;
}

static scree_status arrow_rewind(scree_source *source, scree_error *error)
{
    arrow_source *from = (arrow_source *)source;
    drop_batch(from);
    from->read = 0;
    return from->feed.rewind(from->feed.context, error);
}

static void arrow_close(scree_source *source)
{
    arrow_source *from = (arrow_source *)source;
    drop_batch(from);
    if (from->feed.release)
        from->feed.release(from->feed.context);
    free(from->columns);
    free(from->layout.field);
    scree__buffer_free(&from->own);
    scree__buffer_free(&from->texts);
    scree__buffer_free(&from->chars);
}

static const scree__source_table arrow_table = {
    .name = "arrow", .next = arrow_next, .rewind = arrow_rewind, .close = arrow_close};

/* What kinds of columns there are, as the rules of a CSV want to know it. */
static scree_status look_at(arrow_source *from, scree__csv_guess *guess, const struct ArrowSchema *schema,
                            scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t usable = 0;
    if (!schema->format || strcmp(schema->format, "+s") != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: is of type '%.40s', and record batches ('+s') are needed",
                   from->base.about.path, schema->format ? schema->format : "");
    from->fields = guess->fields = schema->n_children;
    SCREE_ALLOC(from->columns, from->fields, error);
    SCREE_ALLOC(guess->names, from->fields, error);
    SCREE_ALLOC(guess->is_text, from->fields, error);
    SCREE_ALLOC(guess->is_empty, from->fields, error);
    SCREE_ALLOC(guess->text_lines, from->fields, error);
    for (int64_t i = 0; i < from->fields; i++) {
        const struct ArrowSchema *child = schema->children[i];
        char number[24];
        snprintf(number, sizeof number, "c%" PRId64, i + 1);
        scree__arrow_column_read(&from->columns[i], child);
        guess->is_text[i] = from->columns[i].kind == SCREE__ARROW_TEXT || from->columns[i].kind == SCREE__ARROW_TIME;
        guess->is_empty[i] = from->columns[i].kind == SCREE__ARROW_EMPTY;
        usable += !guess->is_text[i] && !guess->is_empty[i];
        guess->names[i] = scree__strdup(child->name && *child->name ? child->name : number);
        if (!guess->names[i])
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of its columns",
                       from->base.about.path);
    }
    if (usable == 0)
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: no column holds numbers%s%s", from->base.about.path,
                   from->feed.advice ? "; " : "", from->feed.advice ? from->feed.advice : "");
    SCREE_TRY(
        scree__utf8_names((const char *const *)guess->names, from->fields, "column", from->base.about.path, error));
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
        if (!is_used(&from->layout.field[i]))
            continue;
        if (column->kind == SCREE__ARROW_OTHER || column->kind == SCREE__ARROW_EMPTY)
            return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                               "%s: column '%.200s' is of the type '%.40s', neither numbers nor text that can be "
                               "read; leave it out with --exclude, or convert it",
                               from->base.about.path, schema->children[i]->name ? schema->children[i]->name : "",
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

/* Which columns are looked at. */
static scree_status tell_wanted(const arrow_source *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool *wanted = NULL;
    if (!from->feed.choose)
        return SCREE_OK;
    SCREE_ALLOC(wanted, from->fields, error);
    for (int64_t i = 0; i < from->fields; i++)
        wanted[i] = is_used(&from->layout.field[i]);
    from->feed.choose(from->feed.context, wanted);
done:
    free(wanted);
    return status;
}

scree_status scree__arrow_open(scree_source **out, const scree__arrow_feed *feed, const struct ArrowSchema *schema,
                               const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    arrow_source *from = NULL;
    SCREE_ALLOC(from, 1, error);
    from->base = (scree_source){.table = &arrow_table,
                                .about.path = scree__strdup(feed->name),
                                .about.rows = feed->rows,
                                .about.rows_estimate = -1,
                                .can = feed->rewind ? SCREE__CAN_REWIND : 0,
                                .memory = feed->memory};
    if (!from->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", feed->name);
    from->feed = *feed;
    from->feed.release = NULL; /* the caller's, until nothing can fail */
    SCREE_TRY(arrange(from, schema, options, error));
    SCREE_TRY(tell_wanted(from, error));
    from->base.about.only_header = feed->rows == 0;
    from->feed.release = feed->release;
    *out = &from->base;
    from = NULL;
done:
    scree_source_free(from ? &from->base : NULL);
    return status;
}
