/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SCORE_LAW_H
#define SCREE_MODEL_SCORE_LAW_H

/* How T² and Q are distributed when rows come from a model of probabilistic PCA. */

#include "model/model.h"
#include "model/tail_table.h"

/* training: for the rows that were fitted; else for new rows. */
void scree__score_laws(const scree_model_view *view, bool training, scree__tail *t2, scree__tail *q);

/* The x that a share alpha of a distribution lies beyond; NaN for a distribution that is none. */
double scree__tail_limit(const scree__tail *tail, double alpha);

#endif
