/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes into a buffer that doubles as it grows, and out of one whose end is never passed. Numbers are written byte by
 * byte, lowest first; compilers make single moves of that. The checksum is zlib's CRC-32, which finds every error that
 * lies within 32 bits, and any other with a chance of 1 - 2⁻³². */

#include "archive/pack.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

unsigned char *scree__pack_room(scree__pack *pack, int64_t size)
{
    if (pack->failed || size < 0)
        return NULL;
    if (pack->room - pack->size < size) {
        const int64_t room = 2 * pack->room + size + 64;
        unsigned char *data = realloc(pack->data, (size_t)room);
        if (!data) {
            scree__memory_miss();
            pack->failed = true;
            return NULL;
        }
        pack->data = data;
        pack->room = room;
    }
    unsigned char *at = pack->data + pack->size;
    pack->size += size;
    return at;
}

void scree__pack_bytes(scree__pack *pack, const void *data, int64_t size)
{
    unsigned char *to = scree__pack_room(pack, size);
    if (to && size > 0)
        memcpy(to, data, (size_t)size);
}

static void put(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; to && i < bytes; i++)
        to[i] = (unsigned char)(value >> (8 * i));
}

static uint64_t get(const unsigned char *from, int bytes)
{
    uint64_t value = 0;
    for (int i = 0; from && i < bytes; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

void scree__pack_u8(scree__pack *pack, unsigned value)
{
    put(scree__pack_room(pack, 1), value, 1);
}

void scree__pack_u32(scree__pack *pack, uint32_t value)
{
    put(scree__pack_room(pack, 4), value, 4);
}

void scree__pack_i64(scree__pack *pack, int64_t value)
{
    put(scree__pack_room(pack, 8), (uint64_t)value, 8);
}

void scree__pack_f64(scree__pack *pack, double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    put(scree__pack_room(pack, 8), bits, 8);
}

void scree__pack_number(scree__pack *pack, int64_t value)
{
    uint64_t left = value < 0 ? 2 * ~(uint64_t)value + 1 : 2 * (uint64_t)value; /* the sign last */
    for (; left >= 128; left >>= 7)
        scree__pack_u8(pack, 128U | (unsigned)(left & 127U));
    scree__pack_u8(pack, (unsigned)left);
}

void scree__pack_real(scree__pack *pack, double value)
{
    uint64_t bits = 0;
    int bytes = 8;
    memcpy(&bits, &value, sizeof bits);
    for (; bytes > 0 && (bits & 255U) == 0; bytes--)
        bits >>= 8;
    scree__pack_u8(pack, (unsigned)bytes);
    put(scree__pack_room(pack, bytes), bits, bytes);
}

void scree__pack_patch(scree__pack *pack, int64_t at, uint32_t value)
{
    if (!pack->failed && at >= 0 && at + 4 <= pack->size)
        put(pack->data + at, value, 4);
}

void scree__pack_free(scree__pack *pack)
{
    free(pack->data);
    *pack = (scree__pack){0};
}

const unsigned char *scree__unpack_bytes(scree__unpack *unpack, int64_t size)
{
    if (unpack->failed || size < 0 || size > unpack->left) {
        unpack->failed = true;
        return NULL;
    }
    const unsigned char *at = unpack->at;
    unpack->at += size;
    unpack->left -= size;
    return at;
}

unsigned scree__unpack_u8(scree__unpack *unpack)
{
    return (unsigned)get(scree__unpack_bytes(unpack, 1), 1);
}

uint32_t scree__unpack_u32(scree__unpack *unpack)
{
    return (uint32_t)get(scree__unpack_bytes(unpack, 4), 4);
}

int64_t scree__unpack_i64(scree__unpack *unpack)
{
    return (int64_t)get(scree__unpack_bytes(unpack, 8), 8);
}

double scree__unpack_f64(scree__unpack *unpack)
{
    const uint64_t bits = get(scree__unpack_bytes(unpack, 8), 8);
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double scree__unpack_real(scree__unpack *unpack)
{
    const int bytes = (int)scree__unpack_u8(unpack);
    unpack->failed = unpack->failed || bytes > 8;
    const uint64_t top = unpack->failed ? 0 : get(scree__unpack_bytes(unpack, bytes), bytes);
    const uint64_t bits = bytes > 0 && bytes <= 8 ? top << (64 - 8 * bytes) : 0;
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

int64_t scree__unpack_number(scree__unpack *unpack)
{
    uint64_t value = 0;
    unsigned byte = 128;
    for (int shift = 0; byte >= 128; shift += 7) {
        byte = scree__unpack_u8(unpack);
        if (shift > 63 || (shift == 63 && byte > 1)) {
            unpack->failed = true;
            return 0;
        }
        value |= (uint64_t)(byte & 127U) << shift;
    }
    return value & 1U ? (int64_t) ~(value >> 1) : (int64_t)(value >> 1);
}

uint32_t scree__checksum(uint32_t before, const void *data, int64_t size)
{
    return (uint32_t)crc32_z(before, data, (size_t)size);
}
