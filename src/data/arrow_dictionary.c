/* SPDX-License-Identifier: BSD-3-Clause */
/* Dictionaries of an Arrow file: texts that columns refer to by their number. One may be replaced between batches, or
 * added to. They are kept as large texts, whatever they are in the file, so that what is added stands behind what was
 * there. */

#include "data/arrow_ipc.h"

#include "base/memory.h"
#include "data/arrow_column.h"

#include <string.h>

enum { DICTIONARY_ID, DICTIONARY_DATA, DICTIONARY_IS_DELTA };

/* The field of a wanted column that has this dictionary; NULL: there is none. */
static const scree__ipc_field *find_field(const scree__ipc *ipc, int64_t id)
{
    for (int64_t i = 0; i < ipc->shape.count; i++)
        if (ipc->shape.fields[i].values && ipc->shape.fields[i].wanted && ipc->shape.fields[i].dictionary == id)
            return &ipc->shape.fields[i];
    return NULL;
}

static scree__ipc_dictionary *find(scree__ipc *ipc, int64_t id)
{
    scree__ipc_dictionary *at = ipc->dictionaries;
    while (at && at->id != id)
        at = at->next;
    return at;
}

static void forget(scree__ipc *ipc, scree__ipc_dictionary *dictionary)
{
    scree__budget_give(scree__bytes_budget(ipc->bytes), dictionary->memory);
    free(dictionary->valid);
    free(dictionary->offsets);
    free(dictionary->chars);
    dictionary->valid = NULL;
    dictionary->offsets = NULL;
    dictionary->chars = NULL;
    dictionary->array = (struct ArrowArray){0};
    dictionary->memory = 0;
}

/* The dictionary of that number, which may be new. There are no more than columns. */
static scree_status find_or_add(scree__ipc_dictionary **out, scree__ipc *ipc, int64_t id, scree_error *error)
{
    scree_status status = SCREE_OK;
    *out = find(ipc, id);
    if (*out)
        goto done;
    SCREE_ALLOC(*out, 1, error);
    (*out)->id = id;
    (*out)->next = ipc->dictionaries;
    ipc->dictionaries = *out;
done:
    return status;
}

/* Space for so many texts and bytes of them more. */
static scree_status grow(scree__ipc *ipc, scree__ipc_dictionary *d, int64_t texts, int64_t bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ipc_dictionary more = {.id = d->id, .next = d->next};
    const int64_t have = d->array.length;
    const int64_t held = d->offsets ? d->offsets[have] : 0;
    more.memory = (have + texts) * 9 + held + bytes + 16;
    SCREE_TRY(scree__budget_take(scree__bytes_budget(ipc->bytes), more.memory, ipc->name, "the texts of a dictionary",
                                 error));
    SCREE_ALLOC(more.valid, (have + texts) / 8 + 1, error);
    SCREE_ALLOC(more.offsets, have + texts + 1, error);
    SCREE_ALLOC(more.chars, held + bytes + 1, error);
    if (have > 0) {
        memcpy(more.valid, d->valid, (size_t)(have / 8 + 1));
        memcpy(more.offsets, d->offsets, (size_t)(have + 1) * sizeof *more.offsets);
        memcpy(more.chars, d->chars, (size_t)held);
    }
    more.array.length = have;
    forget(ipc, d);
    *d = more;
    more = (scree__ipc_dictionary){0};
done:
    free(more.valid);
    free(more.offsets);
    free(more.chars);
    return status;
}

/* The texts of a piece behind those that are there. */
static scree_status append(scree__ipc *ipc, scree__ipc_dictionary *d, const scree__arrow_column *column,
                           const struct ArrowArray *texts, scree_error *error)
{
    scree_status status = SCREE_OK;
    char scratch[SCREE__ARROW_SCRATCH];
    int64_t bytes = 0;
    int64_t length = 0;
    for (int64_t r = 0; r < texts->length; r++) {
        scree__arrow_text(column, texts, r, scratch, &length);
        bytes += length;
    }
    SCREE_TRY(grow(ipc, d, texts->length, bytes, error));
    for (int64_t r = 0; r < texts->length; r++) {
        const int64_t at = d->array.length++;
        const char *text = scree__arrow_text(column, texts, r, scratch, &length);
        memcpy(d->chars + d->offsets[at], text, (size_t)length);
        d->offsets[at + 1] = d->offsets[at] + length;
        d->valid[at / 8] |= (uint8_t)(!scree__arrow_has_nulls(texts, r, 1) << (at % 8));
    }
done:
    return status;
}

