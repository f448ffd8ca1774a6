/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SUPPORT_H
#define SCREE_MODEL_SUPPORT_H

/* Where rows of a model can lie: at the mean in a column that never varied, and in the directions of the fitted rows
 * where these are all known. See support.c; what leaves them is in score_support.c. */

#include "model/model.h"

/* Whether the column was the same in all rows that were fitted and observed it, two at least. */
bool scree__column_is_constant(const scree_model_view *view, int64_t column);

/* Columns that are not; D where nobody said. Directions in which rows vary: fewer where columns depend on each other,
 * and there were rows to show it. */
int64_t scree__varying_columns(const scree_model_view *view);
int64_t scree__varying_directions(const scree_model *model);

/* σ² is J_M/(D-M), over all columns (10.79): this is the noise of those that vary, J_M/(v-M). */
double scree__varying_noise(const scree_model_view *view);

/* What makes noise of variance σ² in all directions one that lies where rows can. */
typedef struct scree__support {
    const scree_model *model; /* the distribution, of M components; NULL: noise is everywhere */
    int64_t count;
    const double *directions; /* count×D: the components, and all others in which rows vary; NULL: not known */
    double *own;              /* the same, where they are not the model's */
    int64_t unrelated;        /* where directions are not known: those that relations between columns leave no row */
    double *relations;        /* unrelated×D */
    const scree__relations *exact; /* those relations themselves; NULL: none */
    double wider;                  /* of noise outside of the components: the same sum in fewer directions */
} scree__support;

/* Of a model with all components that were kept. Closed with scree__support_close, safe on a zeroed struct. */
scree_status scree__ppca_support(scree__support *support, const scree_model *kept, scree_error *error);
void scree__support_close(scree__support *support);

/* normals: D, standard ones, become noise in units of σ. work: D. */
void scree__support_confine(const scree__support *support, double *normals, double *work);

/* x: D, in the columns as they came; those that never varied get their value, and those that relations determine the
 * one that follows from the others. */
void scree__support_settle(const scree__support *support, double *x);

#endif
