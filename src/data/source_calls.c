/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that the caller's own code hands in, block by block. A block in C order, of a type that rows are worked on as,
 * is lent as it came; others are converted (caller_block.h). What a callback says when it fails is passed on word for
 * word. What it announced is held against what it gives: columns, type, number of rows. */

#include "data/source_calls.h"

#include "data/entry_order.h"

#include "base/memory.h"
#include "base/sized.h"
#include "base/utf8.h"
#include "data/wide.h"
#include "kernel/caller_block.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, SPARE = 512, STRIP = 256 };

typedef struct calls_source {
    scree_source base;
    scree_source_calls calls; /* names are not kept */
    int64_t at;               /* rows read */
    bool ended;
    scree__buffer own;    /* for converted blocks, where the driver offers none */
    scree__buffer texts;  /* pointers, none of them NULL */
    scree__buffer starts; /* of sparse rows whose entries were not in order */
    scree__buffer indices;
    scree__buffer values;
    scree__wide wide; /* dense integers of 64 bits */
} calls_source;

/* A block to be filled, with spare bytes for a callback that knows a longer one and sets it as a whole. */
typedef union given_block {
    scree_block block;
    char bytes[SPARE];
} given_block;

static scree_status check_block(const calls_source *from, const scree_block *b, int64_t max_rows, scree_error *error)
{
    const scree_source *base = &from->base;
    if (b->rows > max_rows)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: a block of %" PRId64 " rows was handed in where at most %" PRId64 " were asked for",
                           base->about.path, b->rows, max_rows);
    if (b->cols != base->about.cols)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: a block has %" PRId64 " columns, and %" PRId64 " were announced", base->about.path,
                           b->cols, base->about.cols);
    if (b->type != from->calls.type || scree__caller_block_type(b) != base->about.type)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: a block is not of the element type that was announced%s",
                           base->about.path, b->type == from->calls.type ? ": bytes cannot be missing" : "");
    if (from->calls.sparse && (!b->starts || b->absent != SCREE_ABSENT_ZERO))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: sparse rows with absent zeros were announced, and a block is not such",
                           base->about.path);
    if (from->calls.weighted != (b->weights != NULL))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: weights were %s, and a block has %s", base->about.path,
                           from->calls.weighted ? "announced" : "not announced", b->weights ? "some" : "none");
    if (base->about.text_count > 0 && !b->texts)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: text columns were announced, and a block has none",
                           base->about.path);
    if (base->about.rows >= 0 && from->at + b->rows > base->about.rows)
        return scree__fail(error, SCREE_ERR_SHAPE, "%s: more rows came than the %" PRId64 " announced",
                           base->about.path, base->about.rows);
    return SCREE_OK;
}

scree_status scree__calls_texts(const scree_source *base, const char *const *given, int64_t first, int64_t rows,
                                scree__buffer *buffer, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = rows * base->about.text_count;
    SCREE_TRY(scree__buffer_reserve(buffer, count * (int64_t)sizeof(char *), base->about.path, error));
    const char **texts = (const char **)(void *)buffer->data;
    for (int64_t i = 0; i < count; i++) {
        texts[i] = given && given[i] ? given[i] : "";
        if (scree__utf8_valid(texts[i], strlen(texts[i])) < strlen(texts[i]))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ": '%.100s' is not UTF-8; hand texts in as UTF-8",
                       base->about.path, first + i / base->about.text_count + 1, texts[i]);
    }
done:
    return status;
}

static scree_status take_texts(calls_source *from, const scree_block *b, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (b->rows * from->base.about.text_count == 0)
        return SCREE_OK;
    SCREE_TRY(scree__calls_texts(&from->base, b->texts, from->at, b->rows, &from->texts, error));
    block->text = (const char *const *)(const void *)from->texts.data;
done:
    return status;
}

