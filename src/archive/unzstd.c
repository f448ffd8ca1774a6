/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of zstd, for the table of decoders in src/data: frames that follow each other are one content. The library
 * checks frames that carry a checksum. What it keeps to refer back to is limited, as zstd's own tool does. */

#include "archive/squeeze.h"
#include "data/decoder.h"

#include <string.h>

static bool matches(const unsigned char *head, int64_t size)
{
    static const unsigned char magic[] = {0x28, 0xB5, 0x2F, 0xFD};
    return size >= (int64_t)sizeof magic && memcmp(head, magic, sizeof magic) == 0;
}

static scree__step_result take_step(void *state, scree__step *step)
{
    const scree__unzstd_result result =
        scree__unzstd_step(state, &step->in, &step->in_size, &step->out, &step->out_size);
    switch (result) {
    case SCREE__UNZSTD_ON:
        return SCREE__STEP_ON;
    case SCREE__UNZSTD_FRAME_END:
        return SCREE__STEP_BETWEEN;
    case SCREE__UNZSTD_NO_MEMORY:
        return SCREE__STEP_NO_MEMORY;
    case SCREE__UNZSTD_TOO_LARGE:
        return SCREE__STEP_TOO_LARGE;
    default:
        return SCREE__STEP_DAMAGED;
    }
}

static void *open_state(void)
{
    return scree__unzstd_open(SCREE__DECODER_MEMORY);
}

static const scree__steps steps = {&scree__decoder_zstd, "zstd -d", open_state,         scree__unzstd_reset, take_step,
                                   scree__unzstd_memory, NULL,      scree__unzstd_close};

static scree_status open_decoder(scree__decoder **out, scree__descriptor *descriptor, const unsigned char *head,
                                 int64_t size, scree_error *error)
{
    return scree__stepped_open(out, &steps, descriptor, head, size, error);
}

const scree__decoder_table scree__decoder_zstd = SCREE__STEPPED_TABLE("zstd", "zst", matches, open_decoder, NULL);
