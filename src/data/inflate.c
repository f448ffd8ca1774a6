/* SPDX-License-Identifier: BSD-3-Clause */
/* Deflated content of a known size and check sum (CRC-32), as the members of a zip archive are, through zlib. The sum
 * is checked when the content has ended; more or less of it than was announced is damage. */

#include "base/memory.h"
#include "data/buffer.h"
#include "data/decoder.h"

#include <inttypes.h>
#include <limits.h>
#include <zlib.h>

enum { PACKED_BYTES = SCREE__WINDOW(17), RAW = -15 };

typedef struct inflate_decoder {
    scree__decoder base;
    scree__descriptor *descriptor;
    z_stream stream;
    scree__inflate_content content;
    int64_t made; /* bytes of content */
    uint32_t crc; /* of these */
    bool ended;
    unsigned char packed[PACKED_BYTES];
} inflate_decoder;

static int64_t position(const scree__decoder *decoder)
{
    const inflate_decoder *d = (const inflate_decoder *)decoder;
    return d->descriptor->at - d->stream.avail_in;
}

static scree_status fail_damaged(const inflate_decoder *d, scree_error *error)
{
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: is damaged or truncated near its byte %" PRId64 " in the archive: copy it again",
                       d->descriptor->name, position(&d->base));
}

static scree_status refill(inflate_decoder *d, scree_error *error)
{
    int64_t got = 0;
    const scree_status status = scree__descriptor_read(d->descriptor, d->packed, PACKED_BYTES, &got, error);
    d->stream.next_in = d->packed;
    d->stream.avail_in = (uInt)got;
    return status != SCREE_OK || got > 0 ? status : fail_damaged(d, error);
}

static scree_status read_content(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    inflate_decoder *d = (inflate_decoder *)decoder;
    scree_status status = SCREE_OK;
    *got = 0;
    while (*got < size && !d->ended) {
        if (d->stream.avail_in == 0)
            SCREE_TRY(refill(d, error));
        const int64_t want = size - *got < INT_MAX ? size - *got : INT_MAX;
        d->stream.next_out = (Bytef *)buffer + *got;
        d->stream.avail_out = (uInt)want;
        const int made = inflate(&d->stream, Z_NO_FLUSH);
        const int64_t count = want - d->stream.avail_out;
        d->crc = (uint32_t)crc32(d->crc, (const Bytef *)buffer + *got, (uInt)count);
        *got += count;
        d->made += count;
        d->ended = made == Z_STREAM_END;
        if ((made != Z_OK && made != Z_STREAM_END && made != Z_BUF_ERROR) || d->made > d->content.size ||
            (d->ended && (d->made < d->content.size || d->crc != d->content.crc)))
            SCREE_TRY(fail_damaged(d, error));
    }
done:
    return status;
}

static scree_status rewind_content(scree__decoder *decoder, scree_error *error)
{
    inflate_decoder *d = (inflate_decoder *)decoder;
    if (inflateReset(&d->stream) != Z_OK)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: decompression cannot start again", d->descriptor->name);
    d->stream.avail_in = 0;
    d->made = 0;
    d->crc = 0;
    d->ended = false;
    return SCREE_OK;
}

static int64_t memory(const scree__decoder *decoder)
{
    (void)decoder;
    return (int64_t)sizeof(inflate_decoder);
}

static void close_decoder(scree__decoder *decoder)
{
    inflate_decoder *d = (inflate_decoder *)decoder;
    inflateEnd(&d->stream);
    free(d);
}

/* It is not found by its first bytes, but opened by who knows what it is. */
static const scree__decoder_table table = {.name = "deflate",
                                           .read = read_content,
                                           .rewind = rewind_content,
                                           .position = position,
                                           .memory = memory,
                                           .close = close_decoder};

scree_status scree__inflate_open(scree__decoder **out, scree__descriptor *descriptor, scree__inflate_content content,
                                 scree_error *error)
{
    scree_status status = SCREE_OK;
    inflate_decoder *d = NULL;
    SCREE_ALLOC(d, 1, error);
    d->base.table = &table;
    d->descriptor = descriptor;
    d->content = content;
    if (inflateInit2(&d->stream, RAW) != Z_OK)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory to decompress", descriptor->name);
    *out = &d->base;
    d = NULL;
done:
    free(d);
    return status;
}
