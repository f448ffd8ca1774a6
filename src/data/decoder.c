/* SPDX-License-Identifier: BSD-3-Clause */
/* Which decoder a file needs, and the part that decoders share whose library is fed step by step: a buffer of
 * compressed bytes, filled when it is empty. A file that ends where its content is not complete is truncated; what a
 * file refers back to may take a limited memory, so that one of some bytes cannot take all. Messages count bytes of the
 * compressed file. */

#include "data/decoder.h"

#include "base/memory.h"
#include "base/size_text.h"
#include "data/buffer.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { PACKED_BYTES = SCREE__WINDOW(18) };

static const scree__decoder_table *const decoders[] = {
    &scree__decoder_gzip,
    &scree__decoder_xz,
    &scree__decoder_zstd,
#ifdef SCREE_BZIP2
    &scree__decoder_bzip2,
#endif
};
enum { DECODERS = sizeof decoders / sizeof decoders[0] };

const scree__decoder_table *scree__decoder_find(const unsigned char *head, int64_t size)
{
    for (int i = 0; i < DECODERS; i++)
        if (decoders[i]->matches(head, size))
            return decoders[i];
    return NULL;
}

bool scree__decoder_has_extension(const char *extension, int64_t size)
{
    for (int i = 0; i < DECODERS; i++)
        if ((int64_t)strlen(decoders[i]->extension) == size &&
            strncasecmp(extension, decoders[i]->extension, (size_t)size) == 0)
            return true;
    return false;
}

scree_status scree__decoder_read(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    return decoder->table->read(decoder, buffer, size, got, error);
}

int64_t scree__decoder_position(const scree__decoder *decoder)
{
    return decoder->table->position(decoder);
}

void scree__decoder_close(scree__decoder *decoder)
{
    if (decoder)
        decoder->table->close(decoder);
}

typedef struct stepped {
    scree__decoder base;
    const scree__steps *steps;
    scree__descriptor *descriptor;
    void *state;
    scree__step step; /* its in is what is left of packed */
    int64_t limit;    /* of memory; 0: SCREE__DECODER_MEMORY */
    int64_t given;    /* by the user */
    bool between;     /* the file may end here */
    bool ended;       /* the content has */
    unsigned char packed[PACKED_BYTES];
} stepped;

scree_status scree__stepped_open(scree__decoder **out, const scree__steps *steps, scree__descriptor *descriptor,
                                 const unsigned char *head, int64_t size, scree_error *error)
{
    scree_status status = SCREE_OK;
    stepped *made = NULL;
    if (size > PACKED_BYTES)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: too much was read ahead", descriptor->name);
    SCREE_ALLOC(made, 1, error);
    made->base.table = steps->table;
    made->steps = steps;
    made->descriptor = descriptor;
    made->state = steps->open();
    if (!made->state)
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "%s: out of memory to decompress", descriptor->name);
    memcpy(made->packed, head, (size_t)size);
    made->step = (scree__step){.in = made->packed, .in_size = size};
    *out = &made->base;
    made = NULL;
done:
    scree__decoder_close(made ? &made->base : NULL);
    return status;
}

int64_t scree__stepped_position(const scree__decoder *decoder)
{
    const stepped *s = (const stepped *)decoder;
    return s->descriptor->at - s->step.in_size;
}

int64_t scree__stepped_memory(const scree__decoder *decoder)
{
    const stepped *s = (const stepped *)decoder;
    return (int64_t)sizeof *s + s->steps->memory(s->state);
}

void scree__stepped_limit(scree__decoder *decoder, int64_t limit, int64_t given)
{
    stepped *s = (stepped *)decoder;
    const int64_t left = limit - (int64_t)sizeof *s;
    if (left <= 0 || left >= SCREE__DECODER_MEMORY)
        return;
    s->limit = left;
    s->given = given;
    s->steps->limit(s->state, left);
}

/* A limit that was given is what is too little, unless the file takes more than any may. */
static scree_status report_large(const stepped *s, scree_error *error)
{
    char needed[SCREE__SIZE_TEXT];
    char given[SCREE__SIZE_TEXT];
    const int64_t need = scree__stepped_memory(&s->base);
    if (s->limit > 0 && need <= SCREE__DECODER_MEMORY)
        return scree__fail(error, SCREE_ERR_LIMIT,
                           "%s: %s is too little memory: buffers for decompression alone need %s; allow more than that",
                           s->descriptor->name, scree__size_text(given, s->given), scree__size_text(needed, need));
    return scree__fail(error, SCREE_ERR_LIMIT,
                       "%s: takes more than %d MiB to decompress: use %s first, and give what it makes",
                       s->descriptor->name, SCREE__DECODER_MEMORY >> 20, s->steps->tool);
}

static scree_status report(const stepped *s, scree__step_result result, scree_error *error)
{
    const char *file = s->descriptor->name;
    if (result == SCREE__STEP_NO_MEMORY)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory to decompress", file);
    if (result == SCREE__STEP_TOO_LARGE)
        return report_large(s, error);
    return scree__fail(error, SCREE_ERR_FORMAT,
                       "%s: the %s data is damaged near byte %" PRId64 " of the file: copy it again", file,
                       s->base.table->name, scree__stepped_position(&s->base));
}

static scree_status refill(stepped *s, scree_error *error)
{
    int64_t got = 0;
    const scree_status status = scree__descriptor_read(s->descriptor, s->packed, PACKED_BYTES, &got, error);
    s->step.in = s->packed;
    s->step.in_size = got;
    s->step.last = got == 0;
    return status;
}

scree_status scree__stepped_read(scree__decoder *decoder, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    scree_status status = SCREE_OK;
    stepped *s = (stepped *)decoder;
    s->step.out = buffer;
    s->step.out_size = size;
    *got = 0;
    while (s->step.out_size > 0 && !s->ended) {
        if (s->step.in_size == 0 && !s->step.last)
            SCREE_TRY(refill(s, error));
        if (s->step.in_size == 0 && s->step.last && s->between)
            break;
        const int64_t left = s->step.in_size + s->step.out_size;
        const scree__step_result result = s->steps->step(s->state, &s->step);
        *got = size - s->step.out_size;
        s->between = result == SCREE__STEP_BETWEEN;
        s->ended = result == SCREE__STEP_END;
        if (result > SCREE__STEP_END)
            SCREE_TRY(report(s, result, error));
        if (s->step.last && !s->between && !s->ended && s->step.in_size + s->step.out_size == left)
            SCREE_FAIL(error, SCREE_ERR_FORMAT,
                       "%s: the %s data stops at byte %" PRId64 ", before its end: the file is truncated, copy it "
                       "again",
                       s->descriptor->name, s->base.table->name, scree__stepped_position(decoder));
    }
done:
    return status;
}

scree_status scree__stepped_rewind(scree__decoder *decoder, scree_error *error)
{
    stepped *s = (stepped *)decoder;
    if (!s->steps->reset(s->state))
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: decompression cannot start again", s->descriptor->name);
    if (s->limit > 0)
        s->steps->limit(s->state, s->limit);
    s->step = (scree__step){.in = s->packed};
    s->between = s->ended = false;
    return SCREE_OK;
}

void scree__stepped_close(scree__decoder *decoder)
{
    stepped *s = (stepped *)decoder;
    if (s->state)
        s->steps->close(s->state);
    free(s);
}
