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

static void move_scatter(double *scatter, const double *step, double rows, int64_t cols, bool diagonal)
{
    for (int64_t i = 0; i < cols; i++) {
        if (diagonal) {
            scatter[i] += rows * step[i] * step[i];
            continue;
        }
        for (int64_t j = 0; j < cols; j++)
            scatter[i * cols + j] += rows * step[i] * step[j];
    }
}

scree_status scree__reduce_moments(const scree__reduce *reduce, int64_t *rows, double *mean, double *scatter,
                                   int64_t cols, bool diagonal, scree_error *error)
{
    scree_status status = SCREE_OK;
    const double mine = (double)*rows;
    double all = mine;
    double *common = NULL;
    SCREE_ALLOC(common, cols, error);
    SCREE_TRY(reduce->sum(reduce->context, &all, 1, error));
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
    *rows = (int64_t)all;
done:
    free(common);
    return status;
}
