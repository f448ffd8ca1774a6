/* SPDX-License-Identifier: BSD-3-Clause */
/* There and back: x̃ = (U t)·scale + µ with t = Uᵀ((x - µ)/scale), and how much was lost on the way (10.29).
 *
 *     ‖x - x̃‖² = ‖c - U t‖²,   c = (x - µ)/scale
 *
 * The difference is formed entry by entry and then squared. ‖c‖² - ‖t‖² is the same number on paper, and on a machine
 * loses every digit when the model is good. 4 D M flops a row. Of a row with gaps, x is first filled with what the
 * model expects there, and the loss is counted over the observed columns. */

#include "kernel/blas.h"
#include "model/answers.h"
#include "model/network_answers.h"

#include "base/cpu.h"

enum { LANES = 8 };

/* Σ (a_j - b_j)², in lanes that are added up in a fixed order. */
SCREE_CLONES double scree__squared_distance(const double *a, const double *b, int64_t n)
{
    double lanes[LANES] = {0};
    double sum = 0.0;
    int64_t whole = n - n % LANES;
    for (int64_t j = 0; j < whole; j += LANES) {
        for (int64_t k = 0; k < LANES; k++) {
            double difference = a[j + k] - b[j + k];
            lanes[k] += difference * difference;
        }
    }
    for (int64_t j = whole; j < n; j++)
        lanes[j - whole] += (a[j] - b[j]) * (a[j] - b[j]);
    for (int64_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

/* The same over the cells that were there: what was filled in is no data. */
static double observed_distance(const double *a, const double *b, const uint8_t *missing, int64_t n)
{
    double sum = 0.0;
    for (int64_t j = 0; j < n; j++)
        if (!missing[j])
            sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

static void answer(const scree_model_view *model, const scree__chunk *chunk, void *out)
{
    int64_t d = model->d;
    int64_t m = model->m;
    const scree__round_trip_rows *rows = out;
    double *codes = chunk->work;
    double *restored = codes + chunk->height * m;
    scree__dgemm(false, true, chunk->height, m, d, 1.0, chunk->x, d, model->components, d, 0.0, codes, m);
    scree__dgemm(false, false, chunk->height, d, m, 1.0, codes, m, model->components, d, 0.0, restored, d);
    for (int64_t i = 0; i < chunk->count; i++) {
        int64_t at = (chunk->skip + i) * d;
        if (rows->squares) {
            const bool gap = chunk->gap && chunk->gap[chunk->skip + i];
            rows->squares[chunk->from + i] =
                gap ? observed_distance(chunk->x + at, restored + at, chunk->missing + at, d)
                    : scree__squared_distance(chunk->x + at, restored + at, d);
        }
        if (rows->data)
            scree__restore_row(model, restored + at, rows->data + (chunk->from + i) * d);
    }
}

scree_status scree__round_trip_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                    scree_error *error)
{
    const scree_model_view *view = scree_model_get(model);
    scree__question question = {.model = view,
                                .width = view->d,
                                .mean = view->mean,
                                .scale = view->scale,
                                .names = view->columns,
                                .work = view->m + view->d,
                                .answer = answer,
                                .gaps = true};
    scree__network_round_trip(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}
