/* SPDX-License-Identifier: BSD-3-Clause */
/* Noise of a model whose rows do not vary in every direction. Of D directions the rows vary in r: a constant column
 * takes one away, a copied column or a sum of others another. What the M components leave, J_M = (D-M)σ², is then the
 * noise of r-M directions V, and a draw of standard normals n becomes
 *
 *     UUᵀn + √((D-M)/(r-M)) VVᵀn
 *
 * which has the variance λ_j along the components, as ever, and leaves nothing outside: the law of p-values calls rows
 * outside impossible (row_law.c), so draws must not be there. Where V is not known, because not all components were
 * kept, it is what U leaves of the columns that vary, and of the relations between them (relations.h). U itself keeps
 * to these as nearly as it was found, which of rows with gaps is not to the last digit: so columns that others
 * determine are computed from them in the end. 4Dr flops a draw, or 4DM. */

#include "model/support.h"

#include "base/memory.h"
#include "model/model_law.h"
#include "model/relations.h"
#include "model/spare.h"

#include <math.h>
#include <string.h>

bool scree__column_is_constant(const scree_model_view *view, int64_t column)
{
    const bool has_gaps = (double)view->observed < (double)view->n * (double)view->d;
    const double seen = view->seen ? view->seen[column] : 0;
    if (view->variances[column] > 0 || (has_gaps && seen < 2)) /* with gaps, it may have but one value */
        return false;
    for (int64_t j = 0; j < view->d; j++)
        if (view->variances[j] > 0)
            return true;
    return false; /* nobody said */
}

int64_t scree__varying_columns(const scree_model_view *view)
{
    int64_t count = 0;
    for (int64_t j = 0; j < view->d; j++)
        count += view->variances[j] > 0;
    if (count == 0)
        return view->d;
    if (count >= view->m)
        return count;
    int64_t kept = 0; /* components of constants have no variance */
    while (kept < view->m && view->eigenvalues[kept] > scree__model_rounding(view) * view->eigenvalues[0])
        kept++;
    return count > kept ? count : kept;
}

double scree__varying_noise(const scree_model_view *view)
{
    const int64_t varying = scree__varying_columns(view);
    if (varying == view->d || varying <= view->m || view->noise_given)
        return view->noise_variance;
    return view->noise_variance * (double)(view->d - view->m) / (double)(varying - view->m);
}

int64_t scree__varying_directions(const scree_model *model)
{
    const scree_model_view *view = &model->view;
    const int64_t columns = scree__varying_columns(view);
    const double least = view->m > 0 ? scree__model_rounding(view) * view->eigenvalues[0] : 0;
    double count = 0;
    if (view->n - 1 < columns || (model->rest.bins == 0 && view->reconstruction_error > 0))
        return columns;
    for (int64_t j = 0; j < view->m; j++)
        count += view->eigenvalues[j] > least;
    for (int64_t i = 0; i < model->rest.bins; i++)
        count += model->rest.values[i] > least ? model->rest.counts[i] : 0;
    const int64_t directions = (int64_t)(count + 0.5);
    return directions < columns && directions > 0 ? directions : columns;
}

scree_status scree__ppca_support(scree__support *support, const scree_model *kept, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model *model = scree_model_distribution(kept);
    const scree_model_view *view = &model->view;
    scree__row_law law = {0};
    *support = (scree__support){0};
    if (view->noise_given || !(view->noise_variance > 0))
        goto done;
    SCREE_TRY(scree__model_law(&law, kept, view->m, false, error));
    if (!law.is_flat)
        SCREE_TRY(scree__relations_directions(&support->relations, &support->unrelated, kept->relations, true, error));
    const int64_t varying = law.is_flat ? law.known : scree__varying_columns(view) - support->unrelated;
    if (varying == view->d)
        goto done;
    if (law.is_flat) {
        support->count = law.known;
        SCREE_TRY(scree__spare_directions(&support->directions, &support->own, kept, law.known, error));
    }
    support->exact = support->unrelated > 0 ? kept->relations : NULL;
    support->model = model;
    support->wider = varying > view->m ? sqrt((double)(view->d - view->m) / (double)(varying - view->m)) : 0;
done:
    scree__row_law_clear(&law);
    return status;
}

void scree__support_close(scree__support *support)
{
    free(support->own);
    free(support->relations);
    *support = (scree__support){0};
}

/* Whether some columns are known to be constant: those of variance 0. */
static bool has_constants(const scree_model_view *view)
{
    return scree__varying_columns(view) < view->d;
}

/* sum += factor · u (uᵀn) */
static void add_along(const double *u, const double *n, int64_t d, double factor, double *sum)
{
    double along = 0;
    for (int64_t j = 0; j < d; j++)
        along += u[j] * n[j];
    for (int64_t j = 0; j < d; j++)
        sum[j] += factor * along * u[j];
}

/* x -= u (uᵀx) */
static void take_off(const double *u, double *x, int64_t d)
{
    double along = 0;
    for (int64_t j = 0; j < d; j++)
        along += u[j] * x[j];
    for (int64_t j = 0; j < d; j++)
        x[j] -= along * u[j];
}

void scree__support_confine(const scree__support *support, double *normals, double *work)
{
    if (!support->model)
        return;
    const scree_model_view *view = &support->model->view;
    const int64_t d = view->d;
    const double wider = support->wider;
    memset(work, 0, (size_t)d * sizeof *work);
    if (support->directions) {
        for (int64_t k = 0; k < support->count; k++)
            add_along(support->directions + k * d, normals, d, k < view->m ? 1 : wider, work);
        memcpy(normals, work, (size_t)d * sizeof *work);
        return;
    }
    for (int64_t j = 0; j < d; j++)
        normals[j] = view->variances[j] > 0 ? normals[j] : 0;
    for (int64_t k = 0; k < support->unrelated; k++)
        take_off(support->relations + k * d, normals, d);
    for (int64_t k = 0; k < view->m; k++)
        add_along(view->components + k * d, normals, d, 1 - wider, work);
    for (int64_t j = 0; j < d; j++)
        normals[j] = wider * normals[j] + work[j];
}

/* y_p = b + Σ a_j y_j of each exact relation. */
static void keep_relations(const scree_model_view *view, const scree__relations *relations, double *x)
{
    const int64_t d = view->d;
    for (int64_t k = 0; relations && k < relations->count; k++) {
        const double *a = relations->coefficients + k * d;
        const int64_t p = relations->columns[k];
        double y = relations->offsets[k];
        if (relations->variances[k] > 0)
            continue;
        for (int64_t j = 0; j < d; j++)
            y += a[j] == 0 ? 0 : a[j] * (x[j] - view->mean[j]) / (view->scale ? view->scale[j] : 1);
        x[p] = view->mean[p] + y * (view->scale ? view->scale[p] : 1);
    }
}

void scree__support_settle(const scree__support *support, double *x)
{
    const scree_model_view *view = support->model ? &support->model->view : NULL;
    const bool some = view && has_constants(view);
    for (int64_t j = 0; some && j < view->d; j++)
        if (!(view->variances[j] > 0))
            x[j] = view->mean[j];
    if (view)
        keep_relations(view, support->exact, x);
}
