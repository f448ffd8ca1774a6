/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_GAP_LAW_H
#define SCREE_MODEL_GAP_LAW_H

/* What a fit of rows with gaps, or by variational Bayes, tells the law of rows (model_law.h): see gap_law.c. */

#include "model/model.h"

/* The share of the cells that was observed, of rows with any. */
double scree__gap_law_share(const scree_model_view *view);

/* Of the sN rows that this share makes of N, the part that new rows can count on: see gap_reach.c. */
scree_status scree__gap_law_reach(double *reach, const scree_model_view *view, double spread, scree_error *error);

/* Of the model that cols columns make, with m components: the eigenvalues that the rows themselves have, from those of
 * the model, in their place; returns the sum of all others. rest: that of the model. */
double scree__gap_law_spectrum(const scree_model_view *view, int64_t cols, int64_t m, double *values, double rest);

#endif
