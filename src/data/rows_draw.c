/* SPDX-License-Identifier: BSD-3-Clause */
/* Which rows a sample without replacement has. Row i has the key h(seed, i), 64 random bits, and the n smallest keys
 * are drawn: every set of n rows is as likely as any other, and which it is depends neither on how rows are read nor on
 * whether their number is known. A heap of n keys, the largest at its root; of equal keys the later row is the larger.
 * O(N + n log n log N/n) for N rows. */

#include "base/memory.h"
#include "base/random.h"
#include "data/some_rows.h"

#include <string.h>

enum { STREAM = 0x726f7773, FIRST_ROOM = 1024, WORD = 32 };

static bool is_larger(const scree__drawn *a, const scree__drawn *b)
{
    return a->key != b->key ? a->key > b->key : a->row > b->row;
}

static void swap(scree__drawn *a, scree__drawn *b)
{
    const scree__drawn c = *a;
    *a = *b;
    *b = c;
}

static void sift_up(scree__drawn *heap, int64_t at)
{
    for (int64_t parent = (at - 1) / 2; at > 0 && is_larger(&heap[at], &heap[parent]); parent = (at - 1) / 2) {
        swap(&heap[at], &heap[parent]);
        at = parent;
    }
}

static void sift_down(scree__drawn *heap, int64_t count)
{
    for (int64_t at = 0, child = 1; child < count; child = 2 * at + 1) {
        if (child + 1 < count && is_larger(&heap[child + 1], &heap[child]))
            child++;
        if (!is_larger(&heap[child], &heap[at]))
            break;
        swap(&heap[at], &heap[child]);
        at = child;
    }
}

static scree_status grow(scree__draw *draw, scree_error *error)
{
    const int64_t twice = draw->room > 0 ? 2 * draw->room : FIRST_ROOM;
    const int64_t room = twice < draw->wanted ? twice : draw->wanted;
    const int64_t size = (int64_t)sizeof *draw->heap;
    const scree_status status =
        scree__budget_take(draw->budget, (room - draw->room) * size, draw->file, "the rows of a sample", error);
    if (status != SCREE_OK)
        return status;
    scree__drawn *heap = realloc(draw->heap, (size_t)(room * size));
    if (!heap)
        return scree__fail(error, SCREE_ERR_MEMORY, "%s: out of memory for the rows of a sample", draw->file);
    draw->heap = heap;
    draw->room = room;
    return SCREE_OK;
}

scree_status scree__draw_offer(scree__draw *draw, int64_t row, int64_t *slot, scree_error *error)
{
    scree_status status = SCREE_OK;
    uint32_t bits[4];
    scree__philox(draw->seed, STREAM, (uint64_t)row, bits);
    scree__drawn drawn = {.key = ((uint64_t)bits[1] << WORD) | bits[0], .row = row};
    *slot = -1;
    if (draw->count < draw->wanted) {
        if (draw->count == draw->room)
            SCREE_TRY(grow(draw, error));
        *slot = drawn.slot = draw->count;
        draw->heap[draw->count] = drawn;
        sift_up(draw->heap, draw->count++);
    } else if (is_larger(&draw->heap[0], &drawn)) {
        *slot = drawn.slot = draw->heap[0].slot;
        draw->heap[0] = drawn;
        sift_down(draw->heap, draw->count);
    }
done:
    return status;
}

static int by_row(const void *a, const void *b)
{
    const int64_t x = ((const scree__drawn *)a)->row;
    const int64_t y = ((const scree__drawn *)b)->row;
    return x < y ? -1 : x > y;
}

void scree__draw_sort(scree__draw *draw)
{
    if (draw->count > 0)
        qsort(draw->heap, (size_t)draw->count, sizeof *draw->heap, by_row);
}

void scree__draw_clear(scree__draw *draw)
{
    free(draw->heap);
    draw->heap = NULL;
    draw->count = draw->room = 0;
}
