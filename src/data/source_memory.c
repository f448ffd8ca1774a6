/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the caller's memory. Blocks are pointers into it: nothing is copied, whatever the stride. */

#include "data/source.h"

#include "base/memory.h"
#include "base/sized.h"

#include <inttypes.h>

enum { BLOCK_BYTES = 4 << 20 };

typedef struct memory_source {
    scree_source base;
    const char *data;
    int64_t stride; /* elements from row to row */
    int64_t at;     /* next row */
} memory_source;

static scree_status memory_next(scree_source *source, scree__block *block, scree_error *error)
{
    (void)error;
    memory_source *memory = (memory_source *)source;
    int64_t left = source->rows - memory->at;
    block->rows = left < source->block_rows ? left : source->block_rows;
    block->stride = memory->stride;
    block->first = memory->at;
    block->data = block->rows > 0 ? memory->data + memory->at * memory->stride * scree__type_size(source->type) : NULL;
    memory->at += block->rows;
    return SCREE_OK;
}

static scree_status memory_rewind(scree_source *source, scree_error *error)
{
    (void)error;
    ((memory_source *)source)->at = 0;
    return SCREE_OK;
}

static scree_status memory_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                 scree_error *error)
{
    const memory_source *memory = (const memory_source *)source;
    if (first < 0 || count < 0 || first > source->rows - count)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "memory: a slice of %" PRId64 " rows from row %" PRId64 " reaches past the last of %" PRId64
                           " rows",
                           count, first + 1, source->rows);
    const char *data = memory->data + first * memory->stride * scree__type_size(source->type);
    const scree_status status = scree__memory_open(out, data, source->type, count, source->cols, memory->stride, error);
    return status == SCREE_OK && source->weights ? scree_source_weigh(*out, source->weights + first, count, error)
                                                 : status;
}

static void memory_close(scree_source *source)
{
    (void)source;
}

static const scree__source_table memory_table = {"memory", memory_next, memory_rewind, memory_slice, memory_close};

scree_status scree__memory_open(scree_source **out, const void *data, scree_type type, int64_t rows, int64_t cols,
                                int64_t stride, scree_error *error)
{
    scree_status status = SCREE_OK;
    memory_source *memory = NULL;
    int64_t bytes = 0;
    if (type != SCREE_F32 && type != SCREE_F64 && type != SCREE_U8)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "memory: element type %d is not known: use SCREE_F32, SCREE_F64 or SCREE_U8", (int)type);
    if (rows < 0 || cols < 1 || stride < cols || __builtin_mul_overflow(rows, stride, &bytes) ||
        __builtin_mul_overflow(bytes, scree__type_size(type), &bytes))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "memory: %" PRId64 " rows of %" PRId64 " columns, %" PRId64
                   " elements apart, cannot be: rows must be 0 or more, columns 1 or more, the stride no less than the "
                   "columns",
                   rows, cols, stride);
    if (!data && rows > 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "memory: the pointer to %" PRId64 " rows is NULL", rows);
    SCREE_ALLOC(memory, 1, error);
    memory->base = (scree_source){
        .table = &memory_table,
        .path = scree__strdup("memory"),
        .type = type,
        .rows = rows,
        .rows_estimate = rows,
        .cols = cols,
        .can = SCREE__CAN_REWIND | SCREE__CAN_SLICE | SCREE__IN_MEMORY,
    };
    if (!memory->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "memory: out of memory");
    memory->base.block_rows = scree__source_rows_in(&memory->base, BLOCK_BYTES);
    memory->data = data;
    memory->stride = stride;
    *out = &memory->base;
    memory = NULL;
done:
    free(memory);
    return status;
}

scree_status scree_source_from_memory(scree_source **out, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_block b = SCREE_BLOCK_INIT;
    SCREE_TRY(SCREE_ADOPT(&b, rows, error));
    if (b.starts || (b.col_stride != 0 && b.col_stride != 1))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "memory: rows must be dense and in C order");
    SCREE_TRY(scree__memory_open(out, b.data, b.type, b.rows, b.cols, b.row_stride ? b.row_stride : b.cols, error));
done:
    return status;
}
