/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: some of its columns, in any order. Neighbours in their own order are a pointer into the
 * inner block; other choices are copied, element by element, into a block of this source's own. The inner source reads
 * all its columns: its blocks are of its own size, however many rows of the chosen ones would fit. */

#include "data/source.h"

#include "base/memory.h"
#include "data/columns.h"
#include "data/entries.h"

#include <inttypes.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20 };

typedef struct select_source {
    scree_source base;
    scree_source *inner;
    bool borrows;    /* the inner source */
    int64_t *index;  /* base.cols columns of the inner source */
    bool neighbours; /* index[j] = index[0] + j */
    void *buffer;
    int64_t buffer_rows;
    double *origin; /* of the chosen columns, where there are any */
    int32_t *place; /* of sparse rows: where each column of the inner source goes; -1: nowhere. NULL: in no one order */
    scree__buffer starts;
    scree__buffer indices;
    scree__buffer values;
    scree__buffer totals;
} select_source;

static void gather_1(void *to, const void *from, int64_t rows, int64_t stride, const select_source *select)
{
    int64_t cols = select->base.about.cols;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            ((uint8_t *)to)[i * cols + j] = ((const uint8_t *)from)[i * stride + select->index[j]];
}

static void gather_4(void *to, const void *from, int64_t rows, int64_t stride, const select_source *select)
{
    int64_t cols = select->base.about.cols;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            ((float *)to)[i * cols + j] = ((const float *)from)[i * stride + select->index[j]];
}

static void gather_8(void *to, const void *from, int64_t rows, int64_t stride, const select_source *select)
{
    int64_t cols = select->base.about.cols;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            ((double *)to)[i * cols + j] = ((const double *)from)[i * stride + select->index[j]];
}

/* Those of the chosen columns, which stay the same. */
static scree_status choose_origin(select_source *select, const double *origin, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!select->origin)
        SCREE_ALLOC(select->origin, select->base.about.cols, error);
    for (int64_t j = 0; j < select->base.about.cols; j++)
        select->origin[j] = origin[select->index[j]];
done:
    return status;
}

/* The entries of the chosen columns. */
static scree_status select_entries(select_source *select, const scree__block *inner, scree__block *block,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *file = select->base.about.path;
    const int64_t size = scree__type_size(inner->type);
    const int64_t count = inner->starts[inner->rows] - inner->starts[0];
    int64_t kept = 0;
    SCREE_TRY(scree__buffer_reserve(&select->starts, (inner->rows + 1) * 8, file, error));
    SCREE_TRY(scree__buffer_reserve(&select->indices, count * 4, file, error));
    SCREE_TRY(scree__buffer_reserve(&select->values, count * size, file, error));
    int64_t *starts = (int64_t *)(void *)select->starts.data;
    int32_t *indices = (int32_t *)(void *)select->indices.data;
    starts[0] = 0;
    for (int64_t i = 0; i < inner->rows; i++) {
        for (int64_t p = inner->starts[i]; p < inner->starts[i + 1]; p++) {
            const int32_t to = select->place[inner->indices[p]];
            if (to < 0)
                continue;
            indices[kept] = to;
            memcpy(select->values.data + kept * size, (const char *)inner->data + p * size, (size_t)size);
            kept++;
        }
        starts[i + 1] = kept;
    }
    block->starts = starts;
    block->indices = indices;
    block->data = select->values.data;
done:
    return status;
}

/* Sums over all columns of the inner source, which stay known where some are left out. */
static scree_status add_up(select_source *select, const scree__block *inner, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&select->totals, inner->rows * 8, select->base.about.path, error));
    double *totals = (double *)(void *)select->totals.data;
    scree__block_totals(inner, select->inner->about.cols, totals);
    block->totals = totals;
done:
    return status;
}

static scree_status select_next(scree_source *source, scree__block *block, scree_error *error)
{
    select_source *select = (select_source *)source;
    scree_status status = SCREE_OK;
    scree__block inner = {0};
    int64_t size = scree__type_size(source->about.type);
    const int64_t most = scree__source_rows_in(select->inner, BLOCK_BYTES);
    const bool sparse = source->takes_sparse && source->sparse;
    scree__source_pass_on(source, select->inner);
    select->inner->takes_sparse = sparse;
    if (!select->neighbours || sparse)
        select->inner->buffer = NULL;
    if (!sparse && select->inner->block_rows > most)
        select->inner->block_rows = most;
    SCREE_TRY(scree__source_next(select->inner, &inner, error));
    *block = inner;
    if (inner.rows == 0)
        goto done;
    if (source->takes_totals && !inner.totals)
        SCREE_TRY(add_up(select, &inner, block, error));
    if (inner.starts) {
        SCREE_TRY(select_entries(select, &inner, block, error));
        goto done;
    }
    if (inner.origin)
        SCREE_TRY(choose_origin(select, inner.origin, error));
    block->origin = inner.origin ? select->origin : NULL;
    if (select->neighbours) {
        block->data = (const char *)inner.data + select->index[0] * size;
        goto done;
    }
    if (inner.rows > select->buffer_rows) {
        free(select->buffer);
        select->buffer_rows = 0;
        select->buffer = scree__alloc_raw(inner.rows, (size_t)(source->about.cols * size));
        if (!select->buffer)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory for %" PRId64 " rows of the chosen columns",
                       source->about.path, inner.rows);
        select->buffer_rows = inner.rows;
    }
    (size == 1   ? gather_1
     : size == 4 ? gather_4
                 : gather_8)(select->buffer, inner.data, inner.rows, inner.stride, select);
    block->data = select->buffer;
    block->stride = source->about.cols;
