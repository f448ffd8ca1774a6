/* SPDX-License-Identifier: BSD-3-Clause */
/* What a row says of its code: p(z|x) = N(m, C) (10.73–10.75). In the basis of the components both are diagonal,
 *
 *     m_j = √(λ_j - σ²)/λ_j · t_j,  t = Uᵀ((x - µ)/scale);    C = diag(σ²/λ_j),
 *
 * 2DM flops a row. As σ → 0 this is PCA's code, divided by its standard deviation; C → 0. */

#include "model/answers.h"
#include "model/ppca.h"

#include "kernel/blas.h"

#include <math.h>

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    const int64_t m = model->m;
    double *codes = chunk->work;
    double *shrink = codes + chunk->height * m; /* M of them */
    double *means = (double *)out + chunk->from * m;
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
                                      .answer = answer};
    return scree__chunks_open(chunks, &question, cols, threads, error);
}

scree_status scree_posterior_rows(const scree_model *model, const void *data, scree_type type, int64_t rows,
                                  int64_t stride, double *means, scree_error *error)
{
    const scree__rows x = {data, type, rows, scree_model_get(model)->d, stride};
    return scree__ask_rows(scree__posterior_open, model, &x, means, error);
}

void scree_posterior_covariance(const scree_model *model, double *variances, double *logdet)
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
