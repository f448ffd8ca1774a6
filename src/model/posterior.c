/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row says of its code: p(z|x) = N(m, C) (10.73–10.75). In the basis of the components both are diagonal,
 *
 *     m_j = √(λ_j - σ²)/λ_j · t_j,  t = Uᵀ((x - µ)/scale);    C = diag(σ²/λ_j),
 *
 * 2DM flops a row. As σ → 0 this is PCA's code, divided by its standard deviation; C → 0. A row with gaps has the mean
 * of the row filled with what is expected there, and a covariance of its own, wider (gaps.c). */

#include "model/ppca.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "model/frame.h"

#include <math.h>
#include <string.h>

static scree_status gap(void *solved, const double *x, int64_t row, void *out)
{
    const scree__gaps *gaps = solved;
    const scree__posterior_out *into = out;
    const int64_t m = gaps->model->m;
    (void)x;
    if (into->variances)
        scree__gaps_covariance(gaps, into->variances + row * m, NULL, NULL);
    return SCREE_OK;
}

static bool spectrum(const void *out)
{
    return ((const scree__posterior_out *)out)->variances != NULL;
}

void scree__ppca_posterior_covariance(const scree_model *model, double *variances, double *logdet)
{
    const scree_model_view *view = scree_model_get(model);
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

static void answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t m = view->m;
    const scree__posterior_out *into = out;
    double *codes = chunk->work;
    double *shrink = codes + chunk->height * m; /* M of them */
    for (int64_t i = 0; into->variances && i < chunk->count; i++) {
        const int64_t row = chunk->from + i;
        if (!chunk->gap || !chunk->gap[chunk->skip + i])
            scree__ppca_posterior_covariance(model, into->variances + row * m, NULL);
    }
    if (!into->means)
        return;
    double *means = into->means + chunk->from * m;
    scree__dgemm(false, true, chunk->height, m, view->d, 1.0, chunk->x, view->d, view->components, view->d, 0.0, codes,
                 m);
    for (int64_t j = 0; j < m; j++)
        shrink[j] = scree__ppca_shrink(view, j);
    for (int64_t i = 0; i < chunk->count; i++)
        for (int64_t j = 0; j < m; j++)
            means[i * m + j] = shrink[j] * codes[(chunk->skip + i) * m + j];
}

void scree__ppca_posterior(scree__question *question)
{
    question->work = 2 * scree_model_get(question->model)->m;
    question->answer = answer;
    question->gaps = true;
    question->gap = gap;
    question->spectrum = spectrum;
}

scree_status scree__ppca_posterior_row(const scree_model *model, const double *row, double *mean, double *covariance,
                                       double *logdet, scree_error *error)
{
    scree_status status = SCREE_OK;
    const scree_model_view *view = scree_model_get(model);
    scree__gaps gaps = {0};
    double *x = NULL;
    SCREE_ALLOC(x, view->d, error);
    for (int64_t j = 0; j < view->d; j++) {
        x[j] = scree__frame_enter(view, j, row[j]);
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