scree_status scree__calls_check_wide(const scree_source *base, const scree_block *b, const char *what, int64_t first,
                                     scree_error *error)
{
    double strip[STRIP];
    for (int64_t i = 0; scree__is_wide(b->type) && i < b->rows; i++) {
        for (int64_t p = b->starts[i], n = 0; p < b->starts[i + 1]; p += n) {
            n = b->starts[i + 1] - p < STRIP ? b->starts[i + 1] - p : STRIP;
            scree__strided_load(b->type, (const char *)b->data + p * scree__element_size(b->type), 1, n, strip);
            for (int64_t q = 0; q < n; q++)
                if (scree__is_too_wide(strip[q]))
                    return scree__fail(error, SCREE_ERR_VALUE,
                                       "%s: %s %" PRId64 " has a whole number beyond 2^53, which double precision "
                                       "would round; divide the values by a constant, or store them as doubles",
                                       base->about.path, what, first + i + 1);
        }
    }
    return SCREE_OK;
}

/* Sparse rows as they came, of a type that rows are worked on as. */
static scree_status take_entries(calls_source *from, const scree_block *b, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_type type = from->base.about.type;
    const int64_t end = b->starts[b->rows];
    double strip[STRIP];
    block->starts = b->starts;
    block->indices = b->indices;
    block->data = b->data;
    SCREE_TRY(scree__calls_check_wide(&from->base, b, "row", from->at, error));
    if (b->type == type)
        goto done;
    SCREE_TRY(scree__buffer_reserve(&from->own, end * scree__type_size(type), from->base.about.path, error));
    for (int64_t p = b->starts[0], n = 0; p < end; p += n) {
        n = end - p < STRIP ? end - p : STRIP;
        scree__strided_load(b->type, (const char *)b->data + p * scree__element_size(b->type), 1, n, strip);
        scree__strided_store(type, strip, n, from->own.data + p * scree__type_size(type), 1);
    }
    block->data = from->own.data;
done:
    return status;
}

/* Entries in any order, as everybody expects them; where they are not, in buffers that are its own. */
static scree_status settle(calls_source *from, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = from->base.about.path;
    const int64_t size = scree__type_size(from->base.about.type);
    const int64_t first = block->starts[0];
    const int64_t count = block->starts[block->rows] - first;
    if (scree__entries_are_settled(block->rows, block->starts, block->indices))
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&from->starts, 8 * (block->rows + 1), file, error));
    SCREE_TRY(scree__buffer_reserve(&from->indices, 4 * count, file, error));
    SCREE_TRY(scree__buffer_reserve(&from->values, size * count, file, error));
    scree__loose_rows loose = {.rows = block->rows,
                               .starts = (int64_t *)(void *)from->starts.data,
                               .indices = (int32_t *)(void *)from->indices.data,
                               .values = from->values.data,
                               .type = from->base.about.type,
                               .before = from->at,
                               .file = file};
    for (int64_t i = 0; i <= block->rows; i++)
        loose.starts[i] = block->starts[i] - first;
    memcpy(loose.indices, block->indices + first, (size_t)count * sizeof *loose.indices);
    memcpy(loose.values, (const char *)block->data + first * size, (size_t)(count * size));
    SCREE_TRY(scree__entries_settle(&loose, error));
    block->starts = loose.starts;
    block->indices = loose.indices;
    block->data = loose.values;
done:
    return status;
}

static scree_status take_rows(calls_source *from, const scree_block *b, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *base = &from->base;
    if (base->sparse) {
        SCREE_TRY(take_entries(from, b, block, error));
        block->rows = b->rows;
        if (from->calls.unsorted)
            SCREE_TRY(settle(from, block, error));
    } else if (scree__caller_block_is_plain(b)) {
        block->data = b->data;
        block->stride = b->row_stride;
    } else {
        scree__buffer *buffer = base->buffer ? base->buffer : &from->own;
        SCREE_TRY(scree__buffer_reserve(buffer, b->rows * base->about.cols * scree__type_size(base->about.type),
                                        base->about.path, error));
        scree_block moved = *b;
        if (scree__is_wide(b->type) && !b->starts)
            moved.type = SCREE_F64; /* bits that are moved, not read */
        scree__caller_block_convert(&moved, 0, b->rows, buffer->data);
        block->data = buffer->data;
        block->rows = b->rows;
        if (!b->starts)
            SCREE_TRY(scree__wide_convert(&from->wide, base, block, buffer->data, error));
    }
    block->rows = b->rows;
    block->weights = b->weights;
    SCREE_TRY(take_texts(from, b, block, error));
done:
    return status;
}

