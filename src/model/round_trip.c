/* SPDX-License-Identifier: BSD-3-Clause */
/* There and back, x̃, and how much was lost on the way, ‖x - x̃‖² (10.29), as the model's kind has it. */

#include "base/cpu.h"
#include "model/answers.h"
#include "model/kind.h"
#include "model/model.h"

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

scree_status scree__round_trip_open(scree__chunks *chunks, const scree_model *model, int64_t cols, int threads,
                                    scree_error *error)
{
    scree__question question = scree__question_of(model);
    scree_status status = scree__kind_needs(model, SCREE_CAN_PROJECT, "a round trip", error);
    if (status == SCREE_OK)
        status = scree__kind_needs(model, SCREE_CAN_RECONSTRUCT, "a round trip", error);
    if (status != SCREE_OK)
        return status;
    model->kind->round_trip(&question);
    return scree__chunks_open(chunks, &question, cols, threads, error);
}
