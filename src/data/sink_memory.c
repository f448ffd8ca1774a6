/* SPDX-License-Identifier: BSD-3-Clause */
/* A sink into the caller's array of doubles, filled from the top, by the threads that compute the rows. Text columns
 * are dropped: the array has no place for them. */

#include "data/sink.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

typedef struct memory_sink {
    scree_sink base;
    double *data;
    int64_t rows;
    int64_t cols;
    int64_t at; /* rows written */
} memory_sink;

static scree_status memory_begin(scree_sink *sink, const scree__sink_shape *shape, scree_error *error)
{
    const memory_sink *memory = (const memory_sink *)sink;
    if (shape->cols != memory->cols)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "memory: the result has %" PRId64 " columns and the array %" PRId64 ": give one that fits",
                           shape->cols, memory->cols);
    if (shape->rows > memory->rows)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "memory: the result has %" PRId64 " rows and the array %" PRId64 ": give one that fits",
                           shape->rows, memory->rows);
    return SCREE_OK;
}

static scree_status memory_write(scree_sink *sink, const double *data, const char *const *text, int64_t rows,
                                 int threads, scree_error *error)
{
    (void)text;
    (void)threads;
    memory_sink *memory = (memory_sink *)sink;
    if (rows > memory->rows - memory->at)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "memory: the result has more rows than the %" PRId64 " of the array: give a larger one",
                           memory->rows);
    double *to = memory->data + memory->at * memory->cols;
    if (data != to)
        memcpy(to, data, (size_t)(rows * memory->cols) * sizeof *data);
    memory->at += rows;
    return SCREE_OK;
}

static double *memory_place(scree_sink *sink, int64_t rows)
{
    const memory_sink *memory = (const memory_sink *)sink;
    return rows <= memory->rows - memory->at ? memory->data + memory->at * memory->cols : NULL;
}

static scree_status memory_finish(scree_sink *sink, scree_error *error)
{
    (void)sink;
    (void)error;
    return SCREE_OK;
}

static void memory_close(scree_sink *sink)
{
    (void)sink;
}

static const scree__sink_table memory_table = {.name = "memory",
                                               .begin = memory_begin,
                                               .write = memory_write,
                                               .finish = memory_finish,
                                               .close = memory_close,
                                               .place = memory_place};

scree_status scree_sink_to_memory(scree_sink **out, double *data, int64_t rows, int64_t cols, scree_error *error)
{
    scree_status status = SCREE_OK;
    memory_sink *memory = NULL;
    if (rows < 0 || cols < 1 || (!data && rows > 0))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "memory: an array of %" PRId64 " rows and %" PRId64 " columns%s cannot be written to", rows, cols,
                   data ? "" : " at NULL");
    SCREE_ALLOC(memory, 1, error);
    memory->base = (scree_sink){.table = &memory_table, .path = scree__strdup("memory"), .type = SCREE_F64};
    if (!memory->base.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "memory: out of memory");
    memory->data = data;
    memory->rows = rows;
    memory->cols = cols;
    *out = &memory->base;
    memory = NULL;
done:
    free(memory);
    return status;
}
