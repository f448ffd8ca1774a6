/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_GAPS_H
#define SCREE_MODEL_GAPS_H

/* Rows with gaps, under probabilistic PCA: what the observed cells say of the code and of the cells that are missing.
 * One object serves one thread: a pattern of gaps is solved, then rows that have it are filled. What is computed of a
 * row depends on that row alone. See gaps.c, and gap_factor.c for what is faster where rows are only to be filled.
 * Other distributions have solvers of their own (gap_solver.h). */

#include "model/model.h"

typedef struct scree__gaps {
    const scree_model_view *model;
    int64_t seen;      /* observed columns, o */
    bool is_factored;  /* factor is there, and z comes from it */
    bool has_spectrum; /* rank, q, singular, v, gain and spread are there, and t of each row */
    double *factor;    /* M×M: R, upper, RᵀR = W_oᵀW_o + σ²I */
    int64_t rank;      /* directions of z that they say something of, r ≤ min(o, M) */
    int64_t height;    /* rows of q: max(o, M) */
    int64_t *columns;  /* D: the observed ones, then the missing ones, each ascending */
    double *q;         /* M columns of height, those past r meaningless */
    double *singular;  /* M: √g, descending, 0 from r on */
    double *v;         /* M×M: V, by rows */
    double *gain;      /* M: √g/(g+σ²) */
    double *spread;    /* M: √(σ²/(g+σ²)), 1 where nothing is known */
    double *sd;        /* D: of missing cells, by scree__gaps_deviations */
    double *open;      /* D: of their variances what is due to directions of z that nothing is said of */
    double *wide;      /* D: of missing cells, by scree__gaps_widening */
    bool has_sd;
    double *drawn;    /* D */
    double *t;        /* M: Qᵀx of the row filled last */
    double *z;        /* M: its E[z|x] */
    double *work;     /* 3M + D */
    uint8_t *missing; /* D: the pattern that is solved */
    bool is_solved;
    double *memory; /* of all doubles but q */
    int64_t room;   /* of q */
} scree__gaps;

/* Takes no memory before the first pattern. Closed with scree__gaps_close, which is safe on a zeroed struct. */
void scree__gaps_open(scree__gaps *gaps, const scree_model_view *model);
void scree__gaps_close(scree__gaps *gaps);

/* missing: D, 1 for a gap. Costs nothing when the pattern is the one solved last. */
scree_status scree__gaps_solve(scree__gaps *gaps, const uint8_t *missing, scree_error *error);

/* The same for who needs z and the row filled, and nothing else: far cheaper where the noise allows. */
scree_status scree__gaps_solve_codes(scree__gaps *gaps, const uint8_t *missing, scree_error *error);

/* x: D, (x - µ)/scale; its missing cells receive E[x_m|x_o]. Sets z, and t where the spectrum is there. */
void scree__gaps_fill(scree__gaps *gaps, double *x);

/* rest: o, x_o - Q t of the row filled last, in the order of columns. */
void scree__gaps_residual(const scree__gaps *gaps, const double *x, double *rest);

/* For one row, from its NaNs: open, solve, fill. The caller closes. */
scree_status scree__gaps_once(scree__gaps *gaps, const scree_model_view *model, double *x, scree_error *error);

/* out = C^½ normals, C = cov(z|x_o), its symmetric root; M each, not overlapping. */
void scree__gaps_root(const scree__gaps *gaps, const double *normals, double *out);

/* variances: the diagonal of C; covariance: M×M; logdet: ln det C. Each may be NULL. */
void scree__gaps_covariance(const scree__gaps *gaps, double *variances, double *covariance, double *logdet);

/* out: M, C^½W_j of a missing cell, turned: products of two cells' are their covariance, but for noise. */
void scree__gaps_factor_cell(scree__gaps *gaps, int64_t column, double *out);

/* Standard deviations of the missing cells given the observed ones, in the scaled columns: D, of which those are set.
 */
const double *scree__gaps_deviations(scree__gaps *gaps);

/* What the deviations of the missing cells of the row filled last must be multiplied by for what is not known of the
 * parameters (gap_widening.c): D, of which those are set, lent until the next. */
const double *scree__gaps_widening(scree__gaps *gaps);

/* D, of which the missing cells of the row filled last are set: a draw from p(x_m|x_o), lent until the next. Normals
 * 0 .. M-1 of the stream make z, normal M+d the noise of column d. */
const double *scree__gaps_draw(scree__gaps *gaps, uint64_t seed, uint64_t stream);

/* For gaps.c: whether the noise allows a factorisation; the factor of the pattern at hand, false when there is none; z
 * of a row by it. */
bool scree__gaps_factorable(const scree_model_view *model);
bool scree__gaps_factor(scree__gaps *gaps);
void scree__gaps_code(scree__gaps *gaps, const double *x);
double scree__gaps_dot(const double *a, const double *b, int64_t n);

#endif
