/* SPDX-License-Identifier: BSD-3-Clause */
/* Conditional normal distributions from their definition: with o observed, m missing, C the covariance of x,
 *
 *     E[x_m|x_o] = µ_m + C_mo C_oo⁻¹ (x_o - µ_o),   cov(x_m|x_o) = C_mm - C_mo C_oo⁻¹ C_om
 *
 * and the same for z, whose covariance with x is Bᵀ. O(D³) a row. */

#include "support/checks.h"

#include "support/dense_given.h"

#include "base/memory.h"
#include "support/rows.h"

static void *take(int64_t count, size_t size)
{
    void *memory = scree__alloc(count, size);
    assert_non_null(memory);
    return memory;
}

/* out += a' inverse b over the observed columns: a and b hold a value for each of them. */
static long double form(const long double *a, const long double *inverse, const long double *b, int64_t n)
{
    long double sum = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++)
            sum += a[i] * inverse[i * n + j] * b[j];
    return sum;
}

dense_given *dense_given_of(const dense_gauss *g, const double *x)
{
    const int64_t d = g->d;
    const int64_t m = g->m;
    dense_given *given = take(1, sizeof *given);
    int64_t *columns = take(d, sizeof *columns);
    long double *inverse = take(d * d, sizeof *inverse);
    long double *rest = take(d, sizeof *rest);
    long double *with_x = take(d * d, sizeof *with_x); /* row j: C_jo */
    long double *with_z = take(m * d, sizeof *with_z);
    *given = (dense_given){.d = d,
                           .m = m,
                           .mean = take(d, sizeof *given->mean),
                           .covariance = take(d * d, sizeof *given->covariance),
                           .z = take(m, sizeof *given->z),
                           .z_cov = take(m * m, sizeof *given->z_cov)};
    for (int64_t j = 0; j < d; j++)
        if (!isnan(x[j]))
            columns[given->seen++] = j;
    const int64_t n = given->seen;
    for (int64_t i = 0; i < n; i++) {
        rest[i] = x[columns[i]] - g->mean[columns[i]];
        for (int64_t j = 0; j < n; j++)
            inverse[i * n + j] = g->covariance[columns[i] * d + columns[j]];
        for (int64_t j = 0; j < d; j++)
            with_x[j * d + i] = g->covariance[j * d + columns[i]];
        for (int64_t k = 0; k < m; k++)
            with_z[k * d + i] = g->b[columns[i] * m + k];
    }
    const long double logdet = n > 0 ? dense_invert(inverse, n) : 0;
    given->log_density = -0.5L * ((long double)n * logl(2 * acosl(-1)) + logdet + form(rest, inverse, rest, n));
    for (int64_t j = 0; j < d; j++) {
        given->mean[j] = isnan(x[j]) ? g->mean[j] + form(with_x + j * d, inverse, rest, n) : x[j];
        for (int64_t k = 0; k < d; k++)
            if (isnan(x[j]) && isnan(x[k]))
                given->covariance[j * d + k] =
                    g->covariance[j * d + k] - form(with_x + j * d, inverse, with_x + k * d, n);
    }
    for (int64_t j = 0; j < m; j++) {
        given->z[j] = form(with_z + j * d, inverse, rest, n);
        for (int64_t k = 0; k < m; k++)
            given->z_cov[j * m + k] = (j == k ? 1 : 0) - form(with_z + j * d, inverse, with_z + k * d, n);
    }
    free(columns);
    free(inverse);
    free(rest);
    free(with_x);
    free(with_z);
    return given;
}

void dense_given_free(dense_given *given)
{
    free(given->mean);
    free(given->covariance);
    free(given->z);
    free(given->z_cov);
    free(given);
}

void dense_given_puncture(double *x, int64_t n, int64_t d, uint64_t seed)
{
    static const double levels[] = {1.2, 0.0, -1.2, 2.0};
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++) {
            const bool gone = i == 0   ? true
                              : i == 1 ? j != d / 2
                              : i == 2 ? false
                                       : rows_random(seed, i, j) > levels[i % COUNT_OF(levels)];
            if (gone)
                x[i * d + j] = NAN;
        }
}
