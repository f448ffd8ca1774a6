/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_NETWORK_FILE_H
#define SCREE_MODEL_NETWORK_FILE_H

/* Networks as model files of the kind "network" (docs/format.md). */

#include "model/fields.h"
#include "model/model.h"

scree_status scree__network_save(const scree_model *model, const char *path, scree_error *error);

/* Everything but what scree__model_settle computes. */
scree_status scree__network_load(scree_model **out, const scree__safetensors *file, scree_error *error);

#endif
