/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_ENTRIES_H
#define SCREE_DATA_ENTRIES_H

/* Blocks of sparse rows: copied, put together, and spread out for those who want every cell. */

#include "data/source.h"
#include "kernel/entries.h"

/* Sparse rows that are kept, one behind the other. Zeroed: none. */
typedef struct scree__entries_room {
    int64_t rows;
    int64_t *starts; /* rows + 1, from 0 */
    int32_t *indices;
    char *values;
    double *weights;  /* of the rows, where they have some */
    int64_t row_room; /* that there is memory for */
    int64_t room;     /* the same of entries */
    scree_type type;  /* of the values */
} scree__entries_room;

/* Gains rows from .. from+count-1 of a sparse block; its type is the same for all. */
scree_status scree__entries_add(scree__entries_room *room, const scree__block *block, int64_t from, int64_t count,
                                const char *file, scree_error *error);
/* Where the size is about known before: an empty room gets it at once, for blocks like the first, so that growing
 * leaves no holes behind in the heap. Where there is no such memory it grows, as ever. */
void scree__entries_expect(scree__entries_room *room, const scree__block *first, int64_t rows, int64_t entries);
/* Keeps the memory. */
void scree__entries_empty(scree__entries_room *room);
void scree__entries_clear(scree__entries_room *room);

/* The sparse rows of a block, and of a room, for the kernels. */
scree__entries scree__block_entries(const scree__block *block, int64_t cols);
scree__entries scree__entries_of(const scree__entries_room *room, int64_t cols);

/* Every cell of the rows of a sparse block, which becomes dense: in the buffer. */
scree_status scree__entries_spread(scree__block *block, int64_t cols, scree__buffer *buffer, const char *file,
                                   scree_error *error);

/* The sum of each row of a block, sparse or dense, of cols columns; NaN where one of them is. */
void scree__block_totals(const scree__block *block, int64_t cols, double *totals);

/* Bytes of a sparse row, on average, as it is lent. */
int64_t scree__entries_row_bytes(const scree_source *source);

#endif
