/* SPDX-License-Identifier: BSD-3-Clause */
/* FlatBuffers out, from the end to the beginning: what a table refers to is written before it, and lies behind it.
 * Places are counted from the end, which does not move as bytes are put in front; numbers lie at multiples of their
 * size, counted so as well, and the whole is a multiple of eight. Every table brings its own list of offsets. */

#include "data/flat.h"

#include "base/memory.h"

#include <string.h>

/* Room for so many bytes in front of those that are written. */
static unsigned char *put(scree__flat_writer *writer, int64_t bytes)
{
    if (writer->size - writer->used < bytes && !writer->failed) {
        const int64_t size = 2 * writer->size + bytes + 256;
        unsigned char *data = scree__alloc(size, 1);
        writer->failed = !data;
        if (data && writer->used > 0)
            memcpy(data + size - writer->used, writer->data + writer->size - writer->used, (size_t)writer->used);
        if (data) {
            free(writer->data);
            writer->data = data;
            writer->size = size;
        }
    }
    if (writer->failed)
        return NULL;
    writer->used += bytes;
    return writer->data + writer->size - writer->used;
}

static void put_number(scree__flat_writer *writer, int64_t value, int size)
{
    unsigned char *to = put(writer, size);
    for (int i = 0; to && i < size; i++)
        to[i] = (unsigned char)((uint64_t)value >> (8 * i));
}

/* Zeros, so that what is put next, of so many bytes, begins at a multiple of align. */
static void pad(scree__flat_writer *writer, int64_t bytes, int64_t align)
{
    const int64_t zeros = (align - (writer->used + bytes) % align) % align;
    unsigned char *to = put(writer, zeros);
    if (to && zeros > 0)
        memset(to, 0, (size_t)zeros);
}

int64_t scree__flat_put_elements(scree__flat_writer *writer, const void *elements, int64_t count, int size, int align)
{
    pad(writer, count * size, align > 4 ? align : 4);
    unsigned char *to = put(writer, count * size);
    if (to && count > 0)
        memcpy(to, elements, (size_t)(count * size));
    put_number(writer, count, 4);
    return writer->used;
}

int64_t scree__flat_put_text(scree__flat_writer *writer, const char *text)
{
    const int64_t length = (int64_t)strlen(text);
    pad(writer, length + 1, 4);
    unsigned char *to = put(writer, length + 1);
    if (to)
        memcpy(to, text, (size_t)length + 1);
    put_number(writer, length, 4);
    return writer->used;
}

int64_t scree__flat_put_places(scree__flat_writer *writer, const int64_t *places, int64_t count)
{
    pad(writer, 4 * count, 4);
    for (int64_t i = count - 1; i >= 0; i--)
        put_number(writer, writer->used + 4 - places[i], 4);
    put_number(writer, count, 4);
    return writer->used;
}

void scree__flat_begin(scree__flat_writer *writer)
{
    memset(writer->field, 0, sizeof writer->field);
    writer->table = writer->used;
}

void scree__flat_put_number(scree__flat_writer *writer, int field, int64_t value, int size)
{
    pad(writer, size, size);
    put_number(writer, value, size);
    writer->field[field] = writer->used;
}

void scree__flat_put_place(scree__flat_writer *writer, int field, int64_t place)
{
    pad(writer, 4, 4);
    put_number(writer, writer->used + 4 - place, 4);
    writer->field[field] = writer->used;
}

int64_t scree__flat_end(scree__flat_writer *writer)
{
    int count = 8;
    while (count > 0 && writer->field[count - 1] == 0)
        count--;
    pad(writer, 4, 4);
    put_number(writer, 4 + 2 * (int64_t)count, 4); /* the list stands right in front of the table */
    const int64_t table = writer->used;
    for (int i = count - 1; i >= 0; i--)
        put_number(writer, writer->field[i] > 0 ? table - writer->field[i] : 0, 2);
    put_number(writer, table - writer->table, 2);
    put_number(writer, 4 + 2 * (int64_t)count, 2);
    return table;
}

const unsigned char *scree__flat_finish(scree__flat_writer *writer, int64_t root, int64_t *size)
{
    pad(writer, 4, 8);
    put_number(writer, writer->used + 4 - root, 4);
    *size = writer->used;
    return writer->failed ? NULL : writer->data + writer->size - writer->used;
}

void scree__flat_restart(scree__flat_writer *writer)
{
    writer->used = 0;
}

void scree__flat_writer_free(scree__flat_writer *writer)
{
    free(writer->data);
    *writer = (scree__flat_writer){0};
}
