/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_PASS_H
#define SCREE_DATA_PASS_H

/* The first of the two drivers: source → batches of fixed shape → visit. Every method reads its data through it.
 *
 * Whatever blocks the source lends, visit sees batches of exactly batch_rows rows (fewer in the last one), so that
 * nothing a method computes depends on how the data was read. Blocks that already have that shape are passed on without
 * a copy. Files are read ahead by a thread of their own. */

#include "data/source.h"
#include "kernel/entries.h"

typedef struct scree__batch {
    const void *data; /* rows×cols elements of the source's type */
    scree_type type;
    int64_t rows;
    int64_t cols;
    int64_t stride;
    int64_t first;                 /* number of the first row */
    const scree__csr *cells;       /* rows first .. of these instead; data is NULL then */
    const double *weights;         /* rows of them, positive, or NULL: rows of weight 0 are passed over */
    const int64_t *numbers;        /* of the rows in the source; NULL: from first on */
    const scree__entries *entries; /* sparse rows instead, with their weights; data is NULL then */
} scree__batch;

/* The number of a row of the batch in the source, both from 0. */
int64_t scree__batch_number(const scree__batch *batch, int64_t row);

typedef scree_status (*scree__visit)(void *context, const scree__batch *batch, scree_error *error);

/* Rows in count ranges, of which a source has those from first to end - 1 and their rows alone. Where they begin
 * depends on rows and count alone. */
typedef struct scree__ranges {
    int64_t rows;
    int64_t count;
    int64_t first;
    int64_t end;
} scree__ranges;

static inline int64_t scree__range_start(const scree__ranges *ranges, int64_t range)
{
    const int64_t each = ranges->rows / ranges->count;
    const int64_t more = ranges->rows % ranges->count; /* the first ones have one row more */
    return range * each + (range < more ? range : more);
}

typedef struct scree__pass {
    const char *stage;  /* for progress: "fit" */
    int pass;           /* from 1 */
    int passes;         /* 0: not known */
    int64_t batch_rows; /* > 0 */
    const scree_run *run;
    bool takes_cells;   /* visit wants the cells of sources that keep only these */
    bool takes_sparse;  /* visit takes the rows of sparse sources as they are */
    bool takes_several; /* visit may be given several whole batches at once, and with them all rows that are left */
    bool takes_origin;  /* visit does not mind what was taken off the columns, which source->origin tells (wide.h) */
    scree__visit visit;
    void *context;
    /* A pass that was broken off goes on behind so many rows of the source, of which so many were visited: */
    int64_t passed;
    int64_t visited;
    /* Called between visits, where a pass may be broken off and go on later; NULL: nobody asks. */
    scree_status (*between)(void *context, int64_t passed, int64_t visited, scree_error *error);
    void *between_context;
    const scree__ranges *ranges; /* no batch has rows of two ranges, and after the last batch of each, if it has any, */
    scree_status (*ended)(void *context, scree_error *error); /* this is called; NULL: rows are one range */
    const int64_t *cuts; /* rows before each range of the source, and all of them, where the source has not the rows
                            that the ranges are of; NULL: it has */
} scree__pass;

/* Reads the source from its first row to its end. *rows, when not NULL, receives how many were visited. Weights that
 * are negative or not finite are an error, and so is it when all are 0. */
scree_status scree__pass_run(scree_source *source, const scree__pass *pass, int64_t *rows, scree_error *error);

/* Bytes that scree__pass_run needs beside the source's own buffers; of a pass that takes sparse rows as they are. */
int64_t scree__pass_memory(const scree_source *source, int64_t batch_rows);
int64_t scree__pass_memory_sparse(const scree_source *source, int64_t batch_rows);

#endif
