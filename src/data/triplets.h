/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_TRIPLETS_H
#define SCREE_DATA_TRIPLETS_H

/* What the readers of triplets share: cells (row, column, value) in any order become rows of which only the cells that
 * were given are kept, and these a source. A cell that was not given is missing.
 *
 *   triplets_sort.c    cells to rows
 *   triplets_source.c  rows to a source
 *   triplets_csv.c     text files of three columns, ids of any kind
 *   triplets_mtx.c     Matrix Market files
 *
 * Where cells that were not given are 0, rows are lent as entries. */

#include "data/bytes.h"
#include "data/names.h"
#include "data/source.h"

/* Cells. Zeroed but for file: none yet. */
typedef struct scree__triplets {
    const char *file;     /* for messages */
    scree__budget budget; /* that their memory is drawn from, as that of the bytes was when they were opened */
    int64_t rows;         /* that were begun */
    int64_t count;        /* cells */
    int64_t capacity;     /* for so many */
    int64_t most;         /* it never grows beyond; 0: it does */
    int32_t *row;         /* of each; NULL while they come row after row */
    int32_t *column;
    double *value;
    int64_t *start; /* where each row begins, while they come row after row; rows+1 of them once sorted */
    int64_t start_capacity;
} scree__triplets;

/* Whether so many rows and columns may be had at all, whatever cells they have: 8 bytes each, before any is taken. */
scree_status scree__triplets_expect(scree__triplets *triplets, int64_t rows, int64_t cols, scree_error *error);

/* Whether so many columns may be believed once all cells are there: whoever takes whole rows needs more by the column,
 * for which a small file of cells is no ground. */
scree_status scree__triplets_believe(scree__triplets *triplets, int64_t cols, scree_error *error);

/* Both numbers count from 0. */
scree_status scree__triplets_add(scree__triplets *triplets, int64_t row, int64_t column, double value,
                                 scree_error *error);

/* A row without a cell, as yet. */
scree_status scree__triplets_begin(scree__triplets *triplets, int64_t row, scree_error *error);

/* Where each column goes, -1: it is left out; place may be NULL: where it is. rows are at least as many as were begun.
 * Afterwards start has rows+1 entries, and columns ascend in each row. A cell that is there twice ends it, with *twice
 * its place and *row its row; -1 when there is none. */
typedef struct scree__triplets_order {
    const int32_t *place;
    int64_t rows;
    int threads;
    bool unsorted; /* rows are enough: columns stay in the order in which they came, and twice is -1 */
    int64_t twice;
    int64_t row;
} scree__triplets_order;

scree_status scree__triplets_sort(scree__triplets *triplets, scree__triplets_order *order, scree_error *error);
void scree__triplets_clear(scree__triplets *triplets);

/* What becomes a source. Names may be empty: then there are none. */
typedef struct scree__triplets_whole {
    scree__triplets triplets;
    scree__names rows;    /* in the order of the rows */
    scree__names columns; /* in the order in which they were met */
    bool zeros;           /* a cell that was not given is 0 */
    const char *row_name; /* of what the rows' names are carried along as */
    int64_t row_count;
    int64_t col_count;
} scree__triplets_whole;

/* Sorts, and takes over the triplets and the names of rows. options: which columns, and threads. */
scree_status scree__triplets_open(scree_source **out, scree__triplets_whole *whole, const scree_read_options *options,
                                  scree_error *error);
void scree__triplets_whole_clear(scree__triplets_whole *whole);

#endif
