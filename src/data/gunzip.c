/* SPDX-License-Identifier: BSD-3-Clause */
/* Gzip (RFC 1952) through zlib: members that follow each other are one content, zero bytes after the last are padding
 * (as tapes and some tools leave), anything else there is damage. zlib checks length and CRC-32 of every member; a
 * stream that stops inside a member is truncated. Messages count bytes of the compressed file. */

#include "data/decoder.h"

#include "base/memory.h"
#include "data/buffer.h"

#include <inttypes.h>
#include <limits.h>
#include <string.h>
#include <zlib.h>

enum { PACKED_BYTES = SCREE__WINDOW(18), GZIP_ONLY = 15 + 16 };

typedef struct gunzip_decoder {
    scree__decoder base;
    scree__descriptor *descriptor;
    z_stream stream;
    bool inside; /* a member has begun and not ended */
    bool padded; /* a member has ended and zeros follow */
    unsigned char packed[PACKED_BYTES];
} gunzip_decoder;

static bool gunzip_matches(const unsigned char *head, int64_t size)
{
    return size >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static int64_t position_of(const gunzip_decoder *gunzip)
{
    return gunzip->descriptor->at - gunzip->stream.avail_in;
}

static scree_status gunzip_open(scree__decoder **out, scree__descriptor *descriptor, const unsigned char *head,
                                int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    gunzip_decoder *gunzip = NULL;
    if (size > PACKED_BYTES)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: too much was read ahead", descriptor->name);
    SCREE_ALLOC(gunzip, 1, error);
    if (inflateInit2(&gunzip->stream, GZIP_ONLY) != Z_OK)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory to decompress", descriptor->name);
    gunzip->base.table = &scree__decoder_gzip;
    gunzip->descriptor = descriptor;
    memcpy(gunzip->packed, head, (size_t)size);
    gunzip->stream.next_in = gunzip->packed;
    gunzip->stream.avail_in = (uInt)size;
    gunzip->inside = true;
    *out = &gunzip->base;
    gunzip = NULL;
done:
    free(gunzip);
    return status;
}

static scree_status refill(gunzip_decoder *gunzip, scree_error *error)
{
    int64_t got = 0;
    scree_status status = scree__descriptor_read(gunzip->descriptor, gunzip->packed, PACKED_BYTES, &got, error);
    gunzip->stream.next_in = gunzip->packed;
    gunzip->stream.avail_in = (uInt)got;
    return status;
}

/* Between members: zeros are skipped, a byte that is not zero must begin another member. */
static scree_status enter_member(gunzip_decoder *gunzip, scree_error *error)
{
    z_stream *stream = &gunzip->stream;
    while (stream->avail_in > 0 && *stream->next_in == 0) {
        gunzip->padded = true;
        stream->next_in++;
        stream->avail_in--;
    }
    if (stream->avail_in == 0)
        return SCREE_OK;
    if (*stream->next_in != 0x1f || gunzip->padded)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: something that is not gzip follows the compressed data at byte %" PRId64
                           ": the file is damaged, copy it again",
                           gunzip->descriptor->name, position_of(gunzip));
    inflateReset(stream);
    gunzip->inside = true;
    return SCREE_OK;
}

static scree_status inflate_some(gunzip_decoder *gunzip, scree_error *error)
{
    z_stream *stream = &gunzip->stream;
    const char *name = gunzip->descriptor->name;
    int result = inflate(stream, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory to decompress", name);
    if (result == Z_STREAM_END)
        gunzip->inside = false;
    else if (result != Z_OK && result != Z_BUF_ERROR)
        return scree__fail(error, SCREE_ERR_FORMAT,
                           "%s: the gzip data is damaged near byte %" PRId64 " of the file (%s): copy it again", name,
                           position_of(gunzip), stream->msg ? stream->msg : "not a gzip stream");
    return SCREE_OK;
}

static scree_status gunzip_read(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    gunzip_decoder *gunzip = (gunzip_decoder *)decoder;
    z_stream *stream = &gunzip->stream;
    unsigned char *to = buffer;
    *got = 0;
    while (*got < size) {
        if (stream->avail_in == 0)
            SCREE_TRY(refill(gunzip, error));
        if (stream->avail_in == 0 && gunzip->inside)
            SCREE_FAIL(error, SCREE_ERR_FORMAT,
                       "%s: the gzip data stops at byte %" PRId64 ", before its end: the file is truncated, copy it "
                       "again",
                       gunzip->descriptor->name, position_of(gunzip));
        if (stream->avail_in == 0)
            break;
        if (!gunzip->inside) {
            SCREE_TRY(enter_member(gunzip, error));
            continue;
        }
        int64_t space = size - *got < INT_MAX ? size - *got : INT_MAX;
        stream->next_out = to + *got;
        stream->avail_out = (uInt)space;
        SCREE_TRY(inflate_some(gunzip, error));
        *got += space - (int64_t)stream->avail_out;
    }
done:
    return status;
}

static scree_status gunzip_rewind(scree__decoder *decoder, scree_error *error)
{
    gunzip_decoder *gunzip = (gunzip_decoder *)decoder;
    if (inflateReset(&gunzip->stream) != Z_OK)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: decompression cannot start again", gunzip->descriptor->name);
    gunzip->stream.avail_in = 0;
    gunzip->inside = true;
    gunzip->padded = false;
    return SCREE_OK;
}

static int64_t gunzip_position(const scree__decoder *decoder)
{
    return position_of((const gunzip_decoder *)decoder);
}

static int64_t gunzip_memory(const scree__decoder *decoder)
{
    (void)decoder;
    return 0; /* some hundred kilobytes, as every reader has */
}

static void gunzip_close(scree__decoder *decoder)
{
    gunzip_decoder *gunzip = (gunzip_decoder *)decoder;
    inflateEnd(&gunzip->stream);
    free(gunzip);
}

const scree__decoder_table scree__decoder_gzip = {
    "gzip",          "gz",          gunzip_matches, gunzip_open,  gunzip_read, gunzip_rewind,
    gunzip_position, gunzip_memory, NULL,           gunzip_close,
};
