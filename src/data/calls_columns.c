/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns that callbacks hand in, as rows (turned.h). They are read when the first row is wanted, twice where they can
 * be: what an entry takes in memory is then what it takes as a part of a row. */

#include "base/memory.h"
#include "data/source_calls.h"
#include "data/turned.h"
#include "kernel/caller_block.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, SPARE = 512, STRIP = 256 };

typedef struct columns_source {
    scree_source base;
    scree_source_calls calls;
    scree__turned turned;
    bool ready; /* all columns were read */
    scree__buffer texts;
} columns_source;

typedef union given_block {
    scree_block block;
    char bytes[SPARE];
} given_block;

static scree_status check_block(const columns_source *from, const scree_block *b, int64_t most, int64_t at,
                                scree_error *error)
{
    const char *file = from->base.about.path;
    if (b->rows > most || b->rows > from->base.about.cols - at)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: a block of %" PRId64 " columns was handed in where at most %" PRId64 " can follow",
                           file, b->rows, most < from->base.about.cols - at ? most : from->base.about.cols - at);
    if (b->cols != from->base.about.rows)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: a block of columns has %" PRId64 " rows, and %" PRId64 " were announced", file, b->cols,
                           from->base.about.rows);
    if (b->type != from->calls.type || !b->starts || b->absent != SCREE_ABSENT_ZERO || b->weights || b->texts)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: sparse columns with absent zeros were announced, and a block is not such", file);
    return SCREE_OK;
}

/* Entries of some columns; only their rows are counted before they have places. */
static scree_status take_columns(columns_source *from, const scree_block *b, int64_t at, bool counting,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    double strip[STRIP];
    if (counting) {
        for (int64_t p = b->starts[0]; p < b->starts[b->rows]; p++)
            SCREE_TRY(scree__turned_count(&from->turned, b->indices[p], error));
        goto done;
    }
    SCREE_TRY(scree__calls_check_wide(&from->base, b, "column", at, error));
    for (int64_t j = 0; j < b->rows; j++) {
        for (int64_t p = b->starts[j], n = 0; p < b->starts[j + 1]; p += n) {
            n = b->starts[j + 1] - p < STRIP ? b->starts[j + 1] - p : STRIP;
            scree__strided_load(b->type, (const char *)b->data + p * scree__element_size(b->type), 1, n, strip);
            for (int64_t q = 0; q < n; q++)
                SCREE_TRY(scree__turned_add(&from->turned, b->indices[p + q], at + j, strip[q], error));
        }
    }
done:
    return status;
}

static scree_status read_all(columns_source *from, bool counting, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_source *base = &from->base;
    scree_error said = SCREE_ERROR_INIT;
    given_block given;
    scree_block b;
    /* About a block of entries, as far as is known. */
    const int64_t each = base->entries > 0 ? 12 * (base->entries / base->about.cols + 1) : 12 * 1024;
    const int64_t most = BLOCK_BYTES / each > 1 ? BLOCK_BYTES / each : 1;
    for (int64_t at = 0;; at += given.block.rows) {
        memset(&given, 0, sizeof given);
        given.block = (scree_block)SCREE_BLOCK_INIT;
        status = from->calls.next(from->calls.context, most, &given.block, &said);
        if (status != SCREE_OK)
            SCREE_TRY(scree__fail_as_said(status, &said, base->about.path, "next", error));
        if (given.block.rows == 0 && at < base->about.cols)
            SCREE_FAIL(error, SCREE_ERR_SHAPE, "%s: %" PRId64 " columns came, and %" PRId64 " were announced",
                       base->about.path, at, base->about.cols);
        if (given.block.rows == 0)
            break;
        SCREE_TRY(scree__caller_block_check_as(&b, &given.block, base->about.path, at, SCREE__BLOCK_COLUMNS, error));
        SCREE_TRY(check_block(from, &b, most, at, error));
        SCREE_TRY(take_columns(from, &b, at, counting, error));
    }
done:
    return status;
}

