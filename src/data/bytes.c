/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes of a file: a descriptor, a decoder over it when the first bytes say so, a converter of text where
 * one is asked for, and a buffer of plain content on top; what is longer than that buffer is decompressed by a thread.
 * The buffer serves the look at the head and small reads; large ones go past it, straight into the caller's memory. */

#include "data/bytes.h"

#include "base/memory.h"
#include "data/decoder.h"
#include "data/descriptor.h"
#include "data/direct.h"
#include "data/live.h"
#include "data/pump.h"
#include "data/scratch.h"
#include "data/transcode.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum {
    BUFFER_BYTES = SCREE__WINDOW(17),
    SMALL_BYTES = 1 << 20,
    CHUNK_BYTES = SCREE__WINDOW(16),
    LOOK_BYTES = 1 << 26,
    HEAD_BYTES = 64
};

struct scree__bytes {
    scree__descriptor descriptor;
    scree__decoder *decoder; /* NULL: not compressed */
    scree__pump *pump;       /* reads the decoder on a thread of its own, when there is more than a buffer */
    bool pump_tried;
    scree__transcode *transcode; /* NULL: not converted */
    const char *guessed;         /* from which encoding, where nobody named it */
    scree__direct direct;        /* past the page cache, opened when first asked for */
    bool direct_tried;
    scree__budget budget;
    scree__scratch scratch; /* the content, where it was made plain */
    bool exact;             /* after a seek, or of a pipe: small reads are not rounded up to a buffer */
    bool begun;             /* opened live: the buffer holds what has come so far of a pipe */
    bool live;              /* reads may end early */
    bool paused;            /* the last one did */
    int64_t at;             /* in the buffer */
    int64_t held;           /* bytes in the buffer */
    unsigned char buffer[BUFFER_BYTES];
};

/* Plain content, as it is in the file; of a live pipe what has come. */
static scree_status pull_plain(void *context, void *to, int64_t size, int64_t *got, scree_error *error)
{
    scree__bytes *bytes = context;
    if (bytes->begun)
        return scree__live_read(&bytes->descriptor, to, size, true, got, error);
    if (bytes->pump)
        return scree__pump_read(bytes->pump, to, size, got, error);
    return bytes->decoder ? scree__decoder_read(bytes->decoder, to, size, got, error)
                          : scree__descriptor_read(&bytes->descriptor, to, size, got, error);
}

/* Plain content, past the buffer. */
static scree_status pull(scree__bytes *bytes, void *to, int64_t size, int64_t *got, scree_error *error)
{
    return bytes->transcode ? scree__transcode_read(bytes->transcode, to, size, got, error)
                            : pull_plain(bytes, to, size, got, error);
}

static scree_status fill(scree__bytes *bytes, scree_error *error)
{
    bytes->at = 0;
    return pull(bytes, bytes->buffer, BUFFER_BYTES, &bytes->held, error);
}

/* What has come of a pipe: enough to tell a format by, or its first line. */
static scree_status fill_head(scree__bytes *bytes, int64_t least, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    while (bytes->held < least && !memchr(bytes->buffer, '\n', (size_t)bytes->held) && !bytes->descriptor.ended) {
        SCREE_TRY(scree__live_read(&bytes->descriptor, bytes->buffer + bytes->held, BUFFER_BYTES - bytes->held, true,
                                   &got, error));
        bytes->held += got;
    }
    bytes->begun = bytes->exact = true;
done:
    return status;
}

scree_status scree__bytes_stay_whole(scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t got = 0;
    if (bytes->begun && !bytes->descriptor.ended)
        SCREE_TRY(scree__descriptor_read(&bytes->descriptor, bytes->buffer + bytes->held, BUFFER_BYTES - bytes->held,
                                         &got, error));
    bytes->held += got;
    bytes->exact = bytes->exact && !bytes->begun;
    bytes->begun = false;
done:
    return status;
}

bool scree__bytes_go_live(scree__bytes *bytes)
{
    return bytes->live = bytes->begun;
}

bool scree__bytes_paused(const scree__bytes *bytes)
{
    return bytes->paused;
}

bool scree__bytes_cut(const scree__bytes *bytes)
{
    return bytes->descriptor.cut;
}

