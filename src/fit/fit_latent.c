/* SPDX-License-Identifier: BSD-3-Clause */
/* How many latent dimensions a fitted model has as a distribution. As many as there are components where their number
 * was chosen, by the user or by the method; else as many as selection recommends, seeing what the fit has seen: its
 * eigenvalues. At most half of the rows: what is estimated from fewer has no honest p-values. */

#include "fit/fit.h"

#include "model/latent.h"

enum { MEMORY = 2 << 20 }; /* for the criteria: those that simulate only where it takes milliseconds */

/* The one place that asks what selection recommends. */
static scree_status recommend(int64_t *latent, const scree_model *model, const scree_fit_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    const scree_run run = {.size = sizeof run, .threads = options->run->threads, .memory = MEMORY};
    const scree_select_options select = {.size = sizeof select, .seed = options->seed, .run = &run};
    scree_selection *selection = NULL;
    SCREE_TRY(scree_selection_from_model(&selection, model, &select, error));
    const int64_t recommended = scree_selection_get(selection)->recommended;
    const int64_t most = view->m < (view->n - 1) / 2 ? view->m : (view->n - 1) / 2;
    *latent = recommended < most ? recommended : most;
done:
    scree_selection_free(selection);
    return status;
}

scree_status scree__fit_latent(scree_model *model, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    const bool chosen = options->components != 0 || options->share > 0 || view->stopped;
    if (options->latent < SCREE_NONE || options->latent > view->m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%lld components are kept, so the distribution has 0 to %lld latent dimensions, not %lld",
                   (long long)view->m, (long long)view->m, (long long)options->latent);
    if (options->latent == SCREE_AUTO || (options->latent == 0 && !chosen))
        SCREE_TRY(recommend(&view->latent, model, options, error));
    else if (options->latent != 0)
        view->latent = options->latent == SCREE_NONE ? 0 : options->latent;
    SCREE_TRY(scree__model_distribute(model, error));
done:
    return status;
}
