/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a file (docs/format.md): arrays as tensors, the rest as texts, nothing derived. What can be computed from
 * the parts (J_M, and σ² unless it was set by hand) is left out, so that it cannot contradict them. The same model
 * gives the same bytes. */

#include "base/memory.h"
#include "model/fields.h"
#include "model/model.h"
#include "model/network_file.h"

#include <math.h>

/* The contents, and numbers that are laid out for it. */
typedef struct draft {
    scree__draft file;
    double *reals;  /* 4×M: residual, gap, eigenvalue bound, angle bound */
    int64_t *where; /* 2×M: first and last of the cluster */
} draft;

static scree_status add_texts(scree__draft *made, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    scree__draft_text(made, "format", "scree");
    scree__draft_text(made, "format_version", "1");
    scree__draft_text(made, "scree_version", scree_version());
    scree__draft_integer(made, "n", view->n);
    if (view->weight != (double)view->n)
        scree__draft_real(made, "weight", view->weight);
    scree__draft_integer(made, "d", view->d);
    scree__draft_integer(made, "m", view->m);
    scree__draft_integer(made, "ddof", view->ddof);
    scree__draft_text(made, "solver", view->solver);
    scree__draft_integer(made, "passes", view->passes);
    scree__draft_text(made, "converged", view->converged ? "true" : "false");
    scree__draft_real(made, "tolerance", view->tolerance);
    scree__draft_real(made, "total_variance", view->total_variance);
    if (model->noise_given)
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

static scree_status add_tensors(draft *made, const scree_model_view *view, scree_error *error)
{
    scree_status status = SCREE_OK;
    int64_t m = view->m;
    SCREE_ALLOC(made->reals, 4 * m, error);
    SCREE_ALLOC(made->where, 2 * m, error);
    for (int64_t i = 0; i < m; i++) {
        const scree_accuracy *known = &view->accuracy[i];
        made->reals[i] = known->residual;
        made->reals[m + i] = known->gap;
        made->reals[2 * m + i] = known->eigenvalue_bound;
        made->reals[3 * m + i] = known->angle_bound;
        made->where[i] = known->cluster_first;
        made->where[m + i] = known->cluster_last;
    }
    scree__draft_tensor(&made->file, "mean", SCREE__DTYPE_F64, 0, view->d, view->mean);
    scree__draft_tensor(&made->file, "variances", SCREE__DTYPE_F64, 0, view->d, view->variances);
    if (view->scale)
        scree__draft_tensor(&made->file, "scale", SCREE__DTYPE_F64, 0, view->d, view->scale);
    scree__draft_tensor(&made->file, "eigenvalues", SCREE__DTYPE_F64, 0, m, view->eigenvalues);
    scree__draft_tensor(&made->file, "components", SCREE__DTYPE_F64, m, view->d, view->components);
    scree__draft_tensor(&made->file, "residual", SCREE__DTYPE_F64, 0, m, made->reals);
    scree__draft_tensor(&made->file, "gap", SCREE__DTYPE_F64, 0, m, made->reals + m);
    scree__draft_tensor(&made->file, "eigenvalue_bound", SCREE__DTYPE_F64, 0, m, made->reals + 2 * m);
    scree__draft_tensor(&made->file, "angle_bound", SCREE__DTYPE_F64, 0, m, made->reals + 3 * m);
    scree__draft_tensor(&made->file, "cluster_first", SCREE__DTYPE_I64, 0, m, made->where);
    scree__draft_tensor(&made->file, "cluster_last", SCREE__DTYPE_I64, 0, m, made->where + m);
done:
    return status;
}

scree_status scree_model_save(const scree_model *model, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    draft *made = NULL;
    if (model->network)
        return scree__network_save(model, path, error);
    SCREE_ALLOC(made, 1, error);
    SCREE_TRY(add_texts(&made->file, model, error));
    SCREE_TRY(add_tensors(made, &model->view, error));
    SCREE_TRY(scree__safetensors_write(path, &made->file.contents, error));
done:
    if (made) {
        scree__draft_clear(&made->file);
        free(made->reals);
        free(made->where);
    }
    free(made);
    return status;
}
