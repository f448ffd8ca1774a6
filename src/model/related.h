/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_RELATED_H
#define SCREE_MODEL_RELATED_H

/* Missing cells of columns between which relations hold (relations.h): what fills them otherwise, with the relations
 * on top. See related.c. */

#include "model/gap_solver.h"
#include "model/relations.h"

/* Whatever fills gaps, asked about the missing cells of the row that it filled last: their covariance is
 * V_ij = g_i'g_j + δ_ij(variance_i - g_i'g_i). Units are those of rows as questions load them. */
typedef struct scree__related_cells {
    const scree__gap_solver *solver;
    int64_t (*width)(const void *gaps); /* of g */
    void (*prepare)(void *gaps);        /* once a row is filled */
    void (*factor)(void *gaps, int64_t column, double *g);
    double (*variance)(void *gaps, int64_t column);
    /* D, of which the missing cells are set: draw k of row n. x: the row as it was filled. */
    const double *(*draw)(void *gaps, const double *x, uint64_t seed, int64_t n, int64_t k, int64_t draws);
} scree__related_cells;

extern const scree__related_cells scree__related_ppca;    /* of scree__gaps (gaps.h) */
extern const scree__related_cells scree__related_imputer; /* of scree__imputer_row (imputer.h) */

typedef struct scree__related {
    const scree_model_view *model;
    const scree__relations *relations;
    const scree__related_cells *cells;
    void *gaps; /* of their solver, for which columns that others determine are always missing */
    int64_t seen;
    int64_t *columns; /* D: the observed ones, then those missing */
    uint8_t *missing; /* D: the pattern solved */
    uint8_t *hidden;  /* D: the same, and columns that others determine */
    int64_t free;     /* missing columns that no others determine */
    int64_t *basis;   /* free */
    int64_t given;    /* relations whose column is observed, and that have a missing part */
    int64_t *which;   /* given */
    bool solved;
    /* Of the row filled last. */
    double *before;   /* D: what the solver expects */
    double *observed; /* relations: their columns */
    double *errors;   /* relations: var e */
    double *g;        /* free×width */
    double *extra;    /* free: what a variance has beyond g'g */
    double *sums;     /* relations×width: Σ a_j g_j over missing j */
    double *cross;    /* given×D: cov of a relation's missing part with a missing cell */
    double *root;     /* given×given: of the covariance of the given relations, lower */
    double *sd;       /* D */
    double *drawn;    /* D */
    double *work;     /* 2·relations + width */
} scree__related;

/* Solvers whose objects are scree__related. */
extern const scree__gap_solver scree__related_ppca_gaps;
extern const scree__gap_solver scree__related_imputer_gaps;

/* Standard deviations of the missing cells, and draws of them: D, of which those are set. After filling; lent until the
 * next. */
const double *scree__related_deviations(scree__related *related);
const double *scree__related_draw(scree__related *related, const double *x, uint64_t seed, int64_t n, int64_t k,
                                  int64_t draws);

#endif
