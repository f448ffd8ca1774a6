/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_WIDE_GRAM_H
#define SCREE_KERNEL_WIDE_GRAM_H

/* Inner products of centred rows that lie in memory; see wide_gram.c. */

#include "base/snapshot.h"
#include "kernel/wide_rows.h"

/* Somebody who wants to know how far the sums are, to break them off and to go on later. */
typedef struct scree__wide_sums scree__wide_sums;
typedef struct scree__wide_watch {
    /* Before anything is done; may move earlier sums in. over: they are all there. */
    scree_status (*begin)(void *context, scree__wide_sums *sums, bool *over, scree_error *error);
    scree_status (*between)(void *context, double done, scree_error *error); /* done: from 0 to 1 */
    /* After begin went well; returns status, or what failed then. */
    scree_status (*end)(void *context, scree_status status, scree_error *error);
    void *context;
} scree__wide_watch;

void scree__wide_sums_move(scree__wide_sums *sums, scree__snapshot *snapshot);

/* Bytes beside the result. */
int64_t scree__wide_gram_memory(int64_t rows, int64_t cols, const scree__ops *ops, int threads);

/* g (N×N, both triangles; 0 before) = CCᵀ/divisor. One read of the rows; columns are measured on the way unless they
 * are. watch: NULL, nobody watches. */
scree_status scree__wide_gram(scree__wide_rows *w, double *g, const scree__wide_watch *watch, scree_error *error);

/* The same of ranges of columns: upper triangles, undivided, whatever was there before. Each is the same to the last
 * bit whichever others it comes with. Columns are measured, and said to be by the caller once all are. */
scree_status scree__wide_gram_ranges(const scree__wide_rows *w, const scree__wide_ranges *ranges, scree_error *error);
/* For so many at once. */
int64_t scree__wide_gram_ranges_memory(int64_t rows, int64_t count, const scree__ops *ops, int threads);

/* How much of its trace rounding may have cost, as a norm; see wide_gram.c. */
double scree__wide_gram_rounding(const scree__wide_rows *w);

#endif
