/* SPDX-License-Identifier: BSD-3-Clause */
/* What all sources share: the base struct, and calls through the table of functions that keep track
 * of whether anything was read. */

#include "data/source.h"

#include "base/memory.h"
#include "data/entries.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void scree_source_free(scree_source *source)
{
    if (!source)
        return;
    source->table->close(source);
    scree__buffer_free(&source->spread);
    if (source->owns_faults)
        scree__faults_free(source->faults);
    scree__about_clear(&source->about);
    free(source);
}

const char *scree_source_name(const scree_source *source)
{
    return source->about.path;
}

int64_t scree_source_rows(const scree_source *source)
{
    return source->about.rows;
}

int64_t scree_source_cols(const scree_source *source)
{
    return source->about.cols;
}

scree_type scree_source_type(const scree_source *source)
{
    return source->about.type;
}

scree_type scree_source_element_type(const scree_source *source)
{
    return scree__about_element(&source->about);
}

const char *scree_source_column(const scree_source *source, int64_t column)
{
    return source->about.columns && column >= 0 && column < source->about.cols ? source->about.columns[column] : NULL;
}

int64_t scree_source_fact_count(const scree_source *source)
{
    return source->about.facts ? source->about.fact_count : 0;
}

const char *scree_source_fact_name(const scree_source *source, int64_t index)
{
    return index >= 0 && index < scree_source_fact_count(source) ? source->about.fact_names[index] : NULL;
}

const char *scree_source_fact(const scree_source *source, int64_t column, int64_t index)
{
    const bool there =
        column >= 0 && column < source->about.cols && index >= 0 && index < scree_source_fact_count(source);
    return there ? source->about.facts[column * source->about.fact_count + index] : NULL;
}

int64_t scree_source_faults(const scree_source *source)
{
    return source->faults ? scree__faults_count(source->faults) : 0;
}

const char *scree_source_note(const scree_source *source)
{
    return source->noted ? scree_source_note(source->noted) : source->about.note;
}

scree_scale scree_source_scale(const scree_source *source)
{
    return source->about.scale;
}

void scree__source_inherit(scree_source *source, const scree_source *inner)
{
    source->can = inner->can;
    source->memory = inner->memory;
    source->block_rows = inner->block_rows;
    source->threads = inner->threads;
    source->group_bytes = inner->group_bytes;
    source->single_pass = inner->single_pass;
    source->live = inner->live;
    source->faults = inner->faults;
    source->stamp = inner->stamp;
    source->sparse = inner->sparse;
    source->entries = inner->entries;
    source->summed = inner->summed;
    source->team = inner->team;
}

scree__block scree__block_part(const scree_source *source, const scree__block *block, int64_t from, int64_t count)
{
    scree__block part = *block;
    if (block->starts)
        part.starts = block->starts + from;
    else
        part.data = (const char *)block->data + from * block->stride * scree__type_size(block->type);
    part.totals = block->totals ? block->totals + from : NULL;
    part.text = block->text ? block->text + from * source->about.text_count : NULL;
    part.weights = block->weights ? block->weights + from : NULL;
    part.bad = NULL;
    part.first = block->first + from;
    part.rows = count;
    return part;
}

scree_status scree__source_around(scree_source *source, const scree_source *inner, scree_error *error)
{
    scree__source_inherit(source, inner);
    return scree__about_copy(&source->about, &inner->about, error);
}

void scree__source_pass_on(const scree_source *source, scree_source *inner)
{
    inner->buffer = source->buffer;
    inner->block_rows = source->block_rows;
    inner->threads = source->threads;
    inner->group_bytes = source->group_bytes;
    inner->single_pass = source->single_pass;
    inner->takes_origin = source->takes_origin;
    inner->takes_sparse = source->takes_sparse;
    inner->takes_totals = source->takes_totals;
}

int64_t scree__type_size(scree_type type)
{
    return type == SCREE_F64 ? 8 : type == SCREE_F32 ? 4 : 1;
}

const char *scree__column_label(const scree_source *source, int64_t column, char *buffer, int64_t size)
{
    const char *name = scree_source_column(source, column);
    if (name)
        snprintf(buffer, (size_t)size, "column '%s'", name);
    else
        snprintf(buffer, (size_t)size, "column %" PRId64,
                 (source->about.file_column ? source->about.file_column[column] : column) + 1);
    return buffer;
}

const char *scree__source_locate(const scree_source *source, int64_t *row)
{
    return source->locate ? source->locate(source, row) : source->about.path;
}

scree_status scree_source_weigh(scree_source *source, const double *weights, int64_t count, scree_error *error)
{
    if (!weights || count < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: there are no weights; give one for each row",
                           source->about.path);
    if (source->about.rows >= 0 && source->about.rows != count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are %" PRId64 " rows, and %" PRId64
                           " weights were given; give a weight for each row",
                           source->about.path, source->about.rows, count);
    source->weights = weights;
    source->weight_count = count;
    source->about.weighted = true;
    source->cells = NULL; /* rows are weighted whole */
    return SCREE_OK;
}

scree_status scree__source_next(scree_source *source, scree__block *block, scree_error *error)
{
    *block = (scree__block){.type = source->about.type, .stride = source->about.cols};
    source->started = true;
    scree_status status = source->table->next(source, block, error);
    if (status == SCREE_OK && block->starts && block->rows > 0 && !source->takes_sparse)
        status = scree__entries_spread(block, source->about.cols, source->buffer ? source->buffer : &source->spread,
                                       source->about.path, error);
    if (status != SCREE_OK || !source->weights || block->rows == 0)
        return status;
    if (block->first + block->rows > source->weight_count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are more rows than the %" PRId64
                           " weights that were given; give a weight for each row",
                           source->about.path, source->weight_count);
    block->weights = source->weights + block->first;
    return SCREE_OK;
}

scree_status scree__source_rewind(scree_source *source, scree_error *error)
{
    if (!source->table->rewind || !(source->can & SCREE__CAN_REWIND))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: can be read only once, and this needs two passes over the rows: save them to a file",
                           source->about.path);
    scree_status status = source->table->rewind(source, error);
    if (status == SCREE_OK)
        source->started = false;
    return status;
}

scree_status scree__source_restart(scree_source *source, scree_error *error)
{
    return source->started ? scree__source_rewind(source, error) : SCREE_OK;
}

bool scree__source_can_seek(const scree_source *source)
{
    return (source->can & SCREE__CAN_SEEK) && source->table->seek && (source->table->count || source->about.rows >= 0);
}

scree_status scree__source_seek(scree_source *source, int64_t row, scree_error *error)
{
    source->started = true;
    return source->table->seek(source, row, error);
}

scree_status scree__source_count(scree_source *source, const scree_communicator *with, int64_t *rows,
                                 scree_error *error)
{
    return source->table->count(source, with, rows, error);
}

scree_status scree__source_tell(scree_source *source, const scree_communicator *with, scree_error *error)
{
    return source->table->tell ? source->table->tell(source, with, error) : SCREE_OK;
}

int64_t scree__source_rows_in(const scree_source *source, int64_t bytes)
{
    int64_t rows = bytes / scree__type_size(source->about.type) / (source->about.cols > 0 ? source->about.cols : 1);
    return rows > 0 ? rows : 1;
}

bool scree__source_is_small(const scree_source *source)
{
    const int64_t most = INT64_C(1) << 14;
    const int64_t rows = source->about.rows >= 0 ? source->about.rows : source->about.rows_estimate;
    return rows >= 0 && rows <= most / (source->about.cols > 0 ? source->about.cols : 1);
}
