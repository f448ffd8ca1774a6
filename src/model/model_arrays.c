/* SPDX-License-Identifier: BSD-3-Clause */
/* scree_model_from_arrays: a model from its numbers, as bindings and converters have them.
 *
 * Everything is checked that a model file is checked for, and that U Uᵀ = I to 1e-6. What is left out is what is true
 * when nothing is known: variances are the diagonal of the model's covariance diag(s)(U(Λ - σ²I)Uᵀ + σ²I)diag(s), and
 * without residuals the components are one cluster of which nothing is proven. O(M²D). */

#include "base/memory.h"
#include "base/sized.h"
#include "model/evidence.h"
#include "model/kind.h"
#include "model/latent.h"
#include "model/model.h"
#include "model/possible.h"
#include "model/spare.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double ORTHONORMAL = 1e-6;
static const char WHERE[] = "the arrays of a model";

static scree_status check_finite(const double *values, int64_t count, double least, const char *name,
                                 scree_error *error)
{
    for (int64_t i = 0; values && i < count; i++)
        if (!isfinite(values[i]) || values[i] < least)
            return scree__fail(error, SCREE_ERR_VALUE, "%s: %s[%" PRId64 "] is %g, which cannot be", WHERE, name, i,
                               values[i]);
    return SCREE_OK;
}

static scree_status check_scalars(const scree_model_view *a, scree_error *error)
{
    int64_t cells;
    if (a->kind && strcmp(a->kind, scree__kinds[0]->name) != 0)
        return scree__fail(error, SCREE_ERR_UNSUPPORTED,
                           "%s: they are of the kind '%.40s', whose models are more than arrays; use "
                           "scree_model_save_buffer and scree_model_load_buffer",
                           WHERE, a->kind);
    if (a->m < 1 || a->d < a->m || a->n < 1 || __builtin_mul_overflow(a->m, a->d, &cells))
        return scree__fail(error, SCREE_ERR_SHAPE,
                           "%s: n = %" PRId64 ", d = %" PRId64 ", m = %" PRId64
                           " cannot be: n is at least 1, m from 1 to d",
                           WHERE, a->n, a->d, a->m);
    if (!a->eigenvalues || !a->components)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: eigenvalues and components are needed", WHERE);
    if (a->ddof != 0 && a->ddof != 1)
        return scree__fail(error, SCREE_ERR_ARGUMENT, "%s: ddof is 0 or 1, not %d", WHERE, a->ddof);
    if (!isfinite(a->weight) || a->weight < 0 || !isfinite(a->total_variance) || a->total_variance < 0 ||
        !isfinite(a->noise_variance) || !isfinite(a->tolerance) || a->tolerance < 0)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: weight, variances and tolerance are finite and not negative",
                           WHERE);
    double sum = 0;
    for (int64_t i = 0; i < a->m; i++)
        sum += a->eigenvalues[i];
    if (a->total_variance > 0 && a->total_variance < (1 - 1e-6) * sum)
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: a total variance of %g is less than the eigenvalues, %g together", WHERE,
                           a->total_variance, sum);
    if (!((a->weight > 0 ? a->weight : (double)a->n) > a->ddof))
        return scree__fail(error, SCREE_ERR_VALUE, "%s: ddof is %d with a total weight of %.15g", WHERE, a->ddof,
                           a->weight > 0 ? a->weight : (double)a->n);
    return SCREE_OK;
}

