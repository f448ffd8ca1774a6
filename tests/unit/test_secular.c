/* SPDX-License-Identifier: BSD-3-Clause */
/* The secular equation: against eigenvalues of the matrix itself, and by what must hold of any update. */

#include "support/checks.h"

#include "base/random.h"
#include "kernel/dense.h"
#include "model/secular.h"

#include <string.h>

enum { N = 12 };

static void expect_update(const double *g, const double *w, int64_t n, double bound)
{
    double roots[64], shares[64];
    double trace = 0, energy = 0, found = 0, along = 0, share = 0, s = 0;
    scree__secular_solve(g, w, n, n, roots, shares, NULL);
    for (int64_t j = 0; j < n; j++) {
        assert_true(roots[j] >= g[j] && (j == 0 || roots[j] <= g[j - 1]));
        assert_true(shares[j] >= 0);
        trace += g[j];
        energy += w[j];
        found += roots[j];
        along += roots[j] * shares[j];
        share += shares[j];
        s += w[j] / g[j];
    }
    EXPECT_NEAR(found, trace + energy, bound * (trace + energy));
    EXPECT_NEAR(along, energy, bound * energy);
    EXPECT_NEAR(share, s / (1 + s), bound);
}

static void equals_the_eigenvalues(void **state)
{
    (void)state;
    double g[N], w[N], a[N * N], values[N], vectors[N * N], residuals[N], roots[N], shares[N], normals[2 * N];
    scree_error error = SCREE_ERROR_INIT;
    scree__normals(3, 0, 0, 2 * N, normals);
    for (int64_t j = 0; j < N; j++) {
        g[j] = 9.0 - 0.7 * (double)j + 0.3 * fabs(normals[j]);
        w[j] = normals[N + j] * normals[N + j];
    }
    for (int64_t i = 0; i < N; i++)
        for (int64_t j = 0; j < N; j++)
            a[i * N + j] = sqrt(w[i] * w[j]) + (i == j ? g[i] : 0);
    int64_t k = N;
    const scree__dense_options options = {.threads = 1};
    scree__dense_result result = {.values = values, .vectors = vectors, .residuals = residuals};
    EXPECT_OK(scree__dense_eigen(a, N, &k, &options, &result, &error), error);
    scree__secular_solve(g, w, N, N, roots, shares, NULL);
    for (int64_t i = 0; i < N; i++) {
        double along = 0;
        for (int64_t j = 0; j < N; j++)
            along += vectors[i * N + j] * sqrt(w[j]);
        EXPECT_NEAR(roots[i], values[i], 1e-12);
        EXPECT_NEAR(shares[i], along * along / values[i], 1e-10);
    }
    expect_update(g, w, N, 1e-11);
}

static void holds_at_extremes(void **state)
{
    (void)state;
    double g[40], w[40];
    for (int huge = -8; huge <= 12; huge += 4) {
        for (int j = 0; j < 40; j++) {
            g[j] = pow(10, 3 - 0.2 * j);
            w[j] = pow(10, huge) * (j % 3 ? 1 : 1e-6);
        }
        expect_update(g, w, 40, 1e-9);
    }
}

/* Poles that coincide: one root moves, the others stay. */
static void ties_stay(void **state)
{
    (void)state;
    const double g[4] = {5, 2, 2, 1}, w[4] = {0.5, 0.3, 0.4, 0.1};
    const double merged[3] = {5, 2, 1}, sums[3] = {0.5, 0.7, 0.1};
    double roots[4], shares[4], one[3], part[3];
    scree__secular_solve(g, w, 4, 4, roots, shares, NULL);
    scree__secular_solve(merged, sums, 3, 3, one, part, NULL);
    EXPECT_NEAR(roots[0], one[0], 1e-12);
    EXPECT_NEAR(roots[1], one[1], 1e-10);
    EXPECT_NEAR(roots[2], 2, 1e-12);
    EXPECT_NEAR(roots[3], one[2], 1e-12);
    EXPECT_NEAR(shares[1] + shares[2], part[1], 1e-9);
}

/* A direction in which nothing varied: the pole at 0 takes what the row has there. */
static void the_null_space_has_a_root(void **state)
{
    (void)state;
    const double g[2] = {4, 0}, w[2] = {0, 3};
    double roots[2], shares[2];
    scree__secular_solve(g, w, 2, 2, roots, shares, NULL);
    EXPECT_NEAR(roots[0], 4, 1e-6);
    EXPECT_NEAR(roots[1], 3, 1e-6);
    EXPECT_NEAR(shares[1], 1, 1e-6);
}

/* A pole far above the others, and a row as far out along it, change nothing but by what the others lose to it. */
static void a_loud_pole_hides_nothing(void **state)
{
    (void)state;
    const double g[4] = {1e26, 5, 3, 2}, w[4] = {1e25, 0.5, 0.3, 0.4};
    double roots[4], shares[4], alone[3], part[3];
    scree__secular_solve(g, w, 4, 4, roots, shares, NULL);
    for (int j = 1; j < 4; j++) { /* 1 + w_1/(g_1 - µ) is 1.1 there */
        double others[3];
        for (int i = 0; i < 3; i++)
            others[i] = w[i + 1] / 1.1;
        scree__secular_solve(g + 1, others, 3, 3, alone, part, NULL);
        EXPECT_NEAR(roots[j], alone[j - 1], 1e-12 * alone[j - 1]);
        EXPECT_NEAR(shares[j], part[j - 1] / 1.1, 1e-9 * part[j - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_eigenvalues), cmocka_unit_test(holds_at_extremes),
                                       cmocka_unit_test(ties_stay), cmocka_unit_test(the_null_space_has_a_root),
                                       cmocka_unit_test(a_loud_pole_hides_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
