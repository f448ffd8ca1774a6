/* SPDX-License-Identifier: BSD-3-Clause */
/* How far out is far: the T² and the Q that one in 1/α rows of the model passes, each by itself: the x with
 * ln P(X ≥ x) = ln α, by bisection. */

#include "model/kind.h"
#include "model/model.h"
#include "model/score_law.h"

#include <math.h>

enum { HALVINGS = 200 };

double scree__tail_limit(const scree__tail *tail, double alpha)
{
    double low = 0.0, high = 1.0;
    if (tail->kind == SCREE__TAIL_NONE)
        return NAN;
    for (int i = 0; i < HALVINGS && scree__tail_log(tail, high) > log(alpha); i++)
        high *= 2.0;
    for (int i = 0; i < HALVINGS && high - low > 1e-12 * high; i++) {
        const double middle = (low + high) / 2;
        if (scree__tail_log(tail, middle) > log(alpha))
            low = middle;
        else
            high = middle;
    }
    return high;
}

void scree__score_limits(const scree_model *model, bool training, double alpha, double *t2, double *q)
{
    scree__tail of_t2 = {.kind = SCREE__TAIL_NONE}, of_q = {.kind = SCREE__TAIL_NONE};
    if (model->kind->density && model->kind->density->laws)
        model->kind->density->laws(scree_model_distribution(model), training, &of_t2, &of_q);
    *t2 = scree__tail_limit(&of_t2, alpha);
    *q = scree__tail_limit(&of_q, alpha);
}
