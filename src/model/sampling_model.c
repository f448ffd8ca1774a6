/* SPDX-License-Identifier: BSD-3-Clause */
/* The sampling errors of a model: those of its spectrum (sampling.c), for the divisor that it has, or what bootstrap
 * replicates said. O(M²), and D M⁴ where columns are scaled. */

#include "model/sampling.h"

#include "base/memory.h"
#include "model/bootstrap.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_EXPONENT = 1000 };

/* What replicates say takes the place of theory. */
static void use_bootstrap(scree_model *model)
{
    const scree__bootstrap *b = model->bootstrap;
    for (int64_t j = 0; b && j < model->view.m; j++) {
        const double *row = b->table + j * SCREE__BOOTSTRAP_FIELDS;
        scree_sampling *s = &model->sampling[j];
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

/* Eigenvalues beyond those kept that are known one by one: directions turn towards these, too. Where columns were
 * scaled their components would be needed. */
static int64_t known_beyond(const scree__spiked *given, const scree__rest *rest)
{
    int64_t count = 0;
    while (!given->components && count < rest->bins && rest->counts[count] == 1)
        count++;
    return count;
}

/* Those of a spectrum times a power of two that brings its sum to between 1 and 2, divided by it: no bit changes, and
 * squares are doubles. As it is where columns are scaled, so that its size is known, or without memory. */
static void fill_in_range(scree_sampling *out, const scree__spiked *given, const scree__rest *rest)
{
    scree__spiked spectrum = *given;
    const int64_t all = given->m + known_beyond(given, rest);
    double *values = scree__alloc(all, sizeof *values);
    scree_sampling *filled = scree__alloc(all, sizeof *filled);
    const bool has_room = values && filled;
    const bool has_size = has_room && !given->components && given->total > 0 && isfinite(given->total);
    const int exponent = has_size ? -ilogb(given->total) : 0;
    const double unit = ldexp(1, exponent < MOST_EXPONENT ? exponent : MOST_EXPONENT);
    for (int64_t j = 0; has_room && j < all; j++)
        values[j] = (j < given->m ? given->values[j] : rest->values[j - given->m]) * unit;
    spectrum.values = has_room ? values : given->values;
    spectrum.m = has_room ? all : given->m;
    spectrum.total *= unit;
    scree__sampling_fill(has_room ? filled : out, &spectrum);
    for (int64_t j = 0; j < given->m; j++) {
        if (has_room)
            out[j] = filled[j];
        out[j].eigenvalue /= unit;
        out[j].error /= unit;
        out[j].low /= unit;
        out[j].high /= unit;
    }
    free(values);
    free(filled);
}

/* N in the place of cells that were never seen would promise too much: rows count by the share of cells observed. */
void scree__sampling_settle(scree_model *model)
{
    const scree_model_view *view = &model->view;
    const double cells = (double)view->n * (double)view->d;
    const double seen = view->observed > 0 ? fmin((double)view->observed / cells, 1) : 1;
    const double rows = scree__model_rows(view);
    const scree__spiked spectrum = {.values = model->eigenvalues,
                                    .m = view->m,
                                    .directions = (double)view->d,
                                    .freedom = fmin(view->weight * seen, rows) - 1,
                                    .total = view->total_variance,
                                    .components = view->scale ? model->components : NULL};
    if (!(spectrum.freedom > 0)) {
        for (int64_t j = 0; j < view->m; j++)
            model->sampling[j] =
                (scree_sampling){sizeof(scree_sampling), NAN, NAN, NAN, NAN, acos(0), acos(0), true, 0, NAN, NAN};
        return;
    }
    fill_in_range(model->sampling, &spectrum, &model->rest);
    const double unbiased = view->scale ? 1 : scree__model_divisor(view) / (rows - 1);
    for (int64_t j = 0; j < view->m; j++) {
        model->sampling[j].eigenvalue *= unbiased;
        model->sampling[j].error *= unbiased;
        model->sampling[j].low *= unbiased;
        model->sampling[j].high *= unbiased;
    }
    use_bootstrap(model);
}

scree_status scree_model_sampling(const scree_model *model, int64_t component, scree_sampling *out, scree_error *error)
{
    scree_status status = SCREE_OK;
    SCREE_TRY(scree__kind_needs(model, SCREE_CAN_ORDER, "the sampling error of a component", error));
    if (component < 0 || component >= model->view.m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT, "the model has components 0 to %lld, and %lld was asked for",
                   (long long)model->view.m - 1, (long long)component);
    SCREE_TRY(SCREE_GIVE(out, &model->sampling[component], error));
done:
    return status;
}
