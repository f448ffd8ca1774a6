/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_SOME_ROWS_H
#define SCREE_DATA_SOME_ROWS_H

/* Some of the rows of a source: first_row to last_row, or a sample of these.
 *
 *   rows_draw.c      which rows a sample has
 *   some_rows.c      a source that leaves the others out
 *   rows_kept.c      one that keeps them in memory, for what can be read only once and does not say how long it is */

#include "base/budget.h"
#include "data/source.h"

/* A row that was drawn. */
typedef struct scree__drawn {
    uint64_t key;
    int64_t row;  /* from 0 */
    int64_t slot; /* 0 .. count-1: where it may be kept */
} scree__drawn;

/* A sample while rows go by: those with the smallest keys, which are functions of seed and number of the row alone.
 * Zeroed but for seed and wanted: none was drawn. */
typedef struct scree__draw {
    uint64_t seed;
    int64_t wanted;
    int64_t count;
    int64_t room;
    scree__drawn *heap; /* the largest key first */
    scree__budget *budget;
    const char *file; /* for messages */
} scree__draw;

/* A row, each once and in order. *slot: where it is to be kept, perhaps instead of another; -1: nowhere. */
scree_status scree__draw_offer(scree__draw *draw, int64_t row, int64_t *slot, scree_error *error);
/* In the order of the rows. */
void scree__draw_sort(scree__draw *draw);
void scree__draw_clear(scree__draw *draw);

/* The rows of the inner source that the options ask for; itself where they ask for none. On success it owns the inner
 * source. */
scree_status scree__some_rows_open(scree_source **out, scree_source *inner, const scree_read_options *options,
                                   scree_error *error);

/* Rows first to end - 1, from 0, of the inner source, which is borrowed, and must be read by nobody else meanwhile. */
scree_status scree__some_rows_borrow(scree_source **out, scree_source *inner, int64_t first, int64_t end,
                                     scree_error *error);

/* A sample of what can be read once, of rows from first on, up to last or, where that is 0, the end. */
scree_status scree__rows_kept_open(scree_source **out, scree_source *inner, const scree_read_options *options,
                                   scree_error *error);

/* There are fewer rows than were asked for. */
scree_status scree__some_rows_fail(const scree_source *inner, int64_t rows, const scree_read_options *options,
                                   scree_error *error);

#endif
