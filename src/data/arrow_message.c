/* SPDX-License-Identifier: BSD-3-Clause */
/* How an Arrow file is cut into messages: four bytes of ones, the length of a FlatBuffer, the FlatBuffer, padded, and
 * its body. A stream is a schema and then messages up to a length of 0; a file is the same behind eight bytes of magic,
 * and at its end a footer says where the messages are. In plain files the footer, or for a stream one look at every
 * message, says how many rows there are, and bodies are read when they are wanted; of a pipe everything is read in
 * order. Nothing is allocated for a length before the file has shown that it is as long. */

#include "data/arrow_ipc.h"

#include "base/memory.h"
#include "base/size_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    WHOLE = SCREE__WINDOW(25),
    PIECE = SCREE__WINDOW(23),
    MAGIC = 6,
    LEAD = 8,
    TAIL = 10,
    STEP = 1 << 20,
    BLOCK = 24,
    MOST_META = 1 << 30,
    SPARE_BODY = 64,      /* rows of nulls alone have no bytes */
    ROWS_A_BYTE = 8 << 16 /* a bit each, compressed as well as zstd can */
};

static const char magic[] = "ARROW1";

enum { MESSAGE_VERSION, MESSAGE_KIND, MESSAGE_HEADER, MESSAGE_BODY };
enum { FOOTER_VERSION, FOOTER_SCHEMA, FOOTER_DICTIONARIES, FOOTER_BATCHES };

scree_status scree__ipc_damaged(const scree__ipc *ipc, const char *what, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT, "%s: is damaged: %s: write it again", ipc->name, what);
}

static scree_status fail_cut(const scree__ipc *ipc, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is truncated: the message that byte %" PRId64
                       " belongs to goes on past the end: copy the file again",
                       ipc->name, ipc->at);
}

scree_status scree__ipc_reserve(scree__ipc *ipc, scree__buffer *buffer, int64_t size, const char *what,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t before = buffer->size;
    if (size <= before)
        return SCREE_OK;
    SCREE_TRY(scree__budget_check(scree__bytes_budget(ipc->bytes), size - before, ipc->name, what, error));
    SCREE_TRY(scree__buffer_reserve(buffer, size, ipc->name, error));
    SCREE_TRY(scree__budget_take(scree__bytes_budget(ipc->bytes), buffer->size - before, ipc->name, what, error));
done:
    return status;
}

void scree__ipc_drop(scree__ipc *ipc, scree__buffer *buffer)
{
    scree__budget_give(scree__bytes_budget(ipc->bytes), buffer->size);
    scree__buffer_free(buffer);
}

static int64_t file_size(const scree__ipc *ipc)
{
    return scree__bytes_size(ipc->bytes);
}

/* The next bytes, all of them. */
static scree_status take(scree__ipc *ipc, void *to, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    if (ipc->seeks)
        SCREE_TRY(scree__bytes_read_at(ipc->bytes, to, ipc->at, size, &got, error));
    else
        SCREE_TRY(scree__bytes_read(ipc->bytes, to, size, &got, error));
    ipc->at += got;
    if (got < size)
        SCREE_TRY(fail_cut(ipc, error));
done:
    return status;
}

/* The same into a buffer, which of a pipe grows as the bytes come. */
static scree_status take_into(scree__ipc *ipc, scree__buffer *to, int64_t size, const char *what, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__buffer larger = {0};
    if (ipc->seeks && size > file_size(ipc) - ipc->at)
        SCREE_TRY(fail_cut(ipc, error));
    if (ipc->seeks || size <= STEP || size <= to->size) {
        SCREE_TRY(scree__ipc_reserve(ipc, to, size, what, error));
        return take(ipc, to->data, size, error);
    }
    for (int64_t have = 0; have < size;) {
        const int64_t most = have > STEP ? 2 * have : STEP;
        const int64_t next = most < size ? most : size;
        SCREE_TRY(scree__ipc_reserve(ipc, &larger, next, what, error));
        if (have > 0)
            memcpy(larger.data, to->data, (size_t)have);
        SCREE_TRY(take(ipc, larger.data + have, next - have, error));
        scree__ipc_drop(ipc, to);
        *to = larger;
        larger = (scree__buffer){0};
        have = next;
    }
done:
    scree__ipc_drop(ipc, &larger);
    return status;
}