/* What em says of its rows and of itself. */
static scree_status check_likelihood(const scree_model_view *a, scree_error *error)
{
    bool known = a->stopped == NULL;
    int64_t cells;
    if (__builtin_mul_overflow(a->n, a->d, &cells))
        cells = INT64_MAX;
    for (int i = 0; !known && scree__model_reasons[i]; i++)
        known = strcmp(a->stopped, scree__model_reasons[i]) == 0;
    if (!known)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: stopped is '%.40s', which is no reason", WHERE, a->stopped);
    if (a->stop_rule && !scree__model_rule(a->stop_rule))
        return scree__fail(error, SCREE_ERR_VALUE, "%s: stop_rule is '%.40s', which is no rule", WHERE, a->stop_rule);
    if (a->passes < 0 || a->iterations < 0 || a->observed < 0 || a->observed > cells || a->empty_rows < 0 ||
        (a->empty_rows > 0 && a->empty_rows >= a->n))
        return scree__fail(error, SCREE_ERR_VALUE,
                           "%s: passes, iterations, observed cells or empty rows are more or fewer than there can be",
                           WHERE);
    if (!isfinite(a->online_angle) || a->online_angle < 0 || !isfinite(a->online_noise) || a->online_noise < 0)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: the stated error of one pass is finite and not negative",
                           WHERE);
    return SCREE_OK;
}

static scree_status check_components(const scree_model_view *a, scree_error *error)
{
    for (int64_t i = 0; i < a->m; i++) {
        const double *u = a->components + i * a->d;
        if (i > 0 && a->eigenvalues[i] > a->eigenvalues[i - 1])
            return scree__fail(error, SCREE_ERR_VALUE, "%s: eigenvalue %" PRId64 " is larger than the one before",
                               WHERE, i + 1);
        for (int64_t k = 0; k <= i; k++) {
            const double *v = a->components + k * a->d;
            double dot = 0;
            for (int64_t j = 0; j < a->d; j++)
                dot += u[j] * v[j];
            if (fabs(dot - (i == k ? 1 : 0)) > ORTHONORMAL)
                return scree__fail(error, SCREE_ERR_VALUE,
                                   "%s: components %" PRId64 " and %" PRId64 " are not orthonormal: u·v = %g", WHERE,
                                   k + 1, i + 1, dot);
        }
    }
    return SCREE_OK;
}

/* Latent dimensions of the distribution: all components where none are named. */
static int64_t latent_of(const scree_model_view *a)
{
    return a->no_latent ? 0 : a->latent > 0 ? a->latent : a->m;
}

/* The spectrum beyond the components kept: spare components and bins. */
static scree_status check_beyond(const scree_model_view *a, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__fault fault;
    if (a->spare_count < 0 || a->spare_count > a->d - a->m ||
        (a->spare_count > 0 && !(a->spare_values && a->spare_components)))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: there are at most d - m spare components, and they come with their eigenvalues", WHERE);
    if (a->latent < 0 || a->latent > a->m || a->rest_count < 0 ||
        (a->rest_count > 0 && !(a->rest_values && a->rest_counts)))
        SCREE_FAIL(error, SCREE_ERR_VALUE,
                   "%s: latent is at most m, and rest_values and rest_counts come together or not at all", WHERE);
    SCREE_TRY(check_finite(&a->latent_next, 1, 0, "latent_next", error));
    SCREE_TRY(check_finite(a->seen, a->d, 0, "seen", error));
    SCREE_TRY(check_finite(&a->noise_spread, 1, 0, "noise_spread", error));
    if (a->latent_less < 0 || a->latent_less > latent_of(a))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: latent_less is at most latent", WHERE);
    SCREE_TRY(check_finite(a->rest_values, a->rest_count, 0, "rest_values", error));
    SCREE_TRY(check_finite(a->rest_counts, a->rest_count, 0x1p-1074, "rest_counts", error));
    SCREE_TRY(check_finite(a->spare_values, a->spare_count, 0, "spare_values", error));
    SCREE_TRY(check_finite(a->spare_components, a->spare_count * a->d, -INFINITY, "spare_components", error));
    if (!scree__rest_is_possible(a, &fault) || !scree__spare_is_possible(a, &fault))
        SCREE_FAIL(error, SCREE_ERR_VALUE, "%s: %s", WHERE, fault.text);
done:
    return status;
}

