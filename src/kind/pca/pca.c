/* SPDX-License-Identifier: BSD-3-Clause */
/* Principal component analysis as a kind of model: what follows from its parts, cutting it shorter, and the table.
 *
 *     J_M = tr S - Σ_{j≤M} λ_j       (10.44), the variance left out, 0 when only rounding is left
 *     σ²  = J_M / (D - M)            (10.79), 0 when M = D, unless it was set by hand
 *
 * A component's sign is a matter of taste; ours makes its entry of largest magnitude positive, the first in a tie, so
 * that the same data gives the same model whatever found it. Truncating keeps the first components and needs no data:
 * everything is O(M D). */

#include "kind/pca/pca.h"

#include "base/memory.h"
#include "fit/fit.h"
#include "model/bootstrap.h"
#include "model/evidence.h"
#include "model/model_law.h"
#include "model/ppca.h"
#include "model/relations.h"
#include "model/sampling.h"
#include "model/spare.h"
#include "model/thin.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const double TIE = 1e-9;

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

/* Σ of the eigenvalues that are not kept, as far as they are above the given value each. */
static double sum_of_rest(const scree_model *model, double least)
{
    double sum = 0;
    for (int64_t i = model->rest.bins - 1; i >= 0; i--)
        if (model->rest.values[i] > least)
            sum += model->rest.counts[i] * model->rest.values[i];
    return sum;
}

/* J_M = tr S - Σλ, unless that has few digits left and the eigenvalues that are not kept have more: squares of singular
 * values do, down to 64 max(N, D) u² tr S, and others where the difference is below 2^-26 tr S. What is below the
 * rounding of tr S is nothing, and so is what is left where there are no more directions, of D or of the N-1 that N
 * rows span. */
static double left_over(const scree_model *model, double kept)
{
    const scree_model_view *view = &model->view;
    const double total = view->total_variance;
    const double left = total - kept;
    const double rounding = (double)view->d * DBL_EPSILON * total;
    if (view->m == view->d || view->n - !view->uncentred <= view->m)
        return 0.0;
    if (scree__model_is_graded(view) && model->rest.bins > 0)
        return sum_of_rest(model, scree__model_rounding(view) * total);
    const double better = left < 0x1p-26 * total && model->rest.bins > 0 ? sum_of_rest(model, 0) : left;
    return fmin(left, better) > rounding ? better : 0.0;
}

/* Signs, J_M, and σ² unless it was given: what follows from U, λ, tr S and n. */
scree_status scree__pca_settle(scree_model *model, scree_error *error)
{
    scree_model_view *view = &model->view;
    double kept = 0.0;
    (void)error;                                 /* of other kinds */
    for (int64_t i = view->m - 1; i >= 0; i--) { /* the smallest first: the sum then rounds least */
        settle_sign(model->components + i * view->d, view->d);
        kept += model->eigenvalues[i];
    }
    const double left = left_over(model, kept);
    view->reconstruction_error = left;
    if (!model->view.noise_given)
        view->noise_variance = left > 0.0 ? left / (double)(view->d - view->m) : 0.0;
    scree__sampling_forget(model);
    return SCREE_OK;
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

/* A cluster that loses members is no longer an invariant subspace, so its angles have no bound. */
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

scree_status scree__pca_truncate(scree_model **out, const scree_model *model, int64_t components, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model *shorter = NULL;
    const scree_model_view *from = &model->view;
    SCREE_TRY(scree__model_new(&shorter, from->d, components, from->solver, from->scale != NULL, from->columns, error));
    shorter->view = *from;
    shorter->view.m = components;
    shorter->view.latent = from->latent < components ? from->latent : components;
    shorter->view.noise_given = model->view.noise_given;
    shorter->stopped = model->stopped;
    if (components < from->m && model->stopped)
        shorter->view.log_likelihood = NAN; /* that of the model before */
    shorter->view.converged = has_converged(from, components);
    memcpy(shorter->mean, from->mean, (size_t)from->d * sizeof *from->mean);
    if (model->mean_rest) {
        SCREE_ALLOC(shorter->mean_rest, from->d, error);
        memcpy(shorter->mean_rest, model->mean_rest, (size_t)from->d * sizeof *model->mean_rest);
    }
    SCREE_TRY(scree__model_keep_columns(shorter, model->kept_columns, error));
    memcpy(shorter->variances, from->variances, (size_t)from->d * sizeof *from->variances);
    if (from->scale)
        memcpy(shorter->scale, from->scale, (size_t)from->d * sizeof *from->scale);
    memcpy(shorter->eigenvalues, from->eigenvalues, (size_t)components * sizeof *from->eigenvalues);
    memcpy(shorter->components, from->components, (size_t)(components * from->d) * sizeof *from->components);
    copy_bounds(&shorter->bounds, &model->bounds, components);
    cut_clusters(&shorter->bounds, components);
    SCREE_TRY(scree__model_rest(&shorter->rest, model, components, error));
    SCREE_TRY(scree__spare_inherit(shorter, model, error));
    if (shorter->view.latent != from->latent) {
        shorter->view.latent_next = 0;
        shorter->view.latent_less = 0;
    }
    SCREE_TRY(scree__bootstrap_copy(shorter, model, error));
    SCREE_TRY(scree__relations_copy(shorter, model, error));
    SCREE_TRY(scree__evidence_copy(shorter, model, error));
    SCREE_TRY(scree__thin_copy(shorter, model, error));
    SCREE_TRY(scree__model_settle(shorter, error));
    *out = shorter;
    shorter = NULL;
done:
    scree_model_free(shorter);
    return status;
}

const scree__kind scree__kind_pca = {
    .name = "pca",
    .text = "principal components, as a basis and as a probability distribution",
    .noun = "a PCA model",
    .advice = "a model of another kind",
    .code_prefix = "pc",
    .fit = scree__fit_components,
    .save = scree__pca_save,
    .load = scree__pca_load,
    .settle = scree__pca_settle,
    .project = scree__pca_project,
    .reconstruct = scree__pca_reconstruct,
    .round_trip = scree__pca_round_trip,
    .truncate = scree__pca_truncate,
    .density = &scree__ppca_density,
    .onnx = &scree__pca_onnx,
    .meaning = &scree__pca_meaning,
};
