/* SPDX-License-Identifier: BSD-3-Clause */
/* What is missing from a source that keeps cells, before any row is read: a file of some bytes may announce millions of
 * columns, and whoever reads whole rows should know of the gaps before it makes room for them. O(rows) for the first
 * gap; O(cells + columns), and a bit a column, for columns without a cell. */

#include "data/source.h"

#include "base/memory.h"

enum { BITS = 64 };

bool scree__source_first_gap(const scree_source *source, int64_t *row, int64_t *column)
{
    const scree__csr *cells = source->cells;
    for (int64_t i = 0; cells && i < cells->rows; i++) {
        const int64_t begin = cells->start[i];
        const int64_t count = cells->start[i + 1] - begin;
        if (count == cells->cols)
            continue;
        *row = i;
        for (*column = 0; *column < count && cells->column[begin + *column] == *column;)
            ++*column;
        return true;
    }
    return false;
}

scree_status scree__source_empty_column(const scree_source *source, int64_t *column, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__csr *cells = source->cells;
    uint64_t *seen = NULL;
    *column = -1;
    if (!cells)
        return SCREE_OK;
    SCREE_ALLOC(seen, cells->cols / BITS + 1, error);
    for (int64_t c = 0; c < cells->start[cells->rows]; c++)
        seen[cells->column[c] / BITS] |= UINT64_C(1) << cells->column[c] % BITS;
    for (int64_t j = 0; j < cells->cols && *column < 0; j++)
        if (!(seen[j / BITS] >> j % BITS & 1))
            *column = j;
done:
    free(seen);
    return status;
}
