/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_STATE_STATE_H
#define SCREE_STATE_STATE_H

/* A state: what rows have come to, kept by one of three methods, and rows that wait until there are enough. */

#include "data/pass.h"
#include "fit/solve.h"
#include "kernel/rows.h"
#include "kernel/tally.h"

/* How sums are kept. sums is what create makes. */
typedef struct scree__state_method {
    const char *name;                           /* "covariance" */
    const char *matrix;                         /* what its matrix is called in files */
    const char *solver;                         /* that models name */
    bool is_square;                             /* the matrix is D×D */
    bool has_squares;                           /* tallies have them */
    int64_t (*step)(const scree_state *state);  /* rows to be worked on at a time, or a multiple of them */
    int64_t (*batch)(const scree_state *state); /* at most so many, a multiple of the step */
    int64_t (*memory)(const scree_state *state);
    scree_status (*create)(void **sums, const scree_state *state, scree_error *error);
    scree_status (*add)(void *sums, const scree__rows *x, scree_error *error);
    scree_status (*tally)(void *sums, double *mean, double *rest, scree__tally *tally, scree_error *error);
    scree_status (*gain)(void *sums, const scree__tally *tally, scree_error *error);
    void (*fade)(void *sums, double factor);
    scree_status (*solve)(const scree__job *job, const scree__tally *tally, scree__solution *s, scree_error *error);
    void (*free)(void *sums);
} scree__state_method;

extern const scree__state_method *const scree__state_methods[]; /* NULL-terminated */
const scree__state_method *scree__state_method_named(const char *name);

#define SCREE__STATE_MOST_ROWS ((int64_t)1 << 53) /* that a double counts */

struct scree_state {
    scree_state_view view; /* rows, weight and what follows from the sums are of the last scree_state_get */
    const scree__state_method *method;
    void *sums;
    int64_t cols;
    int64_t rows; /* all of them, waiting ones included */
    int64_t rank;
    double forget;
    int threads;
    int64_t expected; /* rows that are to come, where sums are to be no larger than these are worth; 0: not known */
    int64_t image_rows;
    int64_t image_cols;
    char **columns; /* cols names, or NULL */
    char *name;     /* the file it came from, or NULL */
    double *mean;   /* D each, for tallies */
    double *rest;
    double *variances;
    bool broken; /* a sum has overflowed: nothing is known any more */
    /* Rows that wait, in their own type. */
    scree_type type;
    int64_t capacity;
    int64_t waiting;
    char *buffer;
    double *weights; /* of these; of each 1 where rows have none */
    bool weighted;
};

/* Rows with positive weights or none, all cells finite. */
scree_status scree__state_take(scree_state *state, const scree__rows *x, scree_error *error);

/* The matrix and its lanes, rows that wait, and what is beside must fit the memory, 0: most of what is free. A model
 * takes some copies of the matrix, which its fit looks after. */
scree_status scree__state_check_memory(const scree_state *state, int64_t memory, int64_t beside, scree_error *error);

/* Of so many columns, with these names or none. */
scree_status scree__state_make(scree_state **out, int64_t cols, const char *const *columns,
                               const scree_state_options *options, scree_error *error);

/* Whether from can be merged into a state, by what is known beside the sums; into becomes what both know then, and has
 * the label of the first that has named its columns. */
scree_status scree__state_join_about(scree_state *into, const scree_state *from, scree_error *error);

/* SCREE_ERR_LIMIT where so many rows and so many more cannot be counted. Neither is more than that already. */
scree_status scree__state_check_rows(int64_t rows, int64_t more, scree_error *error);

/* Old rows count less once so many have come. */
void scree__state_fade(const scree_state *state, void *sums, int64_t rows);

/* Whether rows or a state of these columns, names NULL where they have none, belong to this one: as many, and where
 * both have names the same in the same order. ask: what to do where they do not, "merge states of the same columns". */
scree_status scree__state_match(const scree_state *state, const char *path, const char *const *names, int64_t cols,
                                const char *ask, scree_error *error);

/* A bad cell of rows of the source, or values whose sums overflow, in a sentence. */
scree_status scree__state_check_batch(const scree_source *source, const scree__batch *batch, scree_error *error);

/* Rows of a source that several processes share, whose columns are those of the state (state_together.c). */
scree_status scree__state_add_together(scree_state *state, scree_source *source, scree_run *run, scree_error *error);

/* What all rows come to; none waits any more. */
scree_status scree__state_tally(scree_state *state, scree__tally *tally, scree_error *error);

/* "part-1.state" or "the state", for messages. */
const char *scree__state_label(const scree_state *state);

#endif
