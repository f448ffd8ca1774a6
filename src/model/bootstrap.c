/* SPDX-License-Identifier: BSD-3-Clause */
/* The results of a bootstrap as a part of a model. In the file they are two tensors, bootstrap [M, 7] and
 * loading_error [M, D], and texts that begin with bootstrap_; a file without them is a model without them. O(M D). */

#include "model/bootstrap.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const double ROUNDING = 1e-9;

scree_status scree__bootstrap_new(scree__bootstrap **out, int64_t d, int64_t m, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__bootstrap *b = NULL;
    SCREE_ALLOC(b, 1, error);
    SCREE_ALLOC(b->table, m * SCREE__BOOTSTRAP_FIELDS, error);
    SCREE_ALLOC(b->loading_errors, m * d, error);
    b->view.size = sizeof b->view;
    b->view.loading_errors = b->loading_errors;
    *out = b;
    b = NULL;
done:
    scree__bootstrap_free(b);
    return status;
}

void scree__bootstrap_free(scree__bootstrap *b)
{
    if (!b)
        return;
    free(b->table);
    free(b->loading_errors);
    free(b);
}

scree_status scree__bootstrap_copy(scree_model *to, const scree_model *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = to->view.m;
    const int64_t d = to->view.d;
    if (!from->bootstrap)
        goto done;
    SCREE_TRY(scree__bootstrap_new(&to->bootstrap, d, m, error));
    to->bootstrap->view = from->bootstrap->view;
    to->bootstrap->view.loading_errors = to->bootstrap->loading_errors;
    memcpy(to->bootstrap->table, from->bootstrap->table, (size_t)(m * SCREE__BOOTSTRAP_FIELDS) * sizeof(double));
    memcpy(to->bootstrap->loading_errors, from->bootstrap->loading_errors, (size_t)(m * d) * sizeof(double));
done:
    return status;
}

void scree__bootstrap_save(const scree_model *model, scree__draft *draft)
{
    const scree__bootstrap *b = model->bootstrap;
    if (!b)
        return;
    scree__draft_integer(draft, "bootstrap_replicates", b->view.replicates);
    scree__draft_integer(draft, "bootstrap_signals_low", b->view.signals_low);
    scree__draft_integer(draft, "bootstrap_signals_high", b->view.signals_high);
    scree__draft_tensor(draft, "bootstrap", SCREE__DTYPE_F64, model->view.m, SCREE__BOOTSTRAP_FIELDS, b->table);
    scree__draft_tensor(draft, "loading_error", SCREE__DTYPE_F64, model->view.m, model->view.d, b->loading_errors);
}

static bool is_interval(double low, double high, double most)
{
    return low <= high && high <= most;
}

/* Intervals have ends in order, shares are at most 1, and angles at most 90°. */
static scree_status check_table(const scree__safetensors *file, const double *table, int64_t m, scree_error *error)
{
    for (int64_t i = 0; i < m; i++) {
        const double *row = table + i * SCREE__BOOTSTRAP_FIELDS;
        const double right = acos(0) * (1 + ROUNDING);
        if (!is_interval(row[SCREE__BOOTSTRAP_LOW], row[SCREE__BOOTSTRAP_HIGH], HUGE_VAL) ||
            !is_interval(row[SCREE__BOOTSTRAP_SHARE_LOW], row[SCREE__BOOTSTRAP_SHARE_HIGH], 1 + ROUNDING) ||
            row[SCREE__BOOTSTRAP_ANGLE] > right || row[SCREE__BOOTSTRAP_ANGLE_LIMIT] > right)
            return scree__safetensors_refuse(file, error, "row %lld of 'bootstrap' makes no sense", (long long)i + 1);
    }
    return SCREE_OK;
}

scree_status scree__bootstrap_load(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = model->view.m;
    const int64_t d = model->view.d;
    if (!scree__safetensors_text(file, "bootstrap_replicates"))
        goto done;
    SCREE_TRY(scree__bootstrap_new(&model->bootstrap, d, m, error));
    scree_bootstrap_view *view = &model->bootstrap->view;
    SCREE_TRY(scree__field_integer(file, "bootstrap_replicates", 1, &view->replicates, error));
    SCREE_TRY(scree__field_integer(file, "bootstrap_signals_low", 0, &view->signals_low, error));
    SCREE_TRY(scree__field_integer(file, "bootstrap_signals_high", view->signals_low, &view->signals_high, error));
    if (view->signals_high > d) /* a model that was cut may have fewer components than replicates found */
        SCREE_TRY(scree__safetensors_refuse(file, error, "'bootstrap_signals_high' is %lld with %lld columns",
                                            (long long)view->signals_high, (long long)d));
    SCREE_TRY(scree__field_matrix(file, "bootstrap", m, SCREE__BOOTSTRAP_FIELDS, 0.0, model->bootstrap->table, error));
    SCREE_TRY(check_table(file, model->bootstrap->table, m, error));
    SCREE_TRY(scree__field_matrix(file, "loading_error", m, d, 0.0, model->bootstrap->loading_errors, error));
done:
    return status;
}

const scree_bootstrap_view *scree_model_bootstrap(const scree_model *model)
{
    return model->bootstrap ? &model->bootstrap->view : NULL;
}
