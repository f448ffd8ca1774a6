/* SPDX-License-Identifier: BSD-3-Clause */
/* Rotated components as a kind of model: how they are made of those of PCA, what follows from M, and the table.
 *
 * The order of factors and their signs mean nothing. Ours: by the variance that they explain, Σ_j B_jk (BΦ)_jk, and
 * with the loading of largest magnitude positive. */

#include "kind/rotated/rotated.h"

#include "base/memory.h"
#include "base/sized.h"
#include "kernel/blas.h"
#include "kernel/rotation.h"
#include "model/latent.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

const char *const scree__rotated_methods[] = {"varimax", "quartimax", "promax", "oblimin", NULL};

scree_status scree__rotated_new(scree__rotated **out, int64_t m, int64_t d, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__rotated *made = NULL;
    SCREE_ALLOC(made, 1, error);
    made->m = m;
    SCREE_ALLOC(made->matrix, m * m, error);
    SCREE_ALLOC(made->inverse, m * m, error);
    SCREE_ALLOC(made->correlations, m * m, error);
    SCREE_ALLOC(made->variances, m, error);
    SCREE_ALLOC(made->loadings, m * d, error);
    SCREE_ALLOC(made->weights, m * d, error);
    SCREE_ALLOC(made->structure, m * d, error);
    SCREE_ALLOC(made->texts, SCREE__ROTATED_FACTS * SCREE__ROTATED_TEXT, error);
    made->view = (scree_rotation_view){.size = sizeof made->view,
                                       .matrix = made->matrix,
                                       .correlations = made->correlations,
                                       .variances = made->variances};
    *out = made;
    made = NULL;
done:
    scree__rotated_free(made);
    return status;
}

void scree__rotated_free(void *data)
{
    scree__rotated *rotated = data;
    if (!rotated)
        return;
    free(rotated->matrix);
    free(rotated->inverse);
    free(rotated->correlations);
    free(rotated->variances);
    free(rotated->loadings);
    free(rotated->weights);
    free(rotated->structure);
    free(rotated->texts);
    free(rotated);
}

scree_status scree__rotated_derive(scree__rotated *rotated, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = rotated->m;
    const int64_t d = model->view.d;
    double *scaled = NULL;
    scree__blas_enter();
    SCREE_TRY(scree__blas_reserve(1, error));
    SCREE_ALLOC(scaled, 2 * m * m, error);
    double *left = scaled + m * m;
    SCREE_TRY(scree__small_inverse(rotated->matrix, m, rotated->inverse, error));
    for (int64_t i = 0; i < m; i++)
        for (int64_t k = 0; k < m; k++) {
            double sum = 0;
            for (int64_t l = 0; l < m; l++)
                sum += rotated->inverse[i * m + l] * rotated->inverse[k * m + l];
            rotated->correlations[i * m + k] = sum;
            scaled[i * m + k] = rotated->matrix[k * m + i] * sqrt(model->eigenvalues[k]);
            left[i * m + k] = rotated->inverse[i * m + k] / sqrt(model->eigenvalues[k]);
        }
    scree__dgemm(false, false, m, d, m, 1.0, scaled, m, model->components, d, 0.0, rotated->loadings, d);
    scree__dgemm(false, false, m, d, m, 1.0, left, m, model->components, d, 0.0, rotated->weights, d);
    scree__dgemm(false, false, m, d, m, 1.0, rotated->correlations, m, rotated->loadings, d, 0.0, rotated->structure,
                 d);
    for (int64_t k = 0; k < m; k++) {
        rotated->variances[k] = 0;
        for (int64_t j = 0; j < d; j++)
            rotated->variances[k] += rotated->loadings[k * d + j] * rotated->structure[k * d + j];
    }
done:
    scree__blas_leave();
    free(scaled);
    return status;
}

/* Columns of M in the order of what they explain, turned to the side of their largest loading. */
static scree_status put_in_order(scree__rotated *rotated, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = rotated->m;
    const int64_t d = model->view.d;
    double *before = NULL;
    SCREE_TRY(scree__rotated_derive(rotated, model, error));
    SCREE_ALLOC(before, m * m, error);
    memcpy(before, rotated->matrix, (size_t)(m * m) * sizeof *before);
    for (int64_t to = 0; to < m; to++) {
        int64_t from = 0;
        int64_t largest = 0;
        for (int64_t k = 1; k < m; k++)
            if (rotated->variances[k] > rotated->variances[from])
                from = k;
        const double *loading = rotated->loadings + from * d;
        for (int64_t j = 1; j < d; j++)
            if (fabs(loading[j]) > fabs(loading[largest]) * (1 + 1e-9))
                largest = j;
        for (int64_t i = 0; i < m; i++)
            rotated->matrix[i * m + to] = loading[largest] < 0 ? -before[i * m + from] : before[i * m + from];
        rotated->variances[from] = -INFINITY;
    }
    SCREE_TRY(scree__rotated_derive(rotated, model, error));
done:
    free(before);
    return status;
}

static scree_status check(const scree_rotate_options *options, int *method, scree_error *error)
{
    const char *name = options->method ? options->method : scree__rotated_methods[0];
    *method = 0;
    while (scree__rotated_methods[*method] && strcmp(scree__rotated_methods[*method], name) != 0)
        ++*method;
    if (!scree__rotated_methods[*method])
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "there is no rotation '%s'; there are varimax, quartimax, promax and oblimin", name);
    if (options->power != 0 && !(options->power > 1 && options->power <= 20))
        return scree__fail(error, SCREE_ERR_ARGUMENT, "the power of promax is %g; give more than 1, at most 20",
                           options->power);
    if (!(options->gamma <= 0.8) || !isfinite(options->gamma))
        return scree__fail(error, SCREE_ERR_ARGUMENT,
                           "gamma of oblimin is %g; give 0.8 or less: with more, factors become one", options->gamma);
    if (options->starts < SCREE_NONE || options->starts > 100000)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%" PRId64 " random starts were asked for; ask for 0 to 100000",
                           options->starts);
    return SCREE_OK;
}

