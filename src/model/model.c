/* SPDX-License-Identifier: BSD-3-Clause */
/* What a model is, before it is asked anything: making one, what follows from its parts, cutting it shorter.
 *
 *     J_M = tr S - Σ_{j≤M} λ_j       (10.44), the variance left out, 0 when only rounding is left
 *     σ²  = J_M / (D - M)            (10.79), 0 when M = D, unless it was set by hand
 *
 * A component's sign is a matter of taste; ours makes its entry of largest magnitude positive, the first in a tie, so
 * that the same data gives the same model whatever found it. Truncating keeps the first components and needs no data:
 * everything is O(M D). */

#include "model/model.h"

#include "base/memory.h"
#include "model/network.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TIE = 1e-9;

const char *const scree__model_reasons[] = {"tolerance", "stalled", "floor", "iterations", "pass", NULL};

void scree_model_free(scree_model *model)
{
    if (!model)
        return;
    free(model->solver);
    free(model->mean);
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
    scree__strings_free(model->columns, model->view.d);
    scree__network_free(model->network);
    free(model);
}

/* The pointers that the user sees are those that the model owns. */
static void publish(scree_model *model)
{
    model->view.size = sizeof model->view;
    model->view.solver = model->solver;
    model->view.stopped = model->stopped;
    model->view.mean = model->mean;
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
    model->view.kind = model->network ? "network" : "pca";
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

/* The first m of another model's. */
static void copy_bounds(scree__bounds *to, const scree__bounds *from, int64_t m)
{
    const size_t reals = (size_t)m * sizeof(double);
    const size_t integers = (size_t)m * sizeof(int64_t);
    memcpy(to->residuals, from->residuals, reals);
    memcpy(to->gaps, from->gaps, reals);
    memcpy(to->eigenvalue_bounds, from->eigenvalue_bounds, reals);
    memcpy(to->angle_bounds, from->angle_bounds, reals);
    memcpy(to->cluster_first, from->cluster_first, integers);
    memcpy(to->cluster_last, from->cluster_last, integers);
}

scree_status scree__model_new(scree_model **out, int64_t d, int64_t m, const char *solver, bool with_scale,
                              const char *const *columns, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *model = NULL;
    int64_t cells;
    if (m < 1 || d < m || __builtin_mul_overflow(m, d, &cells))
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "a model of %lld columns cannot have %lld components; ask for 1 to %lld",
                   (long long)d, (long long)m, (long long)d);
    SCREE_ALLOC(model, 1, error);
    model->view.d = d;
    model->view.m = m;
    SCREE_ALLOC(model->mean, d, error);
    SCREE_ALLOC(model->variances, d, error);
    SCREE_ALLOC(model->eigenvalues, m, error);
    SCREE_ALLOC(model->components, cells, error);
    SCREE_TRY(alloc_bounds(&model->bounds, m, error));
    if (with_scale)
        SCREE_ALLOC(model->scale, d, error);
    model->solver = scree__strdup(solver);
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

/* Entries that differ by rounding alone are a tie, so that every method gives the same sign. */
static void settle_sign(double *component, int64_t d)
{
    int64_t largest = 0;
    for (int64_t j = 1; j < d; j++)
        if (fabs(component[j]) > fabs(component[largest]) * (1 + TIE))
            largest = j;
    if (component[largest] < 0.0)
        for (int64_t j = 0; j < d; j++)
            component[j] = -component[j];
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

/* J_M = tr S - Σλ. Nothing where there are no more directions, of D or of the N-1 that N rows span; and what is below
 * the rounding of tr S is nothing too. */
static double left_over(const scree_model_view *view, double kept)
{
    const double left = view->total_variance - kept;
    if (view->m == view->d || view->n - 1 <= view->m || left <= (double)view->d * DBL_EPSILON * view->total_variance)
        return 0.0;
    return left;
}

void scree__model_settle(scree_model *model)
{
    scree_model_view *view = &model->view;
    double kept = 0.0;
    settle_image(view);
    if (!(view->weight > 0))
        view->weight = (double)view->n;
    for (int64_t i = view->m - 1; i >= 0; i--) { /* the smallest first: the sum then rounds least */
        settle_sign(model->components + i * view->d, view->d);
        kept += model->eigenvalues[i];
    }
    const double left = left_over(view, kept);
    view->reconstruction_error = left;
    if (!model->noise_given)
        view->noise_variance = left > 0.0 ? left / (double)(view->d - view->m) : 0.0;
    if (model->network) {
        view->reconstruction_error = model->network->view.training_error;
        view->noise_variance = 0.0; /* it is no distribution */
    }
    publish(model);
}

bool scree__bounds_are_possible(const scree__bounds *b, int64_t i, int64_t m)
{
    return isfinite(b->residuals[i]) && b->residuals[i] >= 0.0 && !isnan(b->gaps[i]) &&
           isfinite(b->eigenvalue_bounds[i]) && b->eigenvalue_bounds[i] >= 0.0 && isfinite(b->angle_bounds[i]) &&
           b->angle_bounds[i] >= 0.0 && b->cluster_first[i] >= 0 && b->cluster_first[i] <= i &&
           b->cluster_last[i] >= i && b->cluster_last[i] < m;
}

const scree_model_view *scree_model_get(const scree_model *model)
{
    return &model->view;
}

/* A cluster that loses members is no longer an invariant subspace that we hold: nothing is known of its angles. */
static void cut_clusters(const scree__bounds *bounds, int64_t m)
{
    for (int64_t i = 0; i < m; i++) {
        if (bounds->cluster_last[i] >= m) {
            bounds->cluster_last[i] = m - 1;
            bounds->angle_bounds[i] = 1.0;
        }
    }
}

/* Components that stopped short may all be among those cut off. The residuals kept include rounding: never too kind. */
static bool has_converged(const scree_model_view *view, int64_t m)
{
    if (view->converged)
        return true;
    for (int64_t i = 0; i < m; i++)
        if (!(view->residuals[i] <= view->tolerance * view->eigenvalues[i]))
            return false;
    return true;
}

scree_status scree_model_truncate(scree_model **out, const scree_model *model, int64_t components, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *shorter = NULL;
    const scree_model_view *from = &model->view;
    SCREE_TRY(scree__network_refuse(model, "keeping fewer components", error));
    if (components < 1 || components > from->m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has %lld components, %lld were asked for; ask for 1 to %lld",
                   (long long)from->m, (long long)components, (long long)from->m);
    SCREE_TRY(scree__model_new(&shorter, from->d, components, from->solver, from->scale != NULL, from->columns, error));
    shorter->view = *from;
    shorter->view.m = components;
    shorter->noise_given = model->noise_given;
    shorter->stopped = model->stopped;
    if (components < from->m && model->stopped)
        shorter->view.log_likelihood = NAN; /* that of the model before */
    shorter->view.converged = has_converged(from, components);
    memcpy(shorter->mean, from->mean, (size_t)from->d * sizeof *from->mean);
    memcpy(shorter->variances, from->variances, (size_t)from->d * sizeof *from->variances);
    if (from->scale)
        memcpy(shorter->scale, from->scale, (size_t)from->d * sizeof *from->scale);
    memcpy(shorter->eigenvalues, from->eigenvalues, (size_t)components * sizeof *from->eigenvalues);
    memcpy(shorter->components, from->components, (size_t)(components * from->d) * sizeof *from->components);
    copy_bounds(&shorter->bounds, &model->bounds, components);
    cut_clusters(&shorter->bounds, components);
    scree__model_settle(shorter);
    *out = shorter;
done:
    return status;
}
