/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_IMPUTER_H
#define SCREE_MODEL_IMPUTER_H

/* What fills the gaps of a table that was fitted with gaps: up to three fits of
 *
 *     x_j = µ_j + w_j'z + noise of variance ψ_j,     z ~ N(0, I),     [w_j; µ_j] ~ N(its mean, C_j),
 *
 * in standardised columns, weighted by how well each predicts cells that it has not seen. It is kept with the model and
 * in its file, and says nothing of components or densities. fit/imputer.h finds it, imputer_row.c asks it of a row. */

#include "model/fields.h"
#include "model/gap_solver.h"
#include "model/model.h"

enum { SCREE__IMPUTER_FITS = 3 };

typedef struct scree__imputer_fit {
    int64_t k;
    double weight;
    double *loadings; /* D×(k+1): w_j, then µ_j */
    double *cover;    /* D×pairs(k+1): C_j */
    double *noise;    /* D: ψ_j */
    double *outer;    /* D×pairs(k+1): ⟨ww'⟩, then cov(w, µ), over ψ_j; follows from the others */
    double *total;    /* pairs(k+1): its sum over the columns */
} scree__imputer_fit;

typedef struct scree__imputer {
    int64_t d;
    int64_t fits;
    scree__imputer_fit fit[SCREE__IMPUTER_FITS];
    double *centre;    /* D: mean of the observed cells, in the columns as questions load them (chunks.h) */
    double *deviation; /* D: their standard deviation, 0 of a constant column */
    double widening;   /* c: what standard deviations are multiplied by */
    int64_t held_out;  /* cells that weights and c were found from */
    double *weights;   /* of the view */
    scree_imputer_view view;
} scree__imputer;

/* Zeros, for fits of k[] components; deviations and c are 1. */
scree_status scree__imputer_new(scree__imputer **out, int64_t d, int64_t fits, const int64_t *k, scree_error *error);
void scree__imputer_free(scree__imputer *imputer); /* NULL-safe */
/* What follows from the parts. */
void scree__imputer_settle(scree__imputer *imputer);
/* Whether a column had a single value: its deviation is 0, and its mean as uncertain as a value is, C_j = 1 for µ_j.
 * How far other values are from that one cannot be told. */
bool scree__imputer_is_single(const scree__imputer *imputer, int64_t column);
void scree__imputer_set_single(scree__imputer *imputer, int64_t column);
/* Bytes of one with that many components in every fit. */
int64_t scree__imputer_memory(int64_t d, int64_t k);

void scree__imputer_save(const scree_model *model, scree__draft *draft);
scree_status scree__imputer_load(const scree__safetensors *file, scree_model *model, scree_error *error);

/* One row at a time: a pattern of gaps is solved, then rows that have it are filled. */
typedef struct scree__imputer_code {
    double *factor;   /* k×k: of the precision of z given the row */
    double *inverse;  /* pairs(k): its covariance S */
    double *sum;      /* pairs(k+1) */
    double *z;        /* k+1: its mean, then 1 */
    double *expected; /* D: of the missing cells, standardised */
} scree__imputer_code;

typedef struct scree__imputer_row {
    const scree__imputer *imputer;
    const scree_model_view *model; /* for answers; not needed here */
    int64_t seen;
    int64_t *columns; /* D: the observed ones, then those missing */
    uint8_t *missing; /* D: the pattern solved */
    bool solved;
    scree__imputer_code code[SCREE__IMPUTER_FITS];
    double *expected; /* D: weighted, standardised */
    double *x;        /* D: the row, standardised */
    double *drawn;    /* D */
    double *loadings; /* draws × D × width: those drawn so far, NaN before; NULL: too many to keep */
    int64_t width;    /* components of the largest fit, and 1 */
    uint64_t seed;    /* that they were drawn with */
    int64_t draws;    /* that there is room for */
    double *work;
} scree__imputer_row;

scree_status scree__imputer_row_open(scree__imputer_row *row, const scree__imputer *imputer, scree_error *error);
void scree__imputer_row_close(scree__imputer_row *row); /* safe on a zeroed struct */
void scree__imputer_row_solve(scree__imputer_row *row, const uint8_t *missing);
/* x: D, as questions load it; its missing cells receive what is expected of them. */
void scree__imputer_row_fill(scree__imputer_row *row, double *x);
/* The variance of a missing cell under one fit, standardised; and its standard deviation in all, as x is. After
 * filling. */
double scree__imputer_row_variance(scree__imputer_row *row, int64_t fit, int64_t column);
double scree__imputer_row_deviation(scree__imputer_row *row, int64_t column);
/* The missing cells drawn, as x is: draw number k of a table of which this is row n. What is drawn of the loadings is
 * the same for all rows of a draw. */
const double *scree__imputer_row_draw(scree__imputer_row *row, uint64_t seed, int64_t n, int64_t k, int64_t draws);

/* The same as a solver of rows with gaps: opens a scree__imputer_row. */
extern const scree__gap_solver scree__imputer_gaps;

#endif
