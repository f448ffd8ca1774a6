/* SPDX-License-Identifier: BSD-3-Clause */
/* Probabilistic PCA in its diagonal form (10.63–10.81), and the numbers that follow from the spectrum alone:
 *
 *     ln L   = -(N/2) [D ln 2π + Σ ln λ_j + (D-M) ln σ² + tr(C⁻¹S)]        the log-likelihood of the rows fitted
 *     I(x;z) = ½ Σ ln(λ_j/σ²)                                              mutual information
 *     exp H  , H the entropy of the D shares of variance                   effective rank (Roy and Vetterli 2007)
 *
 * All O(M), or O(D) where there is a scale. */

#include "model/ppca.h"

#include "base/memory.h"
#include "model/latent.h"
#include "model/score_law.h"

#include <float.h>
#include <math.h>

static const double LN_2PI = 1.83787706640934548356;

double scree__ppca_variance(const scree_model_view *view, int64_t j)
{
    return fmax(view->eigenvalues[j], view->noise_variance);
}

double scree__ppca_loading(const scree_model_view *view, int64_t j)
{
    return sqrt(fmax(view->eigenvalues[j] - view->noise_variance, 0));
}

double scree__ppca_shrink(const scree_model_view *view, int64_t j)
{
    const double variance = scree__ppca_variance(view, j);
    return variance > 0 ? scree__ppca_loading(view, j) / variance : 0;
}

bool scree__ppca_is_estimated(const scree_model_view *view)
{
    const double ml = view->reconstruction_error / (double)(view->d - view->m);
    return fabs(view->noise_variance - ml) <= 1e-12 * ml;
}

bool scree__ppca_is_full(const scree_model_view *view)
{
    const double least = scree__model_is_graded(view) ? scree__model_rounding(view) : (double)view->d * DBL_EPSILON;
    return view->m == view->d && view->n > view->d && view->eigenvalues[view->m - 1] > least * view->eigenvalues[0];
}

scree_status scree__ppca_needs_noise(const scree_model_view *view, scree_error *error)
{
    if (view->noise_variance > 0 || scree__ppca_is_full(view))
        return SCREE_OK;
    return scree__fail(error, SCREE_ERR_NUMERIC,
                       "this model has no noise (σ² = 0: %s), so it has no density outside its subspace; keep fewer "
                       "components, or give a noise floor",
                       view->m == view->d       ? "it keeps all components, and some have no variance"
                       : view->n - 1 <= view->m ? "it has as many components as its rows span"
                                                : "its components explain everything");
}

double scree__ppca_log_volume(const scree_model_view *view)
{
    double sum = (double)view->d * LN_2PI;
    if (view->m < view->d)
        sum += (double)(view->d - view->m) * log(view->noise_variance);
    for (int64_t j = 0; j < view->m; j++)
        sum += log(scree__ppca_variance(view, j));
    for (int64_t j = 0; view->scale && j < view->d; j++)
        sum += 2 * log(view->scale[j]);
    return sum;
}

bool scree__model_noise_is_given(const scree_model *model)
{
    return model->view.noise_given;
}

/* tr(C⁻¹S) = Σ λ_j/max(λ_j, σ²) + J_M/σ²; D when σ² is the maximum-likelihood one and the divisor is N. */
static double log_likelihood(const scree_model_view *view)
{
    const bool full = scree__ppca_is_full(view) && !(view->noise_variance > 0);
    if (!(view->noise_variance > 0) && !full)
        return NAN;
    if (view->stopped)
        return view->log_likelihood;
    const double n = view->weight;
    double trace = full ? 0 : view->reconstruction_error / view->noise_variance;
    for (int64_t j = 0; j < view->m; j++)
        trace += view->eigenvalues[j] / scree__ppca_variance(view, j);
    return -0.5 * (n * scree__ppca_log_volume(view) + (n - view->ddof) * trace);
}

static double mutual_information(const scree_model_view *view)
{
    double sum = 0;
    if (!(view->noise_variance > 0))
        return NAN;
    for (int64_t j = 0; j < view->m; j++)
        sum += 0.5 * log(scree__ppca_variance(view, j) / view->noise_variance);
    return sum;
}

static double surprise(double share)
{
    return share > 0 ? -share * log(share) : 0;
}

static double effective_rank(const scree_model_view *view)
{
    const double rest = (double)(view->d - view->m);
    double total = rest * view->noise_variance;
    double entropy = 0;
    for (int64_t j = 0; j < view->m; j++)
        total += scree__ppca_variance(view, j);
    for (int64_t j = 0; j < view->m; j++)
        entropy += surprise(scree__ppca_variance(view, j) / total);
    return exp(entropy + rest * surprise(view->noise_variance / total));
}

void scree__ppca_facts(const scree_model *model, scree_facts *facts)
{
    const scree_model_view *view = scree_model_get(model);
    *facts = (scree_facts){sizeof *facts, log_likelihood(view), mutual_information(view), effective_rank(view)};
}

scree_status scree__ppca_with_noise(scree_model **out, const scree_model *model, double noise, scree_error *error)
{
    scree_model *copy = NULL;
    scree_status status = scree_model_truncate(&copy, model, scree_model_get(model)->m, error);
    if (status == SCREE_OK) {
        copy->view.noise_variance = noise;
        copy->view.noise_given = true;
        if (copy->stopped)
            copy->view.log_likelihood = NAN;
        SCREE_TRY(scree__model_distribute(copy, error));
        *out = copy;
        copy = NULL;
    }
done:
    scree_model_free(copy);
    return status;
}

static scree_status check(const scree_model *model, scree_error *error)
{
    return scree__ppca_needs_noise(scree_model_get(model), error);
}

static scree_status open_gaps(void **out, const scree_model *model, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__gaps *gaps = NULL;
    SCREE_ALLOC(gaps, 1, error);
    scree__gaps_open(gaps, scree_model_get(model));
    *out = gaps;
done:
    return status;
}

static void close_gaps(void *gaps)
{
    if (gaps)
        scree__gaps_close(gaps);
    free(gaps);
}

static scree_status solve_gaps(void *gaps, const uint8_t *missing, bool whole, scree_error *error)
{
    return whole ? scree__gaps_solve(gaps, missing, error) : scree__gaps_solve_codes(gaps, missing, error);
}

static void fill_gaps(void *gaps, double *x)
{
    scree__gaps_fill(gaps, x);
}

const scree__gap_solver scree__ppca_gaps = {open_gaps, close_gaps, solve_gaps, fill_gaps};

static void laws(const scree_model *model, bool training, scree__tail *t2, scree__tail *q)
{
    scree__score_laws(scree_model_get(model), training, t2, q);
}

const scree__density scree__ppca_density = {
    .check = check,
    .facts = scree__ppca_facts,
    .rate = scree__ppca_rate,
    .with_noise = scree__ppca_with_noise,
    .loadings = scree__ppca_loadings,
    .multiply = scree__ppca_multiply,
    .dense = scree__ppca_dense,
    .gaps = &scree__ppca_gaps,
    .posterior = scree__ppca_posterior,
    .posterior_covariance = scree__ppca_posterior_covariance,
    .posterior_row = scree__ppca_posterior_row,
    .ellipse = scree__ppca_ellipse,
    .scorer = scree__ppca_scorer,
    .score = scree__ppca_score,
    .contributions = scree__ppca_contributions,
    .reasons = scree__ppca_reasons,
    .laws = laws,
    .drift = true,
    .impute = scree__ppca_impute,
    .code = scree__ppca_code,
    .noise = scree__ppca_noise,
    .spread = scree__ppca_spread,
    .support = scree__ppca_support,
};
