/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling errors of a model: those of its spectrum (sampling.c), for the divisor that it has, or what bootstrap
 * replicates said. O(M²), and D² M² where columns are scaled. */

#include "model/sampling.h"

#include "base/memory.h"
#include "model/bootstrap.h"
#include "model/scaling.h"
#include "model/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_EXPONENT = 1000 };
static const double ROUNDING = 1e-6; /* of the largest eigenvalue: bounds up to this are no matter */

/* What replicates say takes the place of theory. */
static void use_bootstrap(const scree_model *model, scree_sampling *out)
{
    const scree__bootstrap *b = model->bootstrap;
    for (int64_t j = 0; b && j < model->view.m; j++) {
        const double *row = b->table + j * SCREE__BOOTSTRAP_FIELDS;
        scree_sampling *s = &out[j];
        s->replicates = b->view.replicates;
        s->share_low = row[SCREE__BOOTSTRAP_SHARE_LOW];
        s->share_high = row[SCREE__BOOTSTRAP_SHARE_HIGH];
        if (s->noise)
            continue;
        s->error = row[SCREE__BOOTSTRAP_ERROR];
        s->low = row[SCREE__BOOTSTRAP_LOW];
        s->high = row[SCREE__BOOTSTRAP_HIGH];
        s->angle = row[SCREE__BOOTSTRAP_ANGLE];
        s->angle_limit = row[SCREE__BOOTSTRAP_ANGLE_LIMIT];
    }
}

/* The spectrum beyond the components kept: eigenvalues one by one, because directions turn towards these, too;
 * and where columns were scaled spare components, if there are any. In the unit that brings its sum to between 1 and 2,
 * a power of two: no bit changes, and squares are doubles. As it is where columns are scaled, so that its size is
 * known. */
typedef struct wider {
    scree__spiked spectrum;
    double *values;
    double *components; /* where columns are scaled; else NULL */
    scree_sampling *filled;
    double unit;
} wider;

static int64_t count_beyond(const scree_model *model)
{
    const scree__rest *rest = &model->rest;
    int64_t count = 0;
    while (count < rest->bins && rest->counts[count] == 1)
        count++;
    return count > model->view.spare_count ? count : model->view.spare_count;
}

static double unit_of(const scree_model_view *view)
{
    if (scree__is_standardised(view) || !(view->total_variance > 0 && isfinite(view->total_variance)))
        return 1;
    const int exponent = -ilogb(view->total_variance);
    return ldexp(1, exponent < MOST_EXPONENT ? exponent : MOST_EXPONENT);
}

/* The components and the spare ones, of columns that vary. */
static scree_status add_components(wider *w, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    int64_t columns = 0;
    for (int64_t j = 0; j < view->d; j++)
        columns += view->variances[j] > 0;
    columns = columns > 0 ? columns : view->d; /* nobody said */
    const int64_t all = view->m + view->spare_count;
    const int64_t known = all < columns ? all : columns;
    double *to = NULL;
    if (!scree__is_standardised(view))
        goto done;
    SCREE_ALLOC(w->components, known * columns, error);
    to = w->components;
    for (int64_t k = 0; k < known; k++) {
        const double *from =
            k < view->m ? model->components + k * view->d : model->spare_components + (k - view->m) * view->d;
        for (int64_t j = 0; j < view->d; j++)
            if (columns == view->d || view->variances[j] > 0)
                *to++ = from[j];
    }
    w->spectrum.components = w->components;
    w->spectrum.known = known;
    w->spectrum.columns = columns;
done:
    return status;
}

/* What is left is summed, and not what the total has more than the others, where small values have digits. */
static void keep_digits(wider *w, const scree_model *model)
{
    const scree_model_view *view = &model->view;
    const scree__rest *rest = &model->rest;
    const int64_t taken = w->spectrum.m - view->m;
    double covered = 0;
    if (!scree__model_is_graded(view) || (rest->bins == 0 && view->reconstruction_error > 0))
        return;
    w->spectrum.graded = true;
    w->spectrum.rounding = view->m > 0 ? scree__model_rounding(view) * w->values[0] : 0;
    for (int64_t i = 0; i < rest->bins; i++) {
        const double before = fmin(fmax((double)taken - covered, 0), rest->counts[i]);
        covered += rest->counts[i];
        w->spectrum.beyond += (rest->counts[i] - before) * rest->values[i] * w->unit;
    }
}

