/* SPDX-License-Identifier: BSD-3-Clause */
/* zstd around byte planes: the first bytes of all elements, then the second bytes, and so on, so that what numbers have
 * in common (signs, exponents) lies together. A u32 in front is the compressed size, 0 when the bytes follow as they
 * are. The level is one at which two cores stay well above the rate of a disk. */

#include "archive/squeeze.h"

#include "base/memory.h"

#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum { QUICK = 1, LEVEL = 6, HARD = 19, MOST_TEXT = 1 << 30 };
enum { GAIN_LOOK = 1 << 16, LOOK = 1 << 17, LOOKS = 4, SHARE = 8 }; /* bytes, bytes, pieces, one byte in so many */

/* The place of a byte of an element, lowest first on every machine. */
static int place_of(int byte, int size)
{
    return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? size - 1 - byte : byte;
}

static void split_planes(const unsigned char *from, unsigned char *to, int64_t count, int size)
{
    for (int b = 0; b < size; b++)
        for (int64_t i = 0; i < count; i++)
            to[b * count + i] = from[i * size + place_of(b, size)];
}

static void join_planes(const unsigned char *from, unsigned char *to, int64_t count, int size)
{
    for (int b = 0; b < size; b++)
        for (int64_t i = 0; i < count; i++)
            to[i * size + place_of(b, size)] = from[b * count + i];
}

/* What zstd says, with a note where it is memory that it lacks. */
static size_t noted(size_t made)
{
    if (ZSTD_isError(made) && ZSTD_getErrorCode(made) == ZSTD_error_memory_allocation)
        scree__memory_miss();
    return made;
}

static void compress(scree__pack *pack, const unsigned char *bytes, int64_t size, int level)
{
    const int64_t at = pack->size;
    const size_t most = ZSTD_compressBound((size_t)size);
    scree__pack_u32(pack, 0);
    unsigned char *to = scree__pack_room(pack, (int64_t)most);
    if (!to)
        return;
    const size_t made = noted(ZSTD_compress(to, most, bytes, (size_t)size, level));
    pack->size = at + 4;
    if (!ZSTD_isError(made) && (int64_t)made < size && made < UINT32_MAX) {
        scree__pack_patch(pack, at, (uint32_t)made);
        pack->size += (int64_t)made;
    } else {
        scree__pack_bytes(pack, bytes, size);
    }
}

static void decompress(scree__unpack *unpack, unsigned char *bytes, int64_t size)
{
    const int64_t made = scree__unpack_u32(unpack);
    const unsigned char *from = scree__unpack_bytes(unpack, made > 0 ? made : size);
    if (!from)
        return;
    if (made == 0)
        memcpy(bytes, from, (size_t)size);
    else if (noted(ZSTD_decompress(bytes, (size_t)size, from, (size_t)made)) != (size_t)size)
        unpack->failed = true;
}

void scree__squeeze(scree__pack *pack, const void *data, int64_t count, int size)
{
    if (count == 0)
        return;
    if (size == 1) {
        compress(pack, data, count, LEVEL);
        return;
    }
    unsigned char *planes = scree__alloc_raw(count, (size_t)size);
    if (planes) {
        split_planes(data, planes, count, size);
        compress(pack, planes, count * size, LEVEL);
    } else {
        pack->failed = true;
    }
    free(planes);
}

void scree__unsqueeze(scree__unpack *unpack, void *data, int64_t count, int size)
{
    if (count == 0 || unpack->failed)
        return;
    if (size == 1) {
        decompress(unpack, data, count);
        return;
    }
    unsigned char *planes = scree__alloc_raw(count, (size_t)size);
    if (planes) {
        decompress(unpack, planes, count * size);
        if (!unpack->failed)
            join_planes(planes, data, count, size);
    } else {
        unpack->failed = true;
    }
    free(planes);
}

/* Elements with their lowest byte first, which is how they lie on most machines. */
static void order(unsigned char *bytes, int64_t count, int size)
{
    for (int64_t i = 0; place_of(0, size) != 0 && i < count; i++)
        for (int b = 0; b < size / 2; b++) {
            const unsigned char low = bytes[i * size + b];
            bytes[i * size + b] = bytes[(i + 1) * size - 1 - b];
            bytes[(i + 1) * size - 1 - b] = low;
        }
}

/* In this order, made smaller at a level, or not. */
static void put_ordered(scree__pack *pack, const void *data, int64_t count, int size, int level)
{
    const bool turned = place_of(0, size) != 0;
    unsigned char *copy = turned ? scree__alloc_raw(count, (size_t)size) : NULL;
    if (copy) {
        memcpy(copy, data, (size_t)(count * size));
        order(copy, count, size);
    }
    pack->failed = pack->failed || (turned && !copy);
    if (level > 0) {
        compress(pack, turned ? copy : data, count * size, level);
    } else {
        scree__pack_u32(pack, 0);
        scree__pack_bytes(pack, turned ? copy : data, count * size);
    }
    free(copy);
}

void scree__squeeze_hard(scree__pack *pack, const void *data, int64_t count, int size)
{
    if (count > 0)
        put_ordered(pack, data, count, size, HARD);
}

