/* SPDX-License-Identifier: BSD-3-Clause */
/* Tails of ratios of an updated spectrum: as those of its roots, which are all computed here, on both sides of the mean
 * and far out; with and without zeros, with bins, ties and a pole at 0; and after the first roots were taken off. */

#include "support/checks.h"

#include "base/random.h"
#include "base/special.h"
#include "model/ratio_tail.h"
#include "model/secular.h"
#include "model/updated_tail.h"

#include <string.h>

enum { N = 23, FIRST = 4 };

typedef struct spectrum {
    double g[N];
    double w[N];
    double counts[N];
} spectrum;

/* Falls off by this factor; every third pole from 8 on is a bin where there are some. */
static spectrum spectrum_of(uint64_t seed, double factor, bool bins, bool null)
{
    spectrum s;
    double normals[N];
    scree__normals(seed, 0, 0, N, normals);
    for (int j = 0; j < N; j++) {
        s.g[j] = j == 0 ? 50 : s.g[j - 1] * factor;
        s.counts[j] = bins && j >= 8 && j % 3 == 0 ? 2.5 : 1;
        s.w[j] = normals[j] * normals[j] * s.g[j] / 20;
    }
    if (null) {
        s.g[N - 1] = 0;
        s.counts[N - 1] = 1;
        s.w[N - 1] = 0.3;
    }
    return s;
}

/* The tail of all roots from first on. */
static double tail_of_roots(const spectrum *s, int64_t first, double zeros, double x)
{
    double roots[N], shares[N], values[2 * N], counts[2 * N];
    int64_t terms = 0;
    scree__secular_solve(s->g, s->w, N, N, roots, shares, NULL);
    for (int64_t k = first; k < N; k++) {
        values[terms] = roots[k];
        counts[terms++] = 1;
        if (s->counts[k] > 1) {
            values[terms] = s->g[k];
            counts[terms++] = s->counts[k] - 1;
        }
    }
    const scree__ratio ratio = {values, counts, terms, zeros};
    assert_true(scree__ratio_varies(&ratio));
    return scree__ratio_log_tail(&ratio, x);
}

static void expect_same(const spectrum *s, int64_t first, double zeros)
{
    double roots[N], shares[N], weights[N];
    scree__secular_solve(s->g, s->w, N, first, roots, shares, NULL);
    scree__secular_deflate(s->g, s->w, N, first, roots, weights);
    const scree__updated updated = {s->g + first, s->counts + first, weights, N - first, zeros};
    assert_true(scree__updated_varies(&updated));
    const double largest = scree__secular_root(updated.poles, weights, N - first, 0);
    for (int step = 1; step < 200; step++) {
        const double x = largest * step / 200;
        const double wanted = tail_of_roots(s, first, zeros, x);
        EXPECT_NEAR(scree__updated_log_tail(&updated, x), wanted, 1e-5 + 1e-7 * fabs(wanted));
    }
    assert_true(scree__updated_log_tail(&updated, largest * (1 + 1e-9)) == -HUGE_VAL);
    assert_true(scree__updated_log_tail(&updated, 0) == 0);
}

static void as_of_the_roots(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++)
        for (int kind = 0; kind < 8; kind++) {
            const spectrum s = spectrum_of(seed, seed % 2 ? 0.95 : 0.7, kind & 1, kind & 2);
            const double zeros = kind & 4 ? 12 : 0;
            if (zeros > 0 || kind & 2) { /* else the least value is a root that is above its pole */
                expect_same(&s, 0, zeros);
                expect_same(&s, FIRST, zeros);
            }
        }
}

/* Without zeros and a pole at 0, values lie between the least root and the largest. */
static void below_the_least_root_it_is_certain(void **state)
{
    (void)state;
    const spectrum s = spectrum_of(9, 0.9, false, false);
    const scree__updated updated = {s.g, s.counts, s.w, N, 0};
    const double least = scree__secular_root(s.g, s.w, N, N - 1);
    assert_true(least > s.g[N - 1]);
    assert_true(scree__updated_log_tail(&updated, 0.5 * (s.g[N - 1] + least)) == 0);
    for (int step = 1; step < 20; step++)
        EXPECT_NEAR(scree__updated_log_tail(&updated, least * (1 + 0.05 * step)),
                    tail_of_roots(&s, 0, 0, least * (1 + 0.05 * step)), 1e-5);
}