/* A FlatBuffer and what it is about; ended is set where there is none. */
static scree_status next_message(scree__ipc *ipc, scree__ipc_message *message, scree__buffer *to, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char lead[LEAD];
    int64_t got = 0;
    if (ipc->seeks)
        SCREE_TRY(scree__bytes_read_at(ipc->bytes, lead, ipc->at, LEAD, &got, error));
    else
        SCREE_TRY(scree__bytes_read(ipc->bytes, lead, LEAD, &got, error));
    ipc->at += got;
    ipc->ended = got == 0 && !ipc->is_file; /* a stream may end so */
    if (ipc->ended)
        return SCREE_OK;
    if (got < LEAD)
        SCREE_TRY(fail_cut(ipc, error));
    const int64_t length = scree__flat_load(lead + 4, 4);
    if (memcmp(lead, "\xFF\xFF\xFF\xFF", 4) != 0 && ipc->is_file && ipc->at == 2 * LEAD)
        SCREE_FAIL(
            error, SCREE_ERR_UNSUPPORTED,
            "%s: no message stands at the beginning of this Arrow file, as polars writes it, so that it has to be read "
            "from its end: save it as a plain file, or write a stream (write_ipc_stream)",
            ipc->name);
    if (memcmp(lead, "\xFF\xFF\xFF\xFF", 4) != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: no Arrow message begins at byte %" PRId64 ", as those of Arrow 0.15 (2019) and later do: write "
                   "it again",
                   ipc->name, ipc->at - LEAD);
    ipc->ended = length == 0;
    if (ipc->ended)
        return SCREE_OK;
    if (length < 0 || length > MOST_META)
        SCREE_TRY(scree__ipc_damaged(ipc, "a message has no length that can be", error));
    SCREE_TRY(take_into(ipc, to, length, "the descriptions of its columns", error));
    *message = (scree__ipc_message){.flat = {(const unsigned char *)to->data, length, false}, .body = ipc->at};
    const scree__flat_table root = scree__flat_root(&message->flat);
    message->kind = (int)scree__flat_number(&message->flat, &root, MESSAGE_KIND, 1, 0);
    message->header = scree__flat_inner(&message->flat, &root, MESSAGE_HEADER);
    message->body_size = scree__flat_number(&message->flat, &root, MESSAGE_BODY, 8, 0);
    if (message->flat.damaged || message->header.at < 0 || message->body_size < 0)
        SCREE_TRY(scree__ipc_damaged(ipc, "a message cannot be read", error));
    if (ipc->seeks && message->body_size > file_size(ipc) - ipc->at)
        SCREE_TRY(fail_cut(ipc, error));
done:
    return status;
}

/* The schema at the beginning of what is read in order, which batches are about. */
static scree_status take_schema(scree__ipc *ipc, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ipc_message message = {0};
    char lead[LEAD];
    if (ipc->is_file)
        SCREE_TRY(take(ipc, lead, LEAD, error));
    SCREE_TRY(next_message(ipc, &message, ipc->shape.fields ? &ipc->meta : &ipc->schema, error));
    if (ipc->ended || message.kind != SCREE__IPC_SCHEMA)
        SCREE_TRY(scree__ipc_damaged(ipc, "it does not begin with a schema", error));
    if (ipc->shape.fields)
        return SCREE_OK;
    const scree__flat_table root = scree__flat_root(&message.flat);
    const int version = (int)scree__flat_number(&message.flat, &root, MESSAGE_VERSION, 2, 0);
    SCREE_TRY(scree__ipc_schema_read(ipc, &message.flat, &message.header, version, error));
done:
    return status;
}

static scree_status add_block(scree__ipc *ipc, int64_t offset, scree_error *error)
{
    const int64_t n = ipc->block_count;
    if ((n & (n - 1)) == 0) { /* a power of two: it is full */
        int64_t *more = scree__alloc(n > 0 ? 2 * n : 1, sizeof *more);
        if (!more)
            return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for where its batches are", ipc->name);
        if (n > 0)
            memcpy(more, ipc->blocks, (size_t)n * sizeof *more);
        free(ipc->blocks);
        ipc->blocks = more;
    }
    ipc->blocks[ipc->block_count++] = offset;
    return SCREE_OK;
}

