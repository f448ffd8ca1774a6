/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model is, before it is asked anything: making one, and what follows from its parts whatever its kind. What
 * only its kind knows, the kind adds: derived numbers, and how a model is cut shorter. */

#include "model/model.h"
#include "model/evidence.h"

#include "base/memory.h"
#include "base/utf8.h"
#include "model/bootstrap.h"
#include "model/imputer.h"
#include "model/kind.h"
#include "model/latent.h"
#include "model/relations.h"
#include "model/sampling.h"
#include "model/thin.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double ROUNDED = 1e-14; /* of the first eigenvalue, by methods that square the data */

const char *const scree__model_reasons[] = {"tolerance", "stalled", "floor", "iterations", "pass", NULL};

const char *scree__model_rule(const char *name)
{
    static const char *const rules[] = {"sampling", "tolerance"};
    for (size_t i = 0; name && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i], name) == 0)
            return rules[i];
    return NULL;
}

void scree_model_free(scree_model *model)
{
    if (!model)
        return;
    free(model->solver);
    free(model->mean);
    free(model->mean_rest);
    free(model->scale);
    free(model->variances);
    free(model->eigenvalues);
    free(model->components);
    free(model->bounds.residuals);
    free(model->bounds.gaps);
    free(model->bounds.eigenvalue_bounds);
    free(model->bounds.angle_bounds);
    free(model->bounds.cluster_first);
    free(model->bounds.cluster_last);
    scree__rest_clear(&model->rest);
    free(model->spare_values);
    free(model->spare_components);
    scree__strings_free(model->columns, model->view.d);
    if (model->kind && model->kind->free)
        model->kind->free(model->data);
    scree_model_free(model->distribution);
    free(model->name);
    if (model->sampling)
        scree__sampling_forget(model);
    free(model->sampling);
    scree__bootstrap_free(model->bootstrap);
    scree__imputer_free(model->imputer);
    scree__relations_free(model->relations);
    scree__evidence_free(model->evidence);
    free(model->seen);
    free(model->kept_columns);
    free(model->thin);
    free(model);
}

/* The pointers that the user sees are those that the model owns. */
static void publish(scree_model *model)
{
    model->view.size = sizeof model->view;
    model->view.solver = model->solver;
    model->view.stopped = model->stopped;
    model->view.mean = model->mean;
    model->view.mean_rest = model->mean_rest;
    model->view.seen = model->seen;
    model->view.kept_columns = model->kept_columns;
    model->view.scale = model->scale;
    model->view.variances = model->variances;
    model->view.eigenvalues = model->eigenvalues;
    model->view.components = model->components;
    model->view.residuals = model->bounds.residuals;
    model->view.gaps = model->bounds.gaps;
    model->view.eigenvalue_bounds = model->bounds.eigenvalue_bounds;
    model->view.angle_bounds = model->bounds.angle_bounds;
    model->view.cluster_first = model->bounds.cluster_first;
    model->view.cluster_last = model->bounds.cluster_last;
    model->view.columns = (const char *const *)model->columns;
    model->view.kind = model->kind->name;
    model->view.code_prefix = model->kind->code_prefix;
    model->view.no_latent = model->view.latent == 0;
    model->view.rest_count = model->rest.bins;
    model->view.rest_values = model->rest.values;
    model->view.rest_counts = model->rest.counts;
    model->view.spare_values = model->spare_values;
    model->view.spare_components = model->spare_components;
}

scree_status scree__model_keep_columns(scree_model *model, const int64_t *columns, scree_error *error)
{
    scree_status status = SCREE_OK;
    model->view.kept_columns = NULL;
    if (!columns)
        return SCREE_OK;
    SCREE_ALLOC(model->kept_columns, model->view.d, error);
    memcpy(model->kept_columns, columns, (size_t)model->view.d * sizeof *columns);
    model->view.kept_columns = model->kept_columns;
done:
    return status;
}

scree_status scree__model_shift(scree_model *model, const double *origin, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(model->mean_rest, model->view.d, error);
    for (int64_t j = 0; j < model->view.d; j++) {
        const double mean = origin[j] + model->mean[j];
        const double back = mean - origin[j]; /* as Knuth's sum of two numbers: the rounding is a double, exactly */
        model->mean_rest[j] = (origin[j] - (mean - back)) + (model->mean[j] - back);
        model->mean[j] = mean;
    }
done:
    return status;
}

static scree_status alloc_bounds(scree__bounds *bounds, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_ALLOC(bounds->residuals, m, error);
    SCREE_ALLOC(bounds->gaps, m, error);
    SCREE_ALLOC(bounds->eigenvalue_bounds, m, error);
    SCREE_ALLOC(bounds->angle_bounds, m, error);
    SCREE_ALLOC(bounds->cluster_first, m, error);
    SCREE_ALLOC(bounds->cluster_last, m, error);
done:
    return status;
}

