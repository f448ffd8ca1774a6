/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_WHY_H
#define SCREE_ANSWER_WHY_H

/* Why rows are outliers, in words: "height 63 %, width 20 %". */

#include "model/score.h"

/* A column to blame. */
typedef struct scree__cause {
    int64_t index;
    double part; /* as large as its blame */
} scree__cause;

typedef struct scree__why {
    const scree_scorer *scorer;
    double threshold; /* outliers have a p-value up to this */
    int64_t cols;     /* of the rows as they come */
    int64_t most;     /* causes named for a row */
    int64_t length;   /* of a text, at most, its final zero included */
    int workers;
    double *scratch;       /* a row as it comes, in the model's columns, and its parts, for each worker */
    scree__cause *causes;  /* most, for each worker */
    const char **texts;    /* of the block at work: a text a row, empty for rows that are no outliers */
    int64_t *outliers;     /* of the block: their rows */
    int64_t rows_room;     /* of both */
    char *text;            /* of the outliers, length bytes each */
    int64_t outliers_room; /* of that */
} scree__why;

/* For rows of cols columns. Closed with scree__why_close, also when opening failed. */
scree_status scree__why_open(scree__why *why, const scree_scorer *scorer, double threshold, int64_t cols, int threads,
                             scree_error *error);
void scree__why_close(scree__why *why); /* safe on a zeroed struct */

/* Fills texts for the rows given, which have these scores. */
scree_status scree__why_rows(scree__why *why, const scree__row_block *given, const scree__score *scores, int threads,
                             scree_error *error);

#endif
