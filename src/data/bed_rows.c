/* SPDX-License-Identifier: BSD-3-Clause */
/* Genotypes as rows. A .bed holds variant after variant, and a block of rows is a few bytes of each. So the calls of
 * some hundred or thousand samples are read at a time, one piece of every variant, packed as they are, and rows are
 * made of these, tile by tile. Where all fits, the file is read once, whatever the number of passes; else a pass reads
 * it in N/held turns, each a piece of every variant. Memory: variants × held bytes. */

#include "data/bed_rows.h"

#include "base/memory.h"
#include "base/threads.h"

#include <string.h>

enum { TILE = 64, ALL_MISSING = 0x55 };

typedef struct task {
    scree__bed_rows *rows;
    int64_t at;
    int64_t count;
    scree_type type;
    void *out;
    scree_error *error;
    scree_status status; /* of the first that failed */
} task;

int64_t scree__bed_rows_held(int64_t stride, int64_t variants, int64_t bytes)
{
    const int64_t held = bytes / (variants > 0 ? variants : 1);
    return held < 1 ? 1 : held < stride ? held : stride;
}

static int64_t tiles(const scree__bed_rows *rows)
{
    return (rows->variants + TILE - 1) / TILE;
}

/* Task: the pieces of some variants. */
static void read_tile(void *context, int64_t index, int worker)
{
    task *t = context;
    scree__bed_rows *rows = t->rows;
    const int64_t end = (index + 1) * TILE < rows->variants ? (index + 1) * TILE : rows->variants;
    const int64_t from = t->at / 4;
    const int64_t size = rows->stride - from < rows->held_bytes ? rows->stride - from : rows->held_bytes;
    scree_error error = SCREE_ERROR_INIT;
    (void)worker;
    for (int64_t j = index * TILE; j < end; j++) {
        int64_t got = 0;
        uint8_t *held = rows->held + j * rows->held_bytes;
        if (rows->row[j] < 0) {
            memset(held, ALL_MISSING, (size_t)size);
            continue;
        }
        scree_status status = scree__bytes_read_at(rows->bytes, held, rows->offset + rows->row[j] * rows->stride + from,
                                                   size, &got, &error);
        if (status == SCREE_OK && got < size)
            status = scree__fail(&error, SCREE_ERR_FORMAT, "%s: has become shorter while it was read",
                                 scree__bytes_name(rows->bytes));
        scree_status none = SCREE_OK;
        if (status == SCREE_OK)
            continue;
        if (__atomic_compare_exchange_n(&t->status, &none, status, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) &&
            t->error)
            *t->error = error;
        return;
    }
}

static inline double value_of(const scree__bed_rows *rows, int64_t sample, int64_t j)
{
    const int64_t at = sample - rows->first;
    return rows->value[j * SCREE__CALLS + (rows->held[j * rows->held_bytes + at / 4] >> at % 4 * 2 & 3)];
}

/* Task: some columns of the block. */
static void make_tile(void *context, int64_t index, int worker)
{
    const task *t = context;
    const scree__bed_rows *rows = t->rows;
    const int64_t from = index * TILE;
    const int64_t end = from + TILE < rows->variants ? from + TILE : rows->variants;
    (void)worker;
    for (int64_t i = 0; i < t->count; i++) {
        const int64_t row = i * rows->variants;
        if (t->type == SCREE_U8)
            for (int64_t j = from; j < end; j++)
                ((uint8_t *)t->out)[row + j] = (uint8_t)value_of(rows, t->at + i, j);
        else
            for (int64_t j = from; j < end; j++)
                ((double *)t->out)[row + j] = value_of(rows, t->at + i, j);
    }
}

scree_status scree__bed_rows_take(scree__bed_rows *rows, int64_t at, int64_t count, scree_type type, void *out,
                                  int threads, scree_error *error)
{
    const int64_t held = 4 * rows->held_bytes; /* samples */
    const int64_t size = type == SCREE_U8 ? 1 : 8;
    for (int64_t done = 0, part; done < count; done += part) {
        const int64_t sample = at + done;
        const int64_t first = sample / held * held;
        const int64_t left = first + held - sample;
        part = count - done < left ? count - done : left;
        task t = {.rows = rows, .at = first, .error = error};
        if (rows->first != first)
            scree__parallel(threads, tiles(rows), read_tile, &t);
        rows->first = t.status == SCREE_OK ? first : -1;
        if (t.status != SCREE_OK)
            return t.status;
        t = (task){
            .rows = rows, .at = sample, .count = part, .type = type, .out = (char *)out + done * rows->variants * size};
        scree__parallel(scree__threads_for(threads, (double)part * (double)rows->variants), tiles(rows), make_tile, &t);
    }
    return SCREE_OK;
}
