/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SCORE_H
#define SCREE_MODEL_SCORE_H

/* How likely a row is: shared by score.c (rows) and the room that joins models with sources. */

#include "model/answers.h"
#include "model/tail_table.h"

struct scree_scorer {
    const scree_model *model;
    scree_score_options options; /* alpha resolved */
    double volume;               /* -2 ln of the density at the mean */
    double *weights;             /* M: 1/λ */
    scree__tail_table t2;
    scree__tail_table q;
    double *calibration; /* ln p of the calibration rows, ascending; NULL: none */
    int64_t calibration_count;
};

/* out of scree__score_open; scorer->model is the model. */
typedef struct scree__score_out {
    const scree_scorer *scorer;
    scree__score *scores; /* a row each */
} scree__score_out;

/* From now on rows with gaps are refused: their densities cannot be compared with those of others. */
void scree__score_whole(scree__chunks *chunks);

/* A row with gaps, for the question: see score_gaps.c. gaps: a scree__gaps; out: the scree__score_out. */
void scree__score_gap(void *gaps, const double *x, int64_t row, void *out);

/* Fisher's ab(1 - ln ab), from ln a and ln b; 0 where one of them is impossible. */
double scree__score_fisher(double log_a, double log_b);

#endif
