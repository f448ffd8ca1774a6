/* SPDX-License-Identifier: BSD-3-Clause */
/* A block as its elements: nothing is lost, and no model is used. zstd takes them byte plane by byte plane, at
 * a level that keeps up with a disk; or as they lie, at its best, where that is smaller: for what repeats itself
 * element by element. The second costs half a second a megabyte, so it is tried only where a quick look promises as
 * much. */

#include "archive/block.h"

#include "archive/squeeze.h"
#include "base/memory.h"
#include "data/source.h"

#include <math.h>
#include <string.h>

enum { PLANES, AS_THEY_LIE };

/* One row after the other. */
static char *copy_rows(const scree__rows *rows, scree__outcome *outcome)
{
    const int64_t size = scree__type_size(rows->type);
    const int64_t row_bytes = rows->cols * size;
    char *copy = scree__alloc_raw(rows->rows, (size_t)row_bytes);
    double *x = scree__alloc_raw(rows->cols, sizeof *x);
    for (int64_t i = 0; copy && x && i < rows->rows; i++) {
        const double *row = scree__rows_load(rows, i, x);
        for (int64_t j = 0; j < rows->cols; j++)
            outcome->cells += isfinite(row[j]) ? 1 : 0;
        memcpy(copy + i * row_bytes, (const char *)rows->data + i * rows->stride * size, (size_t)row_bytes);
    }
    if (!x) {
        free(copy);
        copy = NULL;
    }
    free(x);
    return copy;
}

static bool put_elements(scree__pack *pack, const scree__code *code, const scree__rows *rows, scree__outcome *outcome)
{
    const int64_t count = rows->rows * rows->cols;
    const int size = (int)scree__type_size(rows->type);
    const int64_t begun = pack->size;
    char *copy = copy_rows(rows, outcome);
    if (!copy) {
        pack->failed = true;
        return false;
    }
    scree__pack_u8(pack, PLANES);
    scree__squeeze(pack, copy, count, size);
    const scree__harder harder = {copy, count, size, AS_THEY_LIE};
    scree__block_harder(pack, begun, code, &harder, outcome);
    free(copy);
    return true;
}

static void get_elements(scree__unpack *unpack, const scree__code *code, void *data, int64_t rows)
{
    const int size = (int)scree__type_size(code->lattice.type);
    const unsigned layout = scree__unpack_u8(unpack);
    unpack->failed = unpack->failed || layout > AS_THEY_LIE;
    if (layout == PLANES)
        scree__unsqueeze(unpack, data, rows * code->cols, size);
    else
        scree__unsqueeze_hard(unpack, data, rows * code->cols, size);
}

const scree__coding_calls scree__coding_elements = {"bytes", put_elements, get_elements};
