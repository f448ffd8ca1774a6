/* SPDX-License-Identifier: BSD-3-Clause */
/* Rooms grow to the size that is asked for and never shrink. Blocks have one size but for the last, so that a room is
 * allocated once a pass. */

#include "data/buffer.h"

#include <inttypes.h>
#include <stdlib.h>

scree_status scree__buffer_reserve(scree__buffer *room, int64_t size, const char *file, scree_error *error)
{
    if (room->data && room->size >= size)
        return SCREE_OK;
    scree__buffer_free(room);
    if (size >= 0 && size <= INT64_MAX - SCREE__PAGE) {
        const int64_t pages = size / SCREE__PAGE + 1;
        room->data = aligned_alloc(SCREE__PAGE, (size_t)(pages * SCREE__PAGE));
        room->size = room->data ? pages * SCREE__PAGE : 0;
    }
    return room->data
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a block of %" PRId64 " bytes", file, size);
}

bool scree__buffer_holds(const scree__buffer *room, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    const uintptr_t begin = (uintptr_t)room->data;
    return room->data && at >= begin && at - begin < (uintptr_t)room->size;
}

void scree__buffer_free(scree__buffer *room)
{
    free(room->data);
    *room = (scree__buffer){0};
}
