/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that the caller's own code hands in, block by block. A block in C order, of a type that rows are worked on as,
 * is lent as it came; others are converted (caller_block.h). What a callback says when it fails is passed on word for
 * word. What it announced is held against what it gives: columns, type, number of rows. */

#include "data/source.h"

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
    scree__buffer own;   /* for converted blocks, where the driver offers none */
    scree__buffer texts; /* pointers, none of them NULL */
    scree__wide wide;    /* dense integers of 64 bits */
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

static scree_status take_texts(calls_source *from, const scree_block *b, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = b->rows * from->base.about.text_count;
    if (count == 0)
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&from->texts, count * (int64_t)sizeof(char *), from->base.about.path, error));
    const char **texts = (const char **)(void *)from->texts.data;
    for (int64_t i = 0; i < count; i++) {
        texts[i] = b->texts[i] ? b->texts[i] : "";
        if (scree__utf8_valid(texts[i], strlen(texts[i])) < strlen(texts[i]))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: row %" PRId64 ": '%.100s' is not UTF-8; hand texts in as UTF-8",
                       from->base.about.path, from->at + i / from->base.about.text_count + 1, texts[i]);
    }
    block->text = texts;
done:
    return status;
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

static scree_status take_rows(calls_source *from, const scree_block *b, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *base = &from->base;
    if (base->sparse) {
        SCREE_TRY(take_entries(from, b, block, error));
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
    SCREE_TRY(scree__caller_block_check(&b, &given.block, source->about.path, from->at, error));
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

static void calls_close(scree_source *source)
{
    calls_source *from = (calls_source *)source;
    if (from->calls.release)
        from->calls.release(from->calls.context);
    scree__buffer_free(&from->own);
    scree__buffer_free(&from->texts);
    scree__wide_clear(&from->wide);
}

static const scree__source_table calls_table = {
    .name = "calls", .next = calls_next, .rewind = calls_rewind, .close = calls_close};

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
    SCREE_TRY(check_names(calls->columns, calls->cols, "column", name, error));
    SCREE_TRY(check_names(calls->text_names, calls->text_count, "text column", name, error));
done:
    return status;
}

scree_status scree_source_from_calls(scree_source **out, const scree_source_calls *calls, scree_error *error)
{
    scree_status status = SCREE_OK;
    calls_source *from = NULL;
    scree_source_calls mine = SCREE_SOURCE_CALLS_INIT;
    SCREE_TRY(SCREE_ADOPT(&mine, calls, error));
    SCREE_TRY(check_calls(&mine, mine.name ? mine.name : "rows", error));
    SCREE_ALLOC(from, 1, error);
    from->base = (scree_source){
        .table = &calls_table,
        .about.path = scree__strdup(mine.name ? mine.name : "rows"),
        .about.type = scree__caller_block_type(&(scree_block){.type = mine.type}),
        .about.element = 1 + (int)mine.type,
        .about.rows = mine.rows,
        .about.rows_estimate = mine.rows,
        .about.cols = mine.cols,
        .can = mine.rewind ? SCREE__CAN_REWIND : 0,
        .about.columns = scree__strings_copy(mine.columns, mine.cols),
        .about.text_names = scree__strings_copy(mine.text_names, mine.text_count),
        .about.text_count = mine.text_count,
        .about.weighted = mine.weighted,
        .about.wide_integers = scree__is_wide(mine.type) && !mine.sparse,
        .about.note = scree__strdup(mine.note),
        .sparse = mine.sparse,
        .entries = mine.entries,
        .memory = mine.memory,
    };
    if (!from->base.about.path || (mine.note && !from->base.about.note) ||
        (mine.columns && !from->base.about.columns) || (mine.text_names && !from->base.about.text_names))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory for the names of columns");
    from->base.block_rows = scree__source_rows_in(&from->base, BLOCK_BYTES);
    from->calls = mine;
    from->wide.type = mine.type;
    *out = &from->base;
    from = NULL;
done:
    scree_source_free(from ? &from->base : NULL); /* without release: the calls are not in it yet */
    return status;
}
