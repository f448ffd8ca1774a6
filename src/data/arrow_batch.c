/* SPDX-License-Identifier: BSD-3-Clause */
/* A record batch of an Arrow file as arrays of the C data interface. Of each column that is wanted the file says where
 * its buffers are: which of its rows are not null, then its numbers, or offsets and texts. A batch that is small, or
 * came through a pipe, is read whole. Of a large one in a plain file only the rows of a piece are read, column by
 * column, so that memory is some megabytes and not the batch, which may be the whole file. Compressed buffers, by zstd
 * alone, have to be decompressed whole. Everything that a batch says of itself is compared with the bytes that are
 * there before it is used. */

#include "data/arrow_ipc.h"

#include "base/memory.h"

#include <string.h>

enum { SMALL = 1 << 20, ALIGN = 8, LENGTH = 8, MOST_PACKED = 64 };

enum { BATCH_ROWS, BATCH_NODES, BATCH_BUFFERS, BATCH_COMPRESSION, BATCH_VIEWS };

static int64_t rounded(int64_t size)
{
    return (size + ALIGN - 1) / ALIGN * ALIGN;
}

static bool is_text(const char *format)
{
    return format[1] == 0 && (format[0] == 'u' || format[0] == 'U');
}

/* Bytes of rows of a column in its second buffer; -1: more than there are numbers for. */
static int64_t value_bytes(const scree__ipc_field *field, int64_t rows)
{
    const int width = scree__ipc_width(field->format);
    const int64_t count = is_text(field->format) ? rows + 1 : rows;
    if (count > INT64_MAX / 16 - 8)
        return -1;
    return width > 0 ? count * width : (rows + 7) / 8;
}

/* Space for what the batch has of each column. */
static scree_status make_room(scree__ipc *ipc, scree__ipc_batch *batch, int64_t buffers, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t fields = batch->shape->count;
    if (!batch->children) {
        SCREE_ALLOC(batch->children, fields, error);
        SCREE_ALLOC(batch->places, fields, error);
        SCREE_ALLOC(batch->first, fields + 1, error);
        SCREE_ALLOC(batch->nulls, fields, error);
    }
    if (buffers > batch->count || !batch->buffers) {
        free(batch->buffers);
        free((void *)batch->pointers);
        batch->buffers = NULL;
        batch->pointers = NULL;
        SCREE_TRY(scree__budget_check(scree__bytes_budget(ipc->bytes), 48 * buffers, ipc->name,
                                      "the descriptions of its columns", error));
        SCREE_ALLOC(batch->buffers, buffers, error);
        SCREE_ALLOC(batch->pointers, buffers + 3 * fields, error);
    }
    batch->count = buffers;
done:
    return status;
}

/* Where the buffers of each node are, by the counts of the schema and of the batch; false: there are not as many. */
static bool count_buffers(scree__ipc_batch *batch, scree__flat *flat, const scree__flat_vector *views)
{
    const scree__ipc_shape *shape = batch->shape;
    int64_t buffer = 0;
    int64_t view = 0;
    int64_t field = 0;
    for (int64_t node = 0; node < shape->nodes; node++) {
        if (field < shape->count && shape->fields[field].node == node)
            batch->first[field++] = buffer;
        buffer += shape->buffers[node] & ~SCREE__IPC_VIEWS;
        if (shape->buffers[node] & SCREE__IPC_VIEWS) {
            const int64_t more = view < views->count ? scree__flat_load(flat->data + views->at + 8 * view, 8) : 0;
            if (more < 0 || more > batch->count)
                return false;
            buffer += more;
            view++;
        }
    }
    batch->first[shape->count] = buffer; /* nested columns may stand behind the last that is read */
    return buffer <= batch->count;
}

static bool take_buffers(scree__ipc_batch *batch, scree__flat *flat, const scree__flat_vector *nodes,
                         const scree__flat_vector *buffers)
{
    for (int64_t i = 0; i < buffers->count; i++) {
        const unsigned char *at = flat->data + buffers->at + 16 * i;
        scree__ipc_buffer *buffer = &batch->buffers[i];
        *buffer = (scree__ipc_buffer){scree__flat_load(at, 8), scree__flat_load(at + 8, 8), NULL};
        if (buffer->offset < 0 || buffer->size < 0 || buffer->size > batch->body_size ||
            buffer->offset > batch->body_size - buffer->size || (buffer->size > 0 && buffer->offset % ALIGN != 0))
            return false;
    }
    for (int64_t i = 0; i < batch->shape->count; i++) {
        const unsigned char *at = flat->data + nodes->at + 16 * batch->shape->fields[i].node;
        batch->nulls[i] = scree__flat_load(at + 8, 8);
        if (scree__flat_load(at, 8) != batch->rows)
            return false;
    }
    return true;
}

