/* SPDX-License-Identifier: BSD-3-Clause */
/* The eigenvalues that a fit does not keep, for the model: all of them where the method found them on its way, else
 * what their sum and the sum of their squares say. There are min(N-1, D) in all, constant columns aside. */

#include "fit/job.h"

#include <math.h>

int64_t scree__solution_rank(const scree__solution *s, int64_t cols)
{
    int64_t varying = 0;
    for (int64_t j = 0; j < cols; j++)
        varying += s->variances[j] > 0;
    const int64_t span = s->rows - !s->uncentred;
    return varying < span ? varying : span;
}

scree_status scree__solution_rest(scree__rest *rest, const scree__solution *s, int64_t cols, scree_error *error)
{
    const int64_t rank = scree__solution_rank(s, cols);
    const double down = fmax((double)(s->rows - 1 - s->k), 1);
    const double across = fmax((double)(cols - s->k), 1);
    scree__rest_sums sums = {.count = (double)(rank - s->k), .sum = s->total, .squares = s->squares};
    if (rank <= s->k || (s->spectrum_count < rank && !(s->squares > 0)))
        return SCREE_OK;
    if (s->spectrum_count >= rank)
        return scree__rest_gather(rest, s->spectrum + s->k, NULL, rank - s->k, error);
    for (int64_t j = s->k - 1; j >= 0; j--) {
        sums.sum -= s->values[j];
        sums.squares -= s->values[j] * s->values[j];
    }
    sums.most = s->values[s->k - 1];
    sums.ratio = fmin(down, across) / fmax(down, across);
    return sums.sum > 0 ? scree__rest_guess(rest, &sums, error) : SCREE_OK;
}
