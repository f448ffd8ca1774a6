/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_SCALING_H
#define SCREE_MODEL_SCALING_H

/* What the columns of a model were divided by. */

#include "base/error.h"

/* "unit"; in model files. */
const char *scree__scaling_name(scree_scale scaling);
/* False: there is none of that name. */
bool scree__scaling_named(const char *name, scree_scale *scaling);

/* Whether columns were divided by their own standard deviations, so that each has variance 1 in the fitted rows
 * whatever it has in others: the laws of such columns are of their own. Divided by anything else, they are treated as
 * if they had come so. */
bool scree__is_standardised(const scree_model_view *view);

#endif
