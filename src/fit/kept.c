/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that were read once and need not be read again, as they came: bytes as bytes, floats as floats. Doubles that are
 * swept in float become floats, centred, half the memory; the sweep would have rounded x - µ to the same float, so that
 * sweeps over what is kept have the bits of sweeps over the source. */

#include "fit/kept.h"

#include "base/memory.h"
#include "base/threads.h"
#include "kernel/tiles.h"

#include <string.h>

enum { COPY_ROWS = 64 };

bool scree__kept_centred(scree_type type, const scree__ops *ops)
{
    return type == SCREE_F64 && ops->type == SCREE_F32;
}

static scree_type kept_type(scree_type type, const scree__ops *ops)
{
    return scree__kept_centred(type, ops) ? SCREE_F32 : type;
}

int64_t scree__kept_memory(int64_t rows, int64_t cols, scree_type type, const scree__ops *ops)
{
    return rows * (cols * scree__tiles_element(kept_type(type, ops)) + (int64_t)sizeof(double));
}

void scree__kept_open(scree__kept *k, int64_t rows, const scree__rows *like, const scree__ops *ops)
{
    const scree_type type = kept_type(like->type, ops);
    k->data = scree__alloc_raw(rows * like->cols, (size_t)scree__tiles_element(type));
    k->weights = like->weights ? scree__alloc_raw(rows, sizeof *k->weights) : NULL;
    k->room = k->data && (k->weights || !like->weights) ? rows : 0;
    k->x = (scree__rows){k->data, type, 0, like->cols, like->cols, k->weights};
}

/* Task: some rows. */
static void copy(void *context, int64_t index, int worker)
{
    scree__kept *k = context;
    const int64_t first = index * COPY_ROWS;
    const int64_t left = k->from->rows - first;
    const int64_t row_bytes = k->x.cols * scree__tiles_element(k->x.type);
    (void)worker;
    for (int64_t i = first; i < first + (left < COPY_ROWS ? left : COPY_ROWS); i++) {
        const scree__rows row = scree__rows_slice(k->from, i, 1);
        char *to = k->data + (k->x.rows + i) * row_bytes;
        if (k->x.type == row.type) {
            memcpy(to, row.data, (size_t)row_bytes);
            continue;
        }
        for (int64_t j = 0; j < k->x.cols; j++)
            ((float *)(void *)to)[j] = (float)(((const double *)row.data)[j] - k->shift[j]);
    }
}

void scree__kept_add(scree__kept *k, const scree__rows *x)
{
    if (k->x.rows + x->rows > k->room) {
        scree__kept_clear(k);
        return;
    }
    k->from = x;
    scree__parallel(k->threads, (x->rows + COPY_ROWS - 1) / COPY_ROWS, copy, k);
    k->from = NULL;
    if (k->weights)
        memcpy(k->weights + k->x.rows, x->weights, (size_t)x->rows * sizeof *k->weights);
    k->x.rows += x->rows;
}

void scree__kept_clear(scree__kept *k)
{
    free(k->data);
    free(k->weights);
    k->data = NULL;
    k->weights = NULL;
    k->room = 0;
    k->x.rows = 0;
}
