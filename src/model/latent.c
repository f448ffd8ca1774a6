/* SPDX-License-Identifier: BSD-3-Clause */
/* The model as a distribution has M latent dimensions, which need not be all components that are kept: these are for
 * codes and pictures, and where there are as many as columns no noise would be left. The distribution is the same model
 * cut to its first M components, made once and owned by it: what asks for a density asks that one. M = 0 is one, too:
 * means, and one variance. */

#include "model/latent.h"

#include "base/memory.h"
#include "model/kind.h"

scree_status scree__model_distribute(scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_free(model->distribution);
    model->distribution = NULL;
    model->view.no_latent = model->view.latent == 0;
    if (model->view.latent < model->view.m && model->kind->truncate)
        SCREE_TRY(model->kind->truncate(&model->distribution, model, model->view.latent, error));
done:
    return status;
}

const scree_model *scree_model_distribution(const scree_model *model)
{
    return model->distribution ? model->distribution : model;
}

scree_status scree_model_with_latent(scree_model **out, const scree_model *model, int64_t latent, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = model->view.m;
    scree_model *copy = NULL;
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "a number of latent dimensions", error));
    if (latent < 0 || latent > m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "the model keeps %lld components, so its distribution has 0 to %lld latent dimensions, not %lld",
                   (long long)m, (long long)m, (long long)latent);
    SCREE_TRY(model->kind->truncate(&copy, model, m, error));
    copy->view.latent_next = latent == model->view.latent ? model->view.latent_next : 0;
    copy->view.latent_less = latent == model->view.latent ? model->view.latent_less : 0;
    copy->view.latent = latent;
    SCREE_TRY(scree__model_distribute(copy, error));
    *out = copy;
    copy = NULL;
done:
    scree_model_free(copy);
    return status;
}
