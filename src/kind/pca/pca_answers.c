/* SPDX-License-Identifier: BSD-3-Clause */
/* What PCA answers to the three questions that every kind is asked (10.3):
 *
 *     t = Uᵀ((x - µ)/scale),   x̃ = (U t)·scale + µ,   ‖x - x̃‖² = ‖c - U t‖²,   c = (x - µ)/scale
 *
 * x is centred in double, whatever its type, before anything is multiplied; then one matrix product a chunk and way,
 * 2DM flops a row each. The difference is formed entry by entry and then squared: ‖c‖² - ‖t‖² is the same number on
 * paper, and on a machine loses every digit when the model is good. Of a row with gaps, x is first filled with what the
 * model expects there, and the loss is counted over the observed columns. */

#include "kernel/blas.h"
#include "kind/pca/pca.h"
#include "model/frame.h"

#include <string.h>

static void encode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const int64_t m = view->m;
    double *codes = out;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, view->components, d, 0.0, chunk->work, m);
    memcpy(codes + chunk->from * m, chunk->work + chunk->skip * m, (size_t)(chunk->count * m) * sizeof *codes);
}

static void decode(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const int64_t m = view->m;
    double *data = out;
    scree__dgemm(false, false, chunk->height, d, m, 1.0, chunk->x, m, view->components, d, 0.0, chunk->work, d);
    for (int64_t i = 0; i < chunk->count; i++)
        scree__restore_row(view, chunk->work + (chunk->skip + i) * d, data + (chunk->from + i) * d);
    if (!chunk->keeps_logarithm)
        scree__frame_expand(view, data + chunk->from * d, chunk->count);
}

/* Σ (a_j - b_j)² over the cells that were there: what was filled in is no data. */
static double observed_distance(const double *a, const double *b, const uint8_t *missing, int64_t n)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++)
        if (!missing[j])
            sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static void there_and_back(const scree_model *model, const scree__chunk *chunk, void *out)
{
    const scree_model_view *view = scree_model_get(model);
    const int64_t d = view->d;
    const int64_t m = view->m;
    const scree__round_trip_rows *rows = out;
    double *codes = chunk->work;
    double *restored = codes + chunk->height * m;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, view->components, d, 0.0, codes, m);
    scree__dgemm(false, false, chunk->height, d, m, 1.0, codes, m, view->components, d, 0.0, restored, d);
    for (int64_t i = 0; i < chunk->count; i++) {
        int64_t at = (chunk->skip + i) * d;
        if (rows->squares) {
            const bool gap = chunk->gap && chunk->gap[chunk->skip + i];
            rows->squares[chunk->from + i] =
                gap ? observed_distance(chunk->x + at, restored + at, chunk->missing + at, d)
                    : scree__squared_distance(chunk->x + at, restored + at, d);
        }
        if (rows->data)
            scree__restore_row(view, restored + at, rows->data + (chunk->from + i) * d);
        if (rows->data)
            scree__frame_expand(view, rows->data + (chunk->from + i) * d, 1);
    }
}

void scree__pca_project(scree__question *question)
{
    question->work = scree_model_get(question->model)->m;
    question->answer = encode;
    question->gaps = true;
}

void scree__pca_reconstruct(scree__question *question)
{
    question->work = scree_model_get(question->model)->d;
    question->answer = decode;
}

void scree__pca_round_trip(scree__question *question)
{
    const scree_model_view *view = scree_model_get(question->model);
    question->work = view->m + view->d;
    question->answer = there_and_back;
    question->gaps = true;
}
