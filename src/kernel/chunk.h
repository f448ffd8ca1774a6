/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_CHUNK_H
#define SCREE_KERNEL_CHUNK_H

/* A chunk of rows less its own mean, and how its mean joins that of the rows before it; see chunk.c. */

#include "kernel/ops.h"

/* Rows that are joined one after the other. */
typedef struct scree__lane {
    double weight; /* of its rows: their number, where they have no weights */
    double *mean;  /* D, from the origin */
} scree__lane;

/* Rows of a chunk: a function of the bytes of a row as it is packed, and nothing else. */
int64_t scree__chunk_rows(int64_t row_bytes);

/* An origin near the rows (D, zero before): the mean of x. */
void scree__chunk_origin(const scree__rows *x, double *origin);

/* mean (D): that of x from the origin. False when a cell is not finite. */
bool scree__chunk_mean(const scree__rows *x, const double *origin, double *mean);

/* The same; packed: the rows less that mean. */
bool scree__chunk_centre(const scree__ops *ops, const scree__rows *x, const double *origin, double *mean, void *packed);

/* The lane gains rows of this weight and mean (D). mean becomes the row whose outer product the scatter of both gains
 * beside the sum of their scatters. */
void scree__chunk_join(scree__lane *lane, double weight, double *mean, int64_t cols);

#endif
