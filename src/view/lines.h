/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_LINES_H
#define SCREE_VIEW_LINES_H

/* Rows that are no images, as lines over the columns (parallel coordinates). */

#include "view/plot.h"

/* (x - µ)/s of each column, so that columns of any unit share an axis; 0 where a column is constant. */
void scree__lines_standardise(const scree_model_view *view, const double *row, double *out);

/* The columns, whole names and short ones, for the axis; scree__lines_names_free is safe on a zeroed struct. */
typedef struct scree__lines_names {
    char **whole;
    char **shortened;
    int64_t count;
} scree__lines_names;

scree_status scree__lines_names_make(scree__lines_names *names, const scree__plot *plot, scree_error *error);
void scree__lines_names_free(scree__lines_names *names);

/* The axis of the columns: their names where they fit, else their numbers. */
scree__axis scree__lines_axis(const scree__plot *plot, const scree__lines_names *names, bool titled);

/* More columns than the picture has pixels across: stretches of them are drawn as one. */
bool scree__lines_are_many(const scree__plot *plot);
/* Columns of a stretch, about. */
int64_t scree__lines_stretch(const scree__page *page, int64_t d);
/* A row, standardised already; of very many columns, the mean of each stretch. */
void scree__lines_draw(const scree__frame *frame, const double *values, int64_t d, const scree__pen *pen);
/* What very many columns hold: an area from the least to the greatest value of each stretch, of so many rows. */
void scree__lines_band(const scree__frame *frame, const double *values, int64_t rows, int64_t d, scree__colour colour);
/* Bars from 0, blue below and orange above it; of very many columns, to the least and the greatest of each stretch. */
void scree__lines_bars(const scree__frame *frame, const double *values, int64_t d);

#endif
