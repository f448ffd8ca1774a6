/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_DRIFT_H
#define SCREE_ANSWER_DRIFT_H

/* Whether new rows are still like those that a model was fitted to. The sums over the rows (drift_sums.c), what is
 * expected of them (drift_law.c), and the tests of the one against the other (drift_checks.c). */

#include "answer/row_query.h"

/* What is expected of new rows, in the columns as the model has them, centred and scaled. */
typedef struct scree__drift_law {
    const scree_model_view *view; /* of the distribution: M components */
    bool exact;                   /* new rows are held against the model itself, whose numbers are then no estimates */
    double rows;                  /* N: 1/N of a variance is in the model's mean; infinite where exact */
    double freedom;               /* of its variances */
    double rest_freedom;          /* of the variance of each direction that the components leave */
    double rest;                  /* p: how many directions those are */
    double effective;             /* (tr R)²/tr R², R their covariance: p where all are alike */
    double q;                     /* expected ‖r‖²; r what the components leave of a row */
    double distance;              /* expected Σ t²/λ + ‖r‖²/σ² */
    double *variances;            /* M: of the codes t */
    double *turns;                /* M: by how much components may have missed their directions, for the slopes of r
                                     on t: the variance of these over that of r; 0 where exact */
    double *freedoms;             /* M: of the variances of the codes, which are known less well than eigenvalues */
    double *turn_errors;          /* M: relative variance of the turns as estimates */
    double *columns;              /* D: expected variance of what is tested of each column */
    uint8_t *tested;              /* D: one of the list below */
    int64_t tested_count;         /* columns that vary */
    int64_t constant_count;       /* and others */
} scree__drift_law;

enum { SCREE__DRIFT_CONSTANT, SCREE__DRIFT_RESIDUAL, SCREE__DRIFT_ITSELF }; /* the components leave nothing of it */

scree_status scree__drift_law_make(scree__drift_law *law, const scree_model *model, bool exact, scree_error *error);
void scree__drift_law_clear(scree__drift_law *law);

/* Sums over rows, about the model's means. x: what is tested of a column. */
typedef struct scree__drift_sums {
    const scree__drift_law *law;
    int64_t rows;
    int64_t gaps;   /* rows with gaps, which are left out */
    double *codes;  /* 4×M: Σ t, t², t³, t⁴ */
    double *both;   /* M×M: Σ t_k t_l */
    double *fourth; /* M×M: Σ t_k² t_l² */
    double *lever;  /* M: Σ t_k² ‖r‖² */
    double *cells;  /* 4×D: Σ x, x², x³, x⁴ */
    double *slopes; /* D×M: Σ x t */
    double *levers; /* D: Σ x² Σ t²/v, v the expected variances */
    int64_t *moved; /* D: rows that differ in a column that never varied */
    double *most;   /* M, then D: the largest t² and x² */
    double q[2];    /* Σ ‖r‖², and of its square */
    double far[2];  /* the same of Σ t²/λ + ‖r‖²/σ², */
    double size[2]; /* and of the same by the expected variances */
    double largest; /* of the terms of size[1] */
} scree__drift_sums;

enum { SCREE__DRIFT_NUMBERS = 4 };

scree_status scree__drift_sums_open(scree__drift_sums *sums, const scree__drift_law *law, scree_error *error);
/* Adds rows in their order: the same bits for any blocks and threads. codes: rows×M; cells: rows×D, centred and scaled,
 * which become what is tested; skip: rows, 1 for one with gaps; work: SCREE__DRIFT_NUMBERS×rows. */
void scree__drift_sums_add(scree__drift_sums *sums, const double *codes, double *cells, const uint8_t *skip,
                           double *work, int64_t rows, int threads);
void scree__drift_sums_close(scree__drift_sums *sums);

/* Chances. Each is a p-value; NaN where there is no law. */
double scree__drift_ratio_tail(double ratio, double above, double below);  /* P(F ≥ ratio); below may be infinite */
double scree__drift_ratio_sides(double ratio, double above, double below); /* twice the smaller tail */
double scree__drift_student(double z, double freedom);                     /* both tails */
double scree__drift_smallest(double p, int64_t of);                        /* of the smallest of so many (Šidák) */
double scree__drift_product(double a, double b); /* of two independent ones (Fisher); NaN: only the other */

/* What the tests find. Arrays are the caller's, zeroed. */
typedef struct scree__drift_found {
    scree_drift_check checks[SCREE_DRIFT_CHECKS];
    double *columns;    /* 3×D: change of the mean in deviations, ratio of variances, size of the slopes over chance */
    double *column_p;   /* 3×D: adjusted for the number of columns; NaN: not tested */
    double *components; /* 2×M: the first two, of codes */
    double *component_p;
    bool not_normal;                     /* the new rows, and tests by law hang on that they nearly are */
    double adjusted[SCREE_DRIFT_CHECKS]; /* by shuffles: the p-values for that there are so many checks, */
    double all;                          /* the smallest of them, */
    int64_t shuffles;                    /* and how many; 0: by the laws of normal rows */
} scree__drift_found;

scree_status scree__drift_checks_run(scree__drift_found *found, const scree__drift_sums *sums, scree_error *error);

/* Rows, centred and scaled as the model has it: new ones, and behind them those that were fitted. */
typedef struct scree__drift_rows {
    double *cells; /* rows×D */
    int64_t rows;
    int64_t room;
    int64_t fresh; /* how many of them are new */
    int64_t most;  /* bytes that they may take */
} scree__drift_rows;

/* Adds rows but those to skip. path: where they are from. */
scree_status scree__drift_rows_add(scree__drift_rows *rows, const double *cells, const uint8_t *skip, int64_t count,
                                   int64_t d, const char *path, scree_error *error);

/* p-values of the checks from shuffles of all rows, which become what components of all of them leave. */
scree_status scree__drift_shuffle(scree__drift_found *found, scree__drift_rows *rows, const scree_model_view *view,
                                  double level, const scree_run *run, scree_error *error);

#endif
