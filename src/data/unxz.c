/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of xz, through liblzma: streams that follow each other are one content, with padding between them. The library
 * checks every block. Its memory is limited: what a file refers back to may be gigabytes, by its own word. */

#include "data/decoder.h"

#include "base/memory.h"

#include <lzma.h>
#include <string.h>

static bool matches(const unsigned char *head, int64_t size)
{
    static const unsigned char magic[] = {0xFD, '7', 'z', 'X', 'Z', 0};
    return size >= (int64_t)sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

static bool start(void *state)
{
    return lzma_stream_decoder(state, SCREE__DECODER_MEMORY, LZMA_CONCATENATED) == LZMA_OK;
}

static void close_state(void *state)
{
    lzma_end(state);
    free(state);
}

static void *open_state(void)
{
    lzma_stream *stream = scree__alloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (lzma_stream)LZMA_STREAM_INIT;
    if (start(stream))
        return stream;
    close_state(stream);
    return NULL;
}

static scree__step_result take_step(void *state, scree__step *step)
{
    lzma_stream *stream = state;
    stream->next_in = step->in;
    stream->avail_in = (size_t)step->in_size;
    stream->next_out = step->out;
    stream->avail_out = (size_t)step->out_size;
    const lzma_ret made = lzma_code(stream, step->last ? LZMA_FINISH : LZMA_RUN);
    step->in = stream->next_in;
    step->in_size = (int64_t)stream->avail_in;
    step->out = stream->next_out;
    step->out_size = (int64_t)stream->avail_out;
    switch (made) {
    case LZMA_OK:
    case LZMA_BUF_ERROR: /* nothing could be done: the caller sees that */
        return SCREE__STEP_ON;
    case LZMA_STREAM_END:
        return SCREE__STEP_END;
    case LZMA_MEM_ERROR:
        return SCREE__STEP_NO_MEMORY;
    case LZMA_MEMLIMIT_ERROR:
        return SCREE__STEP_TOO_LARGE;
    default:
        return SCREE__STEP_DAMAGED;
    }
}

static int64_t memory(const void *state)
{
    return (int64_t)lzma_memusage(state);
}

/* What it takes now is less. */
static void limit(void *state, int64_t bytes)
{
    (void)lzma_memlimit_set(state, (uint64_t)bytes);
}

static const scree__steps steps = {&scree__decoder_xz, "xz -d", open_state, start,
                                   take_step,          memory,  limit,      close_state};

static scree_status open_decoder(scree__decoder **out, scree__descriptor *descriptor, const unsigned char *head,
                                 int64_t size, scree_error *error)
{
    return scree__stepped_open(out, &steps, descriptor, head, size, error);
}

const scree__decoder_table scree__decoder_xz =
    SCREE__STEPPED_TABLE("xz", "xz", matches, open_decoder, scree__stepped_limit);
