/* SPDX-License-Identifier: BSD-3-Clause */
/* How many latent dimensions a fitted model has as a distribution. As many as there are components where their number
 * was chosen, by the user or by the method; else as many as selection recommends, seeing what the fit has seen: its
 * eigenvalues. At most half of the rows: what is estimated from fewer has no honest p-values.
 *
 * Where there are few rows, one more may change the choice, and the law of new rows counts that (row_law.c): the
 * eigenvalue from which on the next component would have been chosen, too, is found by halving, in some ten selections
 * of which each takes as long as the first. */

#include "fit/fit.h"

#include "model/latent.h"
#include "model/model.h"

#include <math.h>

enum { MEMORY = 2 << 20 };         /* for the criteria: those that simulate only where it takes milliseconds */
enum { MANY_ROWS = 500 };          /* that one more hardly adds to */
static const double FARTHEST = 30; /* times an eigenvalue with none before it, how large it is thought at most */
static const double NEAR = 0.02;   /* relative: where halving ends */

/* The one place that asks what selection recommends. */
static scree_status recommend(int64_t *latent, const scree_model *model, const scree_fit_options *options,
                              scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    const scree_run run = {.size = sizeof run, .threads = options->run->threads, .memory = MEMORY};
    const scree_select_options select = {.size = sizeof select, .seed = options->seed, .run = &run};
    scree_selection *selection = NULL;
    SCREE_TRY(scree_selection_from_model(&selection, model, &select, error));
    const int64_t recommended = scree_selection_get(selection)->recommended;
    const int64_t most = view->m < (view->n - 1) / 2 ? view->m : (view->n - 1) / 2;
    *latent = recommended < most ? recommended : most;
done:
    scree_selection_free(selection);
    return status;
}

/* Whether more would be recommended if the eigenvalue after those chosen were as large as this. */
static scree_status would_take(bool *more, scree_model *model, double value, const scree_fit_options *options,
                               scree_error *error)
{
    scree_model_view *view = &model->view;
    double *next = &model->eigenvalues[view->latent];
    const double before = *next;
    const double total = view->total_variance;
    int64_t latent = 0;
    *next = value;
    view->total_variance += value - before;
    const scree_status status = recommend(&latent, model, options, error);
    *next = before;
    view->total_variance = total;
    *more = latent > view->latent;
    return status;
}

/* latent_next, 0 where none is large enough. */
static scree_status find_next(scree_model *model, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    const int64_t m = view->latent;
    bool more = false;
    if (m >= view->m || m >= (view->n - 1) / 2 || view->weight > MANY_ROWS)
        return SCREE_OK;
    double low = view->eigenvalues[m];
    double high = m > 0 ? view->eigenvalues[m - 1] : FARTHEST * low;
    if (!(low > 0) || !isfinite(high))
        return SCREE_OK;
    SCREE_TRY(would_take(&more, model, high, options, error));
    while (more && high > (1 + NEAR) * low) {
        const double middle = sqrt(low * high);
        bool enough = false;
        SCREE_TRY(would_take(&enough, model, middle, options, error));
        if (enough)
            high = middle;
        else
            low = middle;
    }
    view->latent_next = more ? high : 0;
done:
    return status;
}

scree_status scree__fit_latent(scree_model *model, const scree_fit_options *options, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree_model_view *view = &model->view;
    const bool chosen = options->components != 0 || options->share > 0 || view->stopped;
    if (options->latent < SCREE_NONE || options->latent > view->m)
        SCREE_FAIL(error, SCREE_ERR_ARGUMENT,
                   "%lld components are kept, so the distribution has 0 to %lld latent dimensions, not %lld",
                   (long long)view->m, (long long)view->m, (long long)options->latent);
    if (options->latent == SCREE_AUTO || (options->latent == 0 && !chosen)) {
        SCREE_TRY(recommend(&view->latent, model, options, error));
        SCREE_TRY(find_next(model, options, error));
    } else if (options->latent != 0) {
        view->latent = options->latent == SCREE_NONE ? 0 : options->latent;
    }
    SCREE_TRY(scree__model_distribute(model, error));
done:
    return status;
}
