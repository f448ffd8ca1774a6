/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of an array in a file: row after row (C order), or column after column (Fortran order).
 *
 * C order: a block is one read, straight into the block when the file stores what a block holds, and into the driver's
 * own memory where it offers some; nothing is copied or touched element by element then. A file that lies in the page
 * cache is read by all threads in step with what is computed (pieces.c). Fortran order, plain files
 * only: a block of n rows is D reads of n elements, in groups of columns that are transposed together. Either way
 * memory is one block, and as much again when types are converted. With more than two dimensions in Fortran order the
 * columns are not stored in their own order: array_columns.c says where.
 */

#include "data/array.h"

#include "base/memory.h"
#include "data/pieces.h"
#include "data/wide.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK_BYTES = 4 << 20, GROUP = 16 };

typedef struct array_source {
    scree_source base;
    scree__bytes *bytes;
    scree__layout layout;
    int64_t all_rows;     /* of the file; base.rows is less in a slice */
    int64_t first;        /* of the slice */
    int64_t at;           /* next row, from first */
    int64_t available;    /* memory that was free when the file was opened */
    scree__buffer own;    /* for blocks, where the driver offers none */
    scree__wide wide;     /* integers of 64 bits */
    scree__buffer stored; /* as in the file: a block in C order, a group of columns in Fortran order */
    scree__buffer begun;  /* of a live pipe: the bytes of a row that has not come whole */
    int64_t begun_bytes;
    bool ended; /* the live pipe has */
} array_source;

static scree__buffer *block_buffer(array_source *array)
{
    return array->base.buffer ? array->base.buffer : &array->own;
}

/* Bytes that the file should have. */
static int64_t expected_size(const array_source *array)
{
    return array->layout.offset + array->all_rows * array->base.about.cols * array->layout.element.size;
}

static scree_status fail_truncated(const array_source *array, int64_t found, scree_error *error)
{
    const scree__layout *layout = &array->layout;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is truncated: the %s header announces %" PRId64 " rows of %" PRId64 " columns, %" PRId64
                       " bytes in all, and there are %" PRId64 ": copy the file again",
                       array->base.about.path, layout->format, array->all_rows, array->base.about.cols,
                       expected_size(array), found);
}

/* Of a format without a header. */
static scree_status fail_partial(const array_source *array, int64_t held, scree_error *error)
{
    const int64_t row = array->base.about.cols * array->layout.element.size;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: ends inside of row %" PRId64 ", after %" PRId64 " of its %" PRId64
                       " bytes: check the number of columns",
                       array->base.about.path, array->at + 1, held, row);
}

static scree_status fail_overlong(const array_source *array, int64_t found, bool more, scree_error *error)
{
    const scree__layout *layout = &array->layout;
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is too long: the %s header announces %" PRId64 " rows of %" PRId64 " columns, %" PRId64
                       " bytes in all, and there are %s%" PRId64 ": write the file again",
                       array->base.about.path, layout->format, array->all_rows, array->base.about.cols,
                       expected_size(array), more ? "at least " : "", found);
}

/* Bytes at a place in the file that must be there. */
static scree_status read_at(array_source *array, void *to, int64_t offset, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    if (scree__bytes_can_seek(array->bytes))
        SCREE_TRY(scree__bytes_seek(array->bytes, offset, error));
    SCREE_TRY(scree__bytes_read(array->bytes, to, size, &got, error));
    if (got < size)
        SCREE_TRY(fail_truncated(array, offset + got, error));
done:
    return status;
}

/* A file that is large beside the memory that is free is read past the page cache, where it would push out everything
 * else and be gone itself before it is read again. What is read only once earns its place there less. Elements that do
 * not stand at multiples of their size have to be moved: they go through the cache. */
static bool is_past_cache(const array_source *array)
{
    const int64_t share = array->base.single_pass ? 8 : 2;
    const int64_t own = expected_size(array);
    const int64_t size = own > array->base.group_bytes ? own : array->base.group_bytes;
    return array->layout.offset % array->layout.element.size == 0 && size > array->available / share;
}

