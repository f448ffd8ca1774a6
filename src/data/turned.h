/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TURNED_H
#define SCREE_DATA_TURNED_H

/* Sparse rows from entries that come in another order, column by column or in none: kept in memory where they fit into
 * the budget, else in a scratch file. The entries of a cell are added up.
 *
 *     turned = (scree__turned){.file = path, .rows = N, .cols = D, .type = SCREE_F64, .budget = budget};
 *     SCREE_TRY(scree__turned_add(&turned, row, column, value, error));        every entry
 *     SCREE_TRY(scree__turned_finish(&turned, error));
 *     SCREE_TRY(scree__turned_next(&turned, max_rows, &block, error));         until there are no rows
 *
 * Who can read the entries twice counts them first, and they then take no more than they do as rows:
 *
 *     SCREE_TRY(scree__turned_count(&turned, row, error));                     every entry
 *     SCREE_TRY(scree__turned_counted(&turned, error));                        then as above
 *
 */

#include "data/entry_order.h"
#include "data/scratch.h"
#include "data/triplets.h"

typedef struct scree__turned {
    const char *file;     /* for messages; lent */
    int64_t rows;         /* N */
    int64_t cols;         /* D */
    scree_type type;      /* of the rows that are lent: SCREE_F32, SCREE_F64 or SCREE_U8, which hold all values */
    scree__budget budget; /* for what it keeps, half of it at most where it can go to a file */
    int threads;

    /* What follows is its own. */
    int64_t entries;    /* that were counted, or added */
    bool placing;       /* they were counted, and have their places */
    bool in_memory;     /* after finish: rows are here */
    int64_t *starts;    /* rows + 1: counts first, then places */
    int64_t start_room; /* there is memory for so many */
    int32_t *indices;
    void *values;
    scree__triplets cells;  /* since the last run */
    scree__scratch scratch; /* runs, one behind the other: starts, columns, values as doubles */
    int64_t *runs;          /* where each begins in the scratch file, and how many entries it has */
    int64_t run_count;
    int64_t at;               /* next row */
    scree__buffer run_starts; /* of the rows of a block, run by run */
    scree__buffer piece;      /* of a run */
    scree__buffer out;        /* of a block: starts, */
    scree__buffer out_indices;
    scree__buffer out_values;
} scree__turned;

scree_status scree__turned_count(scree__turned *turned, int64_t row, scree_error *error);
scree_status scree__turned_counted(scree__turned *turned, scree_error *error);
/* Both numbers count from 0, and are below rows and cols. */
scree_status scree__turned_add(scree__turned *turned, int64_t row, int64_t column, double value, scree_error *error);
scree_status scree__turned_finish(scree__turned *turned, scree_error *error);

/* The next rows, at most so many, as a sparse block that is lent until the next call. */
scree_status scree__turned_next(scree__turned *turned, int64_t max_rows, scree__block *block, scree_error *error);
void scree__turned_rewind(scree__turned *turned);
/* A source of what is finished, which it takes over; about has shape, name and note only. */
scree_status scree__turned_open(scree_source **out, scree__turned *turned, scree_error *error);

/* Bytes that it holds after finish, and those that so many entries would take before. */
int64_t scree__turned_memory(const scree__turned *turned);
void scree__turned_clear(scree__turned *turned);

#endif
