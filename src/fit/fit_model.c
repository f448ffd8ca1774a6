/* SPDX-License-Identifier: BSD-3-Clause */
/* From what a method found to a model: what every model gets whatever the method, signs and bounds. */

#include "fit/fit.h"

#include "fit/accuracy.h"
#include "fit/job.h"
#include "model/model.h"
#include "model/spare.h"

#include <string.h>

/* What a fit by likelihood adds to a model. */
static void copy_likelihood(scree_model *model, const scree__likelihood *likelihood)
{
    scree_model_view *view = &model->view;
    view->observed = likelihood->observed;
    view->empty_rows = likelihood->empty_rows;
    view->iterations = likelihood->iterations;
    view->bayes = likelihood->bayes;
    view->log_likelihood = likelihood->log_likelihood;
    view->noise_spread = likelihood->noise_spread;
    view->online_angle = likelihood->online_angle;
    view->online_noise = likelihood->online_noise;
    model->stopped = likelihood->stopped;
    if (likelihood->nothing || likelihood->selected)
        view->latent = likelihood->nothing ? 0 : likelihood->latent;
}

scree_status scree__fit_model(scree_model **out, const scree__job *job, const scree__solution *s, const char *solver,
                              scree_error *error)
{
    const int64_t d = job->cols;
    scree_model *model = NULL;
    scree_status status = scree__model_new(&model, d, s->k, solver, s->scale != NULL,
                                           (const char *const *)job->source->about.columns, error);
    if (status != SCREE_OK)
        goto done;
    memcpy(model->mean, s->mean, (size_t)d * sizeof *s->mean);
    if (job->source->origin)
        SCREE_TRY(scree__model_shift(model, job->source->origin, error));
    memcpy(model->variances, s->variances, (size_t)d * sizeof *s->variances);
    if (s->scale)
        memcpy(model->scale, s->scale, (size_t)d * sizeof *s->scale);
    memcpy(model->eigenvalues, s->values, (size_t)s->k * sizeof *s->values);
    memcpy(model->components, s->vectors, (size_t)(s->k * d) * sizeof *s->vectors);
    scree__accuracy(&model->bounds, s, d);
    scree_model_view *view = &model->view;
    view->n = s->rows;
    view->weight = s->weight;
    view->ddof = job->options->ddof;
    view->scaling = job->options->scale;
    view->uncentred = job->options->uncentred;
    view->graded = s->graded;
    view->passes = s->passes;
    view->converged = s->converged;
    view->tolerance = s->likelihood ? s->tolerance : job->options->tolerance;
    view->stop_rule = s->stop_rule;
    if (!s->likelihood && job->options->tolerance > 0) /* a direct method, too, says what it reached of it */
        view->stop_rule = "tolerance";
    view->total_variance = s->total;
    view->observed = s->rows * d;
    if (s->likelihood)
        copy_likelihood(model, s->likelihood);
    view->image_rows = job->source->about.image_rows;
    view->image_cols = job->source->about.image_cols;
    SCREE_TRY(scree__solution_rest(&model->rest, s, d, error));
    SCREE_TRY(scree__spare_set(model, s->values + s->k, s->vectors + s->k * d, s->spare, error));
    SCREE_TRY(scree__model_settle(model, error));
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    return status;
}