static scree_status check_mean_rest(const scree_model_view *a, scree_error *error)
{
    scree__fault fault;
    if (!a->mean_rest)
        return SCREE_OK;
    if (!a->mean)
        return scree__fail(error, SCREE_ERR_VALUE, "%s: mean_rest comes with a mean", WHERE);
    return scree__mean_rest_is_possible(a->mean_rest, a->mean, a->d, &fault)
               ? SCREE_OK
               : scree__fail(error, SCREE_ERR_VALUE, "%s: %s", WHERE, fault.text);
}

/* What rows are divided by, and which of their columns are used. */
static scree_status check_counts(const scree_model_view *a, scree_error *error)
{
    scree__fault fault;
    return scree__counts_are_possible(a, &fault) ? SCREE_OK
                                                 : scree__fail(error, SCREE_ERR_VALUE, "%s: %s", WHERE, fault.text);
}

static scree_status check(const scree_model_view *a, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(check_scalars(a, error));
    SCREE_TRY(check_likelihood(a, error));
    SCREE_TRY(check_counts(a, error));
    SCREE_TRY(check_finite(a->mean, a->d, -INFINITY, "mean", error));
    SCREE_TRY(check_finite(a->scale, a->d, 0x1p-1074, "scale", error));
    if (a->scaling < SCREE_SCALE_NONE || a->scaling > SCREE_SCALE_BINOMIAL)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "scaling is one of SCREE_SCALE_NONE to SCREE_SCALE_BINOMIAL, not %d",
                   (int)a->scaling);
    SCREE_TRY(check_finite(a->variances, a->d, 0, "variances", error));
    SCREE_TRY(check_finite(a->eigenvalues, a->m, 0, "eigenvalues", error));
    SCREE_TRY(check_finite(a->components, a->m * a->d, -INFINITY, "components", error));
    SCREE_TRY(check_components(a, error));
    SCREE_TRY(check_beyond(a, error));
    SCREE_TRY(check_mean_rest(a, error));
    if (a->residuals && !(a->gaps && a->eigenvalue_bounds && a->angle_bounds && a->cluster_first && a->cluster_last))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "%s: residuals, gaps, bounds and clusters come together or not at all",
                   WHERE);
done:
    return status;
}

static scree_status copy_bounds(scree_model *model, const scree_model_view *a, scree_error *error)
{
    const scree__bounds *b = &model->bounds;
    const int64_t m = a->m;
    for (int64_t i = 0; i < m; i++) {
        const bool known = a->residuals != NULL;
        b->residuals[i] = known ? a->residuals[i] : model->view.total_variance;
        b->gaps[i] = known ? a->gaps[i] : 0;
        b->eigenvalue_bounds[i] = known ? a->eigenvalue_bounds[i] : model->view.total_variance;
        b->angle_bounds[i] = known ? a->angle_bounds[i] : 1;
        b->cluster_first[i] = known ? a->cluster_first[i] : 0;
        b->cluster_last[i] = known ? a->cluster_last[i] : m - 1;
        if (!scree__bounds_are_possible(b, i, m))
            return scree__fail(error, SCREE_ERR_VALUE, "%s: the bounds of component %" PRId64 " make no sense", WHERE,
                               i + 1);
    }
    return SCREE_OK;
}

static void copy_scalars(scree_model *model, const scree_model_view *a)
{
    scree_model_view *view = &model->view;
    double sum = 0;
    for (int64_t i = a->m - 1; i >= 0; i--)
        sum += a->eigenvalues[i];
    view->n = a->n;
    view->weight = a->weight;
    view->ddof = a->ddof;
    view->scaling = a->scaling;
    view->log1p = a->log1p;
    view->normalize = a->normalize;
    view->normalize_columns = a->normalize > 0 && a->normalize_columns == 0 ? a->d : a->normalize_columns;
    view->normalize_empty = a->normalize_empty;
    view->uncentred = a->uncentred;
    view->graded = a->graded;
    view->passes = a->passes;
    view->converged = a->converged;
    view->tolerance = a->tolerance;
    view->stop_rule = scree__model_rule(a->stop_rule);
    view->total_variance = a->total_variance > 0 ? a->total_variance : sum;
    if (__builtin_mul_overflow(a->n, a->d, &view->observed))
        view->observed = INT64_MAX;
    view->observed = a->observed > 0 ? a->observed : view->observed;
    view->empty_rows = a->empty_rows;
    view->iterations = a->iterations;
    view->bayes = a->bayes;
    view->log_likelihood = a->log_likelihood;
    view->online_angle = a->online_angle;
    view->online_noise = a->online_noise;
    view->image_rows = a->image_rows;
    view->image_cols = a->image_cols;
    for (int i = 0; a->stopped && scree__model_reasons[i]; i++)
        if (strcmp(a->stopped, scree__model_reasons[i]) == 0)
            model->stopped = scree__model_reasons[i];
}

