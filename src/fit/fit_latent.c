/* SPDX-License-Identifier: BSD-3-Clause */
/* How many latent dimensions a fitted model has as a distribution. As many as there are components where their number
 * was chosen, by the user or by the method; else, also where a share of the variance was to be kept, which is no number
 * of dimensions, as many as selection recommends, seeing what the fit has seen: its eigenvalues. At most half of the
 * rows: what is estimated from fewer has no honest p-values. Fewer, too, where columns depend on each other and so many
 * would leave no noise.
 *
 * Where there are few rows, one more may change the choice, and the law of new rows counts that (row_update.c): the
 * eigenvalue from which on the next component would have been chosen, too, is found by halving; and how far the choice
 * may fall, by lifting one eigenvalue after the other as much as a row would. */

#include "fit/fit.h"

#include "fit/selection.h"
#include "model/density.h"
#include "model/kind.h"
#include "model/latent.h"
#include "model/model.h"

#include <math.h>

enum { MEMORY = 2 << 20 }; /* for the criteria: those that simulate only where it takes milliseconds */
enum { MANY_ROWS = 500 };  /* that one more hardly adds to */
enum { FEW_ROWS = 50 };    /* that one more may take a component from; of more it costs power, and mends nothing */
static const double FARTHEST = 30; /* times an eigenvalue with none before it, how large it is thought at most */
static const double NEAR = 0.02;   /* relative: where halving ends */

/* The one place that asks what selection recommends. */
static scree_status select_latent(scree_selection **selection, const scree_model *model,
                                  const scree_fit_options *options, scree_error *error)
{
    const scree_run run = {.size = sizeof run, .threads = options->run->threads, .memory = MEMORY};
    const scree_select_options select = {.size = sizeof select, .seed = options->seed, .run = &run};
    return scree_selection_from_model(selection, model, &select, error);
}

/* latent_next, 0 where none is large enough. */
static scree_status find_next(scree_model_view *view, scree_selection *selection, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t m = view->latent;
    int64_t found = 0;
    if (m >= scree_selection_get(selection)->max_components || m >= (view->n - 1) / 2 || view->weight > MANY_ROWS)
        return SCREE_OK;
    double low = 1;
    double high = m > 0 ? view->eigenvalues[m - 1] / view->eigenvalues[m] : FARTHEST;
    SCREE_TRY(scree__selection_if(selection, m, high, &found, error));
    const bool enough = found > m;
    while (enough && high > (1 + NEAR) * low) {
        const double middle = sqrt(low * high);
        SCREE_TRY(scree__selection_if(selection, m, middle, &found, error));
        if (found > m)
            high = middle;
        else
            low = middle;
    }
    view->latent_next = enough ? high * view->eigenvalues[m] : 0;
done:
    return status;
}

/* latent_less: rows of two and of four deviations along one direction, the rest of them as it is. */
static scree_status find_less(scree_model_view *view, scree_selection *selection, scree_error *error)
{
    static const double squares[] = {4, 16};
    scree_status status = SCREE_OK;
    int64_t found = 0;
    int64_t least = view->latent;
    int64_t directions = scree_selection_get(selection)->max_components;
    if (view->latent == 0 || view->weight > FEW_ROWS)
        return SCREE_OK;
    directions = directions < 2 * view->latent + 4 ? directions : 2 * view->latent + 4;
    for (int64_t j = 0; j < directions && j < view->m; j++)
        for (int i = 0; i < 2; i++) {
            SCREE_TRY(scree__selection_if(selection, j, 1 + squares[i] / view->weight, &found, error));
            least = found < least ? found : least;
        }
    view->latent_less = view->latent - least;
done:
    return status;
}

static scree_status recommend(scree_model_view *view, const scree_model *model, const scree_fit_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_selection *selection = NULL;
    SCREE_TRY(select_latent(&selection, model, options, error));
    const int64_t recommended = scree__selection_latent(selection);
    const int64_t most = view->m < (view->n - 1) / 2 ? view->m : (view->n - 1) / 2;
    view->latent = recommended < most ? recommended : most;
    if (recommended == scree_selection_get(selection)->recommended) {
        SCREE_TRY(find_next(view, selection, error));
        SCREE_TRY(find_less(view, selection, error));
    }
done:
    scree_selection_free(selection);
    return status;
}

static bool has_density(const scree_model *model)
{
    const scree_model *distribution = scree_model_distribution(model);
    const scree__density *density = distribution->kind->density;
    return !density || density->check(distribution, NULL) == SCREE_OK;
}

/* Columns that depend on each other leave no noise beyond as many components as they have directions: the distribution
 * has the most that leave some. */
static scree_status leave_noise(scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    while (model->view.latent > 0 && !has_density(model)) {
        model->view.latent--;
        model->view.latent_next = 0;
        model->view.latent_less = 0;
        SCREE_TRY(scree__model_distribute(model, error));
    }
done:
    return status;
}

scree_status scree__fit_latent(scree_model *model, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    const bool chosen = options->components != 0 || view->stopped;
    if (options->latent < SCREE_NONE || options->latent > view->m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%lld components are kept, so the distribution has 0 to %lld latent dimensions, not %lld",
                   (long long)view->m, (long long)view->m, (long long)options->latent);
    if (options->latent == SCREE_AUTO || (options->latent == 0 && !chosen)) {
        SCREE_TRY(recommend(view, model, options, error));
    } else if (options->latent != 0) {
        view->latent = options->latent == SCREE_NONE ? 0 : options->latent;
    }
    SCREE_TRY(scree__model_distribute(model, error));
    if (options->latent == 0 && model->relations)
        SCREE_TRY(leave_noise(model, error));
done:
    return status;
}