/* The buffers of wanted columns hold as many rows as the batch has. */
static bool buffers_fit(const scree__ipc_batch *batch)
{
    for (int64_t i = 0; i < batch->shape->count; i++) {
        const scree__ipc_field *field = &batch->shape->fields[i];
        const scree__ipc_buffer *buffer = &batch->buffers[batch->first[i]];
        if (!field->wanted)
            continue;
        const int64_t bytes = value_bytes(field, batch->rows);
        if (bytes < 0 || buffer[1].size < bytes || (batch->nulls[i] != 0 && buffer->size < (batch->rows + 7) / 8))
            return false;
    }
    return true;
}

/* ---- compressed buffers: the length that each has, or -1 where it is as it was, then a frame ---- */

static bool is_wanted(const scree__ipc_batch *batch, int64_t field)
{
    return batch->shape->fields[field].wanted;
}

static scree_status read_packed(scree__ipc *ipc, const scree__ipc_batch *batch, const scree__ipc_buffer *buffer,
                                int64_t size, char *to, scree_error *error)
{
    if (!batch->whole.data)
        return scree__ipc_fetch(ipc, batch->body + buffer->offset, size, to, error);
    memcpy(to, batch->whole.data + buffer->offset, (size_t)size);
    return SCREE_OK;
}

/* How long the wanted buffers are going to be, all together, and the longest of them as they are. */
static scree_status measure_packed(scree__ipc *ipc, scree__ipc_batch *batch, int64_t *total, int64_t *longest,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < batch->shape->count; i++)
        for (int64_t b = batch->first[i]; is_wanted(batch, i) && b < batch->first[i + 1]; b++) {
            unsigned char length[LENGTH];
            const scree__ipc_buffer *buffer = &batch->buffers[b];
            if (buffer->size == 0)
                continue;
            if (buffer->size >= LENGTH)
                SCREE_TRY(read_packed(ipc, batch, buffer, LENGTH, (char *)length, error));
            const int64_t size = buffer->size < LENGTH ? -2 : scree__flat_load(length, 8);
            if (size < -1 ||
                __builtin_add_overflow(*total, rounded(size < 0 ? buffer->size : size) + MOST_PACKED, total))
                SCREE_TRY(scree__ipc_damaged(ipc, "a compressed column has no length that can be", error));
            *longest = buffer->size > *longest ? buffer->size : *longest;
        }
done:
    return status;
}

static scree_status unpack_buffer(scree__ipc *ipc, const scree__ipc_batch *batch, scree__ipc_buffer *buffer,
                                  char *packed, int64_t *used, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (buffer->size == 0)
        return SCREE_OK;
    SCREE_TRY(read_packed(ipc, batch, buffer, buffer->size, packed, error));
    const int64_t size = scree__flat_load((const unsigned char *)packed, LENGTH);
    char *to = batch->unpacked.data + *used;
    if (size < 0)
        memcpy(to, packed + LENGTH, (size_t)(buffer->size - LENGTH));
    else if (size > 0 && !scree__ipc_unzstd(to, size, packed + LENGTH, buffer->size - LENGTH))
        SCREE_TRY(scree__ipc_damaged(ipc, "a compressed column cannot be decompressed", error));
    buffer->size = size < 0 ? buffer->size - LENGTH : size;
    buffer->memory = to;
    *used += rounded(buffer->size);
done:
    return status;
}

static scree_status unpack(scree__ipc *ipc, scree__ipc_batch *batch, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__buffer packed = {0};
    int64_t total = MOST_PACKED;
    int64_t longest = 1;
    int64_t used = 0;
    SCREE_TRY(measure_packed(ipc, batch, &total, &longest, error));
    SCREE_TRY(scree__ipc_reserve(ipc, &batch->unpacked, total, "the compressed rows of one of its batches", error));
    SCREE_TRY(scree__ipc_reserve(ipc, &packed, longest, "the compressed rows of one of its batches", error));
    for (int64_t i = 0; i < batch->shape->count; i++)
        for (int64_t b = batch->first[i]; is_wanted(batch, i) && b < batch->first[i + 1]; b++)
            SCREE_TRY(unpack_buffer(ipc, batch, &batch->buffers[b], packed.data, &used, error));
done:
    scree__ipc_drop(ipc, &packed);
    return status;
}

