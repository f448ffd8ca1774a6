/* SPDX-License-Identifier: BSD-3-Clause */
/* Soft-impute by the Gram matrix of the columns: its eigenvectors, each times (s - threshold)/s for a singular value s.
 */

#include "support/soft_impute.h"

#include "base/memory.h"
#include "kernel/blas.h"
#include "support/checks.h"

#include <string.h>

enum { STEPS = 200, THRESHOLDS = 25 };

typedef struct table {
    int64_t n;
    int64_t d;
    double *z;    /* standardised, NaN for what is missing */
    double *mean; /* of what is there, and its deviation */
    double *deviation;
} table;

static void standardise(table *t, const double *x, int64_t n, int64_t d)
{
    *t = (table){n, d, scree__alloc(n * d, 8), scree__alloc(d, 8), scree__alloc(d, 8)};
    for (int64_t j = 0; j < d; j++) {
        double count = 0;
        for (int64_t i = 0; i < n; i++)
            if (!isnan(x[i * d + j])) {
                count++;
                t->mean[j] += x[i * d + j];
            }
        t->mean[j] /= count;
        for (int64_t i = 0; i < n; i++)
            if (!isnan(x[i * d + j]))
                t->deviation[j] += pow(x[i * d + j] - t->mean[j], 2) / count;
        t->deviation[j] = sqrt(t->deviation[j]);
        for (int64_t i = 0; i < n; i++)
            t->z[i * d + j] = (x[i * d + j] - t->mean[j]) / t->deviation[j];
    }
}

static void table_clear(table *t)
{
    free(t->z);
    free(t->mean);
    free(t->deviation);
}

/* low = that of the filled table, singular values less the threshold; how much it moved. */
static double shrink(const table *t, double threshold, double *low)
{
    const int64_t n = t->n;
    const int64_t d = t->d;
    double *filled = scree__alloc(n * d, 8);
    double *turned = scree__alloc(n * d, 8);
    double *gram = scree__alloc(d * d, 8);
    double *values = scree__alloc(d, 8);
    double moved = 0;
    for (int64_t i = 0; i < n * d; i++)
        filled[i] = isnan(t->z[i]) ? low[i] : t->z[i];
    scree__blas_enter();
    assert_int_equal(scree__dgemm(true, false, d, d, n, 1, filled, d, filled, d, 0, gram, d), 0);
    assert_int_equal(scree__dsyevd(d, gram, d, values), 0); /* rows of gram are the vectors */
    assert_int_equal(scree__dgemm(false, true, n, d, d, 1, filled, d, gram, d, 0, turned, d), 0);
    for (int64_t i = 0; i < n; i++)
        for (int64_t k = 0; k < d; k++) {
            const double s = sqrt(fmax(values[k], 0));
            turned[i * d + k] *= s > threshold ? (s - threshold) / s : 0;
        }
    assert_int_equal(scree__dgemm(false, false, n, d, d, 1, turned, d, gram, d, 0, filled, d), 0);
    scree__blas_leave();
    for (int64_t i = 0; i < n * d; i++) {
        moved += pow(filled[i] - low[i], 2) / (double)(n * d);
        low[i] = filled[i];
    }
    free(filled);
    free(turned);
    free(gram);
    free(values);
    return sqrt(moved);
}

double filled_error(const double *x, const double *whole, const double *filled, int64_t n, int64_t d)
{
    table t;
    double sum = 0;
    double count = 0;
    standardise(&t, x, n, d);
    for (int64_t i = 0; i < n * d; i++)
        if (isnan(x[i])) {
            sum += pow((filled[i] - whole[i]) / t.deviation[i % d], 2);
            count++;
        }
    table_clear(&t);
    return sqrt(sum / count);
}

double soft_impute_least(const double *x, const double *whole, int64_t n, int64_t d)
{
    table t;
    double best = HUGE_VAL;
    standardise(&t, x, n, d);
    double *low = scree__alloc(n * d, 8);
    double *filled = scree__alloc(n * d, 8);
    for (int r = 0; r < THRESHOLDS; r++) {
        const double threshold = sqrt((double)(n * d)) * pow(0.78, r);
        for (int i = 0; i < STEPS && shrink(&t, threshold, low) > 1e-4; i++)
            continue;
        for (int64_t i = 0; i < n * d; i++)
            filled[i] = low[i] * t.deviation[i % d] + t.mean[i % d];
        best = fmin(best, filled_error(x, whole, filled, n, d));
    }
    table_clear(&t);
    free(low);
    free(filled);
    return best;
}

double means_error(const double *x, const double *whole, int64_t n, int64_t d)
{
    table t;
    standardise(&t, x, n, d);
    double *filled = scree__alloc(n * d, 8);
    for (int64_t i = 0; i < n * d; i++)
        filled[i] = t.mean[i % d];
    const double error = filled_error(x, whole, filled, n, d);
    table_clear(&t);
    free(filled);
    return error;
}
