/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_MTX_TEXT_H
#define SCREE_DATA_MTX_TEXT_H

/* The text of a Matrix Market file: a banner, comments that begin with %, a line of sizes, then a line an entry. */

#include "data/bytes.h"

typedef enum scree__mtx_symmetry { SCREE__MTX_GENERAL, SCREE__MTX_SYMMETRIC, SCREE__MTX_SKEW } scree__mtx_symmetry;

/* Zeroed but for bytes and file. */
typedef struct scree__mtx {
    scree__bytes *bytes;
    const char *file; /* for messages */
    bool array;       /* a line has a value alone: all of them, column by column */
    bool pattern;     /* lines have no values: each is 1 */
    scree__mtx_symmetry symmetry;
    int64_t rows;
    int64_t cols;
    int64_t count; /* lines of entries that were announced */
    int64_t found; /* that were read */
    int64_t seen;  /* bytes of the file */

    char *text; /* a window, and a zero */
    int64_t at;
    int64_t held;
    int64_t number; /* of the line that was read last */
    bool ended;
} scree__mtx;

/* An entry, both numbers from 0; of an array they say where the value stands. */
typedef struct scree__mtx_entry {
    int64_t row;
    int64_t column;
    double value;
} scree__mtx_entry;

/* Banner and sizes. */
scree_status scree__mtx_begin(scree__mtx *mtx, scree_error *error);

/* The next entry; *there is false at the end, when there were as many as announced. */
scree_status scree__mtx_next(scree__mtx *mtx, scree__mtx_entry *entry, bool *there, scree_error *error);

void scree__mtx_end(scree__mtx *mtx);

#endif
