/* SPDX-License-Identifier: BSD-3-Clause */
/* The test of an eigenvalue against white noise: its noise without bias, its level, and its power. */

#include "fit/noise_test.h"

#include "base/random.h"
#include "kernel/blas.h"
#include "support/checks.h"

#include <stdlib.h>

enum { N = 120, D = 30 };

/* Eigenvalues, descending, divisor N, of N+1 centred rows: D columns of white noise of variance 4, the first `spikes`
 * of which have their variance times 12. Returns the trace. */
static double drawn(uint64_t seed, int64_t spikes, double *values)
{
    double *x = malloc((size_t)((N + 1) * D) * sizeof *x);
    double gram[D * D];
    double ascending[D];
    double trace = 0;
    assert_non_null(x);
    scree__normals(seed, 1, 0, (N + 1) * D, x);
    for (int64_t j = 0; j < D; j++) {
        double mean = 0;
        for (int64_t i = 0; i <= N; i++)
            mean += x[i * D + j] / (N + 1);
        for (int64_t i = 0; i <= N; i++)
            x[i * D + j] = 2 * (x[i * D + j] - mean) * (j < spikes ? sqrt(12) : 1);
    }
    assert_int_equal(scree__dsyrk(true, D, N + 1, 1.0 / N, x, D, 0, gram, D), 0);
    assert_int_equal(scree__dsyevd_values(D, gram, D, ascending), 0);
    for (int64_t j = 0; j < D; j++)
        trace += values[j] = ascending[D - 1 - j];
    free(x);
    return trace;
}

static void test_noise_is_found_without_bias(void **state)
{
    (void)state;
    enum { TABLES = 100, SPIKES = 4 };
    double mean = 0;
    for (uint64_t t = 0; t < TABLES; t++) {
        double values[D];
        double left = drawn(t, SPIKES, values);
        for (int64_t j = 0; j < SPIKES; j++)
            left -= values[j];
        mean += scree__noise_variance(values, SPIKES, left, N, D) / TABLES;
    }
    EXPECT_NEAR(mean, 4, 0.04); /* what is left over D - M alone: 3.84 */
    const double none[] = {1, 0};
    assert_true(scree__noise_variance(none, 1, 0, 10, 2) == 0);
}

/* How many eigenvalues stand out at a level of 1 %. */
static int64_t above_noise(const double *values, double left)
{
    int64_t m = 0;
    while (m < D && scree__noise_log_chance(values, m, left, N, D) < log(0.01))
        left = fmax(left - values[m++], 0);
    return m;
}

static void test_level_and_power(void **state)
{
    (void)state;
    enum { TABLES = 400 };
    for (int64_t spikes = 0; spikes <= 3; spikes += 3) {
        int more = 0;
        int fewer = 0;
        for (uint64_t t = 0; t < TABLES; t++) {
            double values[D];
            const double trace = drawn(1000 + t, spikes, values);
            const int64_t found = above_noise(values, trace);
            more += found > spikes;
            fewer += found < spikes;
        }
        assert_int_equal(fewer, 0);
        assert_true(more <= 12); /* 4 are expected: 12 or more happen twice in a thousand */
    }
}

static void test_what_cannot_be_told(void **state)
{
    (void)state;
    const double values[] = {5, 1, 1};
    assert_true(isnan(scree__noise_log_chance(values, 2, 1, 100, 3)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_noise_is_found_without_bias),
        cmocka_unit_test(test_level_and_power),
        cmocka_unit_test(test_what_cannot_be_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
