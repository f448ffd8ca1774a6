/* SPDX-License-Identifier: BSD-3-Clause */
/* Sparse rows in memory. A room whose size is not known before grows by half as much again, so that rows which come one
 * by one cost a copy or two of each entry. */

#include "data/entries.h"

#include "base/memory.h"
#include "kernel/rows.h"
#include "kernel/strided.h"

#include <inttypes.h>
#include <string.h>

enum { LEAST_ROOM = 1024 };

static bool grow(void **place, int64_t count, int64_t size)
{
    void *larger = NULL;
    int64_t bytes = 0;
    if (!__builtin_mul_overflow(count, size, &bytes))
        larger = realloc(*place, (size_t)bytes);
    if (larger)
        *place = larger;
    return larger != NULL;
}

static int64_t room_for(int64_t room, int64_t wanted)
{
    const int64_t more = room + room / 2;
    return wanted <= room ? room : more > wanted ? more : wanted > LEAST_ROOM ? wanted : LEAST_ROOM;
}

static scree_status reserve(scree__entries_room *room, int64_t rows, int64_t entries, bool weighted, const char *file,
                            scree_error *error)
{
    const int64_t row_room = room_for(room->row_room, rows + 1);
    const int64_t entry_room = room_for(room->room, entries);
    bool there = true;
    if (row_room > room->row_room)
        there = grow((void **)&room->starts, row_room, sizeof *room->starts) &&
                (!weighted || grow((void **)&room->weights, row_room, sizeof *room->weights));
    room->row_room = there ? row_room : room->row_room;
    if (there && entry_room > room->room) {
        there = grow((void **)&room->indices, entry_room, sizeof *room->indices) &&
                grow((void **)&room->values, entry_room, scree__element_size(room->type));
        room->room = there ? entry_room : room->room;
    }
    return there ? SCREE_OK
                 : scree__fail(error, SCREE_ERR_MEMORY, "%s: cannot allocate %" PRId64 " entries of sparse rows", file,
                               entry_room);
}

void scree__entries_expect(scree__entries_room *room, const scree__block *first, int64_t rows, int64_t entries)
{
    scree_error ignored = SCREE_ERROR_INIT;
    room->type = first->type;
    (void)reserve(room, rows, entries, first->weights != NULL, "", &ignored);
}

scree_status scree__entries_add(scree__entries_room *room, const scree__block *block, int64_t from, int64_t count,
                                const char *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t first = block->starts[from];
    const int64_t added = block->starts[from + count] - first;
    const int64_t held = room->rows > 0 ? room->starts[room->rows] : 0;
    const int64_t size = scree__element_size(block->type);
    room->type = block->type;
    SCREE_TRY(reserve(room, room->rows + count, held + added, block->weights != NULL, file, error));
    room->starts[0] = 0;
    for (int64_t i = 1; i <= count; i++)
        room->starts[room->rows + i] = held + block->starts[from + i] - first;
    if (added > 0) {
        memcpy(room->indices + held, block->indices + first, (size_t)added * sizeof *room->indices);
        memcpy(room->values + held * size, (const char *)block->data + first * size, (size_t)(added * size));
    }
    if (block->weights)
        memcpy(room->weights + room->rows, block->weights + from, (size_t)count * sizeof *room->weights);
    room->rows += count;
done:
    return status;
}

void scree__entries_empty(scree__entries_room *room)
{
    room->rows = 0;
}

void scree__entries_clear(scree__entries_room *room)
{
    free(room->starts);
    free(room->indices);
    free(room->values);
    free(room->weights);
    *room = (scree__entries_room){0};
}

scree__entries scree__block_entries(const scree__block *block, int64_t cols)
{
    return (scree__entries){.value = block->data,
                            .type = block->type,
                            .rows = block->rows,
                            .cols = cols,
                            .starts = block->starts,
                            .indices = block->indices,
                            .weights = block->weights};
}

scree__entries scree__entries_of(const scree__entries_room *room, int64_t cols)
{
    return (scree__entries){.value = room->values,
                            .type = room->type,
                            .rows = room->rows,
                            .cols = cols,
                            .starts = room->starts,
                            .indices = room->indices,
                            .weights = room->weights};
}

static void spread_row(const scree__block *block, int64_t i, void *to)
{
    for (int64_t p = block->starts[i]; p < block->starts[i + 1]; p++) {
        const int32_t j = block->indices[p];
        if (block->type == SCREE_F64)
            ((double *)to)[j] = ((const double *)block->data)[p];
        else if (block->type == SCREE_F32)
            ((float *)to)[j] = ((const float *)block->data)[p];
        else
            ((uint8_t *)to)[j] = ((const uint8_t *)block->data)[p];
    }
}

scree_status scree__entries_spread(scree__block *block, int64_t cols, scree__buffer *buffer, const char *file,
                                   scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t row_bytes = cols * scree__type_size(block->type);
    SCREE_TRY(scree__buffer_reserve(buffer, block->rows * row_bytes, file, error));
    memset(buffer->data, 0, (size_t)(block->rows * row_bytes));
    for (int64_t i = 0; i < block->rows; i++)
        spread_row(block, i, buffer->data + i * row_bytes);
    block->data = buffer->data;
    block->stride = cols;
    block->starts = NULL;
    block->indices = NULL;
done:
    return status;
}

void scree__block_totals(const scree__block *block, int64_t cols, double *totals)
{
    const scree__rows x = {block->data, block->type, block->rows, cols, block->stride, NULL};
    for (int64_t i = 0; i < block->rows; i++) {
        const int64_t first = block->starts ? block->starts[i] : i * block->stride;
        const int64_t end = block->starts ? block->starts[i + 1] : first + cols;
        totals[i] = 0;
        for (int64_t p = first; p < end; p++)
            totals[i] += scree__rows_at(&x, p);
    }
}

int64_t scree__entries_row_bytes(const scree_source *source)
{
    const int64_t rows = source->about.rows > 0 ? source->about.rows : 1;
    const int64_t usual = source->entries > 0 ? source->entries / rows + 1 : source->about.cols / 10 + 1;
    return (int64_t)sizeof(int64_t) + usual * (scree__type_size(source->about.type) + (int64_t)sizeof(int32_t));
}
