/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread decompresses into one slot while the reader copies from the other (ring.h): inflating takes longer than
 * parsing numbers, and so a compressed file is read in the time of the longer of the two, not of their sum. The copy
 * is a few percent of that. An error stands in its slot and arrives behind the bytes before it. */

#include "data/pump.h"

#include "base/memory.h"
#include "data/buffer.h"
#include "data/ring.h"

#include <string.h>

enum { SLOT_BYTES = SCREE__WINDOW(19) };

typedef struct slot {
    scree_status status;
    scree_error error;
    int64_t held;
    int64_t position; /* in the compressed file, behind it */
    unsigned char data[SLOT_BYTES];
} slot;

struct scree__pump {
    scree__decoder *decoder;
    scree__ring ring;
    const slot *from; /* what is copied from; NULL: nothing yet */
    int64_t at;       /* in it */
    int64_t position; /* where the decoder stood at first */
    slot slots[SCREE__SLOTS];
};

static bool fill(void *context, int index)
{
    scree__pump *pump = context;
    slot *to = &pump->slots[index];
    to->held = 0;
    to->status = scree__decoder_read(pump->decoder, to->data, SLOT_BYTES, &to->held, &to->error);
    to->position = scree__decoder_position(pump->decoder);
    return to->status == SCREE_OK && to->held == SLOT_BYTES;
}

scree__pump *scree__pump_open(scree__decoder *decoder)
{
    scree__pump *pump = scree__alloc(1, sizeof *pump);
    if (!pump)
        return NULL;
    pump->decoder = decoder;
    pump->position = scree__decoder_position(decoder);
    scree__ring_init(&pump->ring, fill, pump);
    if (scree__ring_start(&pump->ring) != 0) {
        scree__pump_close(pump);
        return NULL;
    }
    return pump;
}

scree_status scree__pump_read(scree__pump *pump, void *buffer, int64_t size, int64_t *got, scree_error *error)
{
    *got = 0;
    while (*got < size) {
        if (!pump->from || (pump->at == pump->from->held && pump->from->held == SLOT_BYTES)) {
            pump->from = &pump->slots[scree__ring_next(&pump->ring)];
            pump->at = 0;
        }
        const slot *from = pump->from;
        if (from->status != SCREE_OK)
            return scree__fail(error, from->status, "%s", from->error.text);
        int64_t count = from->held - pump->at < size - *got ? from->held - pump->at : size - *got;
        if (count == 0)
            break;
        memcpy((unsigned char *)buffer + *got, from->data + pump->at, (size_t)count);
        pump->at += count;
        *got += count;
    }
    return SCREE_OK;
}

int64_t scree__pump_position(const scree__pump *pump)
{
    return pump->from ? pump->from->position : pump->position;
}

void scree__pump_close(scree__pump *pump)
{
    if (!pump)
        return;
    scree__ring_destroy(&pump->ring);
    free(pump);
}
