/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_THIN_H
#define SCREE_MODEL_THIN_H

/* Columns that were observed too seldom for rows to be judged by them: see thin.c. */

#include "model/fields.h"
#include "model/model.h"

/* The counts, which are the model's from now on; and which columns are thin, by these and its M. */
scree_status scree__thin_take(scree_model *model, double **seen, scree_error *error);
scree_status scree__thin_settle(scree_model *model, scree_error *error);
scree_status scree__thin_copy(scree_model *to, const scree_model *from, scree_error *error);
scree_status scree__thin_load(const scree__safetensors *file, scree_model *model, scree_error *error);

#endif