scree_status scree__bytes_open_as(scree__bytes **out, const char *path, scree__bytes_how how, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *bytes = NULL;
    SCREE_ALLOC(bytes, 1, error);
    bytes->direct.fd = -1;
    SCREE_TRY(scree__descriptor_open(&bytes->descriptor, path, error));
    SCREE_TRY(how.live && !bytes->descriptor.regular ? fill_head(bytes, how.plain ? 1 : HEAD_BYTES, error)
                                                     : fill(bytes, error));
    const scree__decoder_table *decoder = how.plain ? NULL : scree__decoder_find(bytes->buffer, bytes->held);
    if (decoder) {
        SCREE_TRY(scree__bytes_stay_whole(bytes, error));
        SCREE_TRY(decoder->open(&bytes->decoder, &bytes->descriptor, bytes->buffer, bytes->held, error));
        SCREE_TRY(fill(bytes, error));
    }
    if (bytes->held == 0)
        SCREE_FAIL(error, SCREE_ERR_FORMAT, "%s: is empty: give a file with rows", bytes->descriptor.name);
    *out = bytes;
    bytes = NULL;
done:
    scree__bytes_close(bytes);
    return status;
}

scree_status scree__bytes_open(scree__bytes **out, const char *path, scree_error *error)
{
    return scree__bytes_open_as(out, path, (scree__bytes_how){false, false}, error);
}

/* All of a plain file that is not large: the text of a table may be ASCII for long. */
static scree_status guess_whole(const scree__bytes *bytes, scree__encoding_look *look, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t size = bytes->descriptor.size;
    unsigned char *chunk = scree__alloc_raw(CHUNK_BYTES, 1);
    if (!chunk)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", bytes->descriptor.name);
    for (int64_t at = 0, got = 1; at < size && got > 0; at += got) {
        SCREE_TRY(scree__bytes_read_at(bytes, chunk, at, CHUNK_BYTES, &got, error));
        got = scree__encoding_see(look, chunk, got, at + got >= size);
    }
done:
    free(chunk);
    return status;
}

/* By the head; by all of it, where that is at hand and the head leaves it open. NULL: there is nothing to convert. */
static scree_status guess_encoding(scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__encoding_look look = {0};
    bytes->guessed = scree__transcode_marked(bytes->buffer, bytes->held);
    if (bytes->guessed)
        return SCREE_OK;
    scree__encoding_see(&look, bytes->buffer, bytes->held, bytes->held < BUFFER_BYTES && !bytes->begun);
    if (!look.ended && scree__bytes_can_seek(bytes) && bytes->descriptor.size > bytes->held &&
        bytes->descriptor.size <= LOOK_BYTES) {
        look = (scree__encoding_look){0};
        SCREE_TRY(guess_whole(bytes, &look, error));
    }
    bytes->guessed = scree__encoding_of(&look);
done:
    return status;
}

scree_status scree__bytes_transcode(scree__bytes *bytes, const char *encoding, scree_error *error)
{
    scree_status status = SCREE_OK;
    bytes->guessed = NULL;
    if (!encoding)
        SCREE_TRY(guess_encoding(bytes, error));
    encoding = encoding ? encoding : bytes->guessed;
    if (!encoding || scree__transcode_is_none(encoding))
        return SCREE_OK;
    SCREE_TRY(scree__transcode_open(&bytes->transcode, encoding, bytes->descriptor.name, pull_plain, bytes, error));
    scree__transcode_give(bytes->transcode, bytes->buffer, bytes->held);
    bytes->at = bytes->held = 0;
    if (!bytes->begun)
        SCREE_TRY(fill(bytes, error));
done:
    return status;
}

scree_status scree__bytes_share(scree__bytes **out, const scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *other = NULL;
    SCREE_ALLOC(other, 1, error);
    other->descriptor.fd = -1;
    other->direct.fd = -1;
    if (!scree__bytes_can_seek(bytes))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: can be read only in order: save it to a plain file",
                   bytes->descriptor.name);
    SCREE_TRY(scree__descriptor_share(&other->descriptor, &bytes->descriptor, error));
    other->budget.given = bytes->budget.given;
    other->budget.held = bytes->budget.held;
    *out = other;
    other = NULL;
done:
    scree__bytes_close(other);
    return status;
}

static scree_status read_plain(void *context, void *to, int64_t size, int64_t *got, scree_error *error)
{
    return scree__bytes_read(context, to, size, got, error);
}

scree_status scree__bytes_make_plain(scree__bytes *bytes, bool named, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__scratch scratch = SCREE__SCRATCH_INIT;
    if (scree__bytes_can_seek(bytes) && !(named && (bytes->descriptor.standard || bytes->descriptor.start > 0)))
        return SCREE_OK;
    SCREE_TRY(scree__scratch_open(&scratch, bytes->descriptor.name, "unpacking it", error));
    SCREE_TRY(scree__scratch_fill(&scratch, read_plain, bytes, error));
    const int fd = fcntl(scratch.temporary.fd, F_DUPFD_CLOEXEC, 0);
    if (fd < 0)
        SCREE_FAIL(error, SCREE_ERR_IO, "%s: its scratch file cannot be opened again (%s): close some files",
                   bytes->descriptor.name, strerror(errno));
    scree__pump_close(bytes->pump);
    scree__transcode_close(bytes->transcode);
    scree__decoder_close(bytes->decoder);
    bytes->pump = NULL;
    bytes->transcode = NULL;
    bytes->decoder = NULL;
    close(bytes->descriptor.fd);
    bytes->descriptor = (scree__descriptor){
        .fd = fd, .name = bytes->descriptor.name, .regular = true, .size = scratch.size, .ended = false};
    bytes->direct_tried = true; /* it would open the file by its name */
    bytes->exact = bytes->begun = false;
    bytes->scratch = scratch;
    scratch = (scree__scratch)SCREE__SCRATCH_INIT;
    status = fill(bytes, error);
done:
    scree__scratch_close(&scratch);
    return status;
}

