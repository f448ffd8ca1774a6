/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_SPARSE_COLUMNS_H
#define SCREE_KERNEL_SPARSE_COLUMNS_H

/* Mean and variance of the columns of sparse rows that arrive in pieces; see sparse_columns.c. */

#include "base/snapshot.h"
#include "kernel/entries.h"

typedef struct scree__sparse_columns scree__sparse_columns;

/* Rows that scree__sparse_columns_add wants, and bytes of one. */
int64_t scree__sparse_columns_rows(int64_t cols);
int64_t scree__sparse_columns_memory(int64_t cols);

scree_status scree__sparse_columns_new(scree__sparse_columns **out, int64_t cols, int threads, scree_error *error);

/* The next rows: a multiple of scree__sparse_columns_rows, and any number at the end. False when an entry is not
 * finite. */
bool scree__sparse_columns_add(scree__sparse_columns *columns, const scree__entries *x);

/* What was found; arrays are lent. Call once, at the end. */
typedef struct scree__sparse_found {
    int64_t rows;
    double weight;   /* N: of all rows */
    double *mean;    /* D */
    double *rest;    /* D: what of the mean is lost by its rounding */
    double *squares; /* D: Σ(x - µ)² */
} scree__sparse_found;

void scree__sparse_columns_finish(scree__sparse_columns *columns, scree__sparse_found *found);
/* What the rows so far come to, before scree__sparse_columns_finish. */
void scree__sparse_columns_move(scree__sparse_columns *columns, scree__snapshot *snapshot);
void scree__sparse_columns_free(scree__sparse_columns *columns);

#endif
