/* SPDX-License-Identifier: BSD-3-Clause */
/* What relations between columns, and planes that rows lie in, rest on: rows that repeat each other count once, columns
 * that vary in a few rows say little, and of both no clean row gets p = 0. What many rows bear out is still impossible
 * to break: with gaps, too, and however few digits rows are written with. */

#include "support/checks.h"

#include "kernel/witnesses.h"
#include "support/calls.h"
#include "support/rows.h"
#include "unit/temporary_folder.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEW = 400 };

static double *table(int64_t n, int64_t d)
{
    double *x = calloc((size_t)(n * d), sizeof *x);
    assert_non_null(x);
    return x;
}

static scree_model *fitted(const double *x, int64_t n, int64_t d, int64_t k, int threads, int64_t block_rows)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_model *model = NULL;
    scree_source *source = NULL;
    scree_fit_options o = SCREE_FIT_OPTIONS_INIT;
    const scree_run run = run_with_blocks(threads, block_rows);
    o.components = k;
    o.run = &run;
    EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, n, d), &error), error);
    EXPECT_OK(scree_model_fit(&model, source, &o, &error), error);
    scree_source_free(source);
    return model;
}

/* Rows whose p-value is at most so much; all have one. */
static int64_t at_most(const scree_model *model, const double *x, int64_t n, double p)
{
    scree_error error = SCREE_ERROR_INIT;
    scree_scorer *scorer = NULL;
    row_score *scores = calloc((size_t)n, sizeof *scores);
    int64_t count = 0;
    assert_non_null(scores);
    EXPECT_OK(scree_scorer_make(&scorer, model, NULL, &error), error);
    EXPECT_OK(score_rows(scorer, BLOCK(x, SCREE_F64, n, scree_model_get(model)->d), scores, &error), error);
    for (int64_t i = 0; i < n; i++) {
        assert_true(scores[i].p_value >= 0);
        count += scores[i].p_value <= p;
    }
    scree_scorer_free(scorer);
    free(scores);
    return count;
}

static void fill_normal(double *x, int64_t n, int64_t d, uint64_t seed)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < d; j++)
            x[i * d + j] = rows_random(seed, i, j);
}

/* Distinct rows, rare columns and rows alone, whatever blocks they come in. */
static void test_counts(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    enum { N = 60, D = 4 };
    double *x = table(N, D);
    fill_normal(x, N, D, 1);
    for (int64_t i = 0; i < N; i++) {
        x[i * D + 1] = i == 7;
        x[i * D + 2] = i % 10 == 0;
        x[i * D + 3] = 5;
    }
    memcpy(x + 59 * D, x + 3 * D, D * sizeof *x);
    for (int64_t batch = 1; batch <= N; batch += 13) {
        scree__witnesses *w = NULL;
        EXPECT_OK(scree__witnesses_new(&w, D, &error), error);
        for (int64_t i = 0; i < N; i += batch) {
            const int64_t height = i + batch < N ? batch : N - i;
            const scree__rows some = {.data = x + i * D, .type = SCREE_F64, .rows = height, .cols = D, .stride = D};
            scree__witnesses_add(w, &some);
        }
        scree__witnesses_finish(w);
        assert_int_equal(w->rows, N);
        assert_int_equal(scree__witnesses_distinct(w, N), N - 1);
        assert_false(scree__witnesses_are_few(w, 0));
        assert_true(scree__witnesses_are_few(w, 1));
        assert_true(scree__witnesses_are_few(w, 2));
        assert_false(scree__witnesses_are_few(w, 3));
        assert_int_equal(scree__witnesses_alone(w), 1);
        assert_true(w->values[2] == 0);
        scree__witnesses_free(w);
    }
    free(x);
}

/* A row that came often enough is one of few that there can be. */
static void test_often(void **state)
{
    (void)state;
    scree_error error = SCREE_ERROR_INIT;
    scree__witnesses *w = NULL;
    double x[80];
    for (int64_t i = 0; i < 40; i++) {
        x[2 * i] = (double)(i % 2);
        x[2 * i + 1] = i == 39 ? 2 : (double)(i % 2);
    }
    const scree__rows all = {.data = x, .type = SCREE_F64, .rows = 40, .cols = 2, .stride = 2};
    EXPECT_OK(scree__witnesses_new(&w, 2, &error), error);
    scree__witnesses_add(w, &all);
    scree__witnesses_finish(w);
    assert_int_equal(scree__witnesses_distinct(w, 40), 40);
    assert_false(scree__witnesses_are_few(w, 0));
    scree__witnesses_free(w);
}

/* 20 rows, twice; and once more with another column that differs. */
static void test_repeated(void **state)
{
    (void)state;
    enum { N = 40, D = 31 };
    double *x = table(N, D);
    double *new = table(NEW, D);
    for (int index = 0; index < 2; index++) {
        fill_normal(x, N / 2, D, 2);
        fill_normal(new, NEW, D, 3);
        memcpy(x + N / 2 * D, x, N / 2 * D * sizeof *x);
        for (int64_t i = 0; index && i < N; i++)
            x[i * D] = (double)i / 10;
        for (int64_t i = 0; index && i < NEW; i++)
            new[i * D] = (double)(i % N) / 10;
        scree_model *model = fitted(x, N, D, 0, 1, 0);
        assert_null(scree_model_relations(model));
        assert_int_equal(scree_model_get(model)->distinct, index ? N : N / 2);
        assert_int_equal(at_most(model, new, NEW, 0), 0);
        assert_in_range(at_most(model, new, NEW, 0.001), 0, NEW / 50);
        scree_model_free(model);
    }
    free(x);
    free(new);
}