/* σ² that is not what follows from the rest was set by hand, and stays. */
static scree_status settle(scree_model *model, double noise, bool given, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__model_settle(model, error));
    if (noise >= 0 && (given || noise != model->view.noise_variance)) {
        model->view.noise_given = true;
        model->view.noise_variance = noise;
    }
done:
    return status;
}

static void fill_variances(scree_model *model)
{
    const scree_model_view *view = &model->view;
    const double noise = view->noise_variance;
    for (int64_t j = 0; j < view->d; j++) {
        const double scale = view->scale ? view->scale[j] : 1;
        double sum = noise;
        for (int64_t i = 0; i < view->m; i++) {
            const double u = view->components[i * view->d + j];
            sum += fmax(view->eigenvalues[i] - noise, 0) * u * u;
        }
        model->variances[j] = scale * scale * sum;
    }
}

scree_status scree_model_from_arrays(scree_model **out, const scree_model_view *arrays, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view a = SCREE_MODEL_VIEW_INIT;
    scree_model *model = NULL;
    SCREE_TRY(SCREE_ADOPT(&a, arrays, error));
    SCREE_TRY(check(&a, error));
    SCREE_TRY(scree__model_new(&model, a.d, a.m, a.solver ? a.solver : "arrays", a.scale != NULL, a.columns, error));
    copy_scalars(model, &a);
    SCREE_TRY(scree__model_keep_columns(model, a.kept_columns, error));
    if (a.mean)
        memcpy(model->mean, a.mean, (size_t)a.d * sizeof *a.mean);
    if (a.mean_rest) {
        SCREE_ALLOC(model->mean_rest, a.d, error);
        memcpy(model->mean_rest, a.mean_rest, (size_t)a.d * sizeof *a.mean_rest);
    }
    if (a.seen) {
        SCREE_ALLOC(model->seen, a.d, error);
        memcpy(model->seen, a.seen, (size_t)a.d * sizeof *a.seen);
    }
    if (a.scale)
        memcpy(model->scale, a.scale, (size_t)a.d * sizeof *a.scale);
    memcpy(model->eigenvalues, a.eigenvalues, (size_t)a.m * sizeof *a.eigenvalues);
    memcpy(model->components, a.components, (size_t)(a.m * a.d) * sizeof *a.components);
    SCREE_TRY(copy_bounds(model, &a, error));
    model->view.latent = latent_of(&a);
    if (a.rest_count > 0)
        SCREE_TRY(scree__rest_gather(&model->rest, a.rest_values, a.rest_counts, a.rest_count, error));
    SCREE_TRY(scree__spare_set(model, a.spare_values, a.spare_components, a.spare_count, error));
    model->view.latent_next = a.latent_next;
    model->view.noise_spread = a.noise_spread;
    model->view.latent_less = a.latent_less;
    SCREE_TRY(scree__evidence_adopt(model, &a, error));
    SCREE_TRY(settle(model, a.noise_variance, a.noise_given, error));
    SCREE_TRY(scree__model_distribute(model, error));
    if (a.variances)
        memcpy(model->variances, a.variances, (size_t)a.d * sizeof *a.variances);
    else
        fill_variances(model);
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    return status;
}
