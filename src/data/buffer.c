/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers grow to the size that is asked for and never shrink. Blocks have one size but for the last, so that a buffer
 * is allocated once a pass. */

#include "data/buffer.h"

#include <inttypes.h>
#include <stdlib.h>

scree_status scree__buffer_reserve(scree__buffer *buffer, int64_t size, const char *file, scree_error *error)
{
    if (buffer->data && buffer->size >= size)
        return SCREE_OK;
    scree__buffer_free(buffer);
    if (size >= 0 && size <= INT64_MAX - SCREE__PAGE) {
        const int64_t pages = size / SCREE__PAGE + 1;
        buffer->data = aligned_alloc(SCREE__PAGE, (size_t)(pages * SCREE__PAGE));
        buffer->size = buffer->data ? pages * SCREE__PAGE : 0;
    }
    return buffer->data
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for a block of %" PRId64 " bytes", file, size);
}

bool scree__buffer_holds(const scree__buffer *buffer, const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    const uintptr_t begin = (uintptr_t)buffer->data;
    return buffer->data && at >= begin && at - begin < (uintptr_t)buffer->size;
}

void scree__buffer_free(scree__buffer *buffer)
{
    free(buffer->data);
    *buffer = (scree__buffer){0};
}