static scree_status take_texts(scree__ipc *ipc, scree__ipc_message *message, const scree__ipc_field *field,
                               scree__ipc_dictionary *d, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__flat_table data = scree__flat_inner(&message->flat, &message->header, DICTIONARY_DATA);
    scree__ipc_field values = {.format = field->values, .wanted = true};
    uint8_t buffers = strcmp(field->values, "vu") == 0 ? 2 | SCREE__IPC_VIEWS : 3;
    const scree__ipc_shape shape = {&values, 1, &buffers, 1};
    const struct ArrowSchema schema = {.format = field->values};
    scree__arrow_column column;
    scree__arrow_column_read(&column, &schema);
    SCREE_TRY(scree__ipc_batch_begin(ipc, &ipc->values, &shape, message, &data, error));
    while (ipc->values.at < ipc->values.rows) {
        struct ArrowArray piece;
        SCREE_TRY(scree__ipc_batch_next(ipc, &ipc->values, &piece, error));
        SCREE_TRY(append(ipc, d, &column, piece.children[0], error));
    }
done:
    scree__ipc_drop(ipc, &ipc->values.whole);
    scree__ipc_drop(ipc, &ipc->values.unpacked);
    scree__ipc_drop(ipc, &ipc->values.fixed);
    scree__ipc_drop(ipc, &ipc->values.chars);
    return status;
}

scree_status scree__ipc_dictionary_read(scree__ipc *ipc, scree__ipc_message *message, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__ipc_dictionary *dictionary = NULL;
    const int64_t id = scree__flat_number(&message->flat, &message->header, DICTIONARY_ID, 8, 0);
    const bool is_delta = scree__flat_number(&message->flat, &message->header, DICTIONARY_IS_DELTA, 1, 0) != 0;
    const scree__ipc_field *field = find_field(ipc, id);
    if (!field)
        return scree__ipc_skip_body(ipc, message, error);
    SCREE_TRY(find_or_add(&dictionary, ipc, id, error));
    if (!is_delta)
        forget(ipc, dictionary);
    SCREE_TRY(take_texts(ipc, message, field, dictionary, error));
    dictionary->pointers[0] = dictionary->valid;
    dictionary->pointers[1] = dictionary->offsets;
    dictionary->pointers[2] = dictionary->chars;
    dictionary->array = (struct ArrowArray){
        .length = dictionary->array.length, .null_count = -1, .n_buffers = 3, .buffers = dictionary->pointers};
done:
    return status;
}

scree_status scree__ipc_dictionary_attach(scree__ipc *ipc, scree__ipc_batch *batch, int64_t i, scree_error *error)
{
    const scree__ipc_field *field = &batch->shape->fields[i];
    scree__ipc_dictionary *dictionary = field->values ? find(ipc, field->dictionary) : NULL;
    struct ArrowArray *child = &batch->children[i];
    bool inside = true;
    if (!field->values)
        return SCREE_OK;
    if (!dictionary || !dictionary->array.buffers)
        return scree__ipc_damaged(ipc, "a column has no dictionary before its rows", error);
    child->dictionary = &dictionary->array;
    for (int64_t r = 0; inside && r < child->length; r++)
        inside = scree__arrow_index_fits(field->format[0], child, r);
    return inside ? SCREE_OK : scree__ipc_damaged(ipc, "a row refers to a text that its dictionary has not", error);
}

void scree__ipc_dictionaries_clear(scree__ipc *ipc)
{
    scree__ipc_dictionary *next = NULL;
    for (scree__ipc_dictionary *at = ipc->dictionaries; at; at = next) {
        next = at->next;
        forget(ipc, at);
        free(at);
    }
    ipc->dictionaries = NULL;
}