/* Bytes of the file into a buffer, where they begin at *at. */
static scree_status read_into(array_source *array, scree__buffer *buffer, int64_t offset, int64_t size, char **at,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    if (!scree__bytes_can_seek(array->bytes)) {
        SCREE_TRY(scree__buffer_reserve(buffer, size, array->base.about.path, error));
        *at = buffer->data;
        return read_at(array, buffer->data, offset, size, error);
    }
    const scree__span span = {offset, size, is_past_cache(array)};
    SCREE_TRY(scree__bytes_read_into(array->bytes, &span, buffer, at, &got, error));
    if (got < size)
        SCREE_TRY(fail_truncated(array, offset + got, error));
done:
    return status;
}

/* The same elements as next_row_major reads, by all threads of the caller. */
static scree_status next_in_step(array_source *array, int64_t rows, char **block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__element element = array->layout.element;
    const int64_t size = scree__type_size(array->base.about.type);
    const int64_t count = rows * array->base.about.cols;
    int64_t got = 0;
    SCREE_TRY(scree__buffer_reserve(block_buffer(array), count * size, array->base.about.path, error));
    *block = block_buffer(array)->data;
    const scree__pieces pieces = {.bytes = array->bytes,
                                  .offset = array->layout.offset +
                                            (array->first + array->at) * array->base.about.cols * element.size,
                                  .count = count,
                                  .element = element,
                                  .size = size,
                                  .to = *block,
                                  .threads = array->base.threads};
    SCREE_TRY(scree__pieces_read(&pieces, &got, error));
    if (got < count * element.size)
        SCREE_TRY(fail_truncated(array, pieces.offset + got, error));
done:
    return status;
}

/* The rows that have come of a live pipe, *rows at most: waits for one. None is the end, by scree_input_stop or where a
 * format does not say how many there are. */
static scree_status read_live(array_source *array, scree__buffer *buffer, int64_t *rows, char **at, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *path = array->base.about.path;
    const int64_t row = array->base.about.cols * array->layout.element.size;
    int64_t held = array->begun_bytes;
    SCREE_TRY(scree__buffer_reserve(buffer, *rows * row, path, error));
    SCREE_TRY(scree__buffer_reserve(&array->begun, row, path, error));
    memcpy(buffer->data, array->begun.data, (size_t)held);
    while (held < row && !array->ended) {
        int64_t got = 0;
        SCREE_TRY(scree__bytes_read(array->bytes, buffer->data + held, *rows * row - held, &got, error));
        held += got;
        array->ended = held < *rows * row && !scree__bytes_paused(array->bytes);
    }
    if (held < row && !scree__bytes_cut(array->bytes) && array->layout.open && held > 0)
        SCREE_TRY(fail_partial(array, held, error));
    if (held < row && !scree__bytes_cut(array->bytes) && !array->layout.open)
        SCREE_TRY(fail_truncated(array, array->layout.offset + array->at * row + held, error));
    array->begun_bytes = held % row;
    memcpy(array->begun.data, buffer->data + held / row * row, (size_t)array->begun_bytes);
    *rows = held / row;
    *at = buffer->data;
done:
    return status;
}

static scree_status next_row_major(array_source *array, int64_t *lent, char **block, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__element element = array->layout.element;
    int64_t size = scree__type_size(array->base.about.type);
    int64_t stored_row = array->base.about.cols * element.size;
    int64_t offset = array->layout.offset + (array->first + array->at) * stored_row;
    bool in_place = element.size == size;
    scree__buffer *buffer = in_place ? block_buffer(array) : &array->stored;
    char *stored = NULL;
    SCREE_TRY(array->base.live || array->layout.open
                  ? read_live(array, buffer, lent, &stored, error)
                  : read_into(array, buffer, offset, *lent * stored_row, &stored, error));
    const int64_t count = *lent * array->base.about.cols;
    *block = stored;
    if (!in_place) {
        SCREE_TRY(scree__buffer_reserve(block_buffer(array), count * size, array->base.about.path, error));
        *block = block_buffer(array)->data;
    }
    if (!scree__element_is_plain(element))
        scree__elements_convert(element, stored, *block, count);
done:
    return status;
}

