/* SPDX-License-Identifier: BSD-3-Clause */
/* Small symmetric matrices: factors, solutions, inverses and products of packed lower triangles, by plain loops, for
 * matrices too small and too many for LAPACK. n³/3 flops for a factor, 2n³/3 more for an inverse. */

#include "kernel/packed.h"

#include "base/cpu.h"

#include <math.h>
#include <string.h>

enum { SUMS = 8 };
static const double MIN_PIVOT = 1e-15; /* of the diagonal: less is rounding */

SCREE_CLONES void scree__packed_add(double *restrict x, const double *restrict y, double times, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        x[i] += times * y[i];
}

SCREE_CLONES double scree__packed_dot(const double *x, const double *y, int64_t n)
{
    double sum[SUMS] = {0};
    int64_t i = 0;
    for (; i + SUMS <= n; i += SUMS)
        for (int s = 0; s < SUMS; s++)
            sum[s] += x[i + s] * y[i + s];
    for (int s = 0; i + s < n; s++)
        sum[s] += x[i + s] * y[i + s];
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

double scree__packed_factor(const double *a, const double *more, int64_t n, double *l)
{
    double logdet = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double entry = a[scree__pair(i, j)] + (i == j ? more[i] : 0);
            const double rest = entry - scree__packed_dot(l + i * n, l + j * n, j);
            if (i > j) {
                l[i * n + j] = rest / l[j * n + j];
                continue;
            }
            const double pivot = fmax(rest, MIN_PIVOT * entry);
            l[i * n + i] = sqrt(pivot);
            logdet += log(pivot);
        }
    return logdet;
}

void scree__packed_solve_upper(const double *l, int64_t n, double *x)
{
    for (int64_t i = n - 1; i >= 0; i--) {
        x[i] /= l[i * n + i];
        scree__packed_add(x, l + i * n, -x[i], i);
    }
}

void scree__packed_solve_lower(const double *l, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = (x[i] - scree__packed_dot(l + i * n, x, i)) / l[i * n + i];
}

void scree__packed_solve(const double *l, int64_t n, double *x)
{
    scree__packed_solve_lower(l, n, x);
    scree__packed_solve_upper(l, n, x);
}

void scree__packed_invert(const double *l, int64_t n, double times, double *x, double *out)
{
    memset(x, 0, (size_t)(n * n) * sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        x[i * n + i] = 1;
        for (int64_t k = 0; k < i; k++)
            scree__packed_add(x + i * n, x + k * n, -l[i * n + k], k + 1);
        for (int64_t j = 0; j <= i; j++)
            x[i * n + j] /= l[i * n + i];
    }
    memset(out, 0, (size_t)scree__pairs(n) * sizeof *out);
    for (int64_t k = 0; k < n; k++)
        for (int64_t i = 0; i <= k; i++)
            scree__packed_add(out + scree__pairs(i), x + k * n, times * x[k * n + i], i + 1);
}

double scree__packed_quadratic(const double *a, const double *x, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        const double *row = a + scree__pairs(i);
        sum += x[i] * (2 * scree__packed_dot(row, x, i) + row[i] * x[i]);
    }
    return sum;
}

double scree__packed_trace(const double *a, const double *b, int64_t n)
{
    double diagonal = 0;
    for (int64_t i = 0; i < n; i++)
        diagonal += a[scree__pair(i, i)] * b[scree__pair(i, i)];
    return 2 * scree__packed_dot(a, b, scree__pairs(n)) - diagonal;
}

void scree__packed_multiply(const double *a, const double *x, int64_t n, double *y)
{
    memset(y, 0, (size_t)n * sizeof *y);
    for (int64_t i = 0; i < n; i++) {
        const double *row = a + scree__pairs(i);
        y[i] += scree__packed_dot(row, x, i + 1);
        scree__packed_add(y, row, x[i], i);
    }
}