static scree_status calls_next(scree_source *source, scree__block *block, scree_error *error)
{
    calls_source *from = (calls_source *)source;
    scree_status status = SCREE_OK;
    scree_error said = SCREE_ERROR_INIT;
    given_block given;
    scree_block b;
    block->first = from->at;
    if (from->ended)
        goto done;
    memset(&given, 0, sizeof given);
    given.block = (scree_block)SCREE_BLOCK_INIT;
    status = from->calls.next(from->calls.context, source->block_rows, &given.block, &said);
    if (status != SCREE_OK)
        SCREE_TRY(scree__fail_as_said(status, &said, source->about.path, "next", error));
    if (given.block.rows == 0) {
        from->ended = true;
        if (source->about.rows >= 0 && from->at != source->about.rows)
            SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: %" PRId64 " rows came, and %" PRId64 " were announced",
                       source->about.path, from->at, source->about.rows);
        goto done;
    }
    SCREE_TRY(scree__caller_block_check_as(&b, &given.block, source->about.path, from->at,
                                           from->calls.unsorted ? SCREE__BLOCK_LOOSE : SCREE__BLOCK_ROWS, error));
    SCREE_TRY(check_block(from, &b, source->block_rows, error));
    SCREE_TRY(take_rows(from, &b, block, error));
    from->at += b.rows;
done:
    return status;
}

static scree_status calls_rewind(scree_source *source, scree_error *error)
{
    calls_source *from = (calls_source *)source;
    scree_error said = SCREE_ERROR_INIT;
    const scree_status status = from->calls.rewind(from->calls.context, &said);
    if (status != SCREE_OK)
        return scree__fail_as_said(status, &said, source->about.path, "rewind", error);
    from->at = 0;
    from->ended = false;
    return SCREE_OK;
}

static scree_status calls_seek(scree_source *source, int64_t row, scree_error *error)
{
    calls_source *from = (calls_source *)source;
    scree_error said = SCREE_ERROR_INIT;
    const scree_status status = from->calls.seek(from->calls.context, row, &said);
    if (status != SCREE_OK)
        return scree__fail_as_said(status, &said, source->about.path, "seek", error);
    from->at = row;
    from->ended = false;
    return SCREE_OK;
}

static void calls_close(scree_source *source)
{
    calls_source *from = (calls_source *)source;
    if (from->calls.release)
        from->calls.release(from->calls.context);
    scree__buffer_free(&from->own);
    scree__buffer_free(&from->texts);
    scree__buffer_free(&from->starts);
    scree__buffer_free(&from->indices);
    scree__buffer_free(&from->values);
    scree__wide_clear(&from->wide);
}

static const scree__source_table calls_table = {
    .name = "calls", .next = calls_next, .rewind = calls_rewind, .close = calls_close, .seek = calls_seek};

static scree_status check_names(const char *const *names, int64_t count, const char *what, const char *name,
                                scree_error *error)
{
    for (int64_t i = 0; names && i < count; i++)
        if (!names[i])
            return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: the name of %s %" PRId64 " is NULL", name, what, i + 1);
    return scree__utf8_names(names, count, what, name, error);
}

static scree_status check_calls(const scree_source_calls *calls, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t bytes = 0;
    if (!calls->next)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no callback 'next' to hand in rows", name);
    if (calls->rows < -1 || calls->cols < 1 || __builtin_mul_overflow(calls->cols, INT64_C(8), &bytes) ||
        (calls->rows > 0 && __builtin_mul_overflow(calls->rows, bytes, &bytes)))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: %" PRId64 " rows of %" PRId64
                   " columns are impossible; set cols, and rows to their number or to -1",
                   name, calls->rows, calls->cols);
    if (scree__element_size(calls->type) == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: there is no element type %d; use one of scree_type", name,
                   (int)calls->type);
    if (calls->text_count < 0 || (calls->text_count > 0 && !calls->text_names))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: %" PRId64 " text columns have no names; set text_names", name,
                   calls->text_count);
    if (calls->text_label < 0 || calls->text_label > calls->text_count || calls->text_id < 0 ||
        calls->text_id > calls->text_count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: text column %" PRId64 " is the label and %" PRId64 " the id, and there are %" PRId64
                   "; set them to 0 or one of these",
                   name, calls->text_label, calls->text_id, calls->text_count);
    SCREE_TRY(check_names(calls->columns, calls->cols, "column", name, error));
    SCREE_TRY(check_names(calls->text_names, calls->text_count, "text column", name, error));
