/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of bzip2, through libbz2 where scree is built with it: streams that follow each other are one content. The
 * library checks every block. */

#include "data/decoder.h"

#include "base/memory.h"

#include <bzlib.h>
#include <limits.h>
#include <string.h>

enum { STATE_BYTES = 4 << 20 }; /* of the largest blocks, by the library's manual */

static bool matches(const unsigned char *head, int64_t size)
{
    static const unsigned char block[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};
    static const unsigned char none[] = {0x17, 0x72, 0x45, 0x38, 0x50, 0x90};
    return size >= 10 && memcmp(head, "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9' &&
           (memcmp(head + 4, block, sizeof block) == 0 || memcmp(head + 4, none, sizeof none) == 0);
}

static bool start(void *state)
{
    bz_stream *stream = state;
    BZ2_bzDecompressEnd(stream);
    *stream = (bz_stream){0};
    return BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK;
}

static void close_state(void *state)
{
    BZ2_bzDecompressEnd(state);
    free(state);
}

static void *open_state(void)
{
    bz_stream *stream = scree__alloc(1, sizeof *stream);
    if (stream && BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK)
        return stream;
    free(stream);
    return NULL;
}

static scree__step_result take_step(void *state, scree__step *step)
{
    bz_stream *stream = state;
    stream->next_in = (char *)(uintptr_t)step->in;
    stream->avail_in = (unsigned)(step->in_size < INT_MAX ? step->in_size : INT_MAX);
    stream->next_out = (char *)step->out;
    stream->avail_out = (unsigned)(step->out_size < INT_MAX ? step->out_size : INT_MAX);
    const int made = BZ2_bzDecompress(stream);
    const int64_t used = (const unsigned char *)stream->next_in - step->in;
    const int64_t put = (unsigned char *)stream->next_out - step->out;
    step->in += used;
    step->in_size -= used;
    step->out += put;
    step->out_size -= put;
    if (made == BZ_STREAM_END)
        return start(stream) ? SCREE__STEP_BETWEEN : SCREE__STEP_NO_MEMORY;
    return made == BZ_OK ? SCREE__STEP_ON : made == BZ_MEM_ERROR ? SCREE__STEP_NO_MEMORY : SCREE__STEP_DAMAGED;
}

static int64_t memory(const void *state)
{
    (void)state;
    return STATE_BYTES;
}

static const scree__steps steps = {
    &scree__decoder_bzip2, "bzip2 -d", open_state, start, take_step, memory, NULL, close_state};

static scree_status open_decoder(scree__decoder **out, scree__descriptor *descriptor, const unsigned char *head,
                                 int64_t size, scree_error *error)
{
    return scree__stepped_open(out, &steps, descriptor, head, size, error);
}

const scree__decoder_table scree__decoder_bzip2 = SCREE__STEPPED_TABLE("bzip2", "bz2", matches, open_decoder, NULL);