/* Indicators of rare things, some of them not seen, and a sum of other columns. */
static void fill_rare(double *x, int64_t n, int64_t d, uint64_t seed)
{
    fill_normal(x, n, d, seed);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 4; j < d; j++)
            x[i * d + j] = rows_random(seed + 1, i, j) > 2.3;
        x[i * d + 3] = x[i * d] + x[i * d + 1];
    }
}

static void test_rare(void **state)
{
    (void)state;
    enum { N = 150, D = 80 };
    scree_error error = SCREE_ERROR_INIT;
    double *x = table(N, D);
    double *new = table(NEW, D);
    scree_model *again = NULL;
    fill_rare(x, N, D, 4);
    fill_rare(new, NEW, D, 6);
    scree_model *model = fitted(x, N, D, 0, 1, 0);
    assert_true(scree_model_get(model)->rare > 20);
    assert_non_null(scree_model_relations(model));
    assert_int_equal(at_most(model, new, NEW, 0), 0);
    EXPECT_OK(scree_model_save(model, folder_path("rare.scree"), &error), error);
    EXPECT_OK(scree_model_load(&again, folder_path("rare.scree"), &error), error);
    assert_int_equal(scree_model_get(again)->rare, scree_model_get(model)->rare);
    assert_int_equal(at_most(again, new, NEW, 0), 0);
    for (int64_t i = 0; i < NEW; i++)
        new[i * D + 3] += 0.1;
    assert_int_equal(at_most(model, new, NEW, 0), at_most(again, new, NEW, 0));
    assert_true(at_most(model, new, NEW, 0) > NEW / 2); /* all but rows that differ where few do */
    scree_model_free(again);
    scree_model_free(model);
    free(x);
    free(new);
}

/* One of ten kinds, one of which was never seen: such a row is no impossible one, but a row of two kinds is. */
static void test_unseen_kind(void **state)
{
    (void)state;
    enum { N = 300, D = 12, KINDS = 10 };
    double *x = table(N, D);
    for (int64_t i = 0; i < N; i++) {
        const int64_t kind = i < 2 ? 8 : i % 8;
        x[i * D + kind] = 1;
        x[i * D + 10] = rows_random(8, i, 0);
        x[i * D + 11] = rows_random(8, i, 1);
    }
    scree_model *model = fitted(x, N, D, 0, 1, 0);
    double row[D] = {[9] = 1, [10] = 0.3};
    assert_int_equal(at_most(model, row, 1, 0), 0);
    double two[D] = {[0] = 1, [1] = 1, [10] = 0.3};
    assert_int_equal(at_most(model, two, 1, 0), 1);
    scree_model_free(model);
    free(x);
}

/* The model has the same bytes for any threads and blocks. */
static void test_same(void **state)
{
    (void)state;
    enum { N = 300, D = 20 };
    double *x = table(N, D);
    fill_rare(x, N, D, 9);
    scree_model *one = fitted(x, N, D, 0, 1, 0);
    for (int threads = 1; threads <= 4; threads++) {
        scree_model *other = fitted(x, N, D, 0, threads, 7 * threads);
        assert_int_equal(scree_model_get(other)->distinct, scree_model_get(one)->distinct);
        assert_int_equal(scree_model_get(other)->rare, scree_model_get(one)->rare);
        assert_int_equal(scree_model_relations(other)->count, scree_model_relations(one)->count);
        assert_memory_equal(scree_model_relations(other)->coefficients, scree_model_relations(one)->coefficients,
                            (size_t)D * sizeof(double));
        scree_model_free(other);
    }
    scree_model_free(one);
    free(x);
}

/* Two copies of a column say that they are equal where it is missing. */
static void test_linked(void **state)
{
    (void)state;
    enum { N = 100, D = 6 };
    double *x = table(N, D);
    fill_normal(x, N, D, 10);
    for (int64_t i = 0; i < N; i++)
        x[i * D + 4] = x[i * D + 5] = x[i * D];
    scree_model *model = fitted(x, N, D, 2, 1, 0);
    double row[D] = {NAN, 0.1, 0.2, 0.3, 0.5, 0.5};
    assert_int_equal(at_most(model, row, 1, 0.01), 0);
    row[5] = 0.9;
    assert_int_equal(at_most(model, row, 1, 0), 1);
    row[4] = NAN;
    assert_int_equal(at_most(model, row, 1, 0.01), 0);
    scree_model_free(model);
    free(x);
}

static double with_digits(double x, int digits)
{
    const double power = pow(10, digits - 1 - floor(log10(fabs(x))));
    return nearbyint(x * power) / power;
}

