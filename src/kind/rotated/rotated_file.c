/* SPDX-License-Identifier: BSD-3-Clause */
/* A rotated model as a file (docs/format.md): what PCA writes, the method by name, and the tensor rotation, M. A file
 * must hold a matrix that makes factors of variance 1, as every method does. */

#include "base/memory.h"
#include "kind/rotated/rotated.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const double UNIT = 1e-6; /* variances of factors are so near 1 */

scree_status scree__rotated_save(const scree_model *model, scree__draft *draft, scree_error *error)
{
    const scree__rotated *rotated = scree__rotated_of(model);
    const scree_rotation_view *view = &rotated->view;
    const scree_status status = scree__pca_save(model, draft, error);
    if (status != SCREE_OK)
        return status;
    scree__draft_text(draft, "rotation_method", view->method);
    scree__draft_text(draft, "rotation_kaiser", view->kaiser ? "true" : "false");
    scree__draft_text(draft, "rotation_converged", view->converged ? "true" : "false");
    if (view->power > 0)
        scree__draft_real(draft, "rotation_power", view->power);
    if (view->gamma != 0)
        scree__draft_real(draft, "rotation_gamma", view->gamma);
    scree__draft_tensor(draft, "rotation", SCREE__DTYPE_F64, rotated->m, rotated->m, rotated->matrix);
    return SCREE_OK;
}

static scree_status get_method(const scree__safetensors *file, scree_rotation_view *view, scree_error *error)
{
    scree_status status = SCREE_OK;
    const char *name = scree__safetensors_text(file, "rotation_method");
    for (int i = 0; name && scree__rotated_methods[i]; i++)
        if (strcmp(name, scree__rotated_methods[i]) == 0) {
            view->method = scree__rotated_methods[i];
            view->oblique = i >= 2;
        }
    if (!view->method)
        SCREE_TRY(scree__safetensors_refuse(file, error, "'rotation_method' is '%.40s', which is no method",
                                            name ? name : ""));
    SCREE_TRY(scree__field_flag(file, "rotation_kaiser", &view->kaiser, error));
    SCREE_TRY(scree__field_flag(file, "rotation_converged", &view->converged, error));
    if (scree__safetensors_text(file, "rotation_power"))
        SCREE_TRY(scree__field_number(file, "rotation_power", 1, &view->power, error));
    if (scree__safetensors_text(file, "rotation_gamma"))
        SCREE_TRY(scree__field_number(file, "rotation_gamma", -INFINITY, &view->gamma, error));
done:
    return status;
}

static scree_status check_factors(const scree__safetensors *file, scree__rotated *rotated, const scree_model *model,
                                  scree_error *error)
{
    const int64_t m = rotated->m;
    if (!(model->eigenvalues[m - 1] > 0))
        return scree__safetensors_refuse(file, error, "component %" PRId64 " has no variance, but was rotated", m);
    const scree_status status = scree__rotated_derive(rotated, model, error);
    if (status == SCREE_ERR_MEMORY)
        return status;
    if (status != SCREE_OK)
        return scree__safetensors_refuse(file, error, "'rotation' has no inverse");
    for (int64_t i = 0; i < m * m; i++) {
        const bool diagonal = i % (m + 1) == 0;
        const double wanted = diagonal ? 1 : 0;
        const bool is_free = rotated->view.oblique && !diagonal;
        if (!is_free && !(fabs(rotated->correlations[i] - wanted) <= UNIT))
            return scree__safetensors_refuse(file, error, "'rotation' makes factors %s",
                                             diagonal ? "of another variance than 1" : "that are correlated");
    }
    return SCREE_OK;
}

scree_status scree__rotated_load(scree_model **out, const scree__safetensors *file, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__rotated *rotated = NULL;
    SCREE_TRY(scree__pca_load(out, file, error));
    scree_model *model = *out;
    const int64_t m = model->view.m;
    const void *matrix = scree__field_tensor(file, "rotation", SCREE__DTYPE_F64, m, m, error);
    if (!matrix) {
        status = SCREE_ERR_MODEL;
        goto done;
    }
    SCREE_TRY(scree__rotated_new(&rotated, m, model->view.d, error));
    SCREE_TRY(scree__field_matrix(file, "rotation", m, m, -INFINITY, rotated->matrix, error));
    SCREE_TRY(get_method(file, &rotated->view, error));
    SCREE_TRY(check_factors(file, rotated, model, error));
    scree__model_become(model, &scree__kind_rotated, rotated);
    rotated = NULL;
done:
    scree__rotated_free(rotated);
    return status;
}