static scree_status next_column_major(array_source *array, int64_t rows, char **block, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__layout *layout = &array->layout;
    int64_t cols = array->base.about.cols;
    int64_t size = scree__type_size(array->base.about.type);
    int64_t group_bytes = GROUP * rows * size;
    int64_t raw_bytes = rows * layout->element.size;
    SCREE_TRY(scree__buffer_reserve(block_buffer(array), rows * cols * size, array->base.about.path, error));
    SCREE_TRY(scree__buffer_reserve(&array->stored, group_bytes + raw_bytes, array->base.about.path, error));
    char *raw = array->stored.data + group_bytes;
    *block = block_buffer(array)->data;
    for (int64_t j = 0; j < cols; j += GROUP) {
        int64_t count = cols - j < GROUP ? cols - j : GROUP;
        for (int64_t k = 0; k < count; k++) {
            int64_t element = scree__array_column(layout, j + k) * array->all_rows + array->first + array->at;
            SCREE_TRY(read_at(array, raw, layout->offset + element * layout->element.size, raw_bytes, error));
            scree__elements_convert(layout->element, raw, array->stored.data + k * rows * size, rows);
        }
        scree__array_transpose(*block + j * size, array->stored.data, array->base.about.type, count, rows, cols);
    }
done:
    return status;
}

/* Pipes and gzip files show only at their end whether something follows. */
static scree_status check_end(array_source *array, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char extra = 0;
    int64_t got = 0;
    if (scree__bytes_size(array->bytes) >= 0)
        return SCREE_OK;
    SCREE_TRY(scree__bytes_read(array->bytes, &extra, 1, &got, error));
    if (got > 0)
        SCREE_TRY(fail_overlong(array, expected_size(array) + 1, true, error));
done:
    return status;
}

static scree_status array_next(scree_source *source, scree__block *block, scree_error *error)
{
    array_source *array = (array_source *)source;
    scree_status status = SCREE_OK;
    int64_t left = (array->layout.open ? array->all_rows : source->about.rows) - array->at;
    int64_t rows = left < source->block_rows ? left : source->block_rows;
    char *data = NULL;
    if (rows > 0)
        SCREE_TRY(array->layout.column_major     ? next_column_major(array, rows, &data, error)
                  : source->can & SCREE__IN_STEP ? next_in_step(array, rows, &data, error)
                                                 : next_row_major(array, &rows, &data, error));
    if (array->base.live ? left == 0 : rows == left) /* the last row of a live pipe is lent before its end is known */
        SCREE_TRY(check_end(array, error));
    block->data = data;
    block->rows = rows;
    SCREE_TRY(scree__wide_convert(&array->wide, source, block, data, error));
    block->stride = source->about.cols;
    block->first = array->at;
    array->at += rows;
done:
    return status;
}

/* Bytes that can seek do so at every read; the others start again and pass over the header. */
static scree_status array_rewind(scree_source *source, scree_error *error)
{
    array_source *array = (array_source *)source;
    scree_status status = SCREE_OK;
    unsigned char header[4096];
    array->at = 0;
    array->begun_bytes = 0;
    array->ended = false;
    if (scree__bytes_can_seek(array->bytes))
        goto done;
    SCREE_TRY(scree__bytes_rewind(array->bytes, error));
    for (int64_t left = array->layout.offset, got = 0; left > 0; left -= got) {
        int64_t piece = left < (int64_t)sizeof header ? left : (int64_t)sizeof header;
        SCREE_TRY(scree__bytes_read(array->bytes, header, piece, &got, error));
        if (got < piece)
            SCREE_TRY(fail_truncated(array, array->layout.offset - left + got, error));
    }
done:
    return status;
}

