/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrow files and streams (IPC): .arrow, .feather of version 2, .arrows. Columns become rows where those of a C stream
 * do (source_arrow.c); this file goes through the messages, and gives batches in pieces that fit into memory. A plain
 * file is read as often as is asked, and its rows are counted before the first of them is read; what is compressed as a
 * whole is read in order, and so is a pipe. */

#include "base/memory.h"
#include "data/arrow_feed.h"
#include "data/arrow_ipc.h"
#include "data/formats.h"

#include <string.h>

static bool is_file(const unsigned char *head, int64_t size)
{
    return size >= 8 && memcmp(head, "ARROW1\0", 7) == 0;
}

/* A mark and the length of a schema, which is not 0 and no letters. */
static bool is_stream(const unsigned char *head, int64_t size)
{
    return size >= 8 && memcmp(head, "\xFF\xFF\xFF\xFF", 4) == 0 && scree__flat_load(head + 4, 4) > 0 && head[7] < 0x40;
}

static bool arrow_matches(const unsigned char *head, int64_t size)
{
    return is_file(head, size) || is_stream(head, size);
}

static void choose(void *context, const bool *wanted)
{
    scree__ipc *ipc = context;
    for (int64_t i = 0; i < ipc->shape.count; i++)
        ipc->shape.fields[i].wanted = wanted[i];
}

static scree_status next_piece(void *context, struct ArrowArray *out, scree_error *error)
{
    scree__ipc *ipc = context;
    scree_status status = SCREE_OK;
    *out = (struct ArrowArray){0};
    while (ipc->batch.at == ipc->batch.rows) {
        scree__ipc_message message = {0};
        SCREE_TRY(scree__ipc_next(ipc, &message, error));
        if (ipc->ended)
            return SCREE_OK;
        if (message.kind == SCREE__IPC_DICTIONARY)
            SCREE_TRY(scree__ipc_dictionary_read(ipc, &message, error));
        else
            SCREE_TRY(scree__ipc_batch_begin(ipc, &ipc->batch, &ipc->shape, &message, &message.header, error));
    }
    SCREE_TRY(scree__ipc_batch_next(ipc, &ipc->batch, out, error));
done:
    return status;
}

static scree_status start_again(void *context, scree_error *error)
{
    scree__ipc *ipc = context;
    ipc->batch.at = ipc->batch.rows = 0;
    scree__ipc_dictionaries_clear(ipc);
    return scree__ipc_rewind(ipc, error);
}

/* All but the bytes, which are the caller's until nothing can fail. */
static void clear(scree__ipc *ipc)
{
    scree__ipc_dictionaries_clear(ipc);
    scree__ipc_shape_clear(&ipc->shape);
    scree__ipc_batch_clear(&ipc->batch);
    scree__ipc_batch_clear(&ipc->values);
    scree__buffer_free(&ipc->schema);
    scree__buffer_free(&ipc->meta);
    free(ipc->blocks);
    free(ipc);
}

static void release(void *context)
{
    scree__ipc *ipc = context;
    scree__bytes *bytes = ipc->bytes;
    clear(ipc);
    scree__bytes_close(bytes);
}

/* Bytes that batches of a plain file are going to hold, as arrow_batch.c cuts them. */
static int64_t held(scree__ipc *ipc)
{
    const int64_t share = scree__budget_left(scree__bytes_budget(ipc->bytes)) / 4;
    const int64_t whole = share < ipc->whole ? share : ipc->whole;
    const int64_t piece = share < ipc->piece ? share : ipc->piece;
    return ipc->largest <= whole ? ipc->largest : 2 * piece;
}

/* The columns as a C stream would tell them; *fields and *places are the caller's to free. */
static scree_status tell_schema(struct ArrowSchema *schema, struct ArrowSchema **fields, struct ArrowSchema ***places,
                                const scree__ipc_shape *shape, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = shape->count;
    SCREE_ALLOC(*fields, 2 * count, error);
    SCREE_ALLOC(*places, count, error);
    for (int64_t i = 0; i < count; i++) {
        const scree__ipc_field *field = &shape->fields[i];
        const bool is_text = field->values && (strcmp(field->values, "u") == 0 || strcmp(field->values, "U") == 0 ||
                                               strcmp(field->values, "vu") == 0);
        (*fields)[i] = (struct ArrowSchema){
            .format = field->format, .name = field->name, .flags = field->nullable ? ARROW_FLAG_NULLABLE : 0};
        (*fields)[count + i].format = is_text ? "U" : field->values; /* as dictionaries are kept */
        (*fields)[i].dictionary = field->values ? &(*fields)[count + i] : NULL;
        (*places)[i] = &(*fields)[i];
    }
    *schema = (struct ArrowSchema){.format = "+s", .n_children = count, .children = *places};
done:
    return status;
}

static scree_status arrow_open(scree_source **out, scree__bytes *bytes, const scree_read_options *options,
                               scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ipc *ipc = NULL;
    struct ArrowSchema schema = {0};
    struct ArrowSchema *fields = NULL;
    struct ArrowSchema **places = NULL;
    const unsigned char *head = NULL;
    int64_t size = 0;
    SCREE_ALLOC(ipc, 1, error);
    ipc->bytes = bytes;
    ipc->name = scree__bytes_name(bytes);
    SCREE_TRY(scree__bytes_peek(bytes, &head, &size, error));
    if (!arrow_matches(head, size))
        SCREE_FAIL(error, SCREE_ERR_FORMAT,
                   "%s: is not an Arrow file or stream, by its first bytes: check the file or name its format",
                   ipc->name);
    SCREE_TRY(scree__ipc_begin(ipc, error));
    SCREE_TRY(tell_schema(&schema, &fields, &places, &ipc->shape, error));
    const scree__arrow_feed feed = {.context = ipc,
                                    .name = ipc->name,
                                    .rows = ipc->rows,
                                    .memory = held(ipc),
                                    .choose = choose,
                                    .next = next_piece,
                                    .rewind = scree__bytes_can_rewind(bytes) ? start_again : NULL,
                                    .release = release};
    SCREE_TRY(scree__arrow_open(out, &feed, &schema, options, error));
    ipc = NULL;
done:
    if (ipc)
        clear(ipc);
    free(fields);
    free((void *)places);
    return status;
}

static const char *const arrow_extensions[] = {"arrow", "feather", "arrows", "ipc", NULL};

const scree__reader scree__reader_arrow = {.name = "arrow",
                                           .extensions = arrow_extensions,
                                           .matches = arrow_matches,
                                           .open = arrow_open,
                                           .text = "Arrow IPC files and streams, Feather version 2"};
