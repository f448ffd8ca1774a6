/* SPDX-License-Identifier: BSD-3-Clause */
/* Eigenvalues beyond those known: moments of a diagonal operator, exact sums, and zeros left out. */

#include "support/checks.h"

#include "kernel/shape.h"

enum { N = 600, KNOWN = 3 };

static scree_status apply(void *context, const double *q, int64_t b, double *w, scree_error *error)
{
    const double *diagonal = context;
    (void)error;
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < b; j++)
            w[i * b + j] = diagonal[i] * q[i * b + j];
    return SCREE_OK;
}

static double moment(const double *x, int64_t n, int p)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += pow(x[i], p);
    return sum;
}

/* Eigenvalues that fall off by 1e4, beside three that are known; the last so many are 0. */
static void fill(double *diagonal, double *vectors, int64_t zeros)
{
    for (int64_t i = 0; i < N; i++)
        diagonal[i] = i < KNOWN ? 1e6 : i >= N - zeros ? 0 : 100 * exp(-9.2 * (double)(i - KNOWN) / (N - KNOWN));
    for (int64_t i = 0; i < KNOWN * N; i++)
        vectors[i] = i % N == i / N;
}

static void has_the_moments(int steps, int64_t zeros, double squares, double off)
{
    static double diagonal[N], vectors[KNOWN * N], values[N];
    scree_error error = SCREE_ERROR_INIT;
    fill(diagonal, vectors, zeros);
    const int64_t count = N - KNOWN - zeros;
    const double sum = moment(diagonal + KNOWN, count, 1);
    const scree__operator op = {N, apply, diagonal};
    const scree__shape_options options = {.known = KNOWN,
                                          .vectors = vectors,
                                          .count = count,
                                          .sum = sum,
                                          .squares = squares * moment(diagonal + KNOWN, count, 2),
                                          .most = 1e6,
                                          .steps = steps,
                                          .seed = 5};
    EXPECT_OK(scree__shape(&op, &options, values, &error), error);
    for (int64_t i = 1; i < count; i++)
        assert_true(values[i] <= values[i - 1] && values[i] >= 0);
    EXPECT_NEAR(moment(values, count, 1), sum, 1e-9 * sum);
    for (int p = 2; p <= 3; p++) {
        const double there = moment(diagonal + KNOWN, count, p);
        EXPECT_NEAR(moment(values, count, p), there, (p == 2 && squares > 0 ? 0.01 : off) * there);
    }
}

static void a_spectrum_that_falls_off(void **state)
{
    (void)state;
    has_the_moments(4, 0, 1, 0.1);
    has_the_moments(4, 0, 0, 0.15);
    has_the_moments(2, 0, 0, 0.15);
}

static void a_singular_operator(void **state)
{
    (void)state;
    has_the_moments(3, 300, 0, 0.2);
}

/* One value: Lanczos ends at its first step. */
static void equal_eigenvalues(void **state)
{
    (void)state;
    static double diagonal[N], values[N];
    scree_error error = SCREE_ERROR_INIT;
    for (int64_t i = 0; i < N; i++)
        diagonal[i] = 7;
    const scree__operator op = {N, apply, diagonal};
    const scree__shape_options options = {.count = N, .sum = 7 * N, .most = 1e6, .steps = 4, .seed = 1};
    EXPECT_OK(scree__shape(&op, &options, values, &error), error);
    for (int64_t i = 0; i < N; i++)
        EXPECT_NEAR(values[i], 7, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_spectrum_that_falls_off),
                                       cmocka_unit_test(a_singular_operator), cmocka_unit_test(equal_eigenvalues)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
