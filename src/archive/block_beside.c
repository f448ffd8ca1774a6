/* SPDX-License-Identifier: BSD-3-Clause */
/* A block without a model: cells become lattice numbers, and what is stored is how each differs from the ones beside it
 * (Ibarria et al. 2003): for smooth rows, and for rows that follow each other smoothly, and for what no model shortens.
 * Costs some nanoseconds a cell. */

#include "archive/block.h"

#include "base/memory.h"
#include "data/source.h"

static bool put_beside(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    const int64_t d = code->cols;
    const scree_type type = code->lattice.type;
    scree__raws raws = {{0}};
    int32_t *cells = scree__alloc_raw(rows->rows * d, sizeof *cells);
    double *room = scree__alloc_raw(4 * d, sizeof *room);
    if (!cells || !room) {
        pack->failed = true;
        goto done;
    }
    for (int64_t i = 0; i < rows->rows; i++) {
        double *u = room + i % 2 * d;
        const double *above = i > 0 ? room + (i + 1) % 2 * d : NULL;
        const double *x = scree__rows_load(rows, i, room + 2 * d);
        scree__correct_beside(&code->lattice, code->neighbour, x, above, u, cells + i * d, room + 3 * d, d);
        scree__raws_keep(&raws, outcome, type, x, room + 3 * d, cells + i * d, d);
    }
    scree__cells_put(pack, cells, rows->rows, d, code->packer);
    scree__raws_put(pack, &raws, type);
done:
    free(room);
    free(cells);
    return !pack->failed;
}

static void get_beside(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    const int64_t d = code->cols;
    const scree_type type = code->lattice.type;
    int32_t *cells = scree__alloc_raw(rows * d, sizeof *cells);
    double *room = scree__alloc_raw(3 * d, sizeof *room);
    void *raws = NULL;
    int64_t used = 0;
    if (!cells || !room) {
        unpack->failed = true;
        goto done;
    }
    scree__cells_get(unpack, cells, rows, d);
    if (!unpack->failed)
        raws = scree__raws_get(unpack, cells, rows * d, type);
    for (int64_t i = 0; i < rows && !unpack->failed; i++) {
        double *u = room + i % 2 * d;
        const double *above = i > 0 ? room + (i + 1) % 2 * d : NULL;
        double *back = room + 2 * d;
        scree__raws_place(raws, &used, type, cells + i * d, back, d);
        scree__restore_beside(&code->lattice, code->neighbour, above, u, cells + i * d, back, d);
        scree__row_store(back, type, (char *)data + i * d * scree__type_size(type), d);
    }
done:
    free(raws);
    free(room);
    free(cells);
}

const scree__coding_calls scree__coding_beside = {"beside", put_beside, get_beside};
