/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_ANSWERS_H
#define SCREE_MODEL_ANSWERS_H

/* The questions that are answered row by row, one file each: opened once, then run on every block of rows.
 *
 *     scree__chunks chunks = {0};
 *     SCREE_TRY(scree__project_open(&chunks, model, cols, threads, error));
 *     SCREE_TRY(scree__chunks_run(&chunks, &given, threads, codes, error));   for each block
 * done:
 *     scree__chunks_close(&chunks);
 *
 * cols: columns of the rows that will be given; more than the question's own only when given.columns picks them. */

#include "model/chunks.h"

/* A question about rows as the model's columns have them, for its kind to complete. */
scree__question scree__question_of(const scree_model *model);

typedef scree_status (*scree__opener)(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                      scree_error *error);

/* A question asked of rows in the caller's memory, all at once. It stays where it is: rows may point into it. */
typedef struct scree__ask {
    const scree_model *model;
    scree_block given; /* checked, strides set */
    scree__row_block rows;
    scree_run run;
    double *factor; /* of the rows, owned; NULL: they come as they are */
} scree__ask;

/* The caller's rows and run, checked; rows have width columns. */
scree_status scree__ask_rows(scree__ask *ask, const scree_model *model, int64_t width, const scree_block *rows,
                             const scree_run *run, scree_error *error);
/* Rows of data become what the model was fitted to, where that divides them by their sums. Released by
 * scree__ask_close. */
scree_status scree__ask_normalise(scree__ask *ask, scree_error *error);
void scree__ask_close(scree__ask *ask); /* safe on a zeroed struct */
scree_status scree__ask_question(const scree__ask *ask, scree__opener open, void *out, scree_error *error);

/* out: double *codes, rows×M. */
scree_status scree__project_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                 scree_error *error);

/* Takes codes; out: double *data, rows×D. */
scree_status scree__reconstruct_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                     scree_error *error);

/* out: what scree__round_trip_open's answers are written to. */
typedef struct scree__round_trip_rows {
    double *data;    /* rows×D: x̃; NULL: not wanted */
    double *squares; /* rows: ‖x - x̃‖² in the scaled columns; NULL: not wanted */
} scree__round_trip_rows;

scree_status scree__round_trip_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                    scree_error *error);

/* out of scree__posterior_open; either may be NULL. */
typedef struct scree__posterior_out {
    double *means;     /* rows×M */
    double *variances; /* rows×M: the diagonal of each row's own covariance */
} scree__posterior_out;

scree_status scree__posterior_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                   scree_error *error);

/* out of scree__impute_open: where the cells that are missing go, those that are there being in place. */
typedef struct scree__impute_out {
    double *data;           /* rows × draws × stride */
    double *sd;             /* rows × cols: standard deviations; NULL: not wanted */
    const int64_t *columns; /* of the data: which one each of the model's is; NULL: as they stand */
    int64_t cols;
    int64_t stride; /* of data: offset + cols */
    int64_t offset; /* of the first column in data */
    int64_t draws;  /* 0: expectations, one of each row */
    uint64_t seed;
    int64_t first; /* number of the first row */
} scree__impute_out;

scree_status scree__impute_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                scree_error *error);

/* out of scree__score_open is in score.h. */
scree_status scree__score_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                               scree_error *error);

/* Shared by reconstruct and round trip: out_j = x_j scale_j + mean_j, back where the data lives. */
void scree__restore_row(const scree_model_view *model, const double *x, double *out);

/* Σ (a_j - b_j)². */
double scree__squared_distance(const double *a, const double *b, int64_t n);

#endif
