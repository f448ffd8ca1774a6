/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KERNEL_INTEGER_SUMS_H
#define SCREE_KERNEL_INTEGER_SUMS_H

/* Inner products of the columns of bytes that arrive in pieces, or of their rows, as 64-bit integers; see
 * integer_sums.c. A line is a column, or where sums go across, a row; its depth is how long it is. */

#include "base/snapshot.h"
#include "kernel/integer_kernel.h"
#include "kernel/rows.h"

typedef struct scree__integer_lane scree__integer_lane;

/* What follows from the number of lines and of threads. */
typedef struct scree__integer_shape {
    int64_t panels;
    int64_t blocks; /* of a sum */
    int64_t depth;  /* of a pack */
    int64_t stride; /* bytes of a panel of a pack */
    int64_t lanes;  /* sums, each with a pack: one for each thread, or one */
} scree__integer_shape;

typedef struct scree__integer_sums {
    const scree__integer_kernel *kernel;
    scree__integer_shape shape;
    int64_t lines;
    bool across;
    int threads;
    scree__integer_lane *lane;
    /* At work. */
    const scree__rows *batch;
    int64_t depth; /* of the batch */
    int64_t piece; /* of it, for a thread */
    int64_t first; /* of the pack, where all threads work on one */
} scree__integer_sums;

scree__integer_shape scree__integer_shape_of(int64_t lines, int threads);
int64_t scree__integer_sums_memory(int64_t lines, int threads);

/* kernel: a name (integer_kernel.h), NULL: the fastest here. Cleared also after a failure. */
scree_status scree__integer_sums_init(scree__integer_sums *w, int64_t lines, bool across, int threads,
                                      const char *kernel, scree_error *error);
void scree__integer_sums_clear(scree__integer_sums *w);

/* The next of the depth, any number: rows, or where sums go across, columns of all rows. */
void scree__integer_sums_add(scree__integer_sums *w, const scree__rows *x);

/* What the sums have come to, which is the same however many threads there are. */
void scree__integer_sums_move(scree__integer_sums *w, scree__snapshot *snapshot);

/* At the end: what all lanes have becomes lane 0's. First the sums of the lines, which are lent (panels×16); then, for
 * each panel i, its row of blocks, by any thread. */
const int64_t *scree__integer_sums_of_lines(scree__integer_sums *w);
void scree__integer_sums_join(scree__integer_sums *w, int64_t i);

/* The block of panels i ≤ j, 16×16; complete once the row i was joined. */
const int64_t *scree__integer_sums_block(const scree__integer_sums *w, int64_t i, int64_t j);

#endif
