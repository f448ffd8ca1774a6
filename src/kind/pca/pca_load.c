/* SPDX-License-Identifier: BSD-3-Clause */
/* PCA from a file (docs/format.md). The container has been checked when we get it; here every array must have the
 * size that the texts announce, and every number must be one that a fit could have found: components of length 1,
 * eigenvalues descending and not negative, clusters within the model. What is derived is computed again. */

#include "base/memory.h"
#include "kind/pca/pca.h"
#include "model/bootstrap.h"
#include "model/evidence.h"
#include "model/imputer.h"
#include "model/possible.h"
#include "model/relations.h"
#include "model/scaling.h"
#include "model/spare.h"
#include "model/thin.h"

#include <cJSON.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static scree_status get_real(const scree__safetensors *file, const char *key, double *value, scree_error *error)
{
    return scree__field_number(file, key, 0.0, value, error);
}

static scree_status get_components(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    int64_t d = model->view.d;
    int64_t m = model->view.m;
    const void *data = scree__field_tensor(file, "components", SCREE__DTYPE_F64, m, d, error);
    if (!data)
        return SCREE_ERR_MODEL;
    memcpy(model->components, data, (size_t)(m * d) * sizeof(double));
    scree__fault fault;
    if (!scree__lengths_are_possible("component", model->components, m, d, &fault))
        return scree__safetensors_refuse(file, error, "%s", fault.text);
    return SCREE_OK;
}

static scree_status get_bounds(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    const int64_t m = model->view.m;
    const scree__bounds *b = &model->bounds;
    const struct {
        const char *name;
        void *to;
        scree__dtype type;
    } tensors[] = {{"residual", b->residuals, SCREE__DTYPE_F64},
                   {"gap", b->gaps, SCREE__DTYPE_F64},
                   {"eigenvalue_bound", b->eigenvalue_bounds, SCREE__DTYPE_F64},
                   {"angle_bound", b->angle_bounds, SCREE__DTYPE_F64},
                   {"cluster_first", b->cluster_first, SCREE__DTYPE_I64},
                   {"cluster_last", b->cluster_last, SCREE__DTYPE_I64}};
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++) {
        const void *data = scree__field_tensor(file, tensors[i].name, tensors[i].type, 0, m, error);
        if (!data)
            return SCREE_ERR_MODEL;
        memcpy(tensors[i].to, data, (size_t)m * 8); /* of both types */
    }
    for (int64_t i = 0; i < m; i++)
        if (!scree__bounds_are_possible(b, i, m))
            return scree__safetensors_refuse(file, error, "the accuracy of component %" PRId64 " makes no sense",
                                             i + 1);
    return SCREE_OK;
}

/* A model of the announced size, which the arrays are known to have, so that no lie makes it large. */
static scree_status make_model(scree_model **out, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *solver = scree__safetensors_text(file, "solver");
    cJSON *array = NULL;
    const char **names = NULL;
    int64_t d = 0;
    int64_t m = 0;
    SCREE_TRY(scree__field_integer(file, "m", 1, &m, error));
    SCREE_TRY(scree__field_integer(file, "d", m, &d, error));
    if (!scree__field_tensor(file, "components", SCREE__DTYPE_F64, m, d, error)) {
        status = SCREE_ERR_MODEL;
        goto done;
    }
    SCREE_TRY(scree__field_columns(file, d, &array, &names, error));
    SCREE_TRY(scree__model_new(out, d, m, solver ? solver : "unknown", scree__safetensors_tensor(file, "scale") != NULL,
                               names, error));
done:
    free(names);
    cJSON_Delete(array);
    return status;
}

/* What method em tells: all of it or nothing, but for the likelihood, which a model that was cut has lost. */
static scree_status fill_iterations(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    const char *stopped = scree__safetensors_text(file, "stopped");
    const char *em = scree__safetensors_text(file, "em");
    const char *likelihood = scree__safetensors_text(file, "log_likelihood");
    int64_t cells;
    if (__builtin_mul_overflow(view->n, view->d, &cells))
        cells = INT64_MAX;
    view->observed = cells;
    if (!stopped)
        goto done;
    for (int i = 0; scree__model_reasons[i]; i++)
        if (strcmp(stopped, scree__model_reasons[i]) == 0)
            model->stopped = scree__model_reasons[i];
    if (!model->stopped)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'stopped' is '%.40s', which is no reason", stopped));
    SCREE_TRY(scree__field_integer(file, "observed", 1, &view->observed, error));
    SCREE_TRY(scree__field_integer(file, "empty_rows", 0, &view->empty_rows, error));
    SCREE_TRY(scree__field_int(file, "iterations", &view->iterations, error));
    if (view->observed > cells || view->empty_rows >= view->n)
        SCREE_TRY(scree__safetensors_refuse(file, error, "more is missing or observed than there can be"));
    view->bayes = em && strcmp(em, "vb") == 0;
    if (!view->bayes && (!em || strcmp(em, "ml") != 0))
        SCREE_TRY(scree__safetensors_refuse(file, error, "'em' is neither ml nor vb"));
    view->log_likelihood = NAN;
    if (likelihood)
        SCREE_TRY(scree__field_number(file, "log_likelihood", -INFINITY, &view->log_likelihood, error));
    if (scree__safetensors_text(file, "online_angle")) {
        SCREE_TRY(get_real(file, "online_angle", &view->online_angle, error));
        SCREE_TRY(get_real(file, "online_noise", &view->online_noise, error));
    }
done:
    return status;
}