const char *scree__bytes_path(const scree__bytes *bytes)
{
    return scree__scratch_is_open(&bytes->scratch) ? bytes->scratch.temporary.name : bytes->descriptor.name;
}

scree_status scree__bytes_open_piece(scree__bytes **out, const scree__bytes *bytes, const scree__bytes_piece *piece,
                                     const char *name, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bytes *other = NULL;
    SCREE_TRY(scree__bytes_share(&other, bytes, error));
    char *own = scree__strdup(name);
    if (!own)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory", name);
    free(other->descriptor.name);
    other->descriptor.name = own;
    other->descriptor.start += piece->offset;
    other->descriptor.size = piece->size;
    other->descriptor.part = true;
    if (piece->deflated)
        SCREE_TRY(scree__inflate_open(&other->decoder, &other->descriptor,
                                      (scree__inflate_content){piece->content, piece->crc}, error));
    SCREE_TRY(fill(other, error));
    *out = other;
    other = NULL;
done:
    scree__bytes_close(other);
    return status;
}

/* What the buffer holds, then what comes. */
static scree_status read_live(scree__bytes *bytes, unsigned char *to, int64_t size, int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t held = bytes->held - bytes->at;
    int64_t more = 0;
    *got = held < size ? held : size;
    memcpy(to, bytes->buffer + bytes->at, (size_t)*got);
    bytes->at += *got;
    if (*got < size)
        SCREE_TRY(scree__live_read(&bytes->descriptor, to + *got, size - *got, *got == 0, &more, error));
    *got += more;
    bytes->paused = *got < size && !bytes->descriptor.ended;
done:
    return status;
}

/* The same, converted. A letter of which a part had come when the input was stopped is no error. */
static scree_status read_live_text(scree__bytes *bytes, void *to, int64_t size, int64_t *got, scree_error *error)
{
    scree_error why = SCREE_ERROR_INIT;
    const scree_status status = scree__transcode_read_some(bytes->transcode, to, size, got, &why);
    bytes->paused = *got > 0;
    if (status == SCREE_OK || bytes->descriptor.cut)
        return SCREE_OK;
    return scree__fail(error, status, "%s", why.text);
}

scree_status scree__bytes_read(scree__bytes *bytes, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    if (bytes->live && bytes->transcode)
        return read_live_text(bytes, buffer, size, got, error);
    if (bytes->live)
        return read_live(bytes, buffer, size, got, error);
    scree_status status = SCREE_OK;
    unsigned char *to = buffer;
    int64_t done_size = 0;
    *got = 0;
    while (done_size < size) {
        int64_t want = size - done_size;
        int64_t count = bytes->held - bytes->at;
        if (count == 0 && bytes->decoder && !bytes->pump_tried) {
            bytes->pump_tried = true;
            bytes->pump = bytes->held == BUFFER_BYTES ? scree__pump_open(bytes->decoder) : NULL;
        }
        if (count == 0 && (want >= BUFFER_BYTES || bytes->exact)) {
            SCREE_TRY(pull(bytes, to + done_size, want, &count, error));
            done_size += count;
            break;
        }
        if (count == 0) {
            SCREE_TRY(fill(bytes, error));
            count = bytes->held;
            if (count == 0)
                break;
        }
        count = count < want ? count : want;
        memcpy(to + done_size, bytes->buffer + bytes->at, (size_t)count);
        bytes->at += count;
        done_size += count;
    }
    *got = done_size;
done:
    return status;
}

scree_status scree__bytes_peek(scree__bytes *bytes, const unsigned char **head, int64_t *size, scree_error *error)
{
    if (bytes->at != 0)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: its beginning is read already", bytes->descriptor.name);
    *head = bytes->buffer;
    *size = bytes->held;
    return SCREE_OK;
}

