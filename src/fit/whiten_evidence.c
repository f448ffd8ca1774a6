/* SPDX-License-Identifier: BSD-3-Clause */
/* Two accounts of the same table: M components in noise that was whitened, or M' in white noise. Which one says more
 * with less is told by Schwarz's criterion, smaller is better:
 *
 *     -2 ln L + p ln n + 2 ln P,   -2 ln L = n (Σ_{l≤M} ln λ_l + (d-M) ln σ²) - 2 ln |dz/dx| + constant
 *
 * with λ the eigenvalues of the whitened cells z over n, σ² the mean of those left, and
 *
 *     -ln |dz/dx| = n Σ_j ln c_j + d Σ_i ln r_i + ½ n(d-1) ln(1-φ²) + ½ d(n-1) ln(1-ψ²)
 *
 * for columns and rows over their standard deviations c, r and neighbours with correlations φ, ψ. Only columns and rows
 * whose noise differs from that of most by more than chance have one of their own here; the others share one. Of
 * parameters there are p = dM - M(M-1)/2 + 1, and one for each of those and for each correlation; P is the number of
 * ways to choose them. So a column in another unit costs little more than one parameter, and a component d - M.
 * One decomposition. */

#include "fit/whiten.h"

#include "base/sort.h"
#include "base/special.h"
#include "kernel/blas.h"

#include <math.h>
#include <string.h>

enum { GAP_ROUNDS = 40 };
static const double CHANCE = 3; /* standard errors */
static const double SETTLED = 0.01;

/* ln of the number of ways to choose so many of count. */
static double log_ways(double chosen, double count)
{
    return scree__log_gamma(count + 1) - scree__log_gamma(chosen + 1) - scree__log_gamma(count - chosen + 1);
}

/* Standard deviations that differ from the median by no more than chance become one. Returns how many stay;
 * scratch: count. */
static double join_equal(double *sd, const double *freedom, int64_t count, double *scratch)
{
    double joined = 0;
    double sum = 0;
    memcpy(scratch, sd, (size_t)count * sizeof *scratch);
    scree__sort_doubles(scratch, count);
    const double median = scratch[count / 2];
    for (int64_t i = 0; i < count; i++) {
        scratch[i] = fabs(2 * log(sd[i] / median)) <= CHANCE * sqrt(2 / freedom[i]);
        joined += scratch[i];
        sum += scratch[i] * sd[i] * sd[i];
    }
    for (int64_t i = 0; i < count; i++)
        sd[i] = scratch[i] > 0 ? sqrt(sum / joined) : sd[i];
    return (double)count - joined;
}

static double sum_logs(const double *sd, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += log(sd[i]);
    return sum;
}

double scree__whiten_evidence(const scree__whitening *w, int64_t m, double unequal_cols, double unequal_rows)
{
    const double n = (double)w->n;
    const double d = w->directions;
    const double k = (double)m;
    const double along_columns = w->kind.along_columns;
    const double along_rows = w->kind.along_rows;
    double left = w->trace;
    double logs = 0;
    for (int64_t l = 0; l < m; l++) {
        logs += log(w->values[l] / n);
        left -= w->values[l];
    }
    if (!(d > k && left > 0))
        return NAN;
    const double parameters =
        d * k - k * (k - 1) / 2 + 1 + (along_columns != 0) + (along_rows != 0) + unequal_cols + unequal_rows;
    const double ways = log_ways(unequal_cols, (double)w->d) + log_ways(unequal_rows, n);
    const double jacobian = n * d / (double)w->d * sum_logs(w->col_sd, w->d) + d * sum_logs(w->row_sd, w->n) +
                            0.5 * n * (d - 1) * log1p(-along_columns * along_columns) +
                            0.5 * d * (n - 1) * log1p(-along_rows * along_rows);
    return n * (logs + (d - k) * log(left / (n * (d - k)))) + 2 * jacobian + parameters * log(n) + 2 * ways;
}

int scree__whiten_judge(scree__whitening *w, int64_t m, double *evidence)
{
    const double cols = w->kind.column_ratio > 1 ? join_equal(w->col_sd, w->col_free, w->d, w->col_before) : 0;
    const double rows = w->kind.row_ratio > 1 ? join_equal(w->row_sd, w->row_free, w->n, w->row_before) : 0;
    const int info = scree__whiten_decompose(w, m);
    *evidence = scree__whiten_evidence(w, m, cols, rows);
    return info;
}

int scree__whiten_white(scree__whitening *w, int64_t m, double *evidence)
{
    scree__whiten_reset(w);
    int info = 0;
    w->moved = w->gaps > 0 ? INFINITY : 0;
    for (int round = 0; round < GAP_ROUNDS && w->moved >= SETTLED && info == 0; round++) {
        info = scree__blas_first(info, scree__whiten_decompose(w, m));
        info = scree__blas_first(info, scree__whiten_residual(w, m));
    }
    info = scree__blas_first(info, scree__whiten_decompose(w, w->most));
    for (int64_t l = 0; l <= w->most; l++)
        evidence[l] = scree__whiten_evidence(w, l, 0, 0);
    return info;
}
