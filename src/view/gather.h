/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_GATHER_H
#define SCREE_VIEW_GATHER_H

/* Answers about rows, kept for a picture: some columns of each row, its number and its label. A sink like any other, so
 * that any question can be asked of it. */

#include "data/sink.h"
#include "data/source.h"
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
    scree_sink base;
    scree__points points;
    const int64_t *columns; /* points.cols of them: which to keep */
    const int64_t *wanted;  /* ascending: keep these rows alone; NULL: all */
    int64_t wanted_count;
    int64_t most; /* points */
    int64_t room;
    int64_t text_count; /* columns of text that come */
    int64_t input_cols;
} scree__gather;

/* Keeps columns[0..cols-1] of each row, all where columns is NULL; most rows at most, evenly spaced. */
void scree__gather_begin(scree__gather *gather, const int64_t *columns, int64_t cols, int64_t most);
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
