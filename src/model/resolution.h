/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_RESOLUTION_H
#define SCREE_MODEL_RESOLUTION_H

/* How finely the cells of a row were written down: see resolution.c. */

#include "model/model.h"

/* What the cells of relation k may together be off by, in units of y_p, as far as their digits tell: they were rounded.
 * Cells that are missing must not be among them. */
double scree__relation_allowance(const scree_model *model, const double *y, int64_t k);

#endif