static scree_status make_wider(wider *w, const scree_model *model, double freedom, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = &model->view;
    const int64_t all = view->m + count_beyond(model);
    w->unit = unit_of(view);
    SCREE_ALLOC(w->values, all, error);
    SCREE_ALLOC(w->filled, all, error);
    for (int64_t j = 0; j < all; j++) {
        const int64_t at = j - view->m;
        w->values[j] = w->unit * (at < 0                   ? model->eigenvalues[j]
                                  : at < view->spare_count ? model->spare_values[at]
                                                           : model->rest.values[at]);
    }
    w->spectrum = (scree__spiked){.values = w->values,
                                  .m = all,
                                  .directions = (double)scree__varying_directions(model),
                                  .freedom = freedom,
                                  .total = view->total_variance * w->unit,
                                  .wanted = view->m};
    keep_digits(w, model);
    SCREE_TRY(add_components(w, model, error));
done:
    return status;
}

/* What is said of the sample's covariance becomes that of the population's, which has the divisor N - 1. */
static void take(scree_sampling *out, const scree_sampling *from, double unit, double unbiased)
{
    *out = *from;
    out->eigenvalue = from->eigenvalue / unit * unbiased;
    out->error = from->error / unit * unbiased;
    out->low = from->low / unit * unbiased;
    out->high = from->high / unit * unbiased;
}

/* Eigenvalues that arithmetic leaves more uncertain than sampling does, as those of a low-rank state: an interval about
 * them would say nothing of the population's. What em estimates is left alone,
 * as it is no bound, and so is the total variance, which stands for a bound that nobody knows. */
static void drop_inaccurate(const scree_model_view *view, scree_sampling *all)
{
    for (int64_t j = 0; j < view->m && !view->stopped; j++) {
        const double bound = view->eigenvalue_bounds[j];
        if (bound < view->total_variance && bound > fmax(all[j].error, ROUNDING * view->eigenvalues[0]))
            all[j].error = all[j].low = all[j].high = NAN;
    }
}

/* N in the place of cells that were never seen would promise too much: rows count by the share of cells observed. */
static scree_status compute(scree_sampling **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    wider w = {0};
    scree_sampling *all = NULL;
    const scree_model_view *view = &model->view;
    const double cells = (double)view->n * (double)view->d;
    const double seen = view->observed > 0 ? fmin((double)view->observed / cells, 1) : 1;
    const double rows = scree__model_rows(view);
    const double freedom = fmin(view->weight * seen, rows) - 1;
    const double unbiased = scree__is_standardised(view) ? 1 : scree__model_divisor(view) / (rows - 1);
    SCREE_ALLOC(all, view->m, error);
    if (freedom > 0) {
        SCREE_TRY(make_wider(&w, model, freedom, error));
        SCREE_TRY(scree__sampling_fill(w.filled, &w.spectrum, error));
    }
    for (int64_t j = 0; j < view->m; j++)
        if (w.filled)
            take(&all[j], &w.filled[j], w.unit, unbiased);
        else
            all[j] = (scree_sampling){sizeof(scree_sampling), NAN, NAN, NAN, NAN, acos(0), acos(0), true, 0, NAN, NAN};
    if (freedom > 0)
        use_bootstrap(model, all);
    drop_inaccurate(view, all);
    *out = all;
    all = NULL;
done:
    free(w.values);
    free(w.components);
    free(w.filled);
    free(all);
    return status;
}

/* Computed for the first who asks. Of several that ask at once each computes the same, and one keeps it. */
static scree_status sampling_of(const scree_sampling **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__sampling_kept *kept = model->sampling;
    scree_sampling *known = atomic_load(&kept->all);
    scree_sampling *made = NULL;
    if (!known) {
        SCREE_TRY(compute(&made, model, error));
        if (atomic_compare_exchange_strong(&kept->all, &known, made)) {
            known = made;
            made = NULL;
        }
    }
    *out = known;
done:
    free(made);
    return status;
}

void scree__sampling_forget(scree_model *model)
{
    free(atomic_exchange(&model->sampling->all, NULL));
}

scree_status scree_model_sampling(const scree_model *model, int64_t component, scree_sampling *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_sampling *all;
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "the sampling error of a component", error));
    if (component < 0 || component >= model->view.m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has components 0 to %lld, and %lld was asked for",
                   (long long)model->view.m - 1, (long long)component);
    SCREE_TRY(sampling_of(&all, model, error));
    SCREE_TRY(SCREE_GIVE(out, &all[component], error));
done:
    return status;
}
