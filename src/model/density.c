/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model says as a distribution, without rows or of one row: each question is passed on to the density of the
 * model's kind, and refused where it has none. It is the distribution of the model's M latent dimensions that answers
 * (latent.c). */

#include "base/sized.h"
#include "model/kind.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

scree_status scree_model_facts(const scree_model *model, scree_facts *facts, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_facts found = SCREE_FACTS_INIT;
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, facts, "the likelihood", error));
    model->kind->density->facts(model, &found);
    if (scree_model_distribution(model) != model) { /* how many directions there are, all that is kept says best */
        const double rank = found.effective_rank;
        model->kind->density->facts(scree_model_distribution(model), &found);
        found.effective_rank = rank;
    }
    SCREE_TRY(SCREE_GIVE(facts, &found, error));
done:
    return status;
}

scree_status scree_model_with_noise(scree_model **out, const scree_model *model, double noise, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, with_noise, "a noise variance", error));
    if (!(noise >= 0) || isinf(noise))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a noise variance is 0 or more, not %g", noise);
    SCREE_TRY(model->kind->density->with_noise(out, model, noise, error));
done:
    return status;
}

scree_status scree_model_rate(const scree_model *model, double distortion, scree_rate *rate, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_rate found = SCREE_RATE_INIT;
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, rate, "a rate", error));
    if (!(distortion > 0))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a distortion is positive, not %g", distortion);
    model->kind->density->rate(scree_model_distribution(model), distortion, &found);
    SCREE_TRY(SCREE_GIVE(rate, &found, error));
done:
    return status;
}

scree_status scree_model_loadings(const scree_model *model, double *loadings, scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, loadings, "loadings", error);
    if (status == SCREE_OK)
        model->kind->density->loadings(scree_model_distribution(model), loadings,
                                       scree_model_get(scree_model_distribution(model))->m);
    return status;
}

scree_status scree_model_marginal_multiply(const scree_model *model, const double *x, double *y, scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, multiply, "the covariance", error);
    if (status == SCREE_OK)
        model->kind->density->multiply(scree_model_distribution(model), x, y, false);
    return status;
}

scree_status scree_model_precision_multiply(const scree_model *model, const double *x, double *y, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, multiply, "the covariance", error));
    SCREE_TRY(model->kind->density->check(scree_model_distribution(model), error));
    model->kind->density->multiply(scree_model_distribution(model), x, y, true);
done:
    return status;
}

scree_status scree_model_marginal_dense(const scree_model *model, double *covariance, scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, dense, "the covariance", error);
    if (status == SCREE_OK)
        model->kind->density->dense(scree_model_distribution(model), covariance, scree_model_get(model)->d, false);
    return status;
}

scree_status scree_model_precision_dense(const scree_model *model, double *precision, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(SCREE__DENSITY_NEEDS(model, dense, "the covariance", error));
    SCREE_TRY(model->kind->density->check(scree_model_distribution(model), error));
    model->kind->density->dense(scree_model_distribution(model), precision, scree_model_get(model)->d, true);
done:
    return status;
}

/* [BBᵀ + noise, B; Bᵀ, I] */
scree_status scree_model_joint_dense(const scree_model *model, double *covariance, scree_error *error)
{
    scree_status status = SCREE__DENSITY_NEEDS(model, dense, "the covariance", error);
    const scree_model *distribution = scree_model_distribution(model);
    const scree_model_view *view = scree_model_get(distribution);
    const int64_t d = view->d;
    const int64_t size = d + view->m;
    if (status == SCREE_OK)
        status = SCREE__DENSITY_NEEDS(model, loadings, "the covariance", error);
    if (status != SCREE_OK)
        return status;
    memset(covariance, 0, (size_t)(size * size) * sizeof *covariance);
    model->kind->density->dense(distribution, covariance, size, false);
    model->kind->density->loadings(distribution, covariance + d, size);
    for (int64_t j = d; j < size; j++) {
        for (int64_t i = 0; i < d; i++)
            covariance[j * size + i] = covariance[i * size + j];
        covariance[j * (size + 1)] = 1;
    }
    return SCREE_OK;
}

scree_status scree_model_posterior_covariance(const scree_model *model, double *variances, double *logdet,
                                              scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, posterior_covariance, "posterior", error);
    if (status == SCREE_OK)
        model->kind->density->posterior_covariance(scree_model_distribution(model), variances, logdet);
    return status;
}

scree_status scree_model_posterior_row(const scree_model *model, const double *row, double *mean, double *covariance,
                                       double *logdet, scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, posterior_row, "posterior", error);
    return status ? status
                  : model->kind->density->posterior_row(scree_model_distribution(model), row, mean, covariance, logdet,
                                                        error);
}

scree_status scree__posterior_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                   scree_error *error)
{
    scree__question question = scree__question_of(scree_model_distribution(model));
    const scree_status status = SCREE__DENSITY_NEEDS(model, posterior, "posterior", error);
    if (status != SCREE_OK)
        return status;
    model->kind->density->posterior(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_posterior_rows(const scree_model *model, const scree_block *rows, double *means,
                                        double *variances, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__posterior_out out = {.means = means, .variances = variances};
    scree__ask ask = {0};
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->d, rows, run, error));
    SCREE_TRY(scree__ask_normalise(&ask, error));
    SCREE_TRY(scree__ask_question(&ask, scree__posterior_open, &out, error));
done:
    scree__ask_close(&ask);
    return status;
}

scree_status scree_model_contributions(const scree_model *model, const double *row, double *contributions,
                                       scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, contributions, "what a column contributes to Q", error);
    return status ? status
                  : model->kind->density->contributions(scree_model_distribution(model), row, contributions, error);
}

scree_status scree__ellipse_of(scree__ellipse *ellipse, const scree_model *model, const double *row,
                               const int64_t component[2], scree_error *error)
{
    const scree_status status = SCREE__DENSITY_NEEDS(model, ellipse, "the ellipse of a posterior", error);
    *ellipse = (scree__ellipse){.seen = SCREE__SEEN_ALL};
    const int64_t latent =
        scree_model_get(model)->latent; /* components beyond it have a place in a picture all the same */
    const bool inside = component[0] < latent && component[1] < latent;
    return status ? status
                  : model->kind->density->ellipse(ellipse, inside ? scree_model_distribution(model) : model, row,
                                                  component, error);
}
