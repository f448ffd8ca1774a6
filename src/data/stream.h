/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_DATA_STREAM_H
#define SCREE_DATA_STREAM_H

/* The second driver: source → map → sink. Every command that answers row by row is this driver with another map. */

#include "data/normalised.h"
#include "data/sink.h"
#include "data/source.h"

typedef struct scree__map {
    const char *stage;          /* for progress: "project" */
    int64_t cols;               /* of an output row */
    const char *const *columns; /* their names, or NULL */
    /* out: block->rows × repeat × cols doubles. Uses at most threads threads. */
    scree_status (*rows)(void *context, const scree__block *block, double *out, int threads, scree_error *error);
    void *context;
    /* A column of text that the map makes, written last; NULL: none. texts lends a string for each row of the block
     * that rows was called for. */
    const char *text_name;
    const char *const *(*texts)(void *context);
    int64_t repeat;      /* rows out for each row in, one after the other; 0: 1 */
    bool same_shape;     /* rows are those of the source: an array of one dimension stays one */
    bool takes_sparse;   /* rows takes the entries of sparse sources as they are */
    bool takes_origin;   /* rows minds what was taken off the columns, block->origin (wide.h) */
    const int64_t *uses; /* the columns that rows looks at, NULL: the first; any number may stand in the others */
    int64_t use_count;   /* how many; 0: all columns are used */
    bool numbered;       /* the first two columns are the number of the row and that of its repetition */
    /* A row that is answered with NaN, for maps with a sink of their own; NULL: there is none. */
    scree_status (*bad)(void *context, const scree__block *row, scree_error *error);
    scree__normal normal; /* rows are divided by their sums first; zeroed: they come as they are */
    int64_t holds;        /* bytes of the memory limit that blocks leave to the map, if one row has room beside them */
    bool shares;          /* several processes answer rows of their own, if the run has them */
    void *totals;         /* what the rows have come to, of these: plain bytes, or NULL */
    size_t total_bytes;
    void (*join)(void *context,
                 const void *totals); /* they gain those of rows that follow; NULL: all rows were there */
    int pass;                         /* for progress, when a question takes several passes; 0: the only one */
    int passes;
} scree__map;

/* Bytes that the map may hold: half of what the source leaves of the memory limit, and what rows need is not part of
 * it; most of what is free where there is no limit. */
int64_t scree__stream_spare(const scree_source *source, const scree__map *map, const scree_run *run);

/* The rows of one process, and the rest by the others: see stream_together.c. */
scree_status scree__stream_alone(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                                 scree_error *error);
scree_status scree__stream_together(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                                    scree_error *error);

/* sink may be NULL when only what the map remembers is of interest. */
scree_status scree__stream_run(scree_source *source, const scree__map *map, scree_sink *sink, const scree_run *run,
                               scree_error *error);

#endif
