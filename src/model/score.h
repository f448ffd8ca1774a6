/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SCORE_H
#define SCREE_MODEL_SCORE_H

/* How likely a row is: shared by score.c (rows) and the room that joins models with sources. */

#include "model/answers.h"
#include "model/gaps.h"
#include "model/part.h"
#include "model/row_law.h"

struct scree_scorer {
    const scree_model *model;    /* a distribution of M components */
    const scree_model *kept;     /* the same with all components that were kept: the first M are the model's */
    scree_score_options options; /* alpha resolved */
    double volume;               /* -2 ln of the density at the mean */
    double *weights;             /* M: 1/λ */
    scree__row_law law;          /* of rows without gaps, unless the noise was given */
    scree__parts parts;          /* for rows with gaps, likewise */
    int64_t codes;               /* components that rows are projected on: M, or all that the law knows */
    const double *directions;    /* codes×D: the components, and spare ones */
    double *own_directions;      /* where there are spare ones among them; or NULL */
    double *squares;      /* codes×D: those of the directions, where the law needs columns scaled anew; or NULL */
    scree__tail_table t2; /* where the noise was given */
    scree__tail_table q;
    double *calibration; /* ln p of the calibration rows, ascending; NULL: none */
    int64_t calibration_count;
    int64_t *constants; /* columns in which no new row may differ from the mean; NULL: none */
    int64_t constant_count;
    double chance;     /* of a new row to differ in one all the same; 0: there is no reason to think that it can */
    bool related;      /* rows must keep to relations between columns */
    double *unrelated; /* count×D: directions that these leave no row; NULL: none */
    int64_t unrelated_count;
};

/* out of scree__score_open; scorer->model is the model. */
typedef struct scree__score_out {
    const scree_scorer *scorer;
    scree__score *scores; /* a row each */
} scree__score_out;

/* From now on rows with gaps are refused: their densities cannot be compared with those of others. */
void scree__score_whole(scree__chunks *chunks);

/* A row with gaps, for the question: see score_gaps.c. gaps: a scree__gaps; out: the scree__score_out. */
scree_status scree__score_gap(void *gaps, const double *x, int64_t row, void *out);

/* Rows that the model excludes: see score_support.c. list: fills constants. differs: x, (x - µ)/scale, in a column that
 * never varied. excludes: whether any does; of a row with gaps also whether its cells contradict each other. */
scree_status scree__support_list(scree_scorer *scorer, scree_error *error);
bool scree__support_differs(const scree_scorer *scorer, const double *x, int64_t column);
bool scree__support_excludes(const scree_scorer *scorer, const double *x, const uint8_t *missing);
scree_status scree__support_excludes_part(const scree_scorer *scorer, const scree__gaps *gaps, const double *x,
                                          bool *excluded);
/* The squared length of the part of a row in which no fitted row varied: constant columns, and directions that the
 * known relations between columns rule out. */
double scree__support_outside(const scree_scorer *scorer, const double *x);
/* The number of a relation that the row breaks, and 1; 0: none. missing: D, or NULL. */
int64_t scree__support_breaks(const scree_scorer *scorer, const double *x, const uint8_t *missing);
/* The same of a row with gaps, whose missing cells may link relations: *broken. */
scree_status scree__support_breaks_part(const scree_scorer *scorer, const double *x, const uint8_t *missing,
                                        int64_t *broken);

/* Fisher's ab(1 - ln ab), from ln a and ln b; 0 where one of them is impossible. */
double scree__score_fisher(double log_a, double log_b);

/* A chunk as it would be if its columns had been scaled with each row among those fitted: see score_rescale.c. */
typedef struct scree__rescaled {
    double *codes; /* height×codes */
    double *gains; /* height×(codes + 1) */
    double *q;     /* height */
} scree__rescaled;

/* Doubles of work for each row. */
int64_t scree__rescale_work(int64_t d, int64_t codes);
scree__rescaled scree__rescale(const scree_scorer *scorer, const scree__chunk *chunk, const double *codes,
                               double *work);

#endif