scree_status scree__model_new(scree_model **out, int64_t d, int64_t m, const char *solver, bool with_scale,
                              const char *const *columns, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    int64_t cells;
    if (m < 0 || d < m || d < 1 || __builtin_mul_overflow(m, d, &cells))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a model of %lld columns cannot have %lld components; ask for 1 to %lld",
                   (long long)d, (long long)m, (long long)d);
    SCREE_ALLOC(model, 1, error);
    model->kind = scree__kinds[0];
    model->view.d = d;
    model->view.m = m;
    model->view.latent = m;
    SCREE_ALLOC(model->mean, d, error);
    SCREE_ALLOC(model->variances, d, error);
    SCREE_ALLOC(model->eigenvalues, m, error);
    SCREE_ALLOC(model->components, cells, error);
    SCREE_TRY(alloc_bounds(&model->bounds, m, error));
    SCREE_ALLOC(model->sampling, 1, error);
    if (with_scale)
        SCREE_ALLOC(model->scale, d, error);
    model->solver = scree__strdup(solver);
    SCREE_TRY(scree__utf8_names(columns, d, "column", "a model", error));
    model->columns = scree__strings_copy(columns, d);
    if (!model->solver || (columns && !model->columns))
        SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: the names of %lld columns cannot be kept", (long long)d);
    publish(model);
    *out = model;
    model = NULL;
done:
    scree_model_free(model);
    return status;
}

/* A row is an image only while every pixel is a column. */
static void settle_image(scree_model_view *view)
{
    int64_t pixels;
    if (view->image_rows < 1 || __builtin_mul_overflow(view->image_rows, view->image_cols, &pixels) ||
        pixels != view->d) {
        view->image_rows = 0;
        view->image_cols = 0;
    }
}

bool scree__bounds_are_possible(const scree__bounds *b, int64_t i, int64_t m)
{
    return isfinite(b->residuals[i]) && b->residuals[i] >= 0.0 && !isnan(b->gaps[i]) &&
           isfinite(b->eigenvalue_bounds[i]) && b->eigenvalue_bounds[i] >= 0.0 && isfinite(b->angle_bounds[i]) &&
           b->angle_bounds[i] >= 0.0 && b->cluster_first[i] >= 0 && b->cluster_first[i] <= i &&
           b->cluster_last[i] >= i && b->cluster_last[i] < m;
}

scree_status scree__model_settle(scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    settle_image(view);
    if (!model->scale || view->scaling == SCREE_SCALE_NONE)
        view->scaling = model->scale ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
    if (!(view->weight > 0))
        view->weight = (double)view->n;
    if (model->kind->settle)
        SCREE_TRY(model->kind->settle(model, error));
    SCREE_TRY(scree__thin_settle(model, error));
    publish(model);
done:
    return status;
}

double scree__model_rows(const scree_model_view *view)
{
    const double seen = (double)(view->n - view->empty_rows);
    const double rows = view->empty_rows > 0 ? view->weight * seen / (double)view->n : view->weight;
    return view->uncentred ? rows + 1 : rows; /* N rows about a mean that is known have N degrees of freedom */
}

/* The fit divided by the weight of all rows, and then made up for ddof with that, so that λδ is what the rows add up
 * to. */
double scree__model_divisor(const scree_model_view *view)
{
    const double divisor = view->weight - view->ddof;
    return view->empty_rows > 0 ? scree__model_rows(view) * divisor / view->weight : divisor;
}

bool scree__model_is_graded(const scree_model_view *view)
{
    return view->graded || strcmp(view->solver, "svd") == 0;
}

double scree__model_rounding(const scree_model_view *view)
{
    const double most = (double)(view->n > view->d ? view->n : view->d);
    return scree__model_is_graded(view) ? 16 * most * DBL_EPSILON * DBL_EPSILON : ROUNDED;
}

const scree_model_view *scree_model_get(const scree_model *model)
{
    return &model->view;
}

scree_status scree_model_truncate(scree_model **out, const scree_model *model, int64_t components, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = model->view.m;
    scree_model *shorter = NULL;
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "keeping fewer components", error));
    if (components < 1 || components > m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has %lld components, %lld were asked for; ask for 1 to %lld",
                   (long long)m, (long long)components, (long long)m);
    SCREE_TRY(model->kind->truncate(&shorter, model, components, error));
    SCREE_TRY(scree__model_distribute(shorter, error));
    *out = shorter;
    shorter = NULL;
done:
    scree_model_free(shorter);
    return status;
}
