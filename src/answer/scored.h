/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_SCORED_H
#define SCREE_ANSWER_SCORED_H

/* The scores of a source's rows, block by block: what scoring, calibrating and finding a threshold have in common. */

#include "answer/row_query.h"
#include "model/score.h"

typedef struct scree__scored {
    scree__row_query query;
    const scree_scorer *scorer;
    scree__score *scores; /* of the block at work, a row each */
    int64_t room;
} scree__scored;

/* Closed with scree__scored_close, also when opening failed. */
scree_status scree__scored_open(scree__scored *scored, const scree_scorer *scorer, scree_source *source,
                                const scree_run *run, scree_error *error);
void scree__scored_close(scree__scored *scored); /* safe on a zeroed struct */

scree_status scree__scored_block(scree__scored *scored, const scree__block *block, int threads, scree_error *error);

/* A number of each row of a source, in one pass over it. */
typedef struct scree__collect {
    const char *stage;
    int passes;   /* in all; this is the first */
    size_t field; /* of a scree__score: the offset of the number wanted */
    bool whole;   /* rows with gaps are left out; the source counts them (scree_source_gaps) */
} scree__collect;

/* *values: count of them, ascending, the caller's to free. Eight bytes a row. */
scree_status scree__scores_sorted(double **values, int64_t *count, const scree_scorer *scorer, scree_source *source,
                                  const scree__collect *collect, const scree_run *run, scree_error *error);

#endif
