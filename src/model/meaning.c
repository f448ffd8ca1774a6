/* SPDX-License-Identifier: BSD-3-Clause */
/* What columns and components have to do with each other, from the model alone, O(DM):
 *
 *     correlation_jk = structure_jk / sd_j,   cos²_jk its square,   contribution_jk = 100 loading_jk² / Σ_i loading_ik²
 *
 * sd_j is the standard deviation of the column as it enters the fit: 1 where it was divided by its own. A fit of rows
 * with gaps has no covariance of rows, and its sd_j is that of the model's, Σ λ_k u_jk² + σ²(1 - Σ u_jk²), so that no
 * correlation is beyond 1. And the question that describes rows: their codes, and how far they are from the mean. */

#include "model/meaning.h"

#include "base/memory.h"
#include "model/kind.h"
#include "model/latent.h"

#include <math.h>
#include <string.h>

/* Of the centred and scaled column. */
static double deviation(const scree_model *model, int64_t j)
{
    const scree_model_view *view = scree_model_get(model);
    const double scale = view->scale ? view->scale[j] : 1;
    double variance = view->noise_variance;
    if (!view->stopped || view->variances[j] == 0)
        return sqrt(view->variances[j]) / scale;
    for (int64_t k = 0; k < view->m; k++) {
        const double u = view->components[k * view->d + j];
        variance += (fmax(view->eigenvalues[k], view->noise_variance) - view->noise_variance) * u * u;
    }
    return sqrt(variance);
}

static void fill(const scree_model *model, double (*entry)(const scree_model *, int64_t, int64_t), double *out)
{
    const int64_t m = model->view.m;
    for (int64_t j = 0; j < model->view.d; j++)
        for (int64_t k = 0; k < m; k++)
            out[j * m + k] = entry(model, j, k);
}

static void correlate(const scree_model *model, bool squared, double *out)
{
    const int64_t m = model->view.m;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double sd = deviation(model, j);
        for (int64_t k = 0; k < m; k++) {
            const double r = sd > 0 ? out[j * m + k] / sd : NAN;
            out[j * m + k] = squared ? r * r : r;
        }
    }
}

static void contribute(const scree_model *model, double *out)
{
    const int64_t m = model->view.m;
    for (int64_t k = 0; k < m; k++) {
        double sum = 0;
        for (int64_t j = 0; j < model->view.d; j++)
            sum += out[j * m + k] * out[j * m + k];
        for (int64_t j = 0; j < model->view.d; j++)
            out[j * m + k] = 100 * out[j * m + k] * out[j * m + k] / sum;
    }
}

scree_status scree_model_meaning(const scree_model *model, scree_meaning what, double *out, scree_error *error)
{
    const scree_status status = scree__kind_needs(model, SCREE_CAN_EXPLAIN, "what components mean", error);
    if (status != SCREE_OK)
        return status;
    const scree__meaning *meaning = model->kind->meaning;
    switch (what) {
    case SCREE_MEANING_WEIGHTS:
        fill(model, meaning->weight, out);
        return SCREE_OK;
    case SCREE_MEANING_LOADINGS:
        fill(model, meaning->loading, out);
        return SCREE_OK;
    case SCREE_MEANING_STRUCTURE:
        fill(model, meaning->structure, out);
        return SCREE_OK;
    case SCREE_MEANING_CORRELATIONS:
    case SCREE_MEANING_COS2:
        fill(model, meaning->structure, out);
        correlate(model, what == SCREE_MEANING_COS2, out);
        return SCREE_OK;
    case SCREE_MEANING_CONTRIBUTIONS:
        fill(model, meaning->loading, out);
        contribute(model, out);
        return SCREE_OK;
    }
    return scree__fail(error, SCREE_ERR_ARGUMENT, "there is no meaning of the number %d; see scree_meaning", (int)what);
}

double scree__meaning_length(const scree_model *model, int64_t code)
{
    double sum = 0;
    for (int64_t j = 0; j < model->view.d; j++) {
        const double weight = model->kind->meaning->weight(model, j, code);
        sum += weight * weight;
    }
    return sum;
}

/* The code as the kind makes it, and the row that it is made of. */
static void answer(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree__describe_out *rows = out;
    const int64_t d = model->view.d;
    rows->project(model, chunk, rows->codes);
    for (int64_t i = 0; i < chunk->count; i++) {
        const double *c = chunk->x + (chunk->skip + i) * d;
        double sum = 0;
        for (int64_t j = 0; j < d; j++)
            sum += c[j] * c[j];
        if (rows->squares)
            rows->squares[chunk->from + i] = sum;
        if (rows->centred)
            memcpy(rows->centred + (chunk->from + i) * d, c, (size_t)d * sizeof *c);
    }
}

scree_status scree__describe_open(scree__chunks *chunks, scree__describe_out *out, const scree_model *model,
                                  int64_t cols, int threads, scree_error *error)
{
    scree__question question = scree__question_of(model);
    const scree_status status = scree__kind_needs(model, SCREE_CAN_EXPLAIN, "what components mean", error);
    if (status != SCREE_OK)
        return status;
    model->kind->project(&question);
    out->project = question.answer;
    question.answer = answer;
    return scree__chunks_open(chunks, &question, cols, threads, error);
}
