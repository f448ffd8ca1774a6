/* SPDX-License-Identifier: BSD-3-Clause */
/* Whitening: what kind of noise there is, how many components it leaves, gaps, and columns that say nothing. */

#include "fit/whiten.h"

#include "base/random.h"
#include "support/checks.h"
#include "support/scenario.h"

#include <stdlib.h>
#include <string.h>

static scree__whitened whitened(double *x, int64_t n, int64_t cols, int64_t max_components)
{
    scree__whitened out;
    scree_error error = SCREE_ERROR_INIT;
    scree__whiten_table table = {.x = x, .n = n, .cols = cols, .directions = cols, .max_components = max_components};
    EXPECT_OK(scree__whiten(&out, &table, &error), error);
    return out;
}

static scree__whitened whitened_scenario(const scenario *s, uint64_t seed)
{
    double *x = scenario_draw(s, seed);
    scree__whitened out = whitened(x, s->n, s->d, s->d);
    free(x);
    return out;
}

static void clear(scree__whitened *out)
{
    free(out->log_chance);
    free(out->white);
}

static void test_filters_undo_each_other(void **state)
{
    (void)state;
    double x[30];
    double y[30];
    const scree__whitening w = {.n = 6, .d = 5, .kind = {.along_columns = 0.7, .along_rows = -0.4}};
    scree__normals(3, 1, 0, 30, x);
    memcpy(y, x, sizeof y);
    scree__whiten_filter(&w, y);
    assert_true(fabs(y[29] - x[29]) > 1e-3);
    scree__whiten_unfilter(&w, y);
    for (int i = 0; i < 30; i++)
        EXPECT_NEAR(y[i], x[i], 1e-14);
}

/* What may fill a gap does not depend on units: fourth powers of these would be 0, and infinite. */
static void test_bounds_in_any_unit(void **state)
{
    (void)state;
    const double units[] = {1e-100, 1, 1e100};
    for (int u = 0; u < 3; u++) {
        double x[300], low, high;
        double variance = units[u] * units[u];
        scree__whitening w = {.n = 300, .d = 1, .x = x, .variance = &variance, .col_low = &low, .col_high = &high};
        scree__normals(4, 1, 0, 300, x);
        for (int i = 0; i < 300; i++)
            x[i] = i % 7 ? x[i] * units[u] : NAN;
        scree__whiten_bound(&w);
        assert_true(low < -3 * units[u] && high > 3 * units[u]);
        for (int i = 0; i < 300; i++)
            x[i] = i ? 0 : units[u];
        scree__whiten_bound(&w);
        assert_true(low == 0 && high == 0);
    }
}

/* Each kind of noise is recognised, and only that. */
static void test_kinds_of_noise(void **state)
{
    (void)state;
    static const scenario scenarios[] = {
        {"white", 200, 30, 2, 40, 15, NOISE_WHITE},
        {"columns alike", 200, 30, 2, 60, 30, NOISE_ALONG_COLUMNS},
        {"unequal", 200, 30, 2, 60, 30, NOISE_UNEQUAL_COLUMNS},
        {"heavy cells", 200, 30, 2, 40, 15, NOISE_HEAVY_CELLS},
        {"heavy rows", 200, 30, 2, 40, 15, NOISE_HEAVY_ROWS},
    };
    for (int64_t i = 0; i < COUNT_OF(scenarios); i++) {
        const scenario_noise noise = scenarios[i].noise;
        scree__whitened out = whitened_scenario(&scenarios[i], 77);
        if (out.choice != 2)
            fail_msg("%s: %d components", scenarios[i].name, (int)out.choice);
        EXPECT_NEAR(out.noise.along_columns, noise == NOISE_ALONG_COLUMNS ? 0.6 : 0, 0.06);
        assert_true(out.noise.along_rows == 0);
        assert_true(noise == NOISE_UNEQUAL_COLUMNS ? out.noise.column_ratio > 4 : out.noise.column_ratio < 2);
        assert_true(noise == NOISE_HEAVY_ROWS ? out.noise.row_ratio > 3 : out.noise.row_ratio < 3);
        assert_true(noise == NOISE_HEAVY_CELLS ? out.noise.heavy_tails : !out.noise.heavy_tails);
        assert_true(out.log_chance[1] < log(0.01) && out.log_chance[2] < log(0.01));
        assert_true(out.log_chance[3] >= log(0.01) && isnan(out.log_chance[4]));
        clear(&out);
    }
}

/* Rows and columns turned round: neighbours in a column. */
static void test_neighbouring_rows(void **state)
{
    (void)state;
    static const scenario s = {"columns alike", 40, 200, 2, 200, 100, NOISE_ALONG_COLUMNS};
    double *x = scenario_draw(&s, 5);
    double *turned = malloc((size_t)(s.n * s.d) * sizeof *turned);
    assert_non_null(turned);
    for (int64_t i = 0; i < s.n; i++)
        for (int64_t j = 0; j < s.d; j++)
            turned[j * s.n + i] = x[i * s.d + j] - (double)(j % 7);
    scree__whitened out = whitened(turned, s.d, s.n, s.n);
    assert_int_equal(out.choice, 2);
    EXPECT_NEAR(out.noise.along_rows, 0.6, 0.06);
    assert_true(out.noise.along_columns == 0);
    clear(&out);
    free(turned);
    free(x);
}

