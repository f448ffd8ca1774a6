/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_MODEL_BOOTSTRAP_H
#define SCREE_MODEL_BOOTSTRAP_H

/* What replicates of the rows said of a model: kept with it, in its file, and cut with it. */

#include "model/fields.h"
#include "model/model.h"

/* Of each component. */
enum {
    SCREE__BOOTSTRAP_ERROR, /* of the eigenvalue; then the ends of its interval, and of its share's */
    SCREE__BOOTSTRAP_LOW,
    SCREE__BOOTSTRAP_HIGH,
    SCREE__BOOTSTRAP_SHARE_LOW,
    SCREE__BOOTSTRAP_SHARE_HIGH,
    SCREE__BOOTSTRAP_ANGLE,
    SCREE__BOOTSTRAP_ANGLE_LIMIT,
    SCREE__BOOTSTRAP_FIELDS
};

typedef struct scree__bootstrap {
    scree_bootstrap_view view;
    double *table;          /* M × SCREE__BOOTSTRAP_FIELDS */
    double *loading_errors; /* M×D */
} scree__bootstrap;

/* Zeros, of d columns and m components. */
scree_status scree__bootstrap_new(scree__bootstrap **out, int64_t d, int64_t m, scree_error *error);
void scree__bootstrap_free(scree__bootstrap *bootstrap); /* NULL-safe */

/* The first components of another model's, where it has any. */
scree_status scree__bootstrap_copy(scree_model *to, const scree_model *from, scree_error *error);

void scree__bootstrap_save(const scree_model *model, scree__draft *draft);
scree_status scree__bootstrap_load(const scree__safetensors *file, scree_model *model, scree_error *error);

#endif
