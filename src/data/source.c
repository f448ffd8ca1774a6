/* SPDX-License-Identifier: BSD-3-Clause */
/* What all sources share: opening by format, the base struct, and calls through the table of functions that keep track
 * of whether anything was read. */

#include "data/source.h"

#include "base/memory.h"
#include "base/sized.h"
#include "data/bytes.h"
#include "data/formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

scree_status scree__source_open_part(scree_source **out, const char *path, const scree_read_options *options,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    scree_source *source = NULL;
    const scree__reader *reader = NULL;
    const unsigned char *head = NULL;
    int64_t size = 0;
    SCREE_TRY(scree__bytes_open(&bytes, path, error));
    SCREE_TRY(scree__bytes_peek(bytes, &head, &size, error));
    SCREE_TRY(scree__reader_find(&reader, options->format, path, head, size, error));
    SCREE_TRY(reader->open(&source, bytes, options, error));
    bytes = NULL;
    if (options->weights)
        SCREE_TRY(scree__weighted_open(out, source, options->weights, error));
    else
        *out = source;
    source = NULL;
done:
    scree_source_free(source);
    scree__bytes_close(bytes);
    return status;
}

scree_status scree__only_header_fail(const char *file, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: there is a header and no row below it; give a file with rows of numbers", file);
}

scree_status scree_source_open(scree_source **out, const char *path, const scree_read_options *options,
                               scree_error *error)
{
    scree_source *source = NULL;
    scree_read_options mine = SCREE_READ_OPTIONS_INIT;
    scree_status status = SCREE_ADOPT(&mine, options, error);
    if (status == SCREE_OK)
        status = scree__source_open_part(&source, path, &mine, error);
    if (status == SCREE_OK && source->only_header) {
        status = scree__only_header_fail(source->path, error);
        scree_source_free(source);
    } else if (status == SCREE_OK) {
        *out = source;
    }
    return status;
}

void scree_source_free(scree_source *source)
{
    if (!source)
        return;
    source->table->close(source);
    scree__source_clear(source);
    free(source);
}

const char *scree_source_name(const scree_source *source)
{
    return source->path;
}

int64_t scree_source_rows(const scree_source *source)
{
    return source->rows;
}

int64_t scree_source_cols(const scree_source *source)
{
    return source->cols;
}

scree_type scree_source_type(const scree_source *source)
{
    return source->type;
}

const char *scree_source_column(const scree_source *source, int64_t column)
{
    return source->columns && column >= 0 && column < source->cols ? source->columns[column] : NULL;
}

const char *scree_source_note(const scree_source *source)
{
    return source->note;
}

bool scree__text_columns_copy(scree__text_columns *to, const scree__text_columns *from)
{
    if (from->count == 0)
        return true;
    to->names = scree__strings_copy((const char *const *)from->names, from->count);
    to->lines = scree__alloc_raw(from->count, sizeof *to->lines);
    to->count = to->names ? from->count : 0;
    for (int64_t i = 0; to->lines && i < from->count; i++)
        to->lines[i] = from->lines[i];
    return to->names && to->lines;
}

void scree__source_clear(scree_source *source)
{
    scree__strings_free(source->texts.names, source->texts.count);
    free(source->texts.lines);
    source->texts = (scree__text_columns){0};
    scree__strings_free(source->columns, source->cols);
    scree__strings_free(source->text_names, source->text_count);
    free(source->file_column);
    free(source->path);
    free(source->note);
    free(source->weight_name);
    source->columns = NULL;
    source->file_column = NULL;
    source->text_names = NULL;
    source->path = NULL;
    source->note = NULL;
    source->weight_name = NULL;
}

scree_status scree__source_describe(scree_source *source, const scree_source *other, scree_error *error)
{
    const scree__source_table *table = source->table;
    *source = *other;
    source->table = table;
    source->started = false;
    source->room = NULL;
    source->locate = NULL;
    source->cells = NULL;
    source->weights = NULL;
    source->texts = (scree__text_columns){0};
    source->path = scree__strdup(other->path);
    source->note = scree__strdup(other->note);
    source->weight_name = scree__strdup(other->weight_name);
    source->columns = scree__strings_copy((const char *const *)other->columns, other->cols);
    source->file_column = other->file_column ? scree__alloc(other->cols, sizeof *source->file_column) : NULL;
    if (source->file_column)
        memcpy(source->file_column, other->file_column, (size_t)other->cols * sizeof *source->file_column);
    source->text_names = scree__strings_copy((const char *const *)other->text_names, other->text_count);
    if ((other->path && !source->path) || (other->note && !source->note) || (other->columns && !source->columns) ||
        (other->file_column && !source->file_column) || (other->text_names && !source->text_names) ||
        (other->weight_name && !source->weight_name))
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the names of columns", other->path);
    return SCREE_OK;
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
                 (source->file_column ? source->file_column[column] : column) + 1);
    return buffer;
}

const char *scree__source_locate(const scree_source *source, int64_t *row)
{
    return source->locate ? source->locate(source, row) : source->path;
}

scree_status scree_source_weigh(scree_source *source, const double *weights, int64_t count, scree_error *error)
{
    if (!weights || count < 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: there are no weights; give one for each row", source->path);
    if (source->rows >= 0 && source->rows != count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are %" PRId64 " rows, and %" PRId64
                           " weights were given; give a weight for each row",
                           source->path, source->rows, count);
    source->weights = weights;
    source->weight_count = count;
    source->weighted = true;
    source->cells = NULL; /* rows are weighted whole */
    return SCREE_OK;
}

scree_status scree__source_next(scree_source *source, scree__block *block, scree_error *error)
{
    *block = (scree__block){.type = source->type, .stride = source->cols};
    source->started = true;
    const scree_status status = source->table->next(source, block, error);
    if (status != SCREE_OK || !source->weights || block->rows == 0)
        return status;
    if (block->first + block->rows > source->weight_count)
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: there are more rows than the %" PRId64
                           " weights that were given; give a weight for each row",
                           source->path, source->weight_count);
    block->weights = source->weights + block->first;
    return SCREE_OK;
}

scree_status scree__source_rewind(scree_source *source, scree_error *error)
{
    if (!source->table->rewind || !(source->can & SCREE__CAN_REWIND))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: can be read only once, and this needs two passes over the rows: save them to a file",
                           source->path);
    scree_status status = source->table->rewind(source, error);
    if (status == SCREE_OK)
        source->started = false;
    return status;
}

scree_status scree__source_restart(scree_source *source, scree_error *error)
{
    return source->started ? scree__source_rewind(source, error) : SCREE_OK;
}

int64_t scree__source_rows_in(const scree_source *source, int64_t bytes)
{
    int64_t rows = bytes / scree__type_size(source->type) / (source->cols > 0 ? source->cols : 1);
    return rows > 0 ? rows : 1;
}
