/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_CRITERION_H
#define SCREE_FIT_CRITERION_H

/* Criteria for the number M of components: one file a family, one const struct a criterion, one table of them. All see
 * the data through the struct below, and say for themselves whether that suffices. */

#include "base/watch.h"
#include "fit/whiten.h"

enum { SCREE__REASON = 160 };

/* Shape and spectrum of the data. Eigenvalues have divisor N; those that are zero but for rounding are not kept. */
typedef struct scree__spectrum {
    int64_t n;              /* rows, or the whole number nearest to their weights; one is used up by the mean */
    int64_t cols;           /* D */
    int64_t d;              /* directions in which the rows vary: D less constant and redundant columns */
    int64_t count;          /* eigenvalues known */
    bool complete;          /* the others are zero */
    int64_t exact;          /* directions that hold all variance, if at most half of those there could be; else 0 */
    int64_t max_components; /* M = 0 .. max_components is looked at; ≤ count */
    double *values;         /* count, descending */
    double *left;           /* max_components + 1: J_M = Σ_{j>M} λ_j */
    double noise;           /* σ² where it is known beforehand, else 0 */
    double *variances;      /* D: of the columns */
    bool is_scaled;         /* columns have unit variance */
    uint64_t seed;
    int threads;
    struct scree__team *team; /* processes that share what is to be computed; NULL: this one is alone */
    scree__watch watch;       /* of judging by what was not seen */
    int64_t memory;           /* bytes that a criterion may use */
    double *heldout;          /* max_components + 1: mean ln p of a row not fitted; NULL: not computed */
    double *bicross; /* max_components + 1: Σ of squared errors of cells not seen, a row; NULL: not computed */
    char unseen[SCREE__REASON];     /* why those two were not computed */
    scree__whitened whitened;       /* log_chance NULL: not computed, */
    char unwhitened[SCREE__REASON]; /* and why */
} scree__spectrum;

typedef struct scree__criterion {
    const char *name;
    const char *title;
    const char *rule;
    const char *silence; /* why it chooses none, where it has values and yet does not choose; NULL: nothing to say */
    bool votes;
    /* Whether the spectrum suffices; if not, reason (SCREE__REASON bytes) says why. NULL: it always does. */
    bool (*defined)(const scree__spectrum *s, char *reason);
    /* value[M] for M = 0 .. max_components, NaN where it has no meaning. */
    scree_status (*evaluate)(const scree__spectrum *s, double *value, scree_error *error);
    /* The M that the values speak for; NULL: they speak for none. */
    int64_t (*choose)(const scree__spectrum *s, const double *value);
} scree__criterion;

extern const scree__criterion scree__criterion_share;
extern const scree__criterion scree__criterion_error;
extern const scree__criterion scree__criterion_minka;
extern const scree__criterion scree__criterion_bic;
extern const scree__criterion scree__criterion_aic;
extern const scree__criterion scree__criterion_gavish;
extern const scree__criterion scree__criterion_gavish_known;
extern const scree__criterion scree__criterion_marchenko;
extern const scree__criterion scree__criterion_tracy;
extern const scree__criterion scree__criterion_parallel;
extern const scree__criterion scree__criterion_heldout;
extern const scree__criterion scree__criterion_bicross;
extern const scree__criterion scree__criterion_whiten;

/* All of them, NULL-terminated. */
extern const scree__criterion *const scree__criteria[];

/* Ways to choose: the M of the largest or smallest value (the first in a tie; -1 where only one M has a value),
 * and the number of leading components whose value exceeds 1. */
int64_t scree__choose_largest(const scree__spectrum *s, const double *value);
int64_t scree__choose_smallest(const scree__spectrum *s, const double *value);
int64_t scree__choose_above_one(const scree__spectrum *s, const double *value);

/* min(N-1, d): how many eigenvalues there can be. */
int64_t scree__spectrum_rank(const scree__spectrum *s);
/* σ² = J_M/(d-M) (10.79); 0 when nothing is left. */
double scree__spectrum_noise(const scree__spectrum *s, int64_t m);
/* The same with max_components lowered to the M whose likelihood can be believed. */
scree__spectrum scree__spectrum_believable(const scree__spectrum *s);
/* Whether m components leave no variance. */
bool scree__spectrum_leaves_nothing(const scree__spectrum *s, int64_t m);
/* For criteria: fails with a reason unless every eigenvalue is known. */
bool scree__spectrum_needs_whole(const scree__spectrum *s, char *reason);

/* Why a criterion was left out that takes more memory than there is. */
void scree__criterion_too_large(char reason[SCREE__REASON], int64_t needed, int64_t limit);

/* From values (count of them, descending, divisor N) and tr S: drops what is rounding, settles d, count and
 * max_components, and allocates values and left. The other fields must have been set, d to the columns that vary,
 * max_components to the wish. */
scree_status scree__spectrum_make(scree__spectrum *s, const double *values, int64_t count, double trace,
                                  scree_error *error);
void scree__spectrum_clear(scree__spectrum *s);

/* The median of the Marchenko-Pastur law of ratio beta in (0,1] and unit variance. */
double scree__marchenko_median(double beta);
/* ln P(TW ≥ x) for the Tracy-Widom law of real matrices. */
double scree__log_tracy_widom_tail(double x);

#endif
