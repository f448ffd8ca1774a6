/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_IMPUTER_H
#define SCREE_FIT_IMPUTER_H

/* How the imputer of a model (model/imputer.h) is found, after the components, from rows with gaps: three fits of the
 * standardised columns by variational Bayes,
 *
 *     (a)  loadings ~ N(0, I/α), α = k/3; a noise variance for each column, shrunk towards each other
 *     (b)  the same, with one noise variance
 *     (c)  a prior variance for each component, learnt (relevance); one noise variance
 *
 * first without some of the cells, which are then predicted: that gives the weights and the width of intervals; then
 * with all cells.
 *
 * imputer_plan.c    how many components, how many rows, how much memory
 * imputer_table.c   the rows, standardised
 * imputer_hide.c    which cells are held out
 * imputer_train.c   one fit; imputer_noise.c its noise variances
 * imputer_weigh.c   weights and width, from what was predicted
 * imputer_relations.c  relations between columns, from the complete rows
 * imputer_make.c    all of it
 *
 * After Ilin and Raiko (2010), Luttinen and Ilin (2010), Smyth (2004). */

#include "fit/em.h"
#include "model/imputer.h"

/* Sizes. */
typedef struct scree__imputer_plan {
    int64_t k;          /* components of a fit; 0: there will be no imputer */
    int64_t held_rows;  /* rows that cells are held out of */
    int64_t final_rows; /* rows of the final fits */
    bool large;         /* a sample, or many columns: time is saved */
    int64_t memory;     /* beside the rows themselves, where they are kept */
    double steps;       /* cells that all steps together go through, about */
} scree__imputer_plan;

/* observed: the share of the cells, 1 where it is not known; room: bytes that may be used. */
scree__imputer_plan scree__imputer_plan_of(const scree__job *job, int64_t rows, double observed, int64_t room);

/* Of the rows that em has fitted, whose centre and scale the solution has; it receives relations between columns. *out
 * stays NULL where the plan has no components, or nothing can be held out. */
scree_status scree__imputer_make(scree__imputer **out, scree__em *em, scree__solution *solution,
                                 const scree__imputer_plan *plan, scree_error *error);

/* Rows in standardised columns, NaN for what is missing. */
typedef struct scree__imputer_table {
    int64_t rows;
    int64_t cols; /* of those that are fitted */
    double *x;
    double *weights; /* NULL: they count alike */
    int64_t *column; /* cols: which of the data each is */
} scree__imputer_table;

/* So many of the rows, chosen at random where there are more; rows without any cell are left out. Columns as in like;
 * NULL: those that vary by more than a few of their cells. */
scree_status scree__imputer_gather(scree__imputer_table *table, scree__em *em, int64_t rows,
                                   const scree__imputer_table *like, scree_error *error);
void scree__imputer_table_clear(scree__imputer_table *table);

/* Relations between the columns of the table; *sought: whether there were rows to see them in. */
scree_status scree__imputer_relate(scree__relations **out, bool *sought, const scree__imputer_table *table,
                                   scree_error *error);
/* The same of the data, as questions load them, by the centre and the deviations of the imputer. column: see the table.
 */
scree_status scree__imputer_relations(scree__relations **out, const scree__relations *related, const int64_t *column,
                                      const scree__imputer *frame, scree_error *error);
/* And how many decimals the cells of the table have, whose columns were standardised by these; NULL-safe. */
void scree__imputer_decimals(scree__relations *relations, const scree__imputer_table *table, const double *mean,
                             const double *variance);

/* Cells held out, row by row, and what the fits say of them. */
typedef struct scree__imputer_held {
    int64_t count;
    int64_t *cell;    /* row·D + column, ascending */
    double *value;    /* that it has */
    double *expected; /* count × SCREE__IMPUTER_FITS */
    double *variance; /* the same */
} scree__imputer_held;

/* Takes cells out of the table, the round-th choice; and puts them back. */
scree_status scree__imputer_hide(scree__imputer_held *held, const scree__imputer_table *table, uint64_t seed,
                                 int64_t round, scree_error *error);
void scree__imputer_restore(const scree__imputer_held *held, const scree__imputer_table *table);
void scree__imputer_held_clear(scree__imputer_held *held);
/* Those that relations determine are put back, and held out no longer. related may be NULL. */
scree_status scree__imputer_forget(scree__imputer_held *held, const scree__imputer_table *table,
                                   const scree__relations *related, scree_error *error);

/* The three fits at work on a table. */
typedef struct scree__imputer_trainer {
    scree__job job;
    scree_source *source;
    scree__em em;
    int64_t k;
    scree__checkpoint *checkpoint; /* of the fit; or NULL */
    bool frugal;                   /* only components that stand out, and some more */
    scree__em_state scaled;        /* columns over √ψ: what the E step sees, as noise of variance 1 */
    scree__em_state state[SCREE__IMPUTER_FITS];
    double *noise[SCREE__IMPUTER_FITS]; /* D: ψ */
    double *mean;                       /* D: what offsets of the states are counted from */
    double *before;                     /* D: offsets before a step */
    double *square;                     /* D: Σ⟨(x - µ - w'z)²⟩ */
} scree__imputer_trainer;

scree_status scree__imputer_trainer_open(scree__imputer_trainer *trainer, const scree__job *job,
                                         const scree__imputer_plan *plan, const scree__imputer_table *table,
                                         scree_error *error);
void scree__imputer_trainer_close(scree__imputer_trainer *trainer);
/* From now on on this table. fresh: from a first guess; else from where the fits are. */
scree_status scree__imputer_trainer_take(scree__imputer_trainer *trainer, const scree__imputer_table *table, bool fresh,
                                         scree_error *error);
/* A fit begins where another one is, whose prior is the same. */
void scree__imputer_follow(scree__imputer_trainer *trainer, int64_t fit, int64_t other);
/* Steps until nothing much changes, at most so many. */
scree_status scree__imputer_train(scree__imputer_trainer *trainer, int64_t fit, int steps, scree_error *error);
/* A fit as the imputer keeps it, in columns of the data: those that were not fitted are noise of variance 1. Columns
 * NULL: those of the table. */
void scree__imputer_pack(scree__imputer_fit *into, const scree__imputer_trainer *trainer, int64_t fit,
                         const int64_t *columns);

/* Noise variances from sums of squares over n cells each: one for all, or one for each, shrunk by Smyth's moments. */
void scree__imputer_noise(const double *squares, const double *n, int64_t d, bool single, double *noise);

/* Weights of the fits and c, from all that was held out; cells: observed ones that a column has, on average. */
void scree__imputer_weigh(const scree__imputer_held *held, int64_t rounds, double *weights);
scree_status scree__imputer_widen(const scree__imputer_held *held, int64_t rounds, const double *weights, double cells,
                                  double *widening, scree_error *error);

#endif