void scree__squeeze_not(scree__pack *pack, const void *data, int64_t count, int size)
{
    if (count > 0)
        put_ordered(pack, data, count, size, 0);
}

void scree__unsqueeze_hard(scree__unpack *unpack, void *data, int64_t count, int size)
{
    if (count == 0 || unpack->failed)
        return;
    decompress(unpack, data, count * size);
    order(data, count, size);
}

/* Bytes that zstd makes of others. */
static double made_of(const void *data, int64_t bytes, int level)
{
    const size_t room = ZSTD_compressBound((size_t)bytes);
    void *to = scree__alloc_raw((int64_t)room, 1);
    const size_t made = to ? noted(ZSTD_compress(to, room, data, (size_t)bytes, level)) : 0;
    free(to);
    return to && !ZSTD_isError(made) ? (double)made : (double)bytes;
}

/* Evenly spaced pieces of the bytes, about so many in all; to be freed. */
static unsigned char *look_at(const void *data, int64_t bytes, int64_t *look)
{
    const int64_t piece = *look / LOOKS;
    unsigned char *to = scree__alloc_raw(*look, 1);
    if (bytes <= *look) {
        *look = bytes;
        if (to)
            memcpy(to, data, (size_t)bytes);
        return to;
    }
    *look = piece * LOOKS;
    for (int64_t i = 0; to && i < LOOKS; i++)
        memcpy(to + i * piece, (const char *)data + i * (bytes - piece) / (LOOKS - 1), (size_t)piece);
    return to;
}

double scree__squeeze_gain(const void *data, int64_t bytes)
{
    int64_t look = GAIN_LOOK;
    unsigned char *some = bytes > 0 ? look_at(data, bytes, &look) : NULL;
    const double gain = some ? made_of(some, look, HARD) / made_of(some, look, QUICK) : 1;
    free(some);
    return gain;
}

double scree__squeeze_estimate(const void *data, int64_t bytes, double gain)
{
    int64_t look = bytes / SHARE > LOOK ? bytes / SHARE : LOOK;
    unsigned char *some = bytes > 0 ? look_at(data, bytes, &look) : NULL;
    const double made = some ? made_of(some, look, QUICK) : 0;
    free(some);
    return some ? gain * made * (double)bytes / (double)look : (double)bytes;
}

void scree__squeeze_text(scree__pack *pack, const char *text, int64_t size)
{
    if (size > MOST_TEXT) { /* more than is taken back */
        pack->failed = true;
        return;
    }
    scree__pack_u32(pack, (uint32_t)size);
    scree__squeeze(pack, text, size, 1);
}

int64_t scree__text_size(const scree__unpack *unpack)
{
    scree__unpack look = *unpack;
    return scree__unpack_u32(&look);
}

char *scree__unsqueeze_text(scree__unpack *unpack, int64_t *size)
{
    *size = scree__unpack_u32(unpack);
    if (*size > MOST_TEXT || unpack->failed) {
        unpack->failed = true;
        return NULL;
    }
    char *text = scree__alloc(*size + 1, 1);
    if (text)
        scree__unsqueeze(unpack, text, *size, 1);
    else
        unpack->failed = true;
    if (unpack->failed) {
        free(text);
        return NULL;
    }
    return text;
}

bool scree__unzstd_whole(void *to, int64_t size, const void *from, int64_t packed)
{
    return noted(ZSTD_decompress(to, (size_t)size, from, (size_t)packed)) == (size_t)size;
}

void *scree__unzstd_open(int64_t limit)
{
    ZSTD_DCtx *state = ZSTD_createDCtx();
    int log = 0;
    while ((INT64_C(2) << log) <= limit)
        log++;
    if (state && ZSTD_isError(ZSTD_DCtx_setParameter(state, ZSTD_d_windowLogMax, log))) {
        ZSTD_freeDCtx(state);
        return NULL;
    }
    return state;
}

bool scree__unzstd_reset(void *state)
{
    return !ZSTD_isError(ZSTD_DCtx_reset(state, ZSTD_reset_session_only));
}

scree__unzstd_result scree__unzstd_step(void *state, const unsigned char **in, int64_t *in_size, unsigned char **out,
                                        int64_t *out_size)
{
    ZSTD_inBuffer from = {*in, (size_t)*in_size, 0};
    ZSTD_outBuffer to = {*out, (size_t)*out_size, 0};
    const size_t left = ZSTD_decompressStream(state, &to, &from);
    *in += from.pos;
    *in_size -= (int64_t)from.pos;
    *out += to.pos;
    *out_size -= (int64_t)to.pos;
    if (!ZSTD_isError(left))
        return left == 0 ? SCREE__UNZSTD_FRAME_END : SCREE__UNZSTD_ON;
    switch (ZSTD_getErrorCode(left)) {
    case ZSTD_error_memory_allocation:
        return SCREE__UNZSTD_NO_MEMORY;
    case ZSTD_error_frameParameter_windowTooLarge:
        return SCREE__UNZSTD_TOO_LARGE;
    default:
        return SCREE__UNZSTD_DAMAGED;
    }
}

int64_t scree__unzstd_memory(const void *state)
{
    return (int64_t)ZSTD_sizeof_DCtx(state);
}

void scree__unzstd_close(void *state)
{
    ZSTD_freeDCtx(state);
}
