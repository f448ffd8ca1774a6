/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows in the caller's memory. In C order, of a type that rows are worked on as, blocks are pointers into it and
 * nothing is copied, whatever the row stride. Rows of any other type or order are converted block by block, by the
 * threads of the caller: memory is one block. Sparse rows whose absent entries are 0 are lent as they lie, and so are
 * sparse doubles whose absent entries are missing: they are what the cells of a source are (source->cells). */

#include "data/source.h"

#include "base/memory.h"
#include "base/threads.h"
#include "data/team.h"
#include "data/wide.h"
#include "kernel/caller_block.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <math.h>

enum { BLOCK_BYTES = 4 << 20, PART_BYTES = 1 << 17, VALUES = 1 << 16, STRIP = 256 };

typedef struct memory_source {
    scree_source base;
    scree_block given; /* strides set */
    bool plain;        /* lent where it lies */
    int64_t at;        /* next row */
    scree__csr cells;
    scree__buffer own;    /* for converted blocks, where the driver offers none */
    scree__buffer starts; /* of sparse rows, where their values are converted */
    scree__wide wide;     /* dense integers of 64 bits, which are given as doubles and become such in a block */
    int64_t before;       /* rows that come before these, for messages */
} memory_source;

typedef struct conversion {
    const memory_source *memory;
    int64_t rows;
    int64_t part; /* rows at a time */
    char *to;
} conversion;

/* Values of sparse rows, from one type to another. */
typedef struct value_conversion {
    const char *values;
    scree_type from;
    int64_t count;
    char *to;
    scree_type to_type;
} value_conversion;

static void convert_part(void *context, int64_t index, int worker)
{
    (void)worker;
    const conversion *c = context;
    const scree_source *source = &c->memory->base;
    const int64_t first = index * c->part;
    const int64_t left = c->rows - first;
    scree__caller_block_convert(&c->memory->given, c->memory->at + first, left < c->part ? left : c->part,
                                c->to + first * source->about.cols * scree__type_size(source->about.type));
}

static void convert(const memory_source *memory, int64_t rows, char *to)
{
    const int64_t part = scree__source_rows_in(&memory->base, PART_BYTES);
    conversion c = {memory, rows, part, to};
    scree__parallel(memory->base.threads > 1 ? memory->base.threads : 1, (rows + part - 1) / part, convert_part, &c);
}

/* Sparse rows where they lie; values of other types than rows are worked on as become such, by parts. */
static void convert_values(void *context, int64_t index, int worker)
{
    (void)worker;
    const value_conversion *c = context;
    const int64_t first = index * VALUES;
    const int64_t left = c->count - first;
    double strip[STRIP];
    for (int64_t at = 0, n = 0; at < (left < VALUES ? left : VALUES); at += n) {
        const int64_t rest = (left < VALUES ? left : VALUES) - at;
        n = rest < STRIP ? rest : STRIP;
        scree__strided_load(c->from, c->values + (first + at) * scree__element_size(c->from), 1, n, strip);
        scree__strided_store(c->to_type, strip, n, c->to + (first + at) * scree__type_size(c->to_type), 1);
    }
}

static scree_status lend_entries(memory_source *memory, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_block *given = &memory->given;
    const scree_type type = memory->base.about.type;
    const int64_t first = given->starts[memory->at];
    const int64_t count = given->starts[memory->at + block->rows] - first;
    block->starts = given->starts + memory->at;
    block->indices = given->indices;
    block->data = given->data;
    block->type = given->type;
    if (given->type == type || (given->type == SCREE_I32 && memory->base.takes_whole))
        goto done;
    block->type = type;
    SCREE_TRY(scree__buffer_reserve(&memory->own, count * scree__type_size(type), memory->base.about.path, error));
    SCREE_TRY(scree__buffer_reserve(&memory->starts, (block->rows + 1) * 8, memory->base.about.path, error));
    value_conversion c = {(const char *)given->data + first * scree__element_size(given->type), given->type, count,
                          memory->own.data, type};
    scree__parallel(memory->base.threads > 1 ? memory->base.threads : 1, (count + VALUES - 1) / VALUES, convert_values,
                    &c);
    int64_t *starts = (int64_t *)(void *)memory->starts.data;
    for (int64_t i = 0; i <= block->rows; i++)
        starts[i] = given->starts[memory->at + i] - first;
    block->starts = starts;
    block->indices = given->indices + first;
    block->data = memory->own.data;
done:
    return status;
}

