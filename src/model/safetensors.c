/* SPDX-License-Identifier: BSD-3-Clause */
/* What reading and writing safetensors share: element types, sizes, and the checksum.
 *
 * The checksum covers every byte of the file, the header's length included; its own eight digits count as '0'. They are
 * found by the text in front of them, which no other part of a JSON text can contain: inside a string its quotes would
 * be escaped. */

#include "model/safetensors.h"

#include <string.h>
#include <zlib.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "tensors are stored as they lie in memory: little-endian");

static const struct {
    const char *name;
    int64_t size;
} dtypes[] = {
    [SCREE__DTYPE_F64] = {"F64", 8},
    [SCREE__DTYPE_F32] = {"F32", 4},
    [SCREE__DTYPE_I64] = {"I64", 8},
    [SCREE__DTYPE_U8] = {"U8", 1},
};

const char *scree__dtype_name(scree__dtype dtype)
{
    return dtypes[dtype].name;
}

int64_t scree__tensor_bytes(const scree__tensor *tensor)
{
    int64_t bytes = dtypes[tensor->dtype].size;
    for (int i = 0; i < tensor->rank; i++)
        if (tensor->shape[i] < 0 || __builtin_mul_overflow(bytes, tensor->shape[i], &bytes))
            return -1;
    return bytes;
}

uint32_t scree__crc_more(uint32_t crc, const void *data, int64_t size)
{
    return (uint32_t)crc32_z(crc, data, (size_t)size);
}

uint32_t scree__crc_begin(const void *length, const char *header, int64_t header_size, const char *checksum)
{
    uint32_t crc = scree__crc_more(0, length, 8);
    crc = scree__crc_more(crc, header, checksum - header);
    crc = scree__crc_more(crc, "00000000", 8);
    return scree__crc_more(crc, checksum + 8, header + header_size - (checksum + 8));
}

/* The place after the next key in text, or NULL. */
static const char *after_key(const char *text, const char *end)
{
    static const char key[] = "\"checksum\":\"";
    const int64_t length = sizeof key - 1;
    for (; end - text >= length; text++) {
        text = memchr(text, '"', (size_t)(end - text));
        if (!text || end - text < length)
            return NULL;
        if (memcmp(text, key, (size_t)length) == 0)
            return text + length;
    }
    return NULL;
}

const char *scree__checksum_find(const char *header, int64_t header_size)
{
    const char *end = header + header_size;
    const char *found = after_key(header, end);
    if (!found || end - found < 9 || found[8] != '"' || after_key(found, end))
        return NULL;
    return found;
}
