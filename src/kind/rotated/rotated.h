/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KIND_ROTATED_ROTATED_H
#define SCREE_KIND_ROTATED_ROTATED_H

/* Components that were rotated (10.78). The model keeps U and Λ, as PCA has them, and M, k×k, with A = U Λ^½:
 *
 *     B = A M,   f = M⁻¹ Λ^-½ Uᵀ c,   Φ = (MᵀM)⁻¹,   c ≈ B f
 *
 * Everything else follows from these, and is computed when the model is made or loaded. */

#include "kind/kinds.h"
#include "kind/pca/pca.h"

enum { SCREE__ROTATED_FACTS = 7, SCREE__ROTATED_TEXT = 2048 };

typedef struct scree__rotated {
    scree_rotation_view view;
    int64_t m;
    double *matrix;       /* M */
    double *inverse;      /* k×k: M⁻¹ */
    double *correlations; /* Φ */
    double *variances;    /* k */
    double *loadings;     /* k×D: Bᵀ */
    double *weights;      /* k×D: M⁻¹ Λ^-½ Uᵀ */
    double *structure;    /* k×D: Φ Bᵀ */
    scree_fact facts[SCREE__ROTATED_FACTS];
    char *texts; /* of the facts */
} scree__rotated;

static inline scree__rotated *scree__rotated_of(const scree_model *model)
{
    return model->data;
}

/* The known names, NULL-terminated, in the order of scree__simplicity. */
extern const char *const scree__rotated_methods[];

scree_status scree__rotated_new(scree__rotated **out, int64_t m, int64_t d, scree_error *error);
void scree__rotated_free(void *data);

/* All that follows from U, Λ and M. ERR_NUMERIC: M has no inverse. */
scree_status scree__rotated_derive(scree__rotated *rotated, const scree_model *model, scree_error *error);
void scree__rotated_describe(scree__rotated *rotated, const scree_model *model);
const scree_fact *scree__rotated_fact(const scree_model *model, int64_t index);

scree_status scree__rotated_save(const scree_model *model, scree__draft *draft, scree_error *error);
scree_status scree__rotated_load(scree_model **out, const scree__safetensors *file, scree_error *error);

/* f of rows, rows of f, and there and back. */
void scree__rotated_project(scree__question *question);
void scree__rotated_reconstruct(scree__question *question);

scree_status scree__rotated_page(const scree_model *model, int64_t limit, char **json, scree_error *error);

extern const scree__density scree__rotated_density;
extern const scree__onnx_kind scree__rotated_onnx;
extern const scree__meaning scree__rotated_meaning;

#endif