static scree_status array_slice(scree_source **out, scree_source *source, int64_t first, int64_t count,
                                scree_error *error)
{
    const array_source *array = (const array_source *)source;
    scree_status status = SCREE_OK;
    array_source *part = NULL;
    if (first < 0 || count < 0 || first > source->about.rows - count)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%s: a slice of %" PRId64 " rows after the first %" PRId64 " reaches past the last of %" PRId64
                   " rows",
                   source->about.path, count, first, source->about.rows);
    SCREE_ALLOC(part, 1, error);
    part->base.table = source->table;
    SCREE_TRY(scree__source_around(&part->base, source, error));
    SCREE_TRY(scree__bytes_share(&part->bytes, array->bytes, error));
    part->base.about.rows = count;
    part->base.about.rows_estimate = count;
    part->layout = array->layout;
    part->wide.type = array->wide.type;
    part->all_rows = array->all_rows;
    part->available = array->available;
    part->first = array->first + first;
    *out = &part->base;
    part = NULL;
done:
    scree_source_free(part ? &part->base : NULL);
    return status;
}

static void array_close(scree_source *source)
{
    array_source *array = (array_source *)source;
    scree__bytes_close(array->bytes);
    scree__buffer_free(&array->own);
    scree__buffer_free(&array->stored);
    scree__buffer_free(&array->begun);
    scree__wide_clear(&array->wide);
}

static const scree__source_table array_table = {
    .name = "array", .next = array_next, .rewind = array_rewind, .slice = array_slice, .close = array_close};

/* Rows, columns and image shape. With at most 2^53 elements no size that is computed later overflows. */
static scree_status describe(array_source *array, const scree__layout *layout, scree_error *error)
{
    scree_source *base = &array->base;
    const int64_t most = INT64_C(1) << 53;
    int64_t cols = 1;
    bool over = layout->shape[0] > most;
    for (int i = 1; i < layout->dimensions; i++)
        over = __builtin_mul_overflow(cols, layout->shape[i], &cols) || over;
    over = over || cols > most || (cols > 0 && layout->shape[0] > most / cols);
    if (over)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: the %s header announces %" PRId64
                           " rows of a size that no file has: the file is damaged, write it again",
                           base->about.path, layout->format, layout->shape[0]);
    if (cols == 0)
        return scree__fail(error, SCREE_ERR_FORMAT, "%s: the rows of this %s file have no columns: write it again",
                           base->about.path, layout->format);
    base->about.rows = layout->open ? -1 : layout->shape[0];
    base->about.rows_estimate = base->about.rows;
    base->about.cols = cols;
    base->about.is_vector = layout->dimensions == 1;
    if (layout->dimensions == 3) {
        base->about.image_rows = layout->shape[1];
        base->about.image_cols = layout->shape[2];
    }
    return SCREE_OK;
}

static scree_status check_size(const array_source *array, scree_error *error)
{
    const scree__layout *layout = &array->layout;
    int64_t expected = expected_size(array);
    int64_t found = scree__bytes_size(array->bytes);
    if (layout->column_major && !scree__bytes_can_seek(array->bytes))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: holds its columns one after the other (Fortran order), which can be read from a plain "
                           "file only: decompress it or save it to a file, or write it in C order",
                           array->base.about.path);
    if (found >= 0 && found < expected)
        return fail_truncated(array, found, error);
    if (found > expected)
        return fail_overlong(array, found, false, error);
    return SCREE_OK;
}

/* Whoever reads rows needs a number for each column at least, which a file without rows does not show, nor a pipe as
 * yet. */
static scree_status check_columns(const array_source *array, scree_error *error)
{
    char what[48];
    snprintf(what, sizeof what, "rows of %" PRId64 " columns", array->base.about.cols);
    return scree__budget_check(scree__bytes_budget(array->bytes), 8 * array->base.about.cols, array->base.about.path,
                               what, error);
}