done:
    return status;
}

static scree_status select_rewind(scree_source *source, scree_error *error)
{
    return scree__source_rewind(((select_source *)source)->inner, error);
}

static scree_status select_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                 scree_error *error)
{
    select_source *select = (select_source *)source;
    scree_source *part = NULL;
    scree_status status = SCREE_OK;
    SCREE_TRY(select->inner->table->slice(&part, select->inner, first, count, error));
    SCREE_TRY(scree__select_open(out, part, select->index, source->about.cols, error));
    part = NULL;
done:
    scree_source_free(part);
    return status;
}

static scree_status select_seek(scree_source *source, int64_t row, scree_error *error)
{
    return scree__source_seek(((select_source *)source)->inner, row, error);
}

static scree_status select_count(scree_source *source, const scree_communicator *with, int64_t *rows,
                                 scree_error *error)
{
    return scree__source_count(((select_source *)source)->inner, with, rows, error);
}

static scree_status select_tell(scree_source *source, const scree_communicator *with, scree_error *error)
{
    return scree__source_tell(((select_source *)source)->inner, with, error);
}

static void select_close(scree_source *source)
{
    select_source *select = (select_source *)source;
    if (!select->borrows)
        scree_source_free(select->inner);
    free(select->index);
    free(select->buffer);
    free(select->origin);
    free(select->place);
    scree__buffer_free(&select->starts);
    scree__buffer_free(&select->indices);
    scree__buffer_free(&select->values);
    scree__buffer_free(&select->totals);
}

static const char *locate(const scree_source *source, int64_t *row)
{
    return scree__source_locate(((const select_source *)source)->inner, row);
}

static const scree__source_table select_table = {.name = "select",
                                                 .next = select_next,
                                                 .rewind = select_rewind,
                                                 .slice = select_slice,
                                                 .close = select_close,
                                                 .seek = select_seek,
                                                 .count = select_count,
                                                 .tell = select_tell};

/* The description of the inner source, less the columns that are left out. */
static scree_status describe(select_source *select, const scree_source *inner, int64_t count, scree_error *error)
{
    scree_source *base = &select->base;
    scree_status status = SCREE_OK;
    scree__source_inherit(base, inner);
    if (!scree__source_can_seek(inner))
        base->can &= ~(unsigned)SCREE__CAN_SEEK;
    base->summed = inner->summed > 0 ? inner->summed : inner->about.cols;
    SCREE_TRY(scree__about_choose(&base->about, &inner->about, select->index, count, error));
    if (!select->neighbours || count < inner->about.cols)
        base->about.image_rows = base->about.image_cols = 0;
    if (!select->neighbours)
        base->can &= ~(unsigned)SCREE__IN_MEMORY;
done:
    return status;
}

/* Where columns of sparse rows go; rows in another order of columns, or with one twice, are no longer sparse. */
static scree_status place_columns(select_source *select, int64_t cols, int64_t count, scree_error *error)
{
    scree_status status = SCREE_OK;
    bool ascending = true;
    for (int64_t j = 1; j < count; j++)
        ascending = ascending && select->index[j] > select->index[j - 1];
    select->base.sparse = ascending;
    if (!ascending)
        return SCREE_OK;
    SCREE_ALLOC(select->place, cols, error);
    for (int64_t j = 0; j < cols; j++)
        select->place[j] = -1;
    for (int64_t j = 0; j < count; j++)
        select->place[select->index[j]] = (int32_t)j;
    select->base.entries = (int64_t)((double)select->base.entries * (double)count / (double)cols);
done:
    return status;
}

scree_status scree__select_open(scree_source **out, scree_source *inner, const int64_t *index, int64_t count,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    select_source *select = NULL;
    if (count < 1)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: no columns are chosen: choose at least one", inner->about.path);
    for (int64_t j = 0; j < count; j++)
        if (index[j] < 0 || index[j] >= inner->about.cols)
            SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                       "%s: column %" PRId64 " is chosen, but there are %" PRId64 ": choose among these",
                       inner->about.path, index[j] + 1, inner->about.cols);
    SCREE_ALLOC(select, 1, error);
    select->base.table = &select_table;
    SCREE_ALLOC(select->index, count, error);
    select->neighbours = true;
    for (int64_t j = 0; j < count; j++) {
        select->index[j] = index[j];
        select->neighbours = select->neighbours && index[j] == index[0] + j;
    }
    SCREE_TRY(describe(select, inner, count, error));
    if (inner->sparse)
        SCREE_TRY(place_columns(select, inner->about.cols, count, error));
    select->inner = inner;
    select->base.locate = locate;
    select->base.started = inner->started;
    *out = &select->base;
    select = NULL;
done:
    scree_source_free(select ? &select->base : NULL);
    return status;
}

scree_status scree__select_borrow(scree_source **out, scree_source *inner, const int64_t *index, int64_t count,
                                  scree_error *error)
{
    const scree_status status = scree__select_open(out, inner, index, count, error);
    if (status == SCREE_OK) {
        ((select_source *)*out)->borrows = true;
        (*out)->can &= SCREE__CAN_REWIND;
    }
    return status;
}

scree_status scree__select_by_options(scree_source **out, scree_source *inner, const scree_read_options *options,
                                      scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__about *about = &inner->about;
    int64_t *index = NULL;
    int64_t count = 0;
    if (!options->columns && !options->exclude && !options->weights) {
        *out = inner;
        return SCREE_OK;
    }
    SCREE_TRY(scree__columns_choose(&index, &count, options, about->columns, about->cols, about->path, error));
    SCREE_TRY(scree__select_open(out, inner, index, count, error));
done:
    free(index);
    return status;
}