/* Components that have no variance cannot be divided by their deviation. */
static scree_status check_variance(const scree_model_view *view, scree_error *error)
{
    int64_t fine = 0;
    while (fine < view->m && view->eigenvalues[fine] > (double)view->d * DBL_EPSILON * view->eigenvalues[0])
        fine++;
    if (fine == view->m)
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_NUMERIC,
                       "component %" PRId64 " has no variance, so it cannot be rotated; rotate at most %" PRId64,
                       fine + 1, fine);
}

/* Random starts: ten, unless they would take long; one at least. */
static int64_t starts_for(int64_t asked, int64_t d, int64_t m)
{
    const double work = (double)d * (double)m * (double)m;
    if (asked != 0)
        return asked > 0 ? asked : 0;
    return work <= 2e5 ? 10 : work >= 2e6 ? 1 : (int64_t)(2e6 / work);
}

static scree_status find_matrix(scree__rotated *rotated, const scree_model *model, const scree_rotate_options *options,
                                scree__simplicity method, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = rotated->m;
    double *a = NULL;
    bool converged = false;
    SCREE_ALLOC(a, model->view.d * m, error);
    SCREE_TRY(scree_model_meaning(model, SCREE_MEANING_LOADINGS, a, error));
    const scree__rotate rotate = {.a = a,
                                  .d = model->view.d,
                                  .k = m,
                                  .method = method,
                                  .kaiser = !options->no_kaiser,
                                  .power = options->power > 0 ? options->power : 4,
                                  .gamma = options->gamma,
                                  .starts = starts_for(options->starts, model->view.d, m),
                                  .seed = options->seed};
    SCREE_TRY(scree__rotate_run(&rotate, rotated->matrix, &converged, error));
    rotated->view.method = scree__rotated_methods[method];
    rotated->view.kaiser = rotate.kaiser;
    rotated->view.oblique = method == SCREE__PROMAX || method == SCREE__OBLIMIN;
    rotated->view.power = method == SCREE__PROMAX ? rotate.power : 0;
    rotated->view.gamma = method == SCREE__OBLIMIN ? rotate.gamma : 0;
    rotated->view.converged = converged;
    SCREE_TRY(put_in_order(rotated, model, error));
done:
    free(a);
    return status;
}

scree_status scree_model_rotate(scree_model **out, const scree_model *model, const scree_rotate_options *options,
                                scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_rotate_options mine = SCREE_ROTATE_OPTIONS_INIT;
    scree_model *made = NULL;
    scree__rotated *rotated = NULL;
    int method = 0;
    SCREE_TRY(SCREE_ADOPT(&mine, options, error));
    SCREE_TRY(check(&mine, &method, error));
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "a rotation", error));
    const int64_t components = mine.components > 0 ? mine.components : model->view.latent;
    if (components == 0)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "the model has no latent dimensions: no component stands out of the noise; say how many components "
                   "to rotate");
    SCREE_TRY(scree_model_truncate(&made, model, components, error));
    SCREE_TRY(check_variance(scree_model_get(made), error));
    SCREE_TRY(scree__rotated_new(&rotated, components, made->view.d, error));
    SCREE_TRY(find_matrix(rotated, made, &mine, (scree__simplicity)method, error));
    scree_model_free(made->distribution); /* it is the model itself, which has as many latent dimensions */
    made->distribution = NULL;
    scree__model_become(made, &scree__kind_rotated, rotated);
    rotated = NULL;
    SCREE_TRY(scree__model_settle(made, error));
    *out = made;
    made = NULL;
done:
    scree__rotated_free(rotated);
    scree_model_free(made);
    return status;
}

const scree_rotation_view *scree_model_rotation(const scree_model *model)
{
    return model->kind == &scree__kind_rotated ? &scree__rotated_of(model)->view : NULL;
}

static scree_status fit(scree_model **out, scree_source *source, const scree_fit_options *options, scree_error *error)
{
    (void)out;
    (void)source;
    (void)options;
    return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                       "a rotated model is not fitted, but made of one that is; use 'scree rotate', or "
                       "scree_model_rotate");
}

static scree_status settle(scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    model->view.latent = model->view.m;
    SCREE_TRY(scree__pca_settle(model, error));
    SCREE_TRY(scree__rotated_derive(scree__rotated_of(model), model, error));
    scree__rotated_describe(scree__rotated_of(model), model);
done:
    return status;
}

const scree__kind scree__kind_rotated = {
    .name = "rotated",
    .text = "principal components that were rotated, to loadings that are large or small",
    .noun = "a rotated model",
    .advice = "a model whose components are in order, make one with 'scree fit'",
    .code_prefix = "rc",
    .fit = fit,
    .save = scree__rotated_save,
    .load = scree__rotated_load,
    .settle = settle,
    .free = scree__rotated_free,
    .project = scree__rotated_project,
    .reconstruct = scree__rotated_reconstruct,
    .round_trip = scree__pca_round_trip, /* B f = U Uᵀ c */
    .density = &scree__rotated_density,
    .onnx = &scree__rotated_onnx,
    .meaning = &scree__rotated_meaning,
    .fact = scree__rotated_fact,
    .page = scree__rotated_page,
};