scree_status scree__bytes_rewind(scree__bytes *bytes, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!scree__bytes_can_rewind(bytes))
        SCREE_FAIL(error, SCREE_ERR_UNSUPPORTED, "%s: is a pipe and cannot be read twice: save it to a file",
                   bytes->descriptor.name);
    scree__pump_close(bytes->pump);
    bytes->pump = NULL;
    bytes->pump_tried = false;
    bytes->descriptor.at = 0;
    bytes->exact = false;
    if (bytes->decoder)
        SCREE_TRY(bytes->decoder->table->rewind(bytes->decoder, error));
    if (bytes->transcode)
        scree__transcode_rewind(bytes->transcode);
    SCREE_TRY(fill(bytes, error));
done:
    return status;
}

scree_status scree__bytes_seek(scree__bytes *bytes, int64_t offset, scree_error *error)
{
    if (!scree__bytes_can_seek(bytes))
        return scree__fail(error, SCREE_ERR_UNSUPPORTED, "%s: can be read only in order: save it to a plain file",
                           bytes->descriptor.name);
    bytes->descriptor.at = offset;
    bytes->exact = true;
    bytes->at = 0;
    bytes->held = 0;
    return SCREE_OK;
}

scree_status scree__bytes_read_into(scree__bytes *bytes, const scree__span *span, scree__buffer *buffer, char **at,
                                    int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (span->past_cache && !bytes->direct_tried && bytes->descriptor.start == 0) {
        bytes->direct_tried = true;
        scree__direct_open(&bytes->direct, bytes->descriptor.name, bytes->descriptor.fd);
    }
    if (span->past_cache && scree__direct_read(&bytes->direct, buffer, span->offset, span->size, at, got))
        return SCREE_OK;
    SCREE_TRY(scree__buffer_reserve(buffer, span->size, bytes->descriptor.name, error));
    SCREE_TRY(scree__bytes_seek(bytes, span->offset, error));
    SCREE_TRY(scree__bytes_read(bytes, buffer->data, span->size, got, error));
    *at = buffer->data;
done:
    return status;
}

scree_status scree__bytes_read_at(const scree__bytes *bytes, void *to, int64_t offset, int64_t size, int64_t *got,
                                  scree_error *error)
{
    scree__descriptor own = bytes->descriptor; /* with a position of its own; nothing is opened */
    own.at = offset;
    return scree__descriptor_read(&own, to, size, got, error);
}

bool scree__bytes_is_at_hand(const scree__bytes *bytes)
{
    return scree__bytes_can_seek(bytes) && (bytes->descriptor.size <= SMALL_BYTES ||
                                            scree__direct_is_cached(bytes->descriptor.fd, bytes->descriptor.size));
}

const char *scree__bytes_guessed(const scree__bytes *bytes)
{
    return bytes->guessed;
}

const char *scree__bytes_name(const scree__bytes *bytes)
{
    return bytes->descriptor.name;
}

int64_t scree__bytes_size(const scree__bytes *bytes)
{
    return bytes->decoder || bytes->transcode ? -1 : bytes->descriptor.size;
}

int64_t scree__bytes_decoder_memory(const scree__bytes *bytes)
{
    return bytes->decoder ? bytes->decoder->table->memory(bytes->decoder) : 0;
}

void scree__bytes_decoder_limit(scree__bytes *bytes, int64_t limit)
{
    if (bytes->decoder && bytes->decoder->table->limit)
        bytes->decoder->table->limit(bytes->decoder, limit, bytes->budget.given);
}

int64_t scree__bytes_packed_size(const scree__bytes *bytes)
{
    return bytes->descriptor.size;
}

int64_t scree__bytes_packed_used(const scree__bytes *bytes)
{
    if (bytes->pump)
        return scree__pump_position(bytes->pump);
    return bytes->decoder ? scree__decoder_position(bytes->decoder) : bytes->descriptor.at;
}

scree__budget *scree__bytes_budget(scree__bytes *bytes)
{
    const int64_t used = scree__bytes_packed_used(bytes);
    const int64_t size = scree__bytes_can_seek(bytes) ? bytes->descriptor.size : used;
    if (size > bytes->budget.seen)
        bytes->budget.seen = size;
    return &bytes->budget;
}

bool scree__bytes_can_rewind(const scree__bytes *bytes)
{
    return bytes->descriptor.regular;
}

bool scree__bytes_can_seek(const scree__bytes *bytes)
{
    return bytes->descriptor.regular && !bytes->decoder && !bytes->transcode;
}

void scree__bytes_close(scree__bytes *bytes)
{
    if (!bytes)
        return;
    scree__pump_close(bytes->pump);
    scree__transcode_close(bytes->transcode);
    scree__decoder_close(bytes->decoder);
    scree__direct_close(&bytes->direct);
    scree__descriptor_close(&bytes->descriptor);
    scree__scratch_close(&bytes->scratch);
    free(bytes);
}
