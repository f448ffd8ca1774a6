/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SPARE_H
#define SCREE_MODEL_SPARE_H

/* Components that a model does not keep, but knows: see spare.c. */

#include "model/model.h"

/* How many, beside kept ones, for so many rows, columns and components that there are; scaled: columns by their
 * deviations. */
int64_t scree__spare_wanted(int64_t rows, int64_t cols, int64_t rank, int64_t kept, bool scaled);

/* Of a model without any: copied from eigenvalues and components (count×D). */
scree_status scree__spare_set(scree_model *model, const double *values, const double *components, int64_t count,
                              scree_error *error);

/* Of a model that another one was cut to: those that it lost, and those that the other had. */
scree_status scree__spare_inherit(scree_model *shorter, const scree_model *model, scree_error *error);

/* The first count components of a model and the spare ones, as rows. *out is the model's, or else *owned, the caller's
 * to free. */
scree_status scree__spare_directions(const double **out, double **owned, const scree_model *model, int64_t count,
                                     scree_error *error);

#endif