static scree_status turn(columns_source *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_error said = SCREE_ERROR_INIT;
    if (from->calls.rewind) {
        SCREE_TRY(read_all(from, true, error));
        SCREE_TRY(scree__turned_counted(&from->turned, error));
        status = from->calls.rewind(from->calls.context, &said);
        if (status != SCREE_OK)
            SCREE_TRY(scree__fail_as_said(status, &said, from->base.about.path, "rewind", error));
    }
    SCREE_TRY(read_all(from, false, error));
    SCREE_TRY(scree__turned_finish(&from->turned, error));
    from->base.entries = from->turned.entries;
    from->ready = true;
done:
    return status;
}

static scree_status lend_texts(columns_source *from, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_error said = SCREE_ERROR_INIT;
    const scree_source *base = &from->base;
    const char *const *texts = NULL;
    if (base->about.text_count == 0)
        return SCREE_OK;
    if (from->calls.texts) {
        status = from->calls.texts(from->calls.context, block->first, block->rows, &texts, &said);
        if (status != SCREE_OK)
            SCREE_TRY(scree__fail_as_said(status, &said, base->about.path, "texts", error));
    }
    SCREE_TRY(scree__calls_texts(base, texts, block->first, block->rows, &from->texts, error));
    block->text = (const char *const *)(const void *)from->texts.data;
done:
    return status;
}

static scree_status columns_next(scree_source *source, scree__block *block, scree_error *error)
{
    columns_source *from = (columns_source *)source;
    scree_status status = SCREE_OK;
    if (!from->ready)
        SCREE_TRY(turn(from, error));
    SCREE_TRY(scree__turned_next(&from->turned, source->block_rows, block, error));
    if (block->rows > 0)
        SCREE_TRY(lend_texts(from, block, error));
done:
    return status;
}

static scree_status columns_rewind(scree_source *source, scree_error *error)
{
    columns_source *from = (columns_source *)source;
    if (!from->ready)
        return scree__fail(error, SCREE_ERR_IO, "%s: its columns could not be read: open it again", source->about.path);
    scree__turned_rewind(&from->turned);
    return SCREE_OK;
}

static void columns_close(scree_source *source)
{
    columns_source *from = (columns_source *)source;
    if (from->calls.release)
        from->calls.release(from->calls.context);
    scree__turned_clear(&from->turned);
    scree__buffer_free(&from->texts);
}

static const scree__source_table columns_table = {
    .name = "columns", .next = columns_next, .rewind = columns_rewind, .close = columns_close};

/* What it will hold, as far as the number of entries was announced. */
static int64_t planned_memory(columns_source *from)
{
    const scree_source *base = &from->base;
    const int64_t bytes = base->entries * (scree__type_size(base->about.type) + 4) + 8 * (base->about.rows + 1);
    const int64_t half = scree__budget_left(&from->turned.budget) / 2;
    return base->entries > 0 && bytes < half ? bytes : half;
}

scree_status scree__calls_columns_open(scree_source **out, const scree_source_calls *calls,
                                       const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    columns_source *from = NULL;
    if (!calls->sparse || calls->weighted || calls->rows < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: columns are handed in sparse, without weights, and with the number of rows known",
                   calls->name ? calls->name : "rows");
    SCREE_ALLOC(from, 1, error);
    from->base.table = &columns_table;
    SCREE_TRY(scree__calls_describe(&from->base, calls, error));
    from->base.can = SCREE__CAN_REWIND;
    from->turned = (scree__turned){
        .file = from->base.about.path,
        .rows = calls->rows,
        .cols = calls->cols,
        .type = from->base.about.type,
        .budget = {.given = options ? options->memory : 0, .held = options ? options->held : 0, .seen = INT64_MAX / 32},
        .threads = options ? options->threads : 0,
    };
    from->base.memory += planned_memory(from);
    from->calls = *calls;
    *out = &from->base;
    from = NULL;
done:
    scree_source_free(from ? &from->base : NULL); /* without release: the calls are not in it yet */
    return status;
}