/* Adds a message that was just read, and its rows. */
static scree_status count_message(scree__ipc *ipc, scree__ipc_message *message, int64_t at, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (message->kind != SCREE__IPC_BATCH && message->kind != SCREE__IPC_DICTIONARY)
        SCREE_TRY(scree__ipc_damaged(ipc, "there is a message that is neither a batch nor a dictionary", error));
    SCREE_TRY(add_block(ipc, at, error));
    ipc->at += message->body_size;
    ipc->largest = message->body_size > ipc->largest ? message->body_size : ipc->largest;
    if (message->kind == SCREE__IPC_DICTIONARY)
        return SCREE_OK;
    const int64_t rows = scree__flat_number(&message->flat, &message->header, 0, 8, 0);
    if (message->flat.damaged || rows < 0 || rows / ROWS_A_BYTE > message->body_size + SPARE_BODY ||
        __builtin_add_overflow(ipc->rows, rows, &ipc->rows))
        SCREE_TRY(scree__ipc_damaged(ipc, "a batch has no number of rows that can be", error));
done:
    return status;
}

/* The messages that the footer lists, one kind of them. Their bodies together are no more than the file. */
static scree_status take_blocks(scree__ipc *ipc, scree__flat *flat, const scree__flat_table *footer, int field,
                                int64_t *bodies, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__flat_vector blocks = scree__flat_elements(flat, footer, field, BLOCK);
    const int kind = field == FOOTER_BATCHES ? SCREE__IPC_BATCH : SCREE__IPC_DICTIONARY;
    for (int64_t i = 0; i < blocks.count; i++) {
        scree__ipc_message message = {0};
        const unsigned char *block = flat->data + blocks.at + BLOCK * i;
        const int64_t offset = scree__flat_load(block, 8);
        if (offset < LEAD || offset > file_size(ipc) - LEAD)
            SCREE_TRY(scree__ipc_damaged(ipc, "its footer names a place outside of it", error));
        ipc->at = offset;
        SCREE_TRY(next_message(ipc, &message, &ipc->meta, error));
        *bodies += ipc->ended ? 0 : ipc->at - offset + message.body_size;
        if (ipc->ended || message.kind != kind || message.body_size != scree__flat_load(block + 16, 8) ||
            ipc->at - offset != scree__flat_load(block + 8, 4) || *bodies > file_size(ipc))
            SCREE_TRY(scree__ipc_damaged(ipc, "its footer does not agree with what stands there", error));
        SCREE_TRY(count_message(ipc, &message, offset, error));
    }
done:
    return status;
}

/* The schema and the messages of a plain file. */
static scree_status take_footer(scree__ipc *ipc, scree_error *error)
{
    scree_status status = SCREE_OK;
    unsigned char tail[TAIL] = {0};
    int64_t bodies = 0;
    ipc->at = file_size(ipc) - TAIL;
    if (ipc->at >= LEAD)
        SCREE_TRY(take(ipc, tail, TAIL, error));
    if (memcmp(tail + 4, magic, MAGIC) != 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is truncated: an Arrow file ends with ARROW1, and this one does not: copy the file again",
                   ipc->name);
    const int64_t length = scree__flat_load(tail, 4);
    if (length <= 0 || length > file_size(ipc) - TAIL - LEAD)
        SCREE_TRY(scree__ipc_damaged(ipc, "its footer has no length that can be", error));
    ipc->at = file_size(ipc) - TAIL - length;
    SCREE_TRY(take_into(ipc, &ipc->schema, length, "the descriptions of its columns", error));
    scree__flat flat = {(const unsigned char *)ipc->schema.data, length, false};
    const scree__flat_table root = scree__flat_root(&flat);
    const scree__flat_table schema = scree__flat_inner(&flat, &root, FOOTER_SCHEMA);
    const int version = (int)scree__flat_number(&flat, &root, FOOTER_VERSION, 2, 0);
    SCREE_TRY(scree__ipc_schema_read(ipc, &flat, &schema, version, error));
    SCREE_TRY(take_blocks(ipc, &flat, &root, FOOTER_DICTIONARIES, &bodies, error));
    SCREE_TRY(take_blocks(ipc, &flat, &root, FOOTER_BATCHES, &bodies, error));
    if (root.at < 0 || flat.damaged)
        SCREE_TRY(scree__ipc_damaged(ipc, "its footer cannot be read", error));
done:
    return status;
}

