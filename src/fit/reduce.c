/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over processes. Scatters about different means are first moved to the common mean µ,
 *
 *     Σ(x-µ)(x-µ)ᵀ = Σ(x-µ_p)(x-µ_p)ᵀ + n_p (µ_p-µ)(µ_p-µ)ᵀ,
 *
 * then added. */

#include "fit/reduce.h"

#include "base/memory.h"

static scree_status sum_local(void *context, double *values, int64_t count, scree_error *error)
{
    (void)context;
    (void)values;
    (void)count;
    (void)error;
    return SCREE_OK;
}

const scree__reduce scree__reduce_local = {.sum = sum_local};

static void move_scatter(double *scatter, const double *step, double weight, int64_t cols, bool diagonal)
{
    for (int64_t i = 0; i < cols; i++) {
        if (diagonal) {
            scatter[i] += weight * step[i] * step[i];
            continue;
        }
        for (int64_t j = 0; j < cols; j++)
            scatter[i * cols + j] += weight * step[i] * step[j];
    }
}

scree_status scree__reduce_moments(const scree__reduce *reduce, scree__counted *counted, double *mean, double *scatter,
                                   int64_t cols, bool diagonal, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double mine = counted->weight;
    double both[2] = {mine, (double)counted->rows};
    double *common = NULL;
    SCREE_ALLOC(common, cols, error);
    SCREE_TRY(reduce->sum(reduce->context, both, 2, error));
    const double all = both[0];
    if (all == mine) /* nobody else has rows: nothing moves, not even by rounding */
        goto done;
    for (int64_t j = 0; j < cols; j++)
        common[j] = mine * mean[j];
    SCREE_TRY(reduce->sum(reduce->context, common, cols, error));
    for (int64_t j = 0; j < cols; j++) {
        common[j] /= all;
        mean[j] -= common[j];
    }
    move_scatter(scatter, mean, mine, cols, diagonal);
    for (int64_t j = 0; j < cols; j++)
        mean[j] = common[j];
    SCREE_TRY(reduce->sum(reduce->context, scatter, diagonal ? cols : cols * cols, error));
    *counted = (scree__counted){(int64_t)both[1], all};
done:
    free(common);
    return status;
}