static scree_status check_codec(scree__ipc *ipc, scree__flat *flat, const scree__flat_table *compression,
                                scree_error *error)
{
    const int64_t codec = scree__flat_number(flat, compression, 0, 1, 0);
    if (codec == 1 && scree__flat_number(flat, compression, 1, 1, 0) == 0)
        return SCREE_OK;
    return scree__fail(
        error, SCREE_ERR_UNSUPPORTED,
        "%s: its columns are compressed by %s, and zstd or nothing is read: write it again, in Python by "
        "pyarrow.feather.write_feather(table, 'data.feather', compression='zstd'), or "
        "frame.to_feather('data.feather', compression='zstd') of pandas",
        ipc->name, codec == 0 ? "lz4" : "something that is not known");
}

/* Bytes that a row of the wanted columns has, as far as that is known; at least 1. */
static int64_t row_bytes(const scree__ipc_batch *batch)
{
    int64_t bytes = 1;
    for (int64_t i = 0; i < batch->shape->count; i++)
        if (is_wanted(batch, i))
            bytes += scree__ipc_width(batch->shape->fields[i].format) + 1;
    return bytes;
}

/* How the rows come into memory: all at once, or piece by piece. */
static scree_status settle(scree__ipc *ipc, scree__ipc_batch *batch, const scree__ipc_message *message,
                           scree_error *error)
{
    scree_status status = SCREE_OK;
    const bool small = batch->body_size <= SMALL; /* whatever is allowed */
    const int64_t share = small ? SMALL : scree__budget_left(scree__bytes_budget(ipc->bytes)) / 4;
    const int64_t whole = share < ipc->whole ? share : ipc->whole;
    const int64_t piece = share < ipc->piece ? share : ipc->piece;
    const int64_t bytes = row_bytes(batch);
    const bool most = batch->body_size / bytes / 4 <= batch->rows; /* of it is wanted */
    const bool all = !ipc->seeks || (!batch->packed && batch->body_size <= whole && most);
    if (all)
        SCREE_TRY(scree__ipc_fetch_body(ipc, message, &batch->whole, error));
    else
        scree__ipc_drop(ipc, &batch->whole);
    if (batch->packed)
        SCREE_TRY(unpack(ipc, batch, error));
    for (int64_t b = 0; all && !batch->packed && b < batch->count; b++)
        batch->buffers[b].memory = batch->whole.data + batch->buffers[b].offset;
    batch->piece = all || batch->packed ? batch->rows : piece / bytes / 8 * 8;
    batch->piece = batch->piece > 8 ? batch->piece : 8; /* bits of eight rows are a byte */
    if (!buffers_fit(batch))
        SCREE_TRY(scree__ipc_damaged(ipc, "a batch has fewer bytes than its rows take", error));
done:
    return status;
}

scree_status scree__ipc_batch_begin(scree__ipc *ipc, scree__ipc_batch *batch, const scree__ipc_shape *shape,
                                    scree__ipc_message *message, const scree__flat_table *header, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__flat *flat = &message->flat;
    const scree__flat_vector nodes = scree__flat_elements(flat, header, BATCH_NODES, 16);
    const scree__flat_vector buffers = scree__flat_elements(flat, header, BATCH_BUFFERS, 16);
    const scree__flat_vector views = scree__flat_elements(flat, header, BATCH_VIEWS, 8);
    const scree__flat_table compression = scree__flat_inner(flat, header, BATCH_COMPRESSION);
    batch->shape = shape;
    batch->rows = scree__flat_number(flat, header, BATCH_ROWS, 8, 0);
    batch->at = 0;
    batch->body = message->body;
    batch->body_size = message->body_size;
    batch->packed = compression.at >= 0;
    if (flat->damaged || header->at < 0 || batch->rows < 0 || nodes.count != shape->nodes)
        SCREE_TRY(scree__ipc_damaged(ipc, "a batch does not have the columns of the schema", error));
    if (batch->packed)
        SCREE_TRY(check_codec(ipc, flat, &compression, error));
    SCREE_TRY(make_room(ipc, batch, buffers.count, error));
    if (!count_buffers(batch, flat, &views) || !take_buffers(batch, flat, &nodes, &buffers))
        SCREE_TRY(scree__ipc_damaged(ipc, "a batch does not have the columns of the schema", error));
    if (batch->rows == 0)
        return scree__ipc_skip_body(ipc, message, error);
    SCREE_TRY(settle(ipc, batch, message, error));
done:
    return status;
}