static scree_status memory_next(scree_source *source, scree__block *block, scree_error *error)
{
    memory_source *memory = (memory_source *)source;
    scree_status status = SCREE_OK;
    const scree_block *given = &memory->given;
    const int64_t left = source->about.rows - memory->at;
    const int64_t size = scree__type_size(source->about.type);
    block->rows = left < source->block_rows ? left : source->block_rows;
    block->first = memory->at;
    if (block->rows == 0)
        goto done;
    if (source->sparse) {
        SCREE_TRY(lend_entries(memory, block, error));
    } else if (memory->plain) {
        block->stride = given->row_stride;
        block->data = (const char *)given->data + memory->at * given->row_stride * size;
    } else {
        scree__buffer *buffer = source->buffer ? source->buffer : &memory->own;
        SCREE_TRY(scree__buffer_reserve(buffer, block->rows * source->about.cols * size, source->about.path, error));
        convert(memory, block->rows, buffer->data);
        SCREE_TRY(scree__wide_convert(&memory->wide, source, block, buffer->data, error));
        block->data = buffer->data;
    }
    memory->at += block->rows;
done:
    return status;
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
    scree_block part = memory->given;
    if (scree__is_wide(memory->wide.type))
        part.type = memory->wide.type;
    if (first < 0 || count < 0 || first > source->about.rows - count)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "memory: a slice of %" PRId64 " rows after the first %" PRId64
                           " reaches past the last of %" PRId64 " rows",
                           count, first, source->about.rows);
    part.rows = count;
    part.weights = source->weights ? source->weights + first : NULL;
    if (part.starts)
        part.starts += first;
    else
        part.data = (const char *)part.data + first * part.row_stride * scree__element_size(part.type);
    return scree_source_from_memory(out, &part, error);
}

static void memory_close(scree_source *source)
{
    memory_source *memory = (memory_source *)source;
    scree__buffer_free(&memory->own);
    scree__buffer_free(&memory->starts);
    scree__wide_clear(&memory->wide);
}

static const scree__source_table memory_table = {
    .name = "memory", .next = memory_next, .rewind = memory_rewind, .slice = memory_slice, .close = memory_close};

static const char *locate(const scree_source *source, int64_t *row)
{
    *row += ((const memory_source *)source)->before;
    return source->about.path;
}

scree_status scree__memory_part(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                scree_error *error)
{
    const scree_status status = memory_slice(out, source, first, count, error);
    if (status == SCREE_OK) {
        ((memory_source *)*out)->before = first;
        (*out)->locate = locate;
    }
    return status;
}

bool scree__memory_is(const scree_source *source)
{
    return source->table == &memory_table;
}

/* Whether the entries are cells as source->cells has them: doubles from the first on, all there, the others missing. */
static bool are_cells(const scree_block *given)
{
    if (!given->starts || given->type != SCREE_F64 || given->absent != SCREE_ABSENT_MISSING || given->weights)
        return false;
    const double *values = given->data;
    for (int64_t p = 0; given->starts[0] == 0 && p < given->starts[given->rows]; p++)
        if (isnan(values[p]))
            return false;
    return given->starts[0] == 0;
}

scree_status scree_source_from_memory(scree_source **out, const scree_block *rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    memory_source *memory = NULL;
    scree_block given;
    SCREE_TRY(scree__caller_block_check(&given, rows, "memory", 0, error));
    if (given.texts)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED,
                   "memory: text columns need names; hand such rows in by scree_source_from_calls");
    SCREE_ALLOC(memory, 1, error);
    memory->given = given;
    memory->plain = scree__caller_block_is_plain(&given);
    memory->wide.type = given.starts ? SCREE_F64 : given.type;
    if (scree__is_wide(memory->wide.type))
        memory->given.type = SCREE_F64; /* bits that are moved, not read */
    memory->base = (scree_source){
        .table = &memory_table,
        .about.path = scree__strdup("memory"),
        .about.type = scree__caller_block_type(&given),
        .about.element = 1 + (int)given.type,
        .about.rows = given.rows,
        .about.rows_estimate = given.rows,
        .about.cols = given.cols,
        .can = SCREE__CAN_REWIND | SCREE__CAN_SLICE | (memory->plain ? SCREE__IN_MEMORY : SCREE__IN_STEP),
        .about.wide_integers = scree__is_wide(given.type),
    };
    if (!memory->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "memory: out of memory");
    memory->base.block_rows = scree__source_rows_in(&memory->base, BLOCK_BYTES);
    memory->base.sparse = given.starts && given.absent == SCREE_ABSENT_ZERO;
    memory->base.entries = given.starts ? given.starts[given.rows] - given.starts[0] : 0;
    if (are_cells(&given)) {
        memory->cells = (scree__csr){given.rows, given.cols, given.starts, given.indices, given.data};
        memory->base.cells = &memory->cells;
    }
    if (given.weights)
        SCREE_TRY(scree_source_weigh(&memory->base, given.weights, given.rows, error));
    *out = &memory->base;
    memory = NULL;
done:
    scree_source_free(memory ? &memory->base : NULL);
    return status;
}

scree_status scree__memory_open(scree_source **out, const void *data, scree_type type, int64_t rows, int64_t cols,
                                int64_t stride, scree_error *error)
{
    scree_block block = SCREE_BLOCK_INIT;
    block.data = data;
    block.type = type;
    block.rows = rows;
    block.cols = cols;
    block.row_stride = stride;
    return scree_source_from_memory(out, &block, error);
}