/* A text that is written where it is true. */
static scree_status get_said(const scree__safetensors *file, const char *key, bool *value, scree_error *error)
{
    *value = false;
    return scree__safetensors_text(file, key) ? scree__field_flag(file, key, value, error) : SCREE_OK;
}

static scree_status fill_latent(const scree__safetensors *file, scree_model_view *view, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(get_said(file, "graded", &view->graded, error));
    view->graded = view->graded || strcmp(view->solver, "svd") == 0; /* of older files */
    if (scree__safetensors_text(file, "latent"))
        SCREE_TRY(scree__field_integer(file, "latent", 0, &view->latent, error));
    if (scree__safetensors_text(file, "latent_next"))
        SCREE_TRY(get_real(file, "latent_next", &view->latent_next, error));
    if (scree__safetensors_text(file, "noise_spread"))
        SCREE_TRY(get_real(file, "noise_spread", &view->noise_spread, error));
    if (scree__safetensors_text(file, "latent_less"))
        SCREE_TRY(scree__field_integer(file, "latent_less", 0, &view->latent_less, error));
    if (view->latent_less > view->latent)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'latent_less' is %" PRId64 " with %" PRId64 " of 'latent'",
                                            view->latent_less, view->latent));
    if (view->latent > view->m)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'latent' is %" PRId64 " with %" PRId64 " components",
                                            view->latent, view->m));
done:
    return status;
}

/* What the scales are: of older files, standard deviations. */
static scree_status fill_scaling(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *scaling = scree__safetensors_text(file, "scaling");
    SCREE_TRY(get_said(file, "uncentred", &model->view.uncentred, error));
    SCREE_TRY(get_said(file, "log1p", &model->view.log1p, error));
    if (scaling && !scree__scaling_named(scaling, &model->view.scaling))
        SCREE_TRY(scree__safetensors_refuse(file, error, "'scaling' is '%.40s', which is no kind of scale", scaling));
done:
    return status;
}

/* What rows are divided by, and which of their columns are used. */
static scree_status fill_counts(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__fault fault;
    scree_model_view *view = &model->view;
    if (scree__safetensors_text(file, "normalize")) {
        SCREE_TRY(scree__field_number(file, "normalize", DBL_TRUE_MIN, &view->normalize, error));
        SCREE_TRY(scree__field_integer(file, "normalize_columns", view->d, &view->normalize_columns, error));
        SCREE_TRY(scree__field_integer(file, "normalize_empty", 0, &view->normalize_empty, error));
    }
    if (scree__safetensors_tensor(file, "kept_columns")) {
        const void *data = scree__field_tensor(file, "kept_columns", SCREE__DTYPE_I64, 0, view->d, error);
        if (!data)
            return SCREE_ERR_MODEL;
        SCREE_ALLOC(model->kept_columns, view->d, error);
        memcpy(model->kept_columns, data, (size_t)view->d * sizeof *model->kept_columns);
        view->kept_columns = model->kept_columns;
    }
    if (!scree__counts_are_possible(view, &fault))
        SCREE_TRY(scree__safetensors_refuse(file, error, "%s", fault.text));
done:
    return status;
}

static scree_status fill_scalars(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    SCREE_TRY(scree__field_integer(file, "n", 1, &view->n, error));
    SCREE_TRY(fill_latent(file, view, error));
    SCREE_TRY(fill_scaling(file, model, error));
    SCREE_TRY(fill_counts(file, model, error));
    SCREE_TRY(scree__field_int(file, "ddof", &view->ddof, error));
    view->weight = (double)view->n;
    if (scree__safetensors_text(file, "weight"))
        SCREE_TRY(get_real(file, "weight", &view->weight, error));
    if (!(view->weight > view->ddof))
        SCREE_TRY(scree__safetensors_refuse(file, error, "'ddof' is %d with %.15g rows", view->ddof, view->weight));
    SCREE_TRY(scree__field_int(file, "passes", &view->passes, error));
    SCREE_TRY(get_real(file, "tolerance", &view->tolerance, error));
    const char *rule = scree__safetensors_text(file, "stop_rule");
    view->stop_rule = scree__model_rule(rule);
    if (rule && !view->stop_rule)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'stop_rule' is '%.40s', which is no rule", rule));
    SCREE_TRY(get_real(file, "total_variance", &view->total_variance, error));
    model->view.noise_given = scree__safetensors_text(file, "noise_variance") != NULL;
    if (model->view.noise_given)
        SCREE_TRY(get_real(file, "noise_variance", &view->noise_variance, error));
    SCREE_TRY(fill_iterations(file, model, error));
    SCREE_TRY(scree__field_integer(file, "image_rows", 0, &view->image_rows, error));
    SCREE_TRY(scree__field_integer(file, "image_cols", 0, &view->image_cols, error));
    SCREE_TRY(scree__field_flag(file, "converged", &view->converged, error));
done:
    return status;
}

