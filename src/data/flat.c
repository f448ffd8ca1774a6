/* SPDX-License-Identifier: BSD-3-Clause */
/* FlatBuffers in: a table is a signed 32-bit distance back to its list of offsets, which is two 16-bit sizes, of the
 * list and of the table, and for each field the 16-bit offset of its value from the table, 0 for none. Texts, vectors
 * and inner tables are 32-bit distances forward. All numbers have their lowest byte first. Cost: a few comparisons a
 * value. */

#include "data/flat.h"

#include <stddef.h>

int64_t scree__flat_load(const unsigned char *at, int size)
{
    uint64_t bits = 0;
    for (int i = size - 1; i >= 0; i--)
        bits = bits << 8 | at[i];
    if (size == 2)
        return (int16_t)bits;
    return size == 4 ? (int32_t)bits : (int64_t)bits;
}

/* Whether size bytes at a place lie inside. */
static bool inside(scree__flat *flat, int64_t at, int64_t size)
{
    const bool fits = at >= 0 && size >= 0 && at <= flat->size && size <= flat->size - at;
    flat->damaged = flat->damaged || !fits;
    return fits;
}

/* Where the 32-bit distance at a place leads; -1: outside. */
static int64_t follow(scree__flat *flat, int64_t at)
{
    if (!inside(flat, at, 4))
        return -1;
    const int64_t to = at + (int64_t)(uint32_t)scree__flat_load(flat->data + at, 4);
    return inside(flat, to, 4) ? to : -1;
}

static scree__flat_table table_at(scree__flat *flat, int64_t at)
{
    const scree__flat_table none = {.at = -1};
    if (at < 0 || !inside(flat, at, 4))
        return none;
    const int64_t offsets = at - scree__flat_load(flat->data + at, 4);
    if (!inside(flat, offsets, 4))
        return none;
    const int64_t size = (uint16_t)scree__flat_load(flat->data + offsets, 2);
    if (size < 4 || !inside(flat, offsets, size))
        flat->damaged = true;
    return flat->damaged ? none : (scree__flat_table){at, offsets, (int)(size / 2 - 2)};
}

scree__flat_table scree__flat_root(scree__flat *flat)
{
    return table_at(flat, follow(flat, 0));
}

/* Where size bytes of a field lie; -1: it is not there. */
static int64_t place_of(scree__flat *flat, const scree__flat_table *table, int field, int size)
{
    if (table->at < 0 || field >= table->fields)
        return -1;
    const int64_t offset = (uint16_t)scree__flat_load(flat->data + table->offsets + 4 + 2 * (int64_t)field, 2);
    return offset > 0 && inside(flat, table->at + offset, size) ? table->at + offset : -1;
}

int64_t scree__flat_number(scree__flat *flat, const scree__flat_table *table, int field, int size, int64_t otherwise)
{
    const int64_t at = place_of(flat, table, field, size);
    return at < 0 ? otherwise : scree__flat_load(flat->data + at, size);
}

scree__flat_table scree__flat_inner(scree__flat *flat, const scree__flat_table *table, int field)
{
    const int64_t at = place_of(flat, table, field, 4);
    const scree__flat_table none = {.at = -1};
    return at < 0 ? none : table_at(flat, follow(flat, at));
}

scree__flat_vector scree__flat_elements(scree__flat *flat, const scree__flat_table *table, int field, int size)
{
    const int64_t at = place_of(flat, table, field, 4);
    const int64_t to = at < 0 ? -1 : follow(flat, at);
    if (to < 0)
        return (scree__flat_vector){0, 0};
    const int64_t count = (uint32_t)scree__flat_load(flat->data + to, 4);
    if (!inside(flat, to + 4, count * size))
        return (scree__flat_vector){0, 0};
    return (scree__flat_vector){to + 4, count};
}

scree__flat_table scree__flat_element(scree__flat *flat, const scree__flat_vector *vector, int64_t index)
{
    return table_at(flat, follow(flat, vector->at + 4 * index));
}

const char *scree__flat_text(scree__flat *flat, const scree__flat_table *table, int field)
{
    const scree__flat_vector bytes = scree__flat_elements(flat, table, field, 1);
    if (bytes.at == 0 || !inside(flat, bytes.at + bytes.count, 1))
        return NULL;
    if (flat->data[bytes.at + bytes.count] != 0)
        flat->damaged = true;
    return flat->damaged ? NULL : (const char *)flat->data + bytes.at;
}