done:
    return status;
}

scree_status scree__calls_describe(scree_source *base, const scree_source_calls *calls, scree_error *error)
{
    scree__about *about = &base->about;
    about->path = scree__strdup(calls->name ? calls->name : "rows");
    about->type = scree__caller_block_type(&(scree_block){.type = calls->type});
    about->element = 1 + (int)calls->type;
    about->rows = about->rows_estimate = calls->rows;
    about->cols = calls->cols;
    about->columns = scree__strings_copy(calls->columns, calls->cols);
    about->text_names = scree__strings_copy(calls->text_names, calls->text_count);
    about->text_count = calls->text_count;
    about->text_label = calls->text_label;
    about->text_id = calls->text_id;
    about->weighted = calls->weighted;
    about->wide_integers = scree__is_wide(calls->type) && !calls->sparse;
    about->note = scree__strdup(calls->note);
    base->can = calls->rewind ? SCREE__CAN_REWIND : 0;
    if (calls->seek && calls->rows >= 0 && !calls->by_columns &&
        !about->wide_integers) /* which the first rows settle */
        base->can |= SCREE__CAN_SEEK;
    base->sparse = calls->sparse;
    base->entries = calls->entries;
    base->memory = calls->memory;
    base->block_rows = scree__source_rows_in(base, BLOCK_BYTES);
    return about->path && (about->note || !calls->note) && (about->columns || !calls->columns) &&
                   (about->text_names || !calls->text_names)
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "out of memory for the names of columns");
}

static scree_status open_rows(scree_source **out, const scree_source_calls *calls, scree_error *error)
{
    scree_status status = SCREE_OK;
    calls_source *from = NULL;
    SCREE_ALLOC(from, 1, error);
    from->base.table = &calls_table;
    SCREE_TRY(scree__calls_describe(&from->base, calls, error));
    from->calls = *calls;
    from->wide.type = calls->type;
    *out = &from->base;
    from = NULL;
done:
    scree_source_free(from ? &from->base : NULL); /* without release: the calls are not in it yet */
    return status;
}

/* The columns that are kept of a source, which so owns it. */
static scree_status keep_columns(scree_source **out, scree_source *all, const uint8_t *kept, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t *index = NULL;
    int64_t count = 0;
    SCREE_ALLOC(index, all->about.cols, error);
    for (int64_t j = 0; j < all->about.cols; j++)
        if (kept[j])
            index[count++] = j;
    SCREE_TRY(scree__select_open(out, all, index, count, error));
done:
    free(index);
    return status;
}

scree_status scree__calls_open(scree_source **out, const scree_source_calls *calls, const scree_read_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_source *all = NULL;
    scree_source_calls mine = SCREE_SOURCE_CALLS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, calls, error));
    SCREE_TRY(check_calls(&mine, mine.name ? mine.name : "rows", error));
    void (*const release)(void *) = mine.release;
    mine.release = NULL; /* never when it could not be made */
    SCREE_TRY(mine.by_columns ? scree__calls_columns_open(&all, &mine, options, error) : open_rows(&all, &mine, error));
    if (mine.kept)
        SCREE_TRY(keep_columns(out, all, mine.kept, error));
    else
        *out = all;
    ((scree__calls_base *)all)->calls.release = release;
    all = NULL;
done:
    scree_source_free(all);
    return status;
}

scree_status scree_source_from_calls(scree_source **out, const scree_source_calls *calls, scree_error *error)
{
    return scree__calls_open(out, calls, NULL, error);
}