/* The last root far above its pole, and all of them near each other. */
static void poles_are_passed(void **state)
{
    (void)state;
    const double g[2] = {1, 0.5}, counts[2] = {1, 1}, w[2] = {0, 0.499};
    double roots[2], shares[2];
    scree__secular_solve(g, w, 2, 2, roots, shares, NULL);
    const scree__updated updated = {g, counts, w, 2, 0};
    const scree__ratio ratio = {roots, counts, 2, 0};
    assert_true(scree__updated_log_tail(&updated, roots[1] - 1e-4) == 0);
    assert_true(scree__updated_log_tail(&updated, roots[0] + 1e-4) == -HUGE_VAL);
    for (int step = -4; step <= 4; step++) {
        const double x = 0.5 * (roots[0] + roots[1]) + 2e-6 * step;
        EXPECT_NEAR(scree__updated_log_tail(&updated, x), scree__ratio_log_tail(&ratio, x), 1e-4);
    }
}

/* The roots that are left, those of ties among them. */
static void first_roots_are_taken_off(void **state)
{
    (void)state;
    spectrum s = spectrum_of(5, 0.8, false, true);
    double all[N], shares[N], roots[N], weights[N];
    s.g[2] = s.g[1];
    s.g[FIRST] = s.g[FIRST - 1];
    scree__secular_solve(s.g, s.w, N, N, all, shares, NULL);
    scree__secular_deflate(s.g, s.w, N, FIRST, all, weights);
    scree__secular_solve(s.g + FIRST, weights, N - FIRST, N - FIRST, roots, shares, NULL);
    for (int64_t k = FIRST; k < N; k++)
        EXPECT_NEAR(roots[k - FIRST], all[k], 1e-9 * all[k]);
    for (int64_t k = 0; k < N; k++) {
        assert_true(scree__secular_lifts(s.g, s.w, N, k, all[k] * (1 - 1e-9)));
        assert_false(scree__secular_lifts(s.g, s.w, N, k, all[k] * (1 + 1e-9)));
    }
}

/* What an eigenvector has less than w, also where it is very little. */
static void what_is_lost(void **state)
{
    (void)state;
    const double g[3] = {1e9, 10, 1}, w[3] = {1e7, 0.5, 0.25};
    double roots[3], shares[3], lost[3];
    scree__secular_solve(g, w, 3, 3, roots, shares, lost);
    EXPECT_NEAR(lost[0] + lost[1] + lost[2], 0, 4e-9); /* two roundings of w_1 */
    /* To first order in the others over g_1: -2 w_1 (w_2 + w_3)/g_1, and w_1 moves the first root, too. */
    EXPECT_NEAR(lost[0], -2 * 1e7 * 0.75 / 1.01e9 + 1e7 * 1e7 * 0.75 / (1.01e9 * 1.01e9), 1e-6);
    for (int k = 1; k < 3; k++)
        EXPECT_NEAR(lost[k], w[k] - roots[k] * shares[k], 1e-12);
}

static void one_value_is_exact(void **state)
{
    (void)state;
    const double g = 2, w = 1, count = 1;
    const scree__updated updated = {&g, &count, &w, 1, 12};
    const scree__updated still = {&g, &count, &w, 1, 0};
    for (int step = 1; step < 10; step++)
        EXPECT_NEAR(scree__updated_log_tail(&updated, 0.3 * step),
                    scree__log_beta_tail(0.5, 6, 0.1 * step, 1 - 0.1 * step), 1e-12);
    assert_true(scree__updated_varies(&updated));
    assert_false(scree__updated_varies(&still));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_of_the_roots),  cmocka_unit_test(below_the_least_root_it_is_certain),
        cmocka_unit_test(poles_are_passed), cmocka_unit_test(first_roots_are_taken_off),
        cmocka_unit_test(what_is_lost),     cmocka_unit_test(one_value_is_exact)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
