/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes checksums right, in place: a fuzzer would never guess one, and everything behind it would stay unseen. Where a
 * file ends early, or is none of its format, the rest is left as it is. */

#include "target.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

static uint32_t get_u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void put_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static uint32_t checksum(uint32_t before, const uint8_t *data, size_t size)
{
    return (uint32_t)crc32_z(before, data, size);
}

/* ---- archives (docs/archive.md): a head, frames, and the place of the last of them ---- */

enum { HEAD_FIXED = 16, FRAME_FIXED = 12, TAIL = 16 };

void fuzz_repair_archive(uint8_t *data, size_t size)
{
    if (size < HEAD_FIXED + 4)
        return;
    size_t at = HEAD_FIXED + (size_t)get_u32(data + 12);
    if (at > size - 4)
        return;
    put_u32(data + at, checksum(0, data, at));
    at += 4;
    while (at + FRAME_FIXED + TAIL <= size) {
        uint8_t *frame = data + at;
        const size_t bytes = get_u32(frame + 4);
        if (bytes > size - TAIL - FRAME_FIXED - at)
            break;
        put_u32(frame + 8, checksum(checksum(0, frame, 8), frame + FRAME_FIXED, bytes));
        at += FRAME_FIXED + bytes;
    }
    if (at + TAIL <= size)
        put_u32(data + size - 8, checksum(0, data + size - TAIL, 8));
}

/* ---- gzip (RFC 1952): members, each with a checksum and a size behind its data ---- */

/* The length of a member's header, 0 where it has none. */
static size_t gzip_header(const uint8_t *data, size_t size)
{
    enum { CHECK = 2, EXTRA = 4, NAME = 8, COMMENT = 16 };
    size_t at = 10;
    if (size < at || data[0] != 0x1f || data[1] != 0x8b || data[2] != 8)
        return 0;
    const int flags = data[3];
    if (flags & EXTRA)
        at += at + 2 <= size ? 2 + (size_t)(data[at] | data[at + 1] << 8) : size;
    for (int text = NAME; text <= COMMENT; text *= 2) {
        if (!(flags & text))
            continue;
        const uint8_t *end = at < size ? memchr(data + at, 0, size - at) : NULL;
        at = end ? (size_t)(end - data) + 1 : size;
    }
    if (flags & CHECK)
        at += 2;
    return at < size ? at : 0;
}

void fuzz_repair_gzip(uint8_t *data, size_t size)
{
    uint8_t plain[4096];
    for (size_t header; (header = gzip_header(data, size)) > 0;) {
        z_stream stream = {.next_in = data + header, .avail_in = (uInt)(size - header)};
        uint32_t sum = 0;
        int code = inflateInit2(&stream, -15);
        while (code == Z_OK && stream.total_out < 1 << 24) {
            stream.next_out = plain;
            stream.avail_out = sizeof plain;
            code = inflate(&stream, Z_NO_FLUSH);
            sum = checksum(sum, plain, sizeof plain - stream.avail_out);
        }
        const size_t used = header + stream.total_in;
        const uint32_t length = (uint32_t)stream.total_out;
        inflateEnd(&stream);
        if (code != Z_STREAM_END || size - used < 8)
            return;
        put_u32(data + used, sum);
        put_u32(data + used + 4, length);
        data += used + 8;
        size -= used + 8;
    }
}

/* ---- model files (docs/format.md): safetensors with a checksum among the texts of the header ---- */

/* Where the JSON object at the start of a text ends; 0: nowhere. */
static size_t object_end(const uint8_t *text, size_t size)
{
    int depth = 0;
    int quoted = 0;
    for (size_t i = 0; i < size; i++) {
        if (quoted && text[i] == '\\')
            i++;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (!quoted && text[i] == '{')
            depth++;
        else if (!quoted && text[i] == '}' && --depth == 0)
            return i + 1;
    }
    return 0;
}

static uint8_t *find(uint8_t *text, size_t size, const char *key)
{
    const size_t length = strlen(key);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(text + i, key, length) == 0)
            return text + i + length;
    return NULL;
}

/* The header's length is made right, too, unless it is far off: words that the fuzzer inserts would move its end. */
void fuzz_repair_model(uint8_t *data, size_t size)
{
    enum { PREFIX = 8, FAR_OFF = 1 << 20 };
    static const uint8_t upper[4] = {0};
    char digits[9];
    size_t header = size > PREFIX ? object_end(data + PREFIX, size - PREFIX) : 0;
    while (header > 0 && header % 8 != 0 && PREFIX + header < size && data[PREFIX + header] == ' ')
        header++; /* the writer's padding */
    if (header == 0 || memcmp(data + 4, upper, 4) != 0 || get_u32(data) > FAR_OFF)
        return;
    put_u32(data, (uint32_t)header);
    uint8_t *place = find(data + PREFIX, header, "\"checksum\":\"");
    if (!place || place + 8 > data + PREFIX + header)
        return;
    memcpy(place, "00000000", 8);
    snprintf(digits, sizeof digits, "%08x", checksum(0, data, size));
    memcpy(place, digits, 8);
}

void fuzz_repair_any(uint8_t *data, size_t size)
{
    if (size > 2 && data[0] == 0x1f)
        fuzz_repair_gzip(data, size);
    else if (size > 2 && data[0] == 0x89)
        fuzz_repair_archive(data, size);
    else if (size > 8 && data[8] == '{')
        fuzz_repair_model(data, size);
}
