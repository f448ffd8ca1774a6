/* SPDX-License-Identifier: BSD-3-Clause */
/* What a rotated model answers: f = M⁻¹ Λ^-½ Uᵀ c of rows, c ≈ B f of codes, what its factors mean, and all that
 * depends on the distribution of x alone, which a rotation leaves as it is: densities, T² and Q, gaps, draws. What
 * speaks of the latent z as PCA has it, posteriors and the loadings of (10.71), is left out. */

#include "kernel/blas.h"
#include "kind/rotated/rotated.h"
#include "model/ppca.h"
#include "model/score_law.h"

#include <math.h>
#include <string.h>

static void encode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const int64_t d = model->view.d;
    const int64_t m = model->view.m;
    double *codes = out;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, scree__rotated_of(model)->weights, d, 0.0,
                 chunk->work, m);
    memcpy(codes + chunk->from * m, chunk->work + chunk->skip * m, (size_t)(chunk->count * m) * sizeof *codes);
}

static void decode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const int64_t d = model->view.d;
    const int64_t m = model->view.m;
    double *data = out;
    scree__dgemm(false, false, chunk->height, d, m, 1.0, chunk->x, m, scree__rotated_of(model)->loadings, d, 0.0,
                 chunk->work, d);
    for (int64_t i = 0; i < chunk->count; i++)
        scree__restore_row(scree_model_get(model), chunk->work + (chunk->skip + i) * d, data + (chunk->from + i) * d);
}

void scree__rotated_project(scree__question *question)
{
    question->work = scree_model_get(question->model)->m;
    question->answer = encode;
    question->gaps = true;
}

void scree__rotated_reconstruct(scree__question *question)
{
    question->work = scree_model_get(question->model)->d;
    question->answer = decode;
}

static double weight(const scree_model *model, int64_t column, int64_t code)
{
    return scree__rotated_of(model)->weights[code * model->view.d + column];
}

static double loading(const scree_model *model, int64_t column, int64_t code)
{
    return scree__rotated_of(model)->loadings[code * model->view.d + column];
}

static double structure(const scree_model *model, int64_t column, int64_t code)
{
    return scree__rotated_of(model)->structure[code * model->view.d + column];
}

static double variance(const scree_model *model, int64_t code)
{
    (void)model;
    (void)code;
    return 1;
}

const scree__meaning scree__rotated_meaning = {weight, loading, structure, variance};

static scree_status check(const scree_model *model, scree_error *error)
{
    return scree__ppca_needs_noise(scree_model_get(model), error);
}

static void laws(const scree_model *model, bool training, scree__tail *t2, scree__tail *q)
{
    scree__score_laws(scree_model_get(model), training, t2, q);
}

/* The factors of a draw: M⁻¹ Λ^-½ of the code that PCA would have. */
static void code(const scree_model *model, const double *z, double *factors)
{
    const scree_model_view *view = scree_model_get(model);
    const double *inverse = scree__rotated_of(model)->inverse;
    for (int64_t i = 0; i < view->m; i++) {
        factors[i] = 0;
        for (int64_t j = 0; j < view->m; j++)
            factors[i] += inverse[i * view->m + j] * scree__ppca_loading(view, j) * z[j] / sqrt(view->eigenvalues[j]);
    }
}

const scree__density scree__rotated_density = {
    .check = check,
    .facts = scree__ppca_facts,
    .rate = scree__ppca_rate,
    .multiply = scree__ppca_multiply,
    .dense = scree__ppca_dense,
    .gaps = &scree__ppca_gaps,
    .scorer = scree__ppca_scorer,
    .score = scree__ppca_score,
    .contributions = scree__ppca_contributions,
    .reasons = scree__ppca_reasons,
    .laws = laws,
    .impute = scree__ppca_impute,
    .code = code,
    .noise = scree__ppca_noise,
    .support = scree__ppca_support,
};

static int64_t numbers(const scree_model *model)
{
    return 2 * model->view.d * model->view.m;
}

static void nodes(scree__onnx *onnx, const scree_model *model, scree__onnx_part what)
{
    const scree_model_view *view = scree_model_get(model);
    const scree__rotated *rotated = scree__rotated_of(model);
    if (what.encode) {
        scree__onnx_tensor(onnx, "weights", view->m, view->d, rotated->weights, SCREE_F64);
        scree__onnx_product(onnx, "codes", "centred", "weights", true, NULL);
    }
    if (what.decode) {
        scree__onnx_tensor(onnx, "loadings", view->m, view->d, rotated->loadings, SCREE_F64);
        scree__onnx_product(onnx, "restored", "codes", "loadings", false, NULL);
    }
}

const scree__onnx_kind scree__rotated_onnx = {
    .doc = "Rotated principal components: codes = ((x - mean) / scale) weightsᵀ, "
           "reconstruction = (codes loadings) * scale + mean.",
    .unit = "components",
    .numbers = numbers,
    .nodes = nodes,
};