/* ---- pieces ---- */

/* size bytes of a buffer: where they are in memory, or read to *to, which moves on. */
static scree_status take_part(scree__ipc *ipc, const scree__ipc_batch *batch, const scree__ipc_buffer *buffer,
                              int64_t from, int64_t size, char **to, const void **out, scree_error *error)
{
    if (buffer->memory) {
        *out = buffer->memory + from;
        return SCREE_OK;
    }
    *out = *to;
    *to += rounded(size);
    return scree__ipc_fetch(ipc, batch->body + buffer->offset + from, size, (char *)(uintptr_t)*out, error);
}

/* Numbers and offsets, and what is null, of the wanted columns. */
static scree_status take_fixed(scree__ipc *ipc, scree__ipc_batch *batch, int64_t rows, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t size = 0;
    for (int64_t i = 0; batch->piece < batch->rows && i < batch->shape->count; i++)
        if (is_wanted(batch, i))
            size += rounded((rows + 7) / 8) + rounded(value_bytes(&batch->shape->fields[i], rows));
    SCREE_TRY(scree__ipc_reserve(ipc, &batch->fixed, size + 1, "the rows of one of its batches", error));
    char *to = batch->fixed.data;
    const void **pointers = batch->pointers;
    for (int64_t i = 0; i < batch->shape->count; i++) {
        const scree__ipc_field *field = &batch->shape->fields[i];
        const scree__ipc_buffer *buffer = &batch->buffers[batch->first[i]];
        struct ArrowArray *child = &batch->children[i];
        const int width = scree__ipc_width(field->format);
        *child = (struct ArrowArray){.length = rows, .n_buffers = 2, .buffers = pointers};
        pointers += batch->first[i + 1] - batch->first[i] + 3;
        batch->places[i] = child;
        if (!field->wanted)
            continue;
        child->null_count = batch->nulls[i] == 0 ? 0 : -1;
        child->buffers[0] = NULL;
        if (child->null_count)
            SCREE_TRY(take_part(ipc, batch, buffer, batch->at / 8, (rows + 7) / 8, &to, &child->buffers[0], error));
        SCREE_TRY(take_part(ipc, batch, buffer + 1, width ? batch->at * width : batch->at / 8, value_bytes(field, rows),
                            &to, &child->buffers[1], error));
    }
done:
    return status;
}

static scree_status take_texts(scree__ipc *ipc, scree__ipc_batch *batch, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t used = 0;
    for (int64_t i = 0; i < batch->shape->count; i++)
        if (is_wanted(batch, i))
            SCREE_TRY(scree__ipc_texts(ipc, batch, i, &used, true, error));
    SCREE_TRY(scree__ipc_reserve(ipc, &batch->chars, used + 1, "the texts of one of its batches", error));
    used = 0;
    for (int64_t i = 0; i < batch->shape->count; i++) {
        if (!is_wanted(batch, i))
            continue;
        SCREE_TRY(scree__ipc_texts(ipc, batch, i, &used, false, error));
        SCREE_TRY(scree__ipc_dictionary_attach(ipc, batch, i, error));
    }
done:
    return status;
}

static void released(struct ArrowArray *array)
{
    array->release = NULL;
}

scree_status scree__ipc_batch_next(scree__ipc *ipc, scree__ipc_batch *batch, struct ArrowArray *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t left = batch->rows - batch->at;
    const int64_t rows = left < batch->piece ? left : batch->piece;
    SCREE_TRY(take_fixed(ipc, batch, rows, error));
    SCREE_TRY(take_texts(ipc, batch, error));
    *out = (struct ArrowArray){
        .length = rows, .n_children = batch->shape->count, .children = batch->places, .release = released};
    batch->at += rows;
done:
    return status;
}

void scree__ipc_batch_clear(scree__ipc_batch *batch)
{
    free(batch->buffers);
    free(batch->first);
    free(batch->nulls);
    free(batch->children);
    free((void *)batch->places);
    free((void *)batch->pointers);
    scree__buffer_free(&batch->whole);
    scree__buffer_free(&batch->unpacked);
    scree__buffer_free(&batch->fixed);
    scree__buffer_free(&batch->chars);
    *batch = (scree__ipc_batch){0};
}