/* A sum of large numbers that were written with few significant digits, or to thousands; and one that is wrong. */
static void test_digits(void **state)
{
    (void)state;
    enum { N = 200, D = 4 };
    double *x = table(N, D);
    double *new = table(N, D);
    for (int64_t i = 0; i < N; i++) {
        for (int64_t j = 0; j < 3; j++)
            x[i * D + j] = 1e6 * exp(rows_random(11, i, j) / 3);
        x[i * D + 3] = x[i * D] + x[i * D + 1] + x[i * D + 2];
    }
    scree_model *model = fitted(x, N, D, 0, 1, 0);
    for (int digits = 3; digits <= 6; digits++) {
        for (int64_t i = 0; i < N * D; i++)
            new[i] = with_digits(x[i], digits);
        assert_int_equal(at_most(model, new, N, 0), 0);
        for (int64_t i = 0; i < N; i++)
            new[i * D + 3] += 200 * pow(10, 6 - digits);
        assert_int_equal(at_most(model, new, N, 0), N);
    }
    for (int64_t i = 0; i < N * D; i++)
        new[i] = 1000 * nearbyint(x[i] / 1000);
    assert_int_equal(at_most(model, new, N, 0), 0);
    for (int64_t i = 0; i < N; i++)
        new[i * D + 3] += 20000;
    assert_int_equal(at_most(model, new, N, 0), N);
    scree_model_free(model);
    free(x);
    free(new);
}

/* A copy but for noise a little above rounding: rows have p-values, and the right ones. */
static void test_hardly_noise(void **state)
{
    (void)state;
    enum { N = 1000, D = 10 };
    double *x = table(N, D);
    double *new = table(N, D);
    for (int step = 0; step < 12; step++) {
        const double noise = 1e-7 * pow(1.5, step);
        fill_normal(x, N, D, 12);
        fill_normal(new, N, D, 13);
        for (int64_t i = 0; i < N; i++) {
            x[i * D + 9] = x[i * D] + noise * x[i * D + 9];
            new[i * D + 9] = new[i * D] + noise *new[i * D + 9];
        }
        scree_model *model = fitted(x, N, D, 0, 1, 0);
        assert_in_range(at_most(model, new, N, 0.05), 15, 80);
        scree_model_free(model);
    }
    free(x);
    free(new);
}

/* All components of columns that depend on each other: some noise is left for a density. */
static void test_all_components(void **state)
{
    (void)state;
    enum { N = 200, D = 5 };
    double *x = table(N, D);
    double *new = table(N, D);
    fill_normal(x, N, D, 14);
    fill_normal(new, N, D, 15);
    for (int64_t i = 0; i < N; i++) {
        x[i * D + 4] = x[i * D] + x[i * D + 1];
        new[i * D + 4] = new[i * D] + new[i * D + 1];
    }
    for (int64_t k = 4; k <= D; k++) {
        scree_model *model = fitted(x, N, D, k, 1, 0);
        assert_in_range(at_most(model, new, N, 0.05), 0, 25);
        new[4] += 0.1;
        assert_int_equal(at_most(model, new, 1, 0), 1);
        new[4] -= 0.1;
        scree_model_free(model);
    }
    free(x);
    free(new);
}

/* Two thousand rows of nothing say as little before the others as after them. */
static void test_any_order(void **state)
{
    (void)state;
    enum { N = 2000, D = 5 };
    for (int after = 0; after < 2; after++) {
        double *x = table(2 * N, D);
        double *related = x + (after ? 0 : N * D);
        fill_normal(related, N, D, 15);
        for (int64_t i = 0; i < N; i++)
            related[i * D + 3] = related[i * D] + related[i * D + 1];
        scree_model *model = fitted(x, 2 * N, D, 2, 1, 0);
        assert_non_null(scree_model_relations(model));
        assert_int_equal(scree_model_relations(model)->count, 1);
        scree_model_free(model);
        free(x);
    }
}

/* What cannot be is refused, by name. */
static void test_impossible(void **state)
{
    (void)state;
    enum { N = 40, D = 4 };
    const int64_t distinct[] = {-1, N + 1, INT64_MAX};
    double *x = table(N, D);
    fill_normal(x, N, D, 16);
    scree_model *model = fitted(x, N, D, 2, 1, 0);
    for (int i = 0; i < COUNT_OF(distinct); i++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_model *made = NULL;
        scree_model_view view = *scree_model_get(model);
        view.distinct = distinct[i];
        assert_int_equal(scree_model_from_arrays(&made, &view, &error), SCREE_ERR_VALUE);
        assert_non_null(strstr(error.text, "distinct"));
        assert_null(made);
    }
    scree_model_free(model);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_often),       cmocka_unit_test(test_repeated),
        cmocka_unit_test(test_rare),           cmocka_unit_test(test_unseen_kind), cmocka_unit_test(test_same),
        cmocka_unit_test(test_linked),         cmocka_unit_test(test_digits),      cmocka_unit_test(test_hardly_noise),
        cmocka_unit_test(test_all_components), cmocka_unit_test(test_any_order),   cmocka_unit_test(test_impossible),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
