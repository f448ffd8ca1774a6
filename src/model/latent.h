/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_LATENT_H
#define SCREE_MODEL_LATENT_H

/* How many of a model's components its distribution has: see latent.c. */

#include "model/model.h"

/* Makes the distribution anew, where view.latent is smaller than m: call when all else is settled. */
scree_status scree__model_distribute(scree_model *model, scree_error *error);

#endif
