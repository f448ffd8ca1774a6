/* SPDX-License-Identifier: BSD-3-Clause */
/* The filter LZF, number 32000, which h5py and so anndata compress by and which libhdf5 does not have: only its
 * decoder. A byte below 32 is followed by one more than that many literal bytes. Any other one has a length in its
 * upper three bits (7: and the next byte is added) and a distance in the lower five and the byte that follows: so many
 * bytes + 2 are copied from there. What a chunk decodes to has the size that the filter's third value says. */

#include "module/hdf5/hdf5_data.h"

#include <stdlib.h>
#include <string.h>

enum { LZF = 32000, MOST_GROWTH = 90 }; /* three bytes stand for 264 at most */

/* Bytes written, or 0 when the input is damaged or has more. */
static size_t decode(const unsigned char *from, size_t size, unsigned char *to, size_t room)
{
    size_t out = 0;
    for (size_t in = 0; in < size;) {
        const size_t head = from[in++];
        if (head < 32) {
            if (head + 1 > size - in || head + 1 > room - out)
                return 0;
            memcpy(to + out, from + in, head + 1);
            in += head + 1;
            out += head + 1;
            continue;
        }
        size_t length = head >> 5;
        if (length == 7 && in < size)
            length += from[in++];
        if (in >= size)
            return 0;
        const size_t back = ((head & 31) << 8 | from[in++]) + 1;
        if (back > out || length + 2 > room - out)
            return 0;
        for (size_t i = 0; i < length + 2; i++, out++) /* they may overlap */
            to[out] = to[out - back];
    }
    return out;
}

static size_t filter(unsigned flags, size_t count, const unsigned values[], size_t size, size_t *room, void **buffer)
{
    const size_t most = MOST_GROWTH * size + 64;
    size_t wanted = count >= 3 && values[2] > 0 ? values[2] : size;
    size_t got = 0;
    unsigned char *to = NULL;
    if (!(flags & H5Z_FLAG_REVERSE) || size > SIZE_MAX / 2 / MOST_GROWTH)
        return 0;
    for (bool last = false; got == 0 && !last; wanted *= 2) {
        last = wanted >= most;
        wanted = last ? most : wanted;
        free(to);
        to = calloc(wanted, 1);
        got = to ? decode(*buffer, size, to, wanted) : 0;
        *room = got > 0 ? wanted : *room;
    }
    if (got == 0) {
        free(to);
        return 0;
    }
    free(*buffer);
    *buffer = to;
    return got;
}

void scree__hdf5_know_lzf(void)
{
    static const H5Z_class2_t lzf = {H5Z_CLASS_T_VERS, LZF, 0, 1, "lzf", NULL, NULL, filter};
    if (H5Zfilter_avail(LZF) <= 0)
        H5Zregister(&lzf);
}