static scree_status check_options(const array_source *array, const scree_read_options *options, scree_error *error)
{
    if (options->label || options->id)
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "%s: %s files carry no text, so that there is no %s column '%s': leave the %s out",
                           array->base.about.path, array->layout.format, options->label ? "label" : "id",
                           options->label ? options->label : options->id, options->label ? "label" : "id");
    return SCREE_OK;
}

scree_status scree__array_head(scree__bytes *bytes, void *to, int64_t size, int64_t offset, const char *format,
                               scree_error *error)
{
    int64_t got = 0;
    scree_status status = scree__bytes_read(bytes, to, size, &got, error);
    if (status == SCREE_OK && got < size)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: is truncated: its %s header needs %" PRId64 " bytes at least, and there are %" PRId64
                           ": copy the file again",
                           scree__bytes_name(bytes), format, offset + size, offset + got);
    return status;
}

scree_status scree__array_open(scree_source **out, scree__bytes *bytes, const scree__layout *layout,
                               const scree_read_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    array_source *array = NULL;
    SCREE_ALLOC(array, 1, error);
    array->base.table = &array_table;
    array->base.about.path = scree__strdup(scree__bytes_name(bytes));
    if (!array->base.about.path)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", scree__bytes_name(bytes));
    array->layout = *layout;
    if (layout->dimensions == 2 && layout->column_major && options->transpose && !options->columns &&
        !options->exclude) {
        array->layout.shape[0] = layout->shape[1]; /* stored column after column: the transpose, row after row */
        array->layout.shape[1] = layout->shape[0];
        array->layout.column_major = false;
        array->base.about.transposed = true;
    }
    if (layout->dimensions == 1 && !options->transpose && options->row_width > 1 &&
        layout->shape[0] == options->row_width) {
        array->layout.dimensions = 2;
        array->layout.shape[0] = 1;
        array->layout.shape[1] = options->row_width;
    }
    layout = &array->layout;
    SCREE_TRY(describe(array, layout, error));
    array->bytes = bytes;
    array->all_rows = layout->open ? layout->shape[0] : array->base.about.rows;
    array->available = scree__memory_available();
    /* Two dimensions of which one is 1 are stored alike in both orders. */
    array->layout.column_major = layout->column_major && layout->dimensions > 1 &&
                                 (layout->dimensions > 2 || (array->base.about.rows > 1 && array->base.about.cols > 1));
    array->base.about.type = scree__element_type(layout->element);
    array->base.about.element = 1 + (int)scree__element_stored(layout->element);
    array->wide.type = scree__element_stored(layout->element);
    array->base.about.wide_integers = scree__is_wide(array->wide.type);
    array->base.can = (scree__bytes_can_rewind(bytes) ? SCREE__CAN_REWIND : 0u) |
                      (scree__bytes_can_seek(bytes) ? SCREE__CAN_SLICE : 0u);
    if (!array->layout.column_major && scree__bytes_is_at_hand(bytes))
        array->base.can |= SCREE__IN_STEP;
    array->base.block_rows = scree__source_rows_in(&array->base, BLOCK_BYTES);
    SCREE_TRY(check_size(array, error));
    array->base.live = scree__bytes_go_live(bytes);
    SCREE_TRY(check_columns(array, error));
    SCREE_TRY(check_options(array, options, error));
    SCREE_TRY(scree__select_by_options(out, &array->base, options, error));
    if (*out != &array->base) { /* columns are copied while others are read */
        array->base.can &= ~(unsigned)SCREE__IN_STEP;
        (*out)->can &= ~(unsigned)SCREE__IN_STEP;
    }
    array = NULL;
done:
    if (array) {
        array->bytes = NULL; /* still the caller's */
        scree_source_free(&array->base);
    }
    return status;
}
