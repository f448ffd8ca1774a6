/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling errors of a model: those of its spectrum (sampling.c), for the divisor that it has, or what bootstrap
 * replicates said. O(M²), and D M⁴ where columns are scaled. */

#include "model/sampling.h"

#include "model/bootstrap.h"

#include <math.h>

/* What replicates say takes the place of theory. */
static void use_bootstrap(scree_model *model)
{
    const scree__bootstrap *b = model->bootstrap;
    for (int64_t j = 0; b && j < model->view.m; j++) {
        const double *row = b->table + j * SCREE__BOOTSTRAP_FIELDS;
        scree_sampling *s = &model->sampling[j];
        s->replicates = b->view.replicates;
        s->share_low = row[SCREE__BOOTSTRAP_SHARE_LOW];
        s->share_high = row[SCREE__BOOTSTRAP_SHARE_HIGH];
        if (s->noise)
            continue;
        s->error = row[SCREE__BOOTSTRAP_ERROR];
        s->low = row[SCREE__BOOTSTRAP_LOW];
        s->high = row[SCREE__BOOTSTRAP_HIGH];
        s->angle = row[SCREE__BOOTSTRAP_ANGLE];
        s->angle_limit = row[SCREE__BOOTSTRAP_ANGLE_LIMIT];
    }
}

/* N in the place of cells that were never seen would promise too much: rows count by the share of cells observed. */
void scree__sampling_settle(scree_model *model)
{
    const scree_model_view *view = &model->view;
    const double cells = (double)view->n * (double)view->d;
    const double seen = view->observed > 0 ? fmin((double)view->observed / cells, 1) : 1;
    const double rows = scree__model_rows(view);
    const scree__spiked spectrum = {.values = model->eigenvalues,
                                    .m = view->m,
                                    .directions = (double)view->d,
                                    .freedom = fmin(view->weight * seen, rows) - 1,
                                    .total = view->total_variance,
                                    .components = view->scale ? model->components : NULL};
    if (!(spectrum.freedom > 0)) {
        for (int64_t j = 0; j < view->m; j++)
            model->sampling[j] =
                (scree_sampling){sizeof(scree_sampling), NAN, NAN, NAN, NAN, acos(0), acos(0), true, 0, NAN, NAN};
        return;
    }
    scree__sampling_fill(model->sampling, &spectrum);
    const double unbiased = view->scale ? 1 : scree__model_divisor(view) / (rows - 1);
    for (int64_t j = 0; j < view->m; j++) {
        model->sampling[j].eigenvalue *= unbiased;
        model->sampling[j].error *= unbiased;
        model->sampling[j].low *= unbiased;
        model->sampling[j].high *= unbiased;
    }
    use_bootstrap(model);
}

scree_status scree_model_sampling(const scree_model *model, int64_t component, scree_sampling *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "the sampling error of a component", error));
    if (component < 0 || component >= model->view.m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has components 0 to %lld, and %lld was asked for",
                   (long long)model->view.m - 1, (long long)component);
    SCREE_TRY(SCREE_GIVE(out, &model->sampling[component], error));
done:
    return status;
}
