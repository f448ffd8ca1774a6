/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_TURNED_H
#define SCREE_KERNEL_SPARSE_TURNED_H

/* Sparse rows turned to columns, scaled and weighted: with V, m and f of sparse_rows.h,
 *
 *     C = A - r(fm)ᵀ,    A = diag(r) V diag(f) by columns,    r = √w, or 1 where rows have no weights. */

#include "kernel/sparse_rows.h"

typedef struct scree__sparse_turned {
    int64_t rows;
    int64_t cols;
    int threads;
    int64_t *starts; /* D+1: of the entries of each column of A, */
    int32_t *row;    /* ascending in a column, */
    double *value;
    int64_t *firsts; /* N+1: of the entries of each row of A, */
    int32_t *column; /* ascending in a row, */
    int64_t *place;  /* and where they are among those by columns */
    double *root;    /* N: r */
    double *mean;    /* D: fm */
    int64_t longest; /* entries of a row, at most */
    double squares;  /* ‖A‖²_F */
} scree__sparse_turned;

/* Bytes for so many entries. */
int64_t scree__sparse_turned_memory(int64_t rows, int64_t cols, double entries);

scree_status scree__sparse_turned_init(scree__sparse_turned *turned, const scree__entries *x,
                                       const scree__sparse_centring *centring, int threads, scree_error *error);
/* Entries by rows are no longer needed. */
void scree__sparse_turned_drop_rows(scree__sparse_turned *turned);
void scree__sparse_turned_clear(scree__sparse_turned *turned);

#endif
