/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SCREE_KIND_PCA_PCA_H
#define SCREE_KIND_PCA_PCA_H

/* The parts of the kind of PCA: what its table is made of, for kinds that share some of it. The density is in
 * model/ppca.h. */

#include "kind/kinds.h"
#include "model/model.h"

/* Signs, J_M, and σ² unless it was given: what follows from U, λ, tr S and n. */
scree_status scree__pca_settle(scree_model *model, scree_error *error);

/* components is one that the model has. */
scree_status scree__pca_truncate(scree_model **out, const scree_model *model, int64_t components, scree_error *error);

/* z = Uᵀ((x - µ)/scale), x̃ = (U z)·scale + µ, and there and back (10.3). */
void scree__pca_project(scree__question *question);
void scree__pca_reconstruct(scree__question *question);
void scree__pca_round_trip(scree__question *question);

scree_status scree__pca_save(const scree_model *model, scree__draft *draft, scree_error *error);
scree_status scree__pca_load(scree_model **out, const scree__safetensors *file, scree_error *error);

extern const scree__onnx_kind scree__pca_onnx;
extern const scree__meaning scree__pca_meaning;

#endif