static scree_status get_mean_rest(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__fault fault;
    const int64_t d = model->view.d;
    SCREE_ALLOC(model->mean_rest, d, error);
    SCREE_TRY(scree__field_reals(file, "mean_rest", d, -INFINITY, model->mean_rest, error));
    if (!scree__mean_rest_is_possible(model->mean_rest, model->mean, d, &fault))
        SCREE_TRY(scree__safetensors_refuse(file, error, "%s", fault.text));
done:
    return status;
}

static scree_status fill_arrays(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t d = model->view.d;
    int64_t m = model->view.m;
    SCREE_TRY(scree__field_reals(file, "mean", d, -INFINITY, model->mean, error));
    if (scree__safetensors_tensor(file, "mean_rest"))
        SCREE_TRY(get_mean_rest(file, model, error));
    SCREE_TRY(scree__field_reals(file, "variances", d, 0.0, model->variances, error));
    if (model->scale) /* a standard deviation, or 1: never zero */
        SCREE_TRY(scree__field_reals(file, "scale", d, DBL_TRUE_MIN, model->scale, error));
    SCREE_TRY(scree__field_reals(file, "eigenvalues", m, 0.0, model->eigenvalues, error));
    for (int64_t i = 1; i < m; i++)
        if (model->eigenvalues[i] > model->eigenvalues[i - 1])
            SCREE_TRY(
                scree__safetensors_refuse(file, error, "eigenvalue %" PRId64 " is larger than the one before", i + 1));
    SCREE_TRY(get_components(file, model, error));
    SCREE_TRY(get_bounds(file, model, error));
done:
    return status;
}

/* The eigenvalues beyond those kept: files of older versions have none. */
static scree_status fill_rest(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__tensor *values = scree__safetensors_tensor(file, "rest_values");
    scree__rest *rest = &model->rest;
    if (!values)
        return SCREE_OK;
    const int64_t bins = values->rank == 1 ? values->shape[0] : -1;
    if (bins < 1 || bins > SCREE__REST_BINS)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'rest_values' has not 1 to %d values", SCREE__REST_BINS));
    SCREE_ALLOC(rest->values, bins, error);
    SCREE_ALLOC(rest->counts, bins, error);
    SCREE_TRY(scree__field_reals(file, "rest_values", bins, 0.0, rest->values, error));
    SCREE_TRY(scree__field_reals(file, "rest_counts", bins, DBL_TRUE_MIN, rest->counts, error));
    rest->bins = bins;
    const scree_model_view asked = {.d = model->view.d,
                                    .m = model->view.m,
                                    .eigenvalues = model->eigenvalues,
                                    .rest_count = bins,
                                    .rest_values = rest->values,
                                    .rest_counts = rest->counts};
    scree__fault fault;
    if (!scree__rest_is_possible(&asked, &fault))
        SCREE_TRY(scree__safetensors_refuse(file, error, "%s", fault.text));
done:
    return status;
}

/* Components that are not kept, but known. */
static scree_status fill_spare(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__tensor *tensor = scree__safetensors_tensor(file, "spare_values");
    const int64_t d = model->view.d;
    double *values = NULL;
    if (!tensor)
        return SCREE_OK;
    const int64_t count = tensor->rank == 1 ? tensor->shape[0] : -1;
    if (count < 1 || count > d - model->view.m)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'spare_values' has not 1 to %" PRId64 " values",
                                            d - model->view.m));
    const void *rows = scree__field_tensor(file, "spare_components", SCREE__DTYPE_F64, count, d, error);
    if (!rows) {
        status = SCREE_ERR_MODEL;
        goto done;
    }
    SCREE_ALLOC(values, count, error);
    SCREE_TRY(scree__field_reals(file, "spare_values", count, 0.0, values, error));
    SCREE_TRY(scree__spare_set(model, values, rows, count, error));
    const scree_model_view asked = {.d = d,
                                    .m = model->view.m,
                                    .eigenvalues = model->eigenvalues,
                                    .spare_count = count,
                                    .spare_values = model->spare_values,
                                    .spare_components = model->spare_components};
    scree__fault fault;
    if (!scree__spare_is_possible(&asked, &fault))
        SCREE_TRY(scree__safetensors_refuse(file, error, "%s", fault.text));
done:
    free(values);
    return status;
}

scree_status scree__pca_load(scree_model **out, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(make_model(out, file, error));
    SCREE_TRY(fill_scalars(file, *out, error));
    SCREE_TRY(fill_arrays(file, *out, error));
    SCREE_TRY(fill_rest(file, *out, error));
    SCREE_TRY(fill_spare(file, *out, error));
    SCREE_TRY(scree__bootstrap_load(file, *out, error));
    SCREE_TRY(scree__imputer_load(file, *out, error));
    SCREE_TRY(scree__relations_load(file, *out, error));
    SCREE_TRY(scree__evidence_load(file, *out, error));
    SCREE_TRY(scree__thin_load(file, *out, error));
done:
    return status;
}
