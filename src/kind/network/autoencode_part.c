/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows for training and rows for validation: two sources that look at one, each leaving out what is the other's. A
 * row's part is a function of the seed and the row's number alone, so that the parts are the same in every pass, and
 * for rows that come by a pipe. What is kept of a block is copied, row by row. */

#include "kind/network/autoencode.h"

#include "base/memory.h"
#include "base/random.h"

#include <string.h>

typedef struct part_source {
    scree_source base;
    scree_source *inner;
    scree__part part;
    uint64_t seed;
    double validation;
    char *buffer;
    int64_t buffer_rows;
    int64_t given;
} part_source;

scree__part scree__part_of(uint64_t seed, double validation, int64_t row)
{
    uint32_t words[4];
    if (!(validation > 0))
        return SCREE__TRAINING;
    scree__philox(seed, SCREE__STREAM_PARTS, (uint64_t)row, words);
    return (double)words[0] * 0x1p-32 < validation ? SCREE__VALIDATION : SCREE__TRAINING;
}

static scree_status make_room(part_source *source, int64_t rows, scree_error *error)
{
    if (rows <= source->buffer_rows)
        return SCREE_OK;
    free(source->buffer);
    source->buffer_rows = 0;
    source->buffer =
        scree__alloc_raw(rows, (size_t)(source->base.about.cols * scree__type_size(source->base.about.type)));
    if (!source->buffer)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a block of %lld rows; give fewer block rows",
                           source->base.about.path, (long long)rows);
    source->buffer_rows = rows;
    return SCREE_OK;
}

/* A block of which nothing is ours is no end: the next one may have some. */
static scree_status part_next(scree_source *base, scree__block *block, scree_error *error)
{
    scree_status status = SCREE_OK;
    part_source *source = (part_source *)base;
    const int64_t size = scree__type_size(base->about.type);
    scree__block inner = {0};
    *block = (scree__block){.type = base->about.type, .stride = base->about.cols, .first = source->given};
    source->inner->block_rows = base->block_rows;
    source->inner->takes_origin = base->takes_origin;
    do {
        SCREE_TRY(scree__source_next(source->inner, &inner, error));
        SCREE_TRY(make_room(source, inner.rows, error));
        block->origin = inner.rows > 0 ? inner.origin : block->origin;
        block->marked = block->marked || inner.marked;
        for (int64_t i = 0; i < inner.rows; i++) {
            if (scree__part_of(source->seed, source->validation, inner.first + i) != source->part)
                continue;
            memcpy(source->buffer + block->rows * base->about.cols * size,
                   (const char *)inner.data + i * inner.stride * size, (size_t)(base->about.cols * size));
            block->rows++;
        }
    } while (inner.rows > 0 && block->rows == 0);
    block->data = source->buffer;
    source->given += block->rows;
done:
    return status;
}

static scree_status part_rewind(scree_source *base, scree_error *error)
{
    part_source *source = (part_source *)base;
    source->given = 0;
    return scree__source_restart(source->inner, error);
}

static void part_close(scree_source *base)
{
    free(((part_source *)base)->buffer);
}

static const scree__source_table part_table = {
    .name = "part", .next = part_next, .rewind = part_rewind, .close = part_close};

scree_status scree__part_open(scree_source **out, scree_source *inner, scree__part part, uint64_t seed,
                              double validation, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    part_source *source = NULL;
    SCREE_ALLOC(source, 1, error);
    source->base.table = &part_table;
    SCREE_TRY(scree__source_around(&source->base, inner, error));
    source->base.sparse = false;
    scree__strings_free(source->base.about.text_names,
                        source->base.about.text_count); /* labels are not carried along */
    source->base.about.text_names = NULL;
    source->base.about.text_count = 0;
    source->base.about.rows = rows;
    source->base.can = inner->can & SCREE__CAN_REWIND;
    source->base.started = true; /* whatever was read before is not ours: the first pass begins at the first row */
    source->inner = inner;
    source->part = part;
    source->seed = seed;
    source->validation = validation;
    *out = &source->base;
    source = NULL;
done:
    if (source)
        scree__about_clear(&source->base.about);
    free(source);
    return status;
}