/* Constant columns and an outlier change nothing; a column that repeats another is no reason to fail. */
static void test_nasty_columns(void **state)
{
    (void)state;
    static const scenario s = {"white", 150, 20, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 8);
    double *padded = malloc((size_t)(s.n * (s.d + 2)) * sizeof *padded);
    assert_non_null(padded);
    for (int64_t i = 0; i < s.n; i++) {
        memcpy(padded + i * (s.d + 2), x + i * s.d, (size_t)s.d * sizeof *x);
        padded[i * (s.d + 2) + s.d] = 3e10;
        padded[i * (s.d + 2) + s.d + 1] = 0;
    }
    scree__whitened out = whitened(padded, s.n, s.d + 2, s.d);
    assert_int_equal(out.choice, 2);
    clear(&out);
    for (int64_t i = 0; i < s.n; i++)
        x[i * s.d + 7] = x[i * s.d + 3];
    x[4 * s.d + 9] = 1e6;
    out = whitened(x, s.n, s.d, s.d);
    assert_true(out.choice >= 2 && out.choice <= 4);
    clear(&out);
    free(padded);
    free(x);
}

/* A gap is filled with what it may have been, what is observed stays. */
static void test_gaps(void **state)
{
    (void)state;
    static const scenario s = {"white", 200, 20, 2, 40, 20, NOISE_WHITE};
    double *x = scenario_draw(&s, 9);
    double *gappy = scenario_draw(&s, 9);
    scree__whitened out;
    scree_error error = SCREE_ERROR_INIT;
    double squares = 0;
    double gaps = 0;
    scenario_punch(gappy, s.n * s.d, 0.15, 1);
    double mean[20] = {0};
    double seen[20] = {0};
    for (int64_t i = 0; i < s.n * s.d; i++)
        if (!isnan(gappy[i])) {
            mean[i % s.d] += gappy[i];
            seen[i % s.d]++;
        }
    double *before = malloc((size_t)(s.n * s.d) * sizeof *before);
    assert_non_null(before);
    memcpy(before, gappy, (size_t)(s.n * s.d) * sizeof *before);
    scree__whiten_table table = {
        .x = gappy, .n = s.n, .cols = s.d, .directions = s.d, .max_components = s.d, .complete = true, .seed = 4};
    EXPECT_OK(scree__whiten(&out, &table, &error), error);
    assert_int_equal(out.choice, 2);
    assert_int_equal(table.cols_left, s.d);
    for (int64_t i = 0; i < s.n * s.d; i++) {
        const double cell = gappy[i] + mean[i % s.d] / seen[i % s.d];
        if (!isnan(before[i])) {
            EXPECT_NEAR(cell, x[i], 1e-12);
            continue;
        }
        squares += (cell - x[i]) * (cell - x[i]);
        gaps++;
    }
    EXPECT_NEAR(squares / gaps, 2.2, 0.5); /* the noise that was there, the noise drawn, and errors of the components */
    clear(&out);
    free(before);
    free(gappy);
    free(x);
}

static void test_too_little(void **state)
{
    (void)state;
    double x[30] = {0};
    scree__normals(1, 1, 0, 30, x);
    scree__whitened out = whitened(x, 10, 3, 3);
    assert_int_equal(out.choice, -1);
    assert_false(scree__whiten_suffices(10, 3));
    clear(&out);
    assert_true(scree__whiten_rows(10) > 5000 && scree__whiten_rows(100000) >= 64);
    assert_true(scree__whiten_rows(100) * 100 < 3000000);
}

/* Rows that are all equally far from each other: every eigenvalue is the same, and so nothing stands out. */
static void test_all_alike(void **state)
{
    (void)state;
    enum { N = 30 };
    double x[N * N] = {0};
    for (int i = 0; i < N; i++)
        x[i * N + i] = 1;
    scree__whitened out = whitened(x, N, N, N - 1);
    assert_int_equal(out.choice, 0);
    clear(&out);
}

/* A column in another unit is noise of its own: a parameter, where a component would take many. White noise needs none,
 * and is worth what it is without whitening. */
static void test_evidence(void **state)
{
    (void)state;
    static const scenario tables[] = {{"twice", 200, 10, 3, 20, 5, NOISE_TWICE},
                                      {"other unit", 200, 10, 3, 20, 5, NOISE_OTHER_UNIT}};
    for (int64_t i = 0; i < COUNT_OF(tables); i++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            scree__whitened out = whitened_scenario(&tables[i], seed);
            assert_int_equal(out.choice, 3);
            assert_true(out.noise.column_ratio > 1.3);
            assert_true(out.evidence < out.white[4] - 6 && out.evidence < out.white[3]);
            clear(&out);
        }
    static const scenario white = {"white", 200, 10, 3, 20, 5, NOISE_WHITE};
    scree__whitened out = whitened_scenario(&white, 6);
    assert_int_equal(out.choice, 3);
    EXPECT_NEAR(out.evidence, out.white[3], 1e-9 * fabs(out.white[3]));
    assert_true(out.white[3] < out.white[2] && out.white[3] < out.white[4]);
    clear(&out);
}

/* Noise a million times smaller than the signal is noise all the same. */
static void test_hardly_any_noise(void **state)
{
    (void)state;
    static const scenario tables[] = {{"white", 80, 16, 3, 1e13, 4e12, NOISE_WHITE},
                                      {"unequal", 200, 30, 3, 2e9, 5e8, NOISE_UNEQUAL_COLUMNS},
                                      {"units", 400, 30, 3, 6e5, 1.5e5, NOISE_DIFFERENT_SCALES}};
    for (int64_t i = 0; i < COUNT_OF(tables); i++) {
        scree__whitened out = whitened_scenario(&tables[i], 3);
        assert_int_equal(out.choice, 3);
        clear(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_undo_each_other),
        cmocka_unit_test(test_bounds_in_any_unit),
        cmocka_unit_test(test_kinds_of_noise),
        cmocka_unit_test(test_neighbouring_rows),
        cmocka_unit_test(test_nasty_columns),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_too_little),
        cmocka_unit_test(test_all_alike),
        cmocka_unit_test(test_evidence),
        cmocka_unit_test(test_hardly_any_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
