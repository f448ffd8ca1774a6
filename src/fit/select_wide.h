/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_FIT_SELECT_WIDE_H
#define SCREE_FIT_SELECT_WIDE_H

/* Grams of folds of columns; see select_wide.c and, where several processes share the columns, select_wide_together.c.
 */

#include "data/team.h"
#include "fit/resident.h"
#include "fit/selection.h"

enum { SCREE__PANEL_COLS = 128 }; /* of a fold, that are multiplied at once */

/* Columns from first to end - 1 of those that are kept. */
typedef struct scree__fold_columns {
    const scree__selecting *w;
    const scree__resident *x;
    int64_t first;
    int64_t end;
    double *panels; /* rows×SCREE__PANEL_COLS for each fold */
    bool begins;    /* grams are to be filled, not added to */
} scree__fold_columns;

/* Those of a fold: the upper triangle of its Gram. Not 0 when a routine of BLAS failed. */
int scree__fold_gram(const scree__fold_columns *columns, int64_t fold, double *gram);

/* How several processes share the columns. */
scree__team_items scree__wide_items(const scree__job *job);
/* How many this one keeps. */
int64_t scree__wide_cols(const scree__job *job);
int64_t scree__wide_together_memory(const scree__job *job, int folds);
/* The Grams of all columns, one a fold, of which x has those of this process; panels as above. They are the tree's,
 * which is the caller's to free. */
scree_status scree__wide_grams_together(const scree__fold_columns *columns, scree__team_tree **tree, double **grams,
                                        scree_error *error);
/* A sample of the rows of x: made, with all columns, in order. */
scree_status scree__wide_sample_together(const scree__selecting *w, const scree__resident *x, scree__row_sample *sample,
                                         scree_error *error);

#endif
