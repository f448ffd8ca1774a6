/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_VIEW_LINES_H
#define SCREE_VIEW_LINES_H

/* Rows that are no images, as lines over the columns (parallel coordinates). */

#include "view/plot.h"

/* (x - µ)/s of each column, so that columns of any unit share an axis; 0 where a column is constant. */
void scree__lines_standardise(const scree_model_view *view, const double *row, double *out);

/* The axis of the columns: their names where they fit, else their numbers. names may be NULL. */
scree__axis scree__lines_axis(const scree__plot *plot, char **names, bool titled);

/* A row, standardised already; very many columns are thinned to the least and the greatest of each stretch. */
void scree__lines_draw(const scree__frame *frame, const double *values, int64_t d, const scree__pen *pen);

#endif
