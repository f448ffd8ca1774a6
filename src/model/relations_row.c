/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a row breaks a relation between columns: by more than what rounding makes of it, its own, that of doubles
 * near the means, of floats, or of the digits that its cells have (resolution.c).
 *
 * A relation that has a missing cell says nothing, but two that share it do: y_8 = y_0 and y_9 = y_0 say y_8 = y_9
 * where y_0 is missing. So the missing columns are eliminated, as Gauss did, each by the relation that has most of it
 * in units of the column's deviation; what is left are equations between observed cells. O(R D) a row, O(R² D) with
 * gaps. */

#include "base/memory.h"
#include "kernel/dependent.h"
#include "model/evidence.h"
#include "model/relations.h"
#include "model/resolution.h"

#include <math.h>
#include <string.h>

static const double DEVIATIONS = 10; /* of what counts as rounding in a fit */
static const double STRAINED = 6;    /* deviations of the errors of a relation that is not exact */
static const double NO_PART = 1e-8;  /* of what is subtracted from each other: a difference below it is rounding */

static double deviation(const scree_model_view *view, int64_t j)
{
    return sqrt(view->variances[j]) / (view->scale ? view->scale[j] : 1);
}

static bool is_broken(const scree_model *model, const double *y, const uint8_t *missing, const scree__equation *e)
{
    const scree_model_view *view = &model->view;
    double off = e->b - (e->p >= 0 ? y[e->p] : 0);
    double size = fabs(e->b);
    for (int64_t j = 0; j < view->d; j++) {
        if (e->a[j] == 0 && j != e->p)
            continue;
        if ((missing && missing[j]) || scree__evidence_is_rare(model, y, j))
            return false;
        off += e->a[j] * y[j];
        size += (j == e->p ? 1 : fabs(e->a[j])) * fmax(fabs(y[j]), deviation(view, j));
    }
    return fabs(off) > DEVIATIONS * sqrt(scree__dependent_rounding(view->d)) * size &&
           fabs(off) > scree__relation_allowance(model, y, e);
}

int64_t scree__relations_broken(const scree_model *model, const double *y, const uint8_t *missing)
{
    const scree__relations *r = model->relations;
    for (int64_t k = 0; r && k < r->count; k++) {
        const scree__equation e = {r->coefficients + k * r->d, r->offsets[k], r->columns[k]};
        if (r->variances[k] == 0 && is_broken(model, y, missing, &e))
            return k;
    }
    return -1;
}

int64_t scree__relations_strained(const scree_model *model, const double *y)
{
    const scree__relations *r = model->relations;
    for (int64_t k = 0; r && k < r->count; k++) {
        double off = r->offsets[k] - y[r->columns[k]];
        for (int64_t j = 0; j < r->d; j++)
            off += r->coefficients[k * r->d + j] != 0 ? r->coefficients[k * r->d + j] * y[j] : 0;
        if (r->variances[k] > 0 && off * off > STRAINED * STRAINED * r->variances[k]) /* not where a cell is missing */
            return k;
    }
    return -1;
}

/* The exact relations, 0 = b + Σ a_j y_j. */
static void copy_exact(scree__equations *all, const scree__relations *r)
{
    for (int64_t k = 0; k < r->count; k++) {
        double *a = all->a + all->count * r->d;
        if (r->variances[k] > 0)
            continue;
        memcpy(a, r->coefficients + k * r->d, (size_t)r->d * sizeof *a);
        a[r->columns[k]] = -1;
        all->b[all->count] = r->offsets[k];
        all->from[all->count++] = k;
    }
}

/* The equation that has most of a column, beside its other parts; -1: none has any. */
static int64_t pivot_of(const scree__equations *all, const scree_model_view *view, int64_t column)
{
    int64_t best = -1;
    double most = 0;
    for (int64_t i = 0; i < all->count; i++) {
        const double *a = all->a + i * view->d;
        double size = 0;
        for (int64_t j = 0; j < view->d; j++)
            size = fmax(size, fabs(a[j]) * deviation(view, j));
        const double part = a[column] != 0 ? fabs(a[column]) * deviation(view, column) / size : 0;
        if (part > most) {
            most = part;
            best = i;
        }
    }
    return best;
}

/* a -= factor b, where what is left by rounding is nothing. */
static void subtract(double *a, const double *b, double factor, int64_t d)
{
    for (int64_t j = 0; j < d; j++) {
        const double size = fmax(fabs(a[j]), fabs(factor * b[j]));
        a[j] -= factor * b[j];
        if (fabs(a[j]) <= NO_PART * size)
            a[j] = 0;
    }
}

static void eliminate(scree__equations *all, const scree_model_view *view, int64_t column)
{
    const int64_t d = view->d;
    const int64_t pivot = pivot_of(all, view, column);
    if (pivot < 0)
        return;
    double *by = all->a + pivot * d;
    for (int64_t i = 0; i < all->count; i++) {
        double *a = all->a + i * d;
        const double factor = i != pivot ? a[column] / by[column] : 0;
        if (factor == 0)
            continue;
        subtract(a, by, factor, d);
        all->b[i] -= factor * all->b[pivot];
        a[column] = 0;
    }
    all->count--;
    memmove(by, by + d, (size_t)((all->count - pivot) * d) * sizeof *by);
    memmove(all->b + pivot, all->b + pivot + 1, (size_t)(all->count - pivot) * sizeof *all->b);
    memmove(all->from + pivot, all->from + pivot + 1, (size_t)(all->count - pivot) * sizeof *all->from);
}

scree_status scree__equations_observed(scree__equations *all, const scree_model *model, const uint8_t *missing,
                                       scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree__relations *r = model->relations;
    *all = (scree__equations){0};
    if (!r || r->count == 0)
        return SCREE_OK;
    SCREE_ALLOC(all->a, r->count * r->d, error);
    SCREE_ALLOC(all->b, r->count, error);
    SCREE_ALLOC(all->from, r->count, error);
    copy_exact(all, r);
    for (int64_t j = 0; j < r->d; j++)
        if (missing[j])
            eliminate(all, &model->view, j);
done:
    return status;
}

void scree__equations_clear(scree__equations *all)
{
    free(all->a);
    free(all->b);
    free(all->from);
    *all = (scree__equations){0};
}

int64_t scree__equations_broken(const scree__equations *all, const scree_model *model, const double *y)
{
    for (int64_t i = 0; i < all->count; i++) {
        const scree__equation e = {all->a + i * model->view.d, all->b[i], -1};
        if (is_broken(model, y, NULL, &e))
            return all->from[i];
    }
    return -1;
}
