/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of model that only the tests have: PCA whose first two components are rotated among each other, rows of R U
 * with R = [c, -s; s, c]: another code, and the same reconstruction. */

#include "support/rotated.h"

#include "fit/fit.h"
#include "kind/pca/pca.h"
#include "model/model.h"

static const double COSINE = ROTATED_COSINE;
static const double SINE = ROTATED_SINE;

static scree_status rotated_settle(scree_model *model, scree_error *error)
{
    model->view.reconstruction_error = model->view.total_variance;
    for (int64_t j = 0; j < model->view.m; j++)
        model->view.reconstruction_error -= model->eigenvalues[j];
    (void)error;
    return SCREE_OK;
}

static const scree_fact *rotated_fact(const scree_model *model, int64_t index)
{
    static const scree_fact fact = {sizeof fact, "angle", "angle", "53.13 degrees", 53.13, NULL};
    (void)model;
    return index == 0 ? &fact : NULL;
}

static scree_status rotated_fit(scree_model **out, scree_source *source, const scree_fit_options *options,
                                scree_error *error)
{
    scree_model *model = NULL;
    scree_status status = scree__fit_components(&model, source, options, error);
    if (status != SCREE_OK)
        return status;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double a = model->components[j];
        const double b = model->components[model->view.d + j];
        model->components[j] = COSINE * a - SINE * b;
        model->components[model->view.d + j] = SINE * a + COSINE * b;
    }
    scree__model_become(model, &support_rotated, NULL);
    status = scree__model_settle(model, error);
    *out = model;
    return status;
}

const scree__kind support_rotated = {
    .name = "rotated",
    .text = "components that were rotated among each other",
    .noun = "a rotated model",
    .advice = "components in order, make them with 'scree fit'",
    .code_prefix = "rc",
    .fit = rotated_fit,
    .save = scree__pca_save,
    .load = scree__pca_load,
    .settle = rotated_settle,
    .project = scree__pca_project,
    .reconstruct = scree__pca_reconstruct,
    .round_trip = scree__pca_round_trip,
    .fact = rotated_fact,
};
