/* SPDX-License-Identifier: BSD-3-Clause */
/* A model as a file (docs/format.md): arrays as tensors, the rest as texts, nothing derived. What can be computed from
 * the parts (J_M, and σ² unless it was set by hand) is left out, so that it cannot contradict them. The same model
 * gives the same bytes. */

#include "base/memory.h"
#include "base/number.h"
#include "model/model.h"
#include "model/safetensors.h"

#include <cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* The contents, with the memory of the texts that are made for it. */
typedef struct draft {
    scree__contents contents;
    char numbers[SCREE__MAX_TEXTS][SCREE__NUMBER_SIZE];
    char *columns;  /* JSON array, or NULL */
    double *reals;  /* 4×M: residual, gap, eigenvalue bound, angle bound */
    int64_t *where; /* 2×M: first and last of the cluster */
} draft;

static void add_text(draft *made, const char *key, const char *value)
{
    made->contents.texts[made->contents.text_count++] = (scree__text){key, value};
}

static void add_integer(draft *made, const char *key, int64_t value)
{
    char *number = made->numbers[made->contents.text_count];
    snprintf(number, SCREE__NUMBER_SIZE, "%" PRId64, value);
    add_text(made, key, number);
}

static void add_real(draft *made, const char *key, double value)
{
    char *number = made->numbers[made->contents.text_count];
    scree__print_double(number, value);
    add_text(made, key, number);
}

static void add_tensor(draft *made, const char *name, scree__dtype dtype, int64_t rows, int64_t cols, const void *data)
{
    scree__tensor tensor = {name, dtype, 1, {cols}, data};
    if (rows > 0) {
        tensor.rank = 2;
        tensor.shape[0] = rows;
        tensor.shape[1] = cols;
    }
    made->contents.tensors[made->contents.tensor_count++] = tensor;
}

static scree_status add_texts(draft *made, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    cJSON *names = NULL;
    add_text(made, "format", "scree");
    add_text(made, "format_version", "1");
    add_text(made, "scree_version", scree_version());
    add_integer(made, "n", view->n);
    if (view->weight != (double)view->n)
        add_real(made, "weight", view->weight);
    add_integer(made, "d", view->d);
    add_integer(made, "m", view->m);
    add_integer(made, "ddof", view->ddof);
    add_text(made, "solver", view->solver);
    add_integer(made, "passes", view->passes);
    add_text(made, "converged", view->converged ? "true" : "false");
    add_real(made, "tolerance", view->tolerance);
    add_real(made, "total_variance", view->total_variance);
    if (model->noise_given)
        add_real(made, "noise_variance", view->noise_variance);
    if (model->stopped) {
        add_integer(made, "observed", view->observed);
        add_integer(made, "empty_rows", view->empty_rows);
        add_integer(made, "iterations", view->iterations);
        add_text(made, "em", view->bayes ? "vb" : "ml");
        if (isfinite(view->log_likelihood))
            add_real(made, "log_likelihood", view->log_likelihood);
        add_text(made, "stopped", model->stopped);
        if (view->online_angle > 0) {
            add_real(made, "online_angle", view->online_angle);
            add_real(made, "online_noise", view->online_noise);
        }
    }
    add_integer(made, "image_rows", view->image_rows);
    add_integer(made, "image_cols", view->image_cols);
    if (view->columns) {
        names = view->d <= INT32_MAX ? cJSON_CreateStringArray(view->columns, (int)view->d) : NULL;
        made->columns = names ? cJSON_PrintUnformatted(names) : NULL;
        if (!made->columns)
            SCREE_FAIL(error, SCREE_ERR_MEMORY, "out of memory: the names of %" PRId64 " columns cannot be written",
                       view->d);
        add_text(made, "columns", made->columns);
    }
done:
    cJSON_Delete(names);
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
    add_tensor(made, "mean", SCREE__DTYPE_F64, 0, view->d, view->mean);
    add_tensor(made, "variances", SCREE__DTYPE_F64, 0, view->d, view->variances);
    if (view->scale)
        add_tensor(made, "scale", SCREE__DTYPE_F64, 0, view->d, view->scale);
    add_tensor(made, "eigenvalues", SCREE__DTYPE_F64, 0, m, view->eigenvalues);
    add_tensor(made, "components", SCREE__DTYPE_F64, m, view->d, view->components);
    add_tensor(made, "residual", SCREE__DTYPE_F64, 0, m, made->reals);
    add_tensor(made, "gap", SCREE__DTYPE_F64, 0, m, made->reals + m);
    add_tensor(made, "eigenvalue_bound", SCREE__DTYPE_F64, 0, m, made->reals + 2 * m);
    add_tensor(made, "angle_bound", SCREE__DTYPE_F64, 0, m, made->reals + 3 * m);
    add_tensor(made, "cluster_first", SCREE__DTYPE_I64, 0, m, made->where);
    add_tensor(made, "cluster_last", SCREE__DTYPE_I64, 0, m, made->where + m);
done:
    return status;
}

scree_status scree_model_save(const scree_model *model, const char *path, scree_error *error)
{
    scree_status status = SCREE_OK;
    draft *made = NULL;
    SCREE_ALLOC(made, 1, error);
    SCREE_TRY(add_texts(made, model, error));
    SCREE_TRY(add_tensors(made, &model->view, error));
    SCREE_TRY(scree__safetensors_write(path, &made->contents, error));
done:
    if (made) {
        cJSON_free(made->columns);
        free(made->reals);
        free(made->where);
    }
    free(made);
    return status;
}
