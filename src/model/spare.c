/* SPDX-License-Identifier: BSD-3-Clause */
/* The law of new rows (row_law.c) is exact as far as it knows a row's coordinates along all components; a model keeps
 * as many as the user asked for. Where there are few rows the others are kept beside them, up to as many as the law
 * uses: with 30 rows of 3000 columns and 10 components, 4.5 times as many clean rows as one in a thousand had p ≤ 0.001
 * without them. Not where N is so large that the law needs none. Where columns are scaled all are kept beside them, for
 * any N: the sampling error of a component depends on which columns the others are made of (sampling_scaled.c). None
 * where there are more than 256 in all; with those kept they take at most 8 MiB. */

#include "model/spare.h"

#include "base/memory.h"
#include "model/model_law.h"
#include "model/scaling.h"

#include <string.h>

enum { MANY_COMPONENTS = 256, MANY_DOUBLES = 1 << 20 };

int64_t scree__spare_wanted(int64_t rows, int64_t cols, int64_t rank, int64_t kept, bool scaled)
{
    const int64_t known = scaled ? rank : scree__law_known((double)rows, kept, rank);
    const int64_t most = MANY_DOUBLES / cols;
    const int64_t count = (known < most ? known : most) - kept;
    const bool needed = scaled || !scree__law_is_settled((double)rows, cols);
    return rank > MANY_COMPONENTS || !needed || count < 0 ? 0 : count;
}

scree_status scree__spare_set(scree_model *model, const double *values, const double *components, int64_t count,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t d = model->view.d;
    if (count == 0)
        return SCREE_OK;
    SCREE_ALLOC(model->spare_values, count, error);
    SCREE_ALLOC(model->spare_components, count * d, error);
    memcpy(model->spare_values, values, (size_t)count * sizeof *values);
    memcpy(model->spare_components, components, (size_t)(count * d) * sizeof *components);
    model->view.spare_count = count;
done:
    return status;
}

/* Of the kept ones and the spare ones together, from first on. */
static void gather(const scree_model_view *view, int64_t first, int64_t count, double *values, double *components)
{
    for (int64_t i = 0; i < count; i++) {
        const int64_t at = first + i - view->m;
        const double *from = at < 0 ? view->components + (first + i) * view->d : view->spare_components + at * view->d;
        memcpy(components + i * view->d, from, (size_t)view->d * sizeof *from);
        if (values)
            values[i] = at < 0 ? view->eigenvalues[first + i] : view->spare_values[at];
    }
}

scree_status scree__spare_inherit(scree_model *shorter, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    const int64_t m = shorter->view.m;
    const int64_t all = view->m + view->spare_count;
    const int64_t span = view->n - !view->uncentred;
    const int64_t rank = span < view->d ? span : view->d;
    const int64_t wanted = scree__spare_wanted(view->n, view->d, rank, m, scree__is_standardised(view));
    const int64_t count = wanted < all - m ? wanted : all - m;
    shorter->view.spare_count = 0;
    if (count <= 0)
        return SCREE_OK;
    SCREE_ALLOC(shorter->spare_values, count, error);
    SCREE_ALLOC(shorter->spare_components, count * view->d, error);
    gather(view, m, count, shorter->spare_values, shorter->spare_components);
    shorter->view.spare_count = count;
done:
    return status;
}

scree_status scree__spare_directions(const double **out, double **owned, const scree_model *model, int64_t count,
                                     scree_error *error)
{
    scree_status status = SCREE_OK;
    *out = model->components;
    if (count <= model->view.m)
        return SCREE_OK;
    SCREE_ALLOC(*owned, count * model->view.d, error);
    gather(&model->view, 0, count, NULL, *owned);
    *out = *owned;
done:
    return status;
}
