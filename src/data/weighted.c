/* SPDX-License-Identifier: BSD-3-Clause */
/* A source around a source: its last column is the weight of the rows, and the others are the columns. Readers put that
 * column last, so that rows are lent as they lie, one element shorter than their stride, and nothing is copied but the
 * weights, which become doubles. What they are worth is checked by who counts rows by them (pass.c). */

#include "data/source.h"

#include "base/memory.h"
#include "data/normalised.h"

typedef struct weighted_source {
    scree_source base;
    scree_source *inner;
    scree__buffer weights; /* of the block */
    scree__buffer totals;
} weighted_source;

static void read_weights(double *weights, const scree__block *block, int64_t column)
{
    const double origin = block->origin ? block->origin[column] : 0;
    for (int64_t i = 0; i < block->rows; i++) {
        const int64_t at = i * block->stride + column;
        weights[i] = block->type == SCREE_F64   ? ((const double *)block->data)[at] + origin
                     : block->type == SCREE_F32 ? (double)((const float *)block->data)[at]
                                                : (double)((const uint8_t *)block->data)[at];
    }
}

/* Sums over all columns less the weights, which are none. */
static scree_status take_off(weighted_source *weighted, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(&weighted->totals, block->rows * 8, weighted->base.about.path, error));
    double *totals = (double *)(void *)weighted->totals.data;
    for (int64_t i = 0; i < block->rows; i++)
        totals[i] = block->totals[i] - block->weights[i];
    block->totals = totals;
done:
    return status;
}

static scree_status weighted_next(scree_source *source, scree__block *block, scree_error *error)
{
    weighted_source *weighted = (weighted_source *)source;
    scree_source *inner = weighted->inner;
    scree_status status = SCREE_OK;
    scree__source_pass_on(source, inner);
    inner->takes_sparse = false;
    SCREE_TRY(scree__source_next(inner, block, error));
    if (block->rows == 0)
        goto done;
    SCREE_TRY(scree__buffer_reserve(&weighted->weights, block->rows * 8, source->about.path, error));
    read_weights((double *)(void *)weighted->weights.data, block, source->about.cols);
    block->weights = (const double *)(const void *)weighted->weights.data;
    if (block->totals)
        SCREE_TRY(take_off(weighted, block, error));
done:
    return status;
}

static scree_status weighted_rewind(scree_source *source, scree_error *error)
{
    return scree__source_rewind(((weighted_source *)source)->inner, error);
}

static scree_status weighted_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                   scree_error *error)
{
    scree_source *inner = ((weighted_source *)source)->inner;
    scree_source *part = NULL;
    scree_status status = SCREE_OK;
    SCREE_TRY(inner->table->slice(&part, inner, first, count, error));
    SCREE_TRY(scree__weighted_open(out, part, source->about.weight_name, error));
    part = NULL;
done:
    scree_source_free(part);
    return status;
}

static scree_status weighted_seek(scree_source *source, int64_t row, scree_error *error)
{
    return scree__source_seek(((weighted_source *)source)->inner, row, error);
}

static scree_status weighted_count(scree_source *source, const scree_communicator *with, int64_t *rows,
                                   scree_error *error)
{
    return scree__source_count(((weighted_source *)source)->inner, with, rows, error);
}

static scree_status weighted_tell(scree_source *source, const scree_communicator *with, scree_error *error)
{
    return scree__source_tell(((weighted_source *)source)->inner, with, error);
}

static void weighted_close(scree_source *source)
{
    weighted_source *weighted = (weighted_source *)source;
    scree_source_free(weighted->inner);
    scree__buffer_free(&weighted->weights);
    scree__buffer_free(&weighted->totals);
}

static const scree__source_table weighted_table = {.name = "weighted",
                                                   .next = weighted_next,
                                                   .rewind = weighted_rewind,
                                                   .slice = weighted_slice,
                                                   .close = weighted_close,
                                                   .seek = weighted_seek,
                                                   .count = weighted_count,
                                                   .tell = weighted_tell};

/* The last column is none any more: its name, or what the user called it, is that of the weights. */
static scree_status take_off_weights(scree__about *about, const char *name, scree_error *error)
{
    about->cols--;
    about->weighted = true;
    about->image_rows = 0; /* a pixel of it is the weight */
    about->image_cols = 0;
    free(about->weight_name);
    about->weight_name = about->columns ? about->columns[about->cols] : scree__strdup(name);
    return about->weight_name ? SCREE_OK : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory", about->path);
}

scree_status scree__weighted_open(scree_source **out, scree_source *inner, const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    weighted_source *weighted = NULL;
    SCREE_ALLOC(weighted, 1, error);
    weighted->base.table = &weighted_table;
    SCREE_TRY(scree__source_around(&weighted->base, inner, error));
    weighted->base.sparse = false;
    if (!scree__source_can_seek(inner))
        weighted->base.can &= ~(unsigned)SCREE__CAN_SEEK;
    weighted->base.summed = scree__source_summed(inner) - 1;
    SCREE_TRY(take_off_weights(&weighted->base.about, name, error));
    weighted->base.started = inner->started;
    weighted->inner = inner;
    weighted->base.noted = inner;
    *out = &weighted->base;
    weighted = NULL;
done:
    scree_source_free(weighted ? &weighted->base : NULL);
    return status;
}
