/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: its rows as doubles, each column times a power of two. Nothing is rounded, and squares of
 * what is very small or very large become numbers that doubles hold. Cost: one read and one write an element. */

#include "data/source.h"

#include "base/memory.h"
#include "kernel/rows.h"

#include <string.h>

typedef struct rescaled_source {
    scree_source base;
    scree_source *inner; /* borrowed */
    double *factor;      /* D */
    double *row;         /* D */
    scree__buffer own;   /* where the driver offers none */
} rescaled_source;

static scree_status rescaled_next(scree_source *source, scree__block *block, scree_error *error)
{
    rescaled_source *rescaled = (rescaled_source *)source;
    scree_status status = SCREE_OK;
    const int64_t cols = source->about.cols;
    scree__buffer *buffer = source->buffer ? source->buffer : &rescaled->own;
    scree__source_pass_on(source, rescaled->inner);
    rescaled->inner->takes_sparse = false;
    rescaled->inner->buffer = NULL;
    SCREE_TRY(scree__source_next(rescaled->inner, block, error));
    const scree__rows x = {block->data, block->type, block->rows, cols, block->stride, NULL};
    SCREE_TRY(scree__buffer_reserve(buffer, block->rows * cols * (int64_t)sizeof(double), source->about.path, error));
    double *to = (double *)(void *)buffer->data;
    for (int64_t i = 0; i < x.rows; i++) {
        const double *row = scree__rows_load(&x, i, rescaled->row);
        for (int64_t j = 0; j < cols; j++)
            to[i * cols + j] = row[j] * rescaled->factor[j];
    }
    block->data = to;
    block->type = SCREE_F64;
    block->stride = cols;
done:
    return status;
}

static scree_status rescaled_rewind(scree_source *source, scree_error *error)
{
    return scree__source_rewind(((rescaled_source *)source)->inner, error);
}

static void rescaled_close(scree_source *source)
{
    rescaled_source *rescaled = (rescaled_source *)source;
    free(rescaled->factor);
    free(rescaled->row);
    scree__buffer_free(&rescaled->own);
}

static const char *locate(const scree_source *source, int64_t *row)
{
    return scree__source_locate(((const rescaled_source *)source)->inner, row);
}

static const scree__source_table rescaled_table = {
    .name = "rescaled", .next = rescaled_next, .rewind = rescaled_rewind, .close = rescaled_close};

scree_status scree__rescaled_open(scree_source **out, scree_source *inner, const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    rescaled_source *rescaled = NULL;
    SCREE_ALLOC(rescaled, 1, error);
    rescaled->base.table = &rescaled_table;
    SCREE_TRY(scree__source_around(&rescaled->base, inner, error));
    rescaled->base.sparse = false;
    rescaled->base.about.type = SCREE_F64;
    rescaled->base.can = inner->can & SCREE__CAN_REWIND;
    rescaled->base.locate = locate;
    rescaled->base.rescaled = true;
    rescaled->base.started = inner->started;
    SCREE_ALLOC(rescaled->factor, inner->about.cols, error);
    SCREE_ALLOC(rescaled->row, inner->about.cols, error);
    memcpy(rescaled->factor, factor, (size_t)inner->about.cols * sizeof *factor);
    rescaled->inner = inner;
    *out = &rescaled->base;
    rescaled = NULL;
done:
    scree_source_free(rescaled ? &rescaled->base : NULL);
    return status;
}
