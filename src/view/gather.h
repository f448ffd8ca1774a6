/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_GATHER_H
#define SCREE_VIEW_GATHER_H

/* Rows kept for a picture: some numbers of each, which may be its cells, its code or its scores, its number in the
 * source and its label. */

#include "view/texts.h"

typedef struct scree__points {
    double *values; /* count×cols */
    int64_t *rows;  /* number of each in the source, from 0 */
    int32_t *label; /* of each, a number of labels; -1: none */
    int32_t *texts; /* count×text_count: numbers of what each carries along */
    int64_t count;
    int64_t cols;
    int64_t every; /* of so many rows one is kept */
    int64_t total; /* rows that there were */
    scree__labels labels;
    scree__texts text;
} scree__points;

typedef struct scree__gather {
    scree__points points;
    const int64_t *columns; /* points.cols of them: which to keep; NULL: all */
    const int64_t *wanted;  /* ascending: keep these rows alone; NULL: all */
    int64_t wanted_count;
    int64_t most; /* points */
    int64_t room;
    int64_t text_count; /* columns of text that come */
    double *cells;      /* of the row at hand */
    double alpha;       /* of scores: a row with a p-value up to this is an outlier */
    int64_t outliers;   /* of all rows */
} scree__gather;

/* What is kept of the scores of a row, for columns. */
enum { SCREE__GATHER_LOGLIK, SCREE__GATHER_T2, SCREE__GATHER_Q, SCREE__GATHER_P, SCREE__GATHER_OUTLIER };

/* Keeps columns[0..cols-1] of each row, all where columns is NULL; most rows at most, evenly spaced. */
void scree__gather_begin(scree__gather *gather, const int64_t *columns, int64_t cols, int64_t most);

/* One pass over the source, from its first row. The cells of the rows in the model's columns, or as they stand where it
 * is NULL; the codes; the scores. Also when it fails, the points are the caller's to clear. */
scree_status scree__gather_cells(scree__gather *gather, const scree_model *model, scree_source *source,
                                 const scree_run *run, scree_error *error);
scree_status scree__gather_codes(scree__gather *gather, const scree_model *model, scree_source *source,
                                 const scree_run *run, scree_error *error);
scree_status scree__gather_scores(scree__gather *gather, const scree_scorer *scorer, double alpha, scree_source *source,
                                  const scree_run *run, scree_error *error);

void scree__points_clear(scree__points *points);

/* The label of each point, from what the rows of the source carry along (scree__texts_choose). */
void scree__points_choose(scree__points *points, const scree_source *source, const char *label);
/* Labels from a source of their own, a row for a row of the points. */
scree_status scree__points_label(scree__points *points, scree_source *labels, const char *rows_name,
                                 scree_error *error);

/* What the i-th is called: its id, or "row 17". Returns buffer. */
const char *scree__points_name(const scree__points *points, int64_t i, char *buffer, size_t size);

/* Rows as they are, count×D in the model's columns; wanted is ascending, none twice. They are called
 * by the id that was asked for. The caller clears them. */
scree_status scree__rows_keep(scree__points *out, const scree_model *model, scree_source *rows, const int64_t *wanted,
                              int64_t count, scree_error *error);

#endif
