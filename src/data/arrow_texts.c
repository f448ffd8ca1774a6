/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of a piece of an Arrow batch. Two forms: offsets of 32 or 64 bits into one run of bytes; and views of 16 bytes,
 * a length and either the text itself, up to 12 bytes, or four of its bytes, the number of a buffer, and an offset in
 * it. Of a batch that is not in memory the texts of the piece alone are read, and offsets count from there. Every
 * offset is looked at: what lies behind them trusts them. */

#include "data/arrow_ipc.h"

#include <string.h>

enum { INLINE = 12, VIEW = 16 };

static int64_t offset_at(const void *offsets, bool large, int64_t row)
{
    return large ? ((const int64_t *)offsets)[row] : ((const int32_t *)offsets)[row];
}

static void put_offset(void *offsets, bool large, int64_t row, int64_t value)
{
    if (large)
        ((int64_t *)offsets)[row] = value;
    else
        ((int32_t *)offsets)[row] = (int32_t)value;
}

static scree_status take_offsets(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, int64_t *used, bool count,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    struct ArrowArray *child = &batch->children[i];
    const scree__ipc_buffer *buffer = &batch->buffers[batch->first[i] + 2];
    const bool large = batch->shape->fields[i].format[0] == 'U';
    void *offsets = (void *)(uintptr_t)child->buffers[1];
    const int64_t begin = offset_at(offsets, large, 0);
    const int64_t end = offset_at(offsets, large, child->length);
    bool ascend = begin >= 0 && end <= buffer->size;
    for (int64_t r = 0; ascend && count && r < child->length; r++)
        ascend = offset_at(offsets, large, r) <= offset_at(offsets, large, r + 1);
    if (!ascend)
        SCREE_TRY(scree__ipc_damaged(ipc, "offsets of texts lie outside of them", error));
    child->n_buffers = 3;
    if (buffer->memory || buffer->size == 0) {
        child->buffers[2] = buffer->memory;
        return SCREE_OK;
    }
    if (!count) {
        child->buffers[2] = batch->chars.data + *used;
        SCREE_TRY(
            scree__ipc_fetch(ipc, batch->body + buffer->offset + begin, end - begin, batch->chars.data + *used, error));
        for (int64_t r = 0; r <= child->length; r++)
            put_offset(offsets, large, r, offset_at(offsets, large, r) - begin);
    }
    *used += end - begin;
done:
    return status;
}

typedef struct view {
    int32_t length;
    char first[4];
    int32_t buffer;
    int32_t offset;
} view;

static bool is_null(const struct ArrowArray *array, int64_t row)
{
    const uint8_t *valid = array->null_count ? array->buffers[0] : NULL;
    return valid && !(valid[row / 8] >> (row % 8) & 1);
}

/* Where the text of a view is: which buffer of the batch; NULL: in the view. False: nowhere. */
static bool find_view(const scree__ipc_batch *batch, int64_t i, const view *v, const scree__ipc_buffer **buffer)
{
    const int64_t first = batch->first[i] + 2;
    *buffer = NULL;
    if (v->length < 0)
        return false;
    if (v->length <= INLINE)
        return true;
    if (v->buffer < 0 || v->buffer >= batch->first[i + 1] - first || v->offset < 0)
        return false;
    *buffer = &batch->buffers[first + v->buffer];
    return v->length <= (*buffer)->size - v->offset;
}

/* Texts of a piece that is not in memory, one by one, into one buffer. */
static scree_status fetch_view(scree__ipc *ipc, scree__ipc_batch *batch, view *v, const scree__ipc_buffer *buffer,
                               int64_t begin, int64_t *used, bool count, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (*used - begin > INT32_MAX - v->length)
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: the texts of one column take more than 2 GiB; leave it out",
                   ipc->name);
    if (!count) {
        SCREE_TRY(scree__ipc_fetch(ipc, batch->body + buffer->offset + v->offset, v->length, batch->chars.data + *used,
                                   error));
        v->buffer = 0;
        v->offset = (int32_t)(*used - begin);
    }
    *used += v->length;
done:
    return status;
}

static scree_status take_views(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, int64_t *used, bool count,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    struct ArrowArray *child = &batch->children[i];
    const int64_t buffers = batch->first[i + 1] - batch->first[i] - 2;
    const bool stored = batch->buffers[batch->first[i] + 1].memory != NULL;
    char *views = (char *)(uintptr_t)child->buffers[1];
    const int64_t begin = *used;
    for (int64_t r = 0; r < child->length; r++) {
        view v;
        const scree__ipc_buffer *buffer = NULL;
        if (is_null(child, r))
            continue;
        memcpy(&v, views + VIEW * r, sizeof v);
        if (!find_view(batch, i, &v, &buffer))
            SCREE_TRY(scree__ipc_damaged(ipc, "a view of a text lies outside of the texts", error));
        if (!buffer || stored)
            continue;
        SCREE_TRY(fetch_view(ipc, batch, &v, buffer, begin, used, count, error));
        if (!count)
            memcpy(views + VIEW * r, &v, sizeof v);
    }
    child->n_buffers = stored ? 2 + buffers : 3;
    for (int64_t b = 0; stored && b < buffers; b++)
        child->buffers[2 + b] = batch->buffers[batch->first[i] + 2 + b].memory;
    if (!stored)
        child->buffers[2] = batch->chars.data ? batch->chars.data + begin : NULL;
done:
    return status;
}

scree_status scree__ipc_texts(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, int64_t *used, bool count,
                              scree_error *error)
{
    const char *format = batch->shape->fields[i].format;
    if (strcmp(format, "vu") == 0)
        return take_views(ipc, batch, i, used, count, error);
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0)
        return take_offsets(ipc, batch, i, used, count, error);
    return SCREE_OK;
}
