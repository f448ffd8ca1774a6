/* SPDX-License-Identifier: BSD-3-Clause */
/* p-values from shuffles: the share of them, the rows as they were given among them, of which a statistic is as large.
 * Of several statistics, and of several checks, the smallest p-value counts, beside the smallest ones of the shuffles:
 * nothing is lost by their number where they agree (Westfall and Young 1993). O(B ln B). */

#include "answer/drift_shuffle.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <string.h>

/* The statistics of each check; the checks in their order. */
static const int first_of[SCREE_DRIFT_CHECKS + 1] = {SCREE__DRIFT_MEAN_CODES, SCREE__DRIFT_SPREAD_CODE,
                                                     SCREE__DRIFT_ANGLE_CODES, SCREE__DRIFT_LIKELIHOOD_ROWS,
                                                     SCREE__DRIFT_STATISTICS};

/* How many of the sorted numbers are at least x. */
static int64_t at_least(const double *sorted, int64_t count, double x)
{
    int64_t low = 0;
    int64_t high = count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (sorted[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return count - low;
}

/* Numbers, large where parts differ, become p-values. Sums that were added in another order are as large as each other.
 * False: they do not differ at all. */
static bool rank(double *x, double *sorted, int64_t count)
{
    static const double ROUNDING = 1e-9;
    memcpy(sorted, x, (size_t)count * sizeof *x);
    scree__sort_doubles(sorted, count);
    const bool differ = sorted[count - 1] > 0;
    for (int64_t b = 0; b < count; b++)
        x[b] = (double)at_least(sorted, count, x[b] - ROUNDING * fabs(x[b])) / (double)count;
    return differ;
}

/* The smallest p-value of each shuffle in *least, as a number that is large where parts differ. */
static void keep_smallest(double *least, const double *p, int64_t count)
{
    for (int64_t b = 0; b < count; b++)
        least[b] = fmax(least[b], 1 / p[b]);
}

scree_status scree__drift_ranks_read(scree__drift_found *found, const scree__drift_pool *pool, scree_error *error)
{
    scree_status status = SCREE_OK;
    const int64_t count = pool->count;
    double *sorted = NULL;
    double *check = NULL;
    double *all = NULL;
    SCREE_ALLOC(sorted, count, error);
    SCREE_ALLOC(check, count, error);
    SCREE_ALLOC(all, count, error);
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++) {
        bool some = false;
        memset(check, 0, (size_t)count * sizeof *check);
        for (int s = first_of[i]; s < first_of[i + 1]; s++)
            if (rank(pool->statistics + s * count, sorted, count)) {
                keep_smallest(check, pool->statistics + s * count, count);
                some = true;
            }
        found->checks[i].p_value = (double)NAN;
        if (!some)
            continue;
        rank(check, sorted, count);
        found->checks[i].p_value = check[0];
        found->checks[i].reason = NULL;
        keep_smallest(all, check, count);
    }
    memcpy(sorted, all, (size_t)count * sizeof *all);
    scree__sort_doubles(sorted, count);
    found->all = all[0] > 0 ? (double)at_least(sorted, count, all[0]) / (double)count : (double)NAN;
    for (int i = 0; i < SCREE_DRIFT_CHECKS; i++) {
        const double p = found->checks[i].p_value;
        found->adjusted[i] = isnan(p) ? p : (double)at_least(sorted, count, 1 / p) / (double)count;
    }
    found->shuffles = count;
done:
    free(sorted);
    free(check);
    free(all);
    return status;
}
