/* SPDX-License-Identifier: BSD-3-Clause */
/* What M components keep and lose: the cumulative share of the variance, and the mean squared reconstruction error
 * J_M = Σ_{j>M} λ_j (10.44). Both describe; neither knows what is noise, so neither votes. O(M). */

#include "fit/criterion.h"

static const double USUAL_SHARE = 0.95;

static scree_status share(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    for (int64_t m = 0; m <= s->max_components; m++)
        value[m] = 1 - s->left[m] / s->left[0];
    return SCREE_OK;
}

static int64_t enough(const scree__spectrum *s, const double *value)
{
    for (int64_t m = 0; m <= s->max_components; m++)
        if (value[m] >= USUAL_SHARE)
            return m;
    return -1;
}

static scree_status lost(const scree__spectrum *s, double *value, scree_error *error)
{
    (void)error;
    for (int64_t m = 0; m <= s->max_components; m++)
        value[m] = s->left[m];
    return SCREE_OK;
}

const scree__criterion scree__criterion_share = {.name = "share",
                                                 .title = "cumulative share of the variance",
                                                 .rule = "the first to reach 95 %",
                                                 .evaluate = share,
                                                 .choose = enough};

const scree__criterion scree__criterion_error = {.name = "error",
                                                 .title = "reconstruction error J_M",
                                                 .rule = "says what is lost, chooses nothing",
                                                 .evaluate = lost};
