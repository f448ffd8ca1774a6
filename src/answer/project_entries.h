/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_ANSWER_PROJECT_ENTRIES_H
#define SCREE_ANSWER_PROJECT_ENTRIES_H

/* Codes of sparse rows from their entries. */

#include "answer/row_query.h"

typedef struct scree__entry_query {
    scree__row_query dense; /* of single rows, where entries are missing; opened when the first is met */
    const scree_model *model;
    int32_t *place;  /* of each column of the source: which column of the model it is; -1: none */
    double *weights; /* D×M: Uᵀ, rows divided by the scale of their column */
    double *shift;   /* M: Uᵀ(µ/scale) */
    bool log1p;      /* entries become logarithms here */
    int threads;     /* that the question about single rows may use */
    scree__buffer spread;
} scree__entry_query;

/* *fits: the rows of the source and the model are such that codes are found from entries as accurately as from cells,
 * up to a hundred times rounding. The columns are those of scree__match_columns, and lent. */
scree_status scree__entry_query_open(scree__entry_query *query, bool *fits, const scree_model *model,
                                     scree_source *source, const int64_t *columns, const scree_run *run,
                                     scree_error *error);

/* A map's rows; the context is the query. */
scree_status scree__entry_query_map(void *context, const scree__block *block, double *out, int threads,
                                    scree_error *error);
void scree__entry_query_close(scree__entry_query *query); /* safe on a zeroed struct; leaves the columns */

#endif
