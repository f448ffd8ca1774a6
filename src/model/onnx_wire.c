/* SPDX-License-Identifier: BSD-3-Clause */
/* Protocol buffers, written by hand: a field is the varint number·8 + kind, then its value. A varint holds seven bits a
 * byte, low ones first, the eighth bit set in all bytes but the last; negative integers are their 64 bits.
 *
 * The length of a message stands before it and is known after it: when a message ends, its bytes are moved by as many
 * as the length takes. A byte is moved once for each message around it, which is less than it costs to write it. */

#include "model/onnx_wire.h"

#include "base/memory.h"

#include <string.h>

enum { VARINT_KIND = 0, LENGTH_KIND = 2, VARINT_SIZE = 10, FIRST_ROOM = 4096 };

void scree__wire_open(scree__wire *wire, int64_t room)
{
    *wire = (scree__wire){.room = room > FIRST_ROOM ? room : FIRST_ROOM};
    wire->bytes = scree__alloc_raw(wire->room, 1);
    wire->failed = !wire->bytes;
}

void scree__wire_free(scree__wire *wire)
{
    free(wire->bytes);
    *wire = (scree__wire){0};
}

/* Where size more bytes go; NULL: no memory. */
static unsigned char *more(scree__wire *wire, int64_t size)
{
    if (wire->failed)
        return NULL;
    if (size > wire->room - wire->size) {
        const int64_t room = 2 * (wire->size + size);
        unsigned char *wider = scree__alloc_raw(room, 1);
        if (!wider) {
            wire->failed = true;
            return NULL;
        }
        memcpy(wider, wire->bytes, (size_t)wire->size);
        free(wire->bytes);
        wire->bytes = wider;
        wire->room = room;
    }
    wire->size += size;
    return wire->bytes + wire->size - size;
}

static int64_t varint(unsigned char *out, uint64_t value)
{
    int64_t size = 0;
    for (; value > 127; value >>= 7)
        out[size++] = (unsigned char)(value | 128);
    out[size++] = (unsigned char)value;
    return size;
}

static void put_varint(scree__wire *wire, uint64_t value)
{
    unsigned char digits[VARINT_SIZE];
    const int64_t size = varint(digits, value);
    unsigned char *place = more(wire, size);
    if (place)
        memcpy(place, digits, (size_t)size);
}

static void put_key(scree__wire *wire, int field, unsigned kind)
{
    put_varint(wire, (uint64_t)field * 8 + kind);
}

void scree__wire_integer(scree__wire *wire, int field, int64_t value)
{
    put_key(wire, field, VARINT_KIND);
    put_varint(wire, (uint64_t)value);
}

void *scree__wire_bytes(scree__wire *wire, int field, int64_t size)
{
    put_key(wire, field, LENGTH_KIND);
    put_varint(wire, (uint64_t)size);
    return more(wire, size);
}

void scree__wire_text(scree__wire *wire, int field, const char *text)
{
    const size_t length = strlen(text);
    void *place = scree__wire_bytes(wire, field, (int64_t)length);
    if (place)
        memcpy(place, text, length);
}

void scree__wire_begin(scree__wire *wire, int field)
{
    put_key(wire, field, LENGTH_KIND);
    wire->begun[wire->depth++] = wire->size;
}

void scree__wire_end(scree__wire *wire)
{
    unsigned char digits[VARINT_SIZE];
    const int64_t begin = wire->begun[--wire->depth];
    const int64_t length = wire->size - begin;
    const int64_t size = varint(digits, (uint64_t)length);
    if (!more(wire, size))
        return;
    memmove(wire->bytes + begin + size, wire->bytes + begin, (size_t)length);
    memcpy(wire->bytes + begin, digits, (size_t)size);
}
