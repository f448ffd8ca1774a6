/* SPDX-License-Identifier: BSD-3-Clause */
/* PCA as a file (docs/format.md): arrays as tensors, the rest as texts, nothing derived. What can be computed from the
 * parts (J_M, and σ² unless it was set by hand) is left out, so that it cannot contradict them. */

#include "kind/pca/pca.h"

#include "model/bootstrap.h"
#include "model/evidence.h"
#include "model/imputer.h"
#include "model/relations.h"
#include "model/scaling.h"

#include <math.h>

static scree_status add_texts(scree__draft *made, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    scree__draft_integer(made, "n", view->n);
    if (view->weight != (double)view->n)
        scree__draft_real(made, "weight", view->weight);
    scree__draft_integer(made, "d", view->d);
    scree__draft_integer(made, "m", view->m);
    if (view->latent < view->m)
        scree__draft_integer(made, "latent", view->latent);
    if (view->latent_next > 0)
        scree__draft_real(made, "latent_next", view->latent_next);
    if (view->latent_less > 0)
        scree__draft_integer(made, "latent_less", view->latent_less);
    if (view->noise_spread > 0)
        scree__draft_real(made, "noise_spread", view->noise_spread);
    scree__draft_integer(made, "ddof", view->ddof);
    if (view->scale && !scree__is_standardised(view))
        scree__draft_text(made, "scaling", scree__scaling_name(view->scaling));
    if (view->uncentred)
        scree__draft_text(made, "uncentred", "true");
    if (view->log1p)
        scree__draft_text(made, "log1p", "true");
    if (view->normalize > 0) {
        scree__draft_real(made, "normalize", view->normalize);
        scree__draft_integer(made, "normalize_columns", view->normalize_columns);
        scree__draft_integer(made, "normalize_empty", view->normalize_empty);
    }
    if (view->graded)
        scree__draft_text(made, "graded", "true");
    scree__draft_text(made, "solver", view->solver);
    scree__draft_integer(made, "passes", view->passes);
    scree__draft_text(made, "converged", view->converged ? "true" : "false");
    scree__draft_real(made, "tolerance", view->tolerance);
    if (view->stop_rule)
        scree__draft_text(made, "stop_rule", view->stop_rule);
    scree__draft_real(made, "total_variance", view->total_variance);
    if (model->view.noise_given)
        scree__draft_real(made, "noise_variance", view->noise_variance);
    if (model->stopped) {
        scree__draft_integer(made, "observed", view->observed);
        scree__draft_integer(made, "empty_rows", view->empty_rows);
        scree__draft_integer(made, "iterations", view->iterations);
        scree__draft_text(made, "em", view->bayes ? "vb" : "ml");
        if (isfinite(view->log_likelihood))
            scree__draft_real(made, "log_likelihood", view->log_likelihood);
        scree__draft_text(made, "stopped", model->stopped);
        if (view->online_angle > 0) {
            scree__draft_real(made, "online_angle", view->online_angle);
            scree__draft_real(made, "online_noise", view->online_noise);
        }
    }
    scree__draft_integer(made, "image_rows", view->image_rows);
    scree__draft_integer(made, "image_cols", view->image_cols);
    if (view->columns)
        SCREE_TRY(scree__draft_columns(made, view->columns, view->d, error));
done:
    return status;
}

static void add_tensors(scree__draft *made, const scree_model *model)
{
    const scree_model_view *view = &model->view;
    const int64_t m = view->m;
    scree__draft_tensor(made, "mean", SCREE__DTYPE_F64, 0, view->d, view->mean);
    if (model->mean_rest)
        scree__draft_tensor(made, "mean_rest", SCREE__DTYPE_F64, 0, view->d, model->mean_rest);
    if (model->kept_columns)
        scree__draft_tensor(made, "kept_columns", SCREE__DTYPE_I64, 0, view->d, model->kept_columns);
    scree__draft_tensor(made, "variances", SCREE__DTYPE_F64, 0, view->d, view->variances);
    if (view->scale)
        scree__draft_tensor(made, "scale", SCREE__DTYPE_F64, 0, view->d, view->scale);
    scree__draft_tensor(made, "eigenvalues", SCREE__DTYPE_F64, 0, m, view->eigenvalues);
    scree__draft_tensor(made, "components", SCREE__DTYPE_F64, m, view->d, view->components);
    scree__draft_tensor(made, "residual", SCREE__DTYPE_F64, 0, m, view->residuals);
    scree__draft_tensor(made, "gap", SCREE__DTYPE_F64, 0, m, view->gaps);
    scree__draft_tensor(made, "eigenvalue_bound", SCREE__DTYPE_F64, 0, m, view->eigenvalue_bounds);
    scree__draft_tensor(made, "angle_bound", SCREE__DTYPE_F64, 0, m, view->angle_bounds);
    scree__draft_tensor(made, "cluster_first", SCREE__DTYPE_I64, 0, m, view->cluster_first);
    scree__draft_tensor(made, "cluster_last", SCREE__DTYPE_I64, 0, m, view->cluster_last);
    if (model->rest.bins > 0) {
        scree__draft_tensor(made, "rest_values", SCREE__DTYPE_F64, 0, model->rest.bins, model->rest.values);
        scree__draft_tensor(made, "rest_counts", SCREE__DTYPE_F64, 0, model->rest.bins, model->rest.counts);
    }
    if (view->spare_count > 0) {
        scree__draft_tensor(made, "spare_values", SCREE__DTYPE_F64, 0, view->spare_count, view->spare_values);
        scree__draft_tensor(made, "spare_components", SCREE__DTYPE_F64, view->spare_count, view->d,
                            view->spare_components);
    }
}

scree_status scree__pca_save(const scree_model *model, scree__draft *draft, scree_error *error)
{
    const scree_status status = add_texts(draft, model, error);
    if (status == SCREE_OK) {
        add_tensors(draft, model);
        scree__bootstrap_save(model, draft);
        scree__imputer_save(model, draft);
        scree__relations_save(model, draft);
        scree__evidence_save(model, draft);
        if (model->seen)
            scree__draft_tensor(draft, "seen", SCREE__DTYPE_F64, 0, model->view.d, model->seen);
    }
    return status;
}
