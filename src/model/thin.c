/* SPDX-License-Identifier: BSD-3-Clause */
/* The law of a row counts what was estimated as if every column had been seen in as many rows as the others
 * (gap_law.c). Of a column that was seen n times, its mean and M loadings were estimated from n cells: with few, what
 * the model expects of it is off by far more than the noise of all columns, and clean rows would be outliers because of
 * it: 1000 rows, M = 2, of one column n cells: n = 1, 3, 8, 12, 20 made 100, 77, 43, 9 and 2 % of clean rows outliers
 * at 1 %. Such a column is left out of the scores, as if it were missing: one with
 *
 *     n < 15 + 5(M + 1),   and less than a quarter of what the others have on average.
 *
 * The counts are in the file, as the tensor seen [D]. */

#include "model/thin.h"

#include "base/memory.h"

#include <string.h>

enum { CELLS = 15, CELLS_A_PARAMETER = 5, SHARE = 4 };

scree_status scree__thin_settle(scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    const double average = (double)view->observed / (double)view->d;
    const double enough = CELLS + CELLS_A_PARAMETER * (double)(view->m + 1);
    const double least = average / SHARE < enough ? average / SHARE : enough;
    free(model->thin);
    model->thin = NULL;
    for (int64_t j = 0; model->seen && j < view->d; j++) {
        if (model->seen[j] >= least)
            continue;
        if (!model->thin)
            SCREE_ALLOC(model->thin, view->d, error);
        model->thin[j] = 1;
    }
done:
    return status;
}

scree_status scree__thin_take(scree_model *model, double **seen, scree_error *error)
{
    model->seen = *seen;
    model->view.seen = model->seen;
    *seen = NULL;
    return scree__thin_settle(model, error);
}

scree_status scree__thin_copy(scree_model *to, const scree_model *from, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!from->seen)
        return SCREE_OK;
    SCREE_ALLOC(to->seen, from->view.d, error);
    memcpy(to->seen, from->seen, (size_t)from->view.d * sizeof *to->seen);
done:
    return status;
}

scree_status scree__thin_load(const scree__safetensors *file, scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    if (!scree__safetensors_tensor(file, "seen"))
        return SCREE_OK;
    SCREE_ALLOC(model->seen, model->view.d, error);
    SCREE_TRY(scree__field_reals(file, "seen", model->view.d, 0, model->seen, error));
done:
    return status;
}
