/* SPDX-License-Identifier: BSD-3-Clause */
/* Writing a safetensors file: the header is made in memory with a checksum of zeros, the checksum computed over header
 * and arrays where they lie, its digits filled in, and everything written once, in order. No array is copied. */

#include "model/safetensors.h"

#include "base/atomic_file.h"
#include "base/memory.h"

#include <cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool add_integer(cJSON *array, int64_t value)
{
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRId64, value);
    return cJSON_AddItemToArray(array, cJSON_CreateRaw(digits)); /* fails only where there is no item */
}

static bool add_texts(cJSON *root, const scree__contents *contents)
{
    cJSON *metadata = cJSON_AddObjectToObject(root, "__metadata__");
    bool fine = metadata && cJSON_AddStringToObject(metadata, "checksum", "00000000");
    for (int64_t i = 0; fine && i < contents->text_count; i++)
        fine = cJSON_AddStringToObject(metadata, contents->texts[i].key, contents->texts[i].value);
    return fine;
}

static bool add_tensor(cJSON *root, const scree__tensor *tensor, int64_t begin)
{
    cJSON *entry = cJSON_AddObjectToObject(root, tensor->name);
    bool fine = entry && cJSON_AddStringToObject(entry, "dtype", scree__dtype_name(tensor->dtype));
    cJSON *shape = fine ? cJSON_AddArrayToObject(entry, "shape") : NULL;
    cJSON *offsets = shape ? cJSON_AddArrayToObject(entry, "data_offsets") : NULL;
    fine = offsets != NULL;
    for (int i = 0; fine && i < tensor->rank; i++)
        fine = add_integer(shape, tensor->shape[i]);
    return fine && add_integer(offsets, begin) && add_integer(offsets, begin + scree__tensor_bytes(tensor));
}

/* The header's text, padded with spaces to a multiple of 8; freed by the caller; NULL: no memory. */
static char *make_header(const scree__contents *contents, int64_t *size)
{
    cJSON *root = cJSON_CreateObject();
    char *text = NULL;
    char *padded = NULL;
    int64_t begin = 0;
    bool fine = root && add_texts(root, contents);
    for (int64_t i = 0; fine && i < contents->tensor_count; i++) {
        fine = add_tensor(root, &contents->tensors[i], begin);
        begin += scree__tensor_bytes(&contents->tensors[i]);
    }
    text = fine ? cJSON_PrintUnformatted(root) : NULL;
    if (text) {
        int64_t length = (int64_t)strlen(text);
        *size = (length + 7) / 8 * 8;
        padded = scree__alloc(*size, 1);
        if (padded) {
            memset(padded, ' ', (size_t)*size);
            memcpy(padded, text, (size_t)length);
        }
    }
    cJSON_free(text);
    cJSON_Delete(root);
    return padded;
}

static void fill_in_checksum(const scree__contents *contents, const unsigned char *length, char *header, int64_t size)
{
    char digits[9];
    char *place = header + (scree__checksum_find(header, size) - header);
    uint32_t crc = scree__crc_begin(length, header, size, place);
    for (int64_t i = 0; i < contents->tensor_count; i++)
        crc = scree__crc_more(crc, contents->tensors[i].data, scree__tensor_bytes(&contents->tensors[i]));
    snprintf(digits, sizeof digits, "%08" PRIx32, crc);
    memcpy(place, digits, 8);
}

/* What stands before the arrays. */
typedef struct head {
    unsigned char length[8];
    char *header;
    int64_t size;
} head;

static scree_status make_head(head *h, const scree__contents *contents, const char *path, scree_error *error)
{
    h->header = make_header(contents, &h->size);
    if (!h->header)
        return scree__fail(error, SCREE_ERR_MEMORY,
                           "%s: out of memory while the header was made; free some and save again", path);
    memcpy(h->length, &h->size, sizeof h->length);
    fill_in_checksum(contents, h->length, h->header, h->size);
    return SCREE_OK;
}

scree_status scree__safetensors_write(const char *path, const scree__contents *contents, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__atomic_file *file = NULL;
    head h = {0};
    SCREE_TRY(make_head(&h, contents, path, error));
    SCREE_TRY(scree__atomic_open(&file, path, error));
    SCREE_TRY(scree__atomic_write(file, h.length, sizeof h.length, error));
    SCREE_TRY(scree__atomic_write(file, h.header, h.size, error));
    for (int64_t i = 0; i < contents->tensor_count; i++) {
        const scree__tensor *tensor = &contents->tensors[i];
        SCREE_TRY(scree__atomic_write(file, tensor->data, scree__tensor_bytes(tensor), error));
    }
    SCREE_TRY(scree__atomic_commit(file, error));
done:
    scree__atomic_free(file);
    free(h.header);
    return status;
}

scree_status scree__safetensors_pack(void **out, size_t *bytes, const scree__contents *contents, scree_error *error)
{
    scree_status status = SCREE_OK;
    head h = {0};
    char *data = NULL;
    SCREE_TRY(make_head(&h, contents, "the model", error));
    int64_t size = (int64_t)sizeof h.length + h.size;
    int64_t at = size;
    for (int64_t i = 0; i < contents->tensor_count; i++)
        size += scree__tensor_bytes(&contents->tensors[i]);
    SCREE_ALLOC(data, size, error);
    memcpy(data, h.length, sizeof h.length);
    memcpy(data + sizeof h.length, h.header, (size_t)h.size);
    for (int64_t i = 0; i < contents->tensor_count; i++) {
        const int64_t part = scree__tensor_bytes(&contents->tensors[i]);
        memcpy(data + at, contents->tensors[i].data, (size_t)part);
        at += part;
    }
    *out = data;
    *bytes = (size_t)size;
done:
    free(h.header);
    return status;
}
