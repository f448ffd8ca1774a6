/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_CHUNKS_H
#define SCREE_MODEL_CHUNKS_H

/* How questions about rows are answered: chunk by chunk, each chunk by one thread, in matrix products of one fixed
 * shape.
 *
 * A product's rounding may depend on its shape and on a row's place in it. So chunks are cut at multiples of their
 * height, counted from the first row of the source, and a chunk of which only a part is given is filled up with zeros:
 * the answer to a row is then the same bits for any number of threads, and however the rows arrive. */

#include "kernel/rows.h"
#include "model/gap_solver.h"
#include "model/model.h"

/* Rows as a question meets them. */
typedef struct scree__row_block {
    scree__rows x;
    int64_t first;          /* number of the first row in its source, from 0 */
    const char *name;       /* of the source, for messages */
    int64_t before;         /* rows of the source that messages do not count: they are in other files */
    const int64_t *columns; /* which column of x each column of the question is; NULL: as they stand */
    /* Where the rows lie when they are the caller's in any other shape than x can say: sparse, in Fortran order, of
     * another type. x has their count and width alone then. NULL: x says it. */
    const scree_block *caller;
    const double *origin; /* x.cols: what was taken off the columns of x; NULL: nothing */
    const double *factor; /* rows: what brings each to the sum of those that were fitted; NULL: 1 */
} scree__row_block;

/* One chunk, loaded: rows skip .. skip+count-1 of x are rows from .. from+count-1 of those given; the others are 0. */
typedef struct scree__chunk {
    const double *x; /* height × the question's width */
    double *work;    /* height × the question's work */
    int64_t height;
    int64_t skip;
    int64_t count;
    int64_t from;
    const bool *gap;        /* height: rows whose gaps were filled with what the model expects there; NULL: none */
    const uint8_t *missing; /* height × width, of those rows: 1 for a cell that was missing */
    bool keeps_logarithm;   /* see scree__question */
} scree__chunk;

/* A question: how rows are loaded, and what is computed from them. */
typedef struct scree__question {
    const scree_model *model;
    int64_t width;            /* columns of a row: D of data, M of codes */
    const double *mean;       /* subtracted first, so that large means cost no digits; NULL: 0 */
    const double *scale;      /* divided by; NULL: 1 */
    bool log1p;               /* log(1 + x) of every cell comes before both */
    const char *const *names; /* of the columns, for messages; NULL: numbers */
    int64_t work;             /* doubles of scratch for each row of a chunk */
    void (*answer)(const scree_model *model, const scree__chunk *chunk, void *out);
    bool gaps; /* rows with gaps are welcome where the density of the kind has a solver, which fills them: width is D */
    /* Told of each such row, before answer is called: x is filled, gaps, the solver's object, is solved for its
     * pattern; row counts among those given. NULL: filling is enough. A failure is that of the run. */
    scree_status (*gap)(void *gaps, const double *x, int64_t row, void *out);
    /* Whether that asks for more than the filled row, seeing out; NULL: no. */
    bool (*spectrum)(const void *out);
    const scree__gap_solver *solver; /* of such rows, instead of the density's; NULL: that */
    const uint8_t *ignored;          /* width: columns that count as missing in every row; NULL: none */
    bool keeps_logarithm;            /* rows that are made stay logarithms where the model has these */
    const char *advice;              /* on a missing cell, where gaps are not welcome; NULL: the usual */
} scree__question;

/* What a thread needs for rows with gaps: nothing, as long as there are none. */
typedef struct scree__gap_rows {
    const scree__gap_solver *solver;
    void *gaps;       /* of the solver */
    uint8_t *missing; /* height × D */
    bool *done;       /* height */
    scree_gaps met;
} scree__gap_rows;

/* A question with its memory, which is taken once and serves every block of rows. */
typedef struct scree__chunks {
    scree__question question;
    const scree__gap_solver *solver; /* NULL: rows with gaps are refused */
    int64_t height;
    int64_t cols;  /* of the rows that will be given */
    int64_t share; /* doubles a thread owns */
    int workers;
    double *memory;            /* workers × share */
    scree_status *outcome;     /* workers: of the chunks each has answered; ERR_VALUE: met a cell it cannot use */
    bool *gap;                 /* workers × height: rows with a value that is not finite */
    scree__gap_rows *gap_rows; /* workers */
    scree_gaps met;            /* in all runs so far */
    double *base;              /* the question's width: see mean; or NULL */
    const double *mean;        /* subtracted from the rows of a run: the question's, less the origin of the rows */
    const double *rest;        /* subtracted next: what the mean has lost by rounding; NULL: nothing */
} scree__chunks;

/* Row i as doubles: in buffer (x.cols of them), or where it lies when it is double already. */
const double *scree__row_block_load(const scree__row_block *rows, int64_t i, double *buffer);

scree_status scree__chunks_open(scree__chunks *chunks, const scree__question *question, int64_t cols, int threads,
                                scree_error *error);
void scree__chunks_close(scree__chunks *chunks); /* safe on a zeroed struct */

/* Calls answer for every chunk of the rows given, on at most threads threads. An infinite value, or a missing one where
 * gaps are not welcome, is an error that names its place; out is then not to be used. */
scree_status scree__chunks_run(scree__chunks *chunks, const scree__row_block *given, int threads, void *out,
                               scree_error *error);

/* Fills the rows of the chunk that gap marks, each pattern solved once, and tells the question. x: the chunk's. rows
 * has the solver. ERR_VALUE: one of them holds an infinite cell. */
scree_status scree__gap_rows_fill(scree__gap_rows *rows, const scree__question *question, scree__chunk *chunk,
                                  double *x, void *out);
void scree__gap_rows_close(scree__gap_rows *rows); /* safe on a zeroed struct */

#endif
