/* SPDX-License-Identifier: BSD-3-Clause */
/* PCA as nodes of an ONNX graph: codes = ((x - µ)/scale) Uᵀ and reconstruction = (codes U)·scale + µ (10.3), U once,
 * used both ways. */

#include "kind/pca/pca.h"

static int64_t numbers(const scree_model *model)
{
    return model->view.d * model->view.m;
}

static void nodes(scree__onnx *onnx, const scree_model *model, scree__onnx_part what)
{
    const scree_model_view *view = scree_model_get(model);
    scree__onnx_tensor(onnx, "components", view->m, view->d, view->components, SCREE_F64);
    if (what.encode)
        scree__onnx_product(onnx, "codes", "centred", "components", true, NULL);
    if (what.decode)
        scree__onnx_product(onnx, "restored", "codes", "components", false, NULL);
}

const scree__onnx_kind scree__pca_onnx = {
    .doc = "Principal component analysis: codes = ((x - mean) / scale) componentsᵀ, "
           "reconstruction = (codes components) * scale + mean.",
    .unit = "components",
    .numbers = numbers,
    .nodes = nodes,
};