/* One look at every message of a stream. */
static scree_status take_stream(scree__ipc *ipc, scree_error *error)
{
    scree_status status = SCREE_OK;
    for (;;) {
        scree__ipc_message message = {0};
        const int64_t at = ipc->at;
        SCREE_TRY(next_message(ipc, &message, &ipc->meta, error));
        if (ipc->ended)
            break;
        SCREE_TRY(count_message(ipc, &message, at, error));
    }
    ipc->ended = false;
done:
    return status;
}

scree_status scree__ipc_begin(scree__ipc *ipc, scree_error *error)
{
    scree_status status = SCREE_OK;
    const unsigned char *head = NULL;
    int64_t size = 0;
    SCREE_TRY(scree__bytes_peek(ipc->bytes, &head, &size, error));
    ipc->is_file = size >= MAGIC && memcmp(head, magic, MAGIC) == 0;
    ipc->seeks = scree__bytes_can_seek(ipc->bytes);
    ipc->rows = ipc->seeks ? 0 : -1;
    ipc->whole = WHOLE;
    ipc->piece = PIECE;
    if (ipc->is_file && ipc->seeks)
        return take_footer(ipc, error);
    SCREE_TRY(take_schema(ipc, error));
    if (ipc->seeks)
        SCREE_TRY(take_stream(ipc, error));
done:
    return status;
}

scree_status scree__ipc_next(scree__ipc *ipc, scree__ipc_message *message, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (ipc->seeks && ipc->block == ipc->block_count)
        ipc->ended = true;
    if (ipc->ended)
        return SCREE_OK;
    if (ipc->seeks)
        ipc->at = ipc->blocks[ipc->block++];
    SCREE_TRY(next_message(ipc, message, &ipc->meta, error));
    if (ipc->seeks && ipc->ended)
        SCREE_TRY(scree__ipc_damaged(ipc, "it has changed since it was opened", error));
    if (!ipc->ended && message->kind != SCREE__IPC_BATCH && message->kind != SCREE__IPC_DICTIONARY)
        SCREE_TRY(scree__ipc_damaged(ipc, "there is a message that is neither a batch nor a dictionary", error));
done:
    return status;
}

scree_status scree__ipc_rewind(scree__ipc *ipc, scree_error *error)
{
    scree_status status = SCREE_OK;
    ipc->block = 0;
    ipc->ended = false;
    if (ipc->seeks)
        return SCREE_OK;
    ipc->at = 0;
    SCREE_TRY(scree__bytes_rewind(ipc->bytes, error));
    SCREE_TRY(take_schema(ipc, error));
done:
    return status;
}

scree_status scree__ipc_fetch(scree__ipc *ipc, int64_t offset, int64_t size, char *to, scree_error *error)
{
    ipc->at = offset;
    return take(ipc, to, size, error);
}

scree_status scree__ipc_fetch_body(scree__ipc *ipc, const scree__ipc_message *message, scree__buffer *to,
                                   scree_error *error)
{
    ipc->at = message->body;
    return take_into(ipc, to, message->body_size, "the rows of one of its batches", error);
}

scree_status scree__ipc_skip_body(scree__ipc *ipc, const scree__ipc_message *message, scree_error *error)
{
    scree_status status = SCREE_OK;
    char chunk[4096];
    for (int64_t left = message->body_size; !ipc->seeks && left > 0;) {
        const int64_t size = left < (int64_t)sizeof chunk ? left : (int64_t)sizeof chunk;
        SCREE_TRY(take(ipc, chunk, size, error));
        left -= size;
    }
done:
    return status;
}
