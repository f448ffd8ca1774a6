/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_DRIFT_MOMENTS_H
#define SCREE_ANSWER_DRIFT_MOMENTS_H

/* What the tests of drift have in common: moments of the new rows, and what these say of normal rows. */

#include "answer/drift.h"

/* The moments about their own means. */
typedef struct scree__drift_moments {
    const scree__drift_law *law;
    const scree__drift_sums *sums;
    int64_t d;
    int64_t m;
    double n;
    double freedom;  /* n - 1, or n about a mean that is known */
    double *t;       /* M: means of the codes */
    double *x;       /* D: of the columns */
    double *scatter; /* M×M */
    double *slopes;  /* D×M: A; 0 for columns that are not residuals */
    double *left;    /* D: scatter of a column */
    double q;        /* Σ ‖r - r̄‖² */
    bool normal;     /* as far as fourth moments show */
    double kurtosis; /* κ of rows as a whole: fourth moments are 1 + κ times those of normal rows */
    bool wild;       /* fourth moments of many columns, or of rows as a whole, hang on single rows */
    double *work;    /* M×M, and D×M behind it */
} scree__drift_moments;

scree_status scree__drift_moments_make(scree__drift_moments *at, const scree__drift_sums *sums, scree_error *error);
void scree__drift_moments_clear(scree__drift_moments *at);

/* A departure from what is expected that chance, of this deviation, does not explain: by as much as it is beyond. */
double scree__drift_beyond_chance(double departure, double deviation);

/* What divides the degrees of freedom of a variance: half of what fourth moments are over the square of second ones,
 * less ½; 1 for normal numbers. sums: Σ x, x², x³, x⁴, stride apart; largest: x². */
double scree__drift_heaviness(const scree__drift_moments *at, const double *sums, int64_t stride, double mean,
                              double largest);

/* Whether Σ x⁴ hangs on one of its terms, of which x² is the largest: then it does not say how large others of its
 * kind are, and fourth moments may not exist. Of normal numbers the largest of n is about (2 ln n)²/3n of all. */
bool scree__drift_hangs_on_one(const scree__drift_moments *at, double largest, double sum);
extern const char scree__drift_wild[]; /* why there is no p-value where at->wild */

scree_status scree__drift_check_angle(const scree__drift_moments *at, scree__drift_found *found, scree_error *error);

#endif
