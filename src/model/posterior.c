/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row says of its code: p(z|x) = N(m, C) (10.73–10.75). In the basis of the components both are diagonal,
 *
 *     m_j = √(λ_j - σ²)/λ_j · t_j,  t = Uᵀ((x - µ)/scale);    C = diag(σ²/λ_j),
 *
 * 2DM flops a row. As σ → 0 this is PCA's code, divided by its standard deviation; C → 0. A row with gaps has the mean
 * of the row filled with what is expected there, and a covariance of its own, wider (gaps.c). */

#include "model/answers.h"
#include "model/network.h"
#include "model/ppca.h"

#include "base/memory.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

static void gap(scree__gaps *gaps, const double *x, int64_t row, void *out)
{
    const scree__posterior_out *into = out;
    const int64_t m = gaps->model->m;
    (void)x;
    if (into->variances)
        scree__gaps_covariance(gaps, into->variances + row * m, NULL, NULL);
}

static bool spectrum(const void *out)
{
    return ((const scree__posterior_out *)out)->variances != NULL;
}

static void whole_row(const scree_model_view *view, double *variances, double *logdet)
{
    double sum = 0;
    for (int64_t j = 0; j < view->m; j++) {
        const double variance = scree__ppca_variance(view, j);
        const double c = variance > 0 ? view->noise_variance / variance : 1; /* no loading: x says nothing of z_j */
        if (variances)
            variances[j] = c;
        sum += log(c);
    }
    if (logdet)
        *logdet = sum;
}

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    const int64_t m = model->m;
    const scree__posterior_out *into = out;
    double *codes = chunk->work;
    double *shrink = codes + chunk->height * m; /* M of them */
    for (int64_t i = 0; into->variances && i < chunk->count; i++) {
        const int64_t row = chunk->from + i;
        if (!chunk->gap || !chunk->gap[chunk->skip + i])
            whole_row(model, into->variances + row * m, NULL);
    }
    if (!into->means)
        return;
    double *means = into->means + chunk->from * m;
    scree__dgemm(false, true, chunk->height, m, model->d, 1.0, chunk->x, model->d, model->components, model->d, 0.0,
                 codes, m);
    for (int64_t j = 0; j < m; j++)
        shrink[j] = scree__ppca_shrink(model, j);
    for (int64_t i = 0; i < chunk->count; i++)
        for (int64_t j = 0; j < m; j++)
            means[i * m + j] = shrink[j] * codes[(chunk->skip + i) * m + j];
}

scree_status scree__posterior_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                   scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    const scree__question question = {.model = view,
                                      .width = view->d,
                                      .mean = view->mean,
                                      .scale = view->scale,
                                      .names = view->columns,
                                      .work = 2 * view->m,
                                      .answer = answer,
                                      .gaps = true,
                                      .gap = gap,
                                      .spectrum = spectrum};
    const scree_status status = scree__network_refuse(model, "posterior", error);
    return status ? status : scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_model_posterior_rows(const scree_model *model, const scree_block *rows, double *means,
                                        double *variances, const scree_run *run, scree_error *error)
{
    scree_status status = SCREE_OK;
    scree__posterior_out out = {.means = means, .variances = variances};
    scree__ask ask;
    SCREE_TRY(scree__ask_rows(&ask, model, scree_model_get(model)->d, rows, run, error));
    SCREE_TRY(scree__ask_question(&ask, scree__posterior_open, &out, error));
done:
    return status;
}

scree_status scree_model_posterior_row(const scree_model *model, const double *row, double *mean, double *covariance,
                                       double *logdet, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree__gaps gaps = {0};
    double *x = NULL;
    SCREE_TRY(scree__network_refuse(model, "posterior", error));
    SCREE_ALLOC(x, view->d, error);
    for (int64_t j = 0; j < view->d; j++) {
        x[j] = (row[j] - view->mean[j]) / (view->scale ? view->scale[j] : 1);
        if (isinf(x[j]))
            SCREE_FAIL(error, SCREE_ERR_VALUE, "column %lld of the row is infinite; give the cell a number",
                       (long long)(j + 1));
    }
    SCREE_TRY(scree__gaps_once(&gaps, view, x, error));
    if (mean)
        memcpy(mean, gaps.z, (size_t)view->m * sizeof *mean);
    scree__gaps_covariance(&gaps, NULL, covariance, logdet);
done:
    scree__gaps_close(&gaps);
    free(x);
    return status;
}

scree_status scree_model_posterior_covariance(const scree_model *model, double *variances, double *logdet,
                                              scree_error *error)
{
    const scree_status status = scree__network_refuse(model, "posterior", error);
    if (status == SCREE_OK)
        whole_row(scree_model_get(model), variances, logdet);
    return status;
}
