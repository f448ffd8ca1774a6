/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_MODEL_LAW_H
#define SCREE_MODEL_MODEL_LAW_H

/* The law of a row (row_law.h) under a model. */

#include "model/model.h"
#include "model/row_law.h"

/* Directions whose codes a law of M latent dimensions uses, at most, where a model of so many rows keeps so many. */
int64_t scree__law_known(double rows, int64_t latent, int64_t kept);
/* The same for a model: rows with gaps count for fewer. */
int64_t scree__model_known(const scree_model_view *view, int64_t latent, int64_t kept);

/* The eigenvalues beyond the first ones of a model, kept or spare: those that there are of these, and the others as far
 * as they are known. */
scree_status scree__model_rest(scree__rest *rest, const scree_model *model, int64_t first, scree_error *error);

/* Of the first latent components of a model; the others that it keeps or has to spare are known directions. */
scree_status scree__model_law(scree__row_law *law, const scree_model *model, int64_t latent, bool fitted,
                              scree_error *error);

/* The first eigenvalues of a model, kept or spare, as the rows themselves have them (gap_law.h). */
scree_status scree__model_kept(double **values, const scree_model *model, int64_t count, scree_error *error);

/* The rows that count for what new rows are like, over those that count for fitted ones: 1 but for fits with gaps. */
scree_status scree__model_reach(double *reach, const scree_model_view *view, bool fitted, scree_error *error);

/* The observed columns of a row with gaps (part.h). */
typedef struct scree__part {
    int64_t cols;
    int64_t related; /* relations between these */
    int64_t components;
    const double *variances; /* of the components, descending */
    double sum;              /* of the eigenvalues beyond */
    double squares;          /* of these */
    double reach;            /* of the rows that were fitted, those that count: scree__model_reach */
    double white;            /* for scree__part_law: what white noise would spread by */
} scree__part;

scree_status scree__part_law(scree__row_law *law, const scree_model_view *whole, const scree__part *part, bool fitted,
                             scree_error *error);

/* Whether scaling the columns anew, with a new row among them, would change what is said of it. */
bool scree__law_rescales(const scree_model_view *view, bool fitted);

#endif
