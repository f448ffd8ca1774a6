/* SPDX-License-Identifier: BSD-3-Clause */
/* Which columns are heavy, and what is subtracted of each, now or later (sparse_rows.h). */

#include "kernel/sparse_rows.h"

#include "base/memory.h"

static const double HEAVY = 3; /* µ² over the variance */

int64_t scree__sparse_centring_memory(int64_t cols)
{
    return cols * (2 * (int64_t)sizeof(double) + (int64_t)sizeof(int32_t));
}

scree_status scree__sparse_centring_init(scree__sparse_centring *c, int64_t cols, const double *mean,
                                         const double *rest, const double *variances, double multiple,
                                         const double *factor, scree_error *error)
{
    scree_status status = SCREE_OK;
    *c = (scree__sparse_centring){.cols = cols, .factor = factor, .centres = mean != NULL};
    SCREE_ALLOC(c->mean, cols, error);
    SCREE_ALLOC(c->later, cols, error);
    SCREE_ALLOC(c->heavy, cols, error);
    for (int64_t j = 0; j < cols; j++) {
        const bool heavy = mean && multiple * mean[j] * mean[j] > HEAVY * variances[j];
        if (heavy)
            c->heavy[c->heavy_count++] = (int32_t)j;
        c->mean[j] = heavy ? mean[j] : 0;
        c->later[j] = !mean ? 0 : !heavy ? mean[j] : rest ? rest[j] : 0;
    }
done:
    return status;
}

void scree__sparse_centring_clear(scree__sparse_centring *c)
{
    free(c->mean);
    free(c->later);
    free(c->heavy);
    *c = (scree__sparse_centring){0};
}
