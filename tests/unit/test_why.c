/* SPDX-License-Identifier: BSD-3-Clause */
/* Reasons: by what each column adds to the distance under the whole density, against the dense inverse, of rows with
 * gaps, too; of impossible rows by what they leave; nothing for rows that are no outliers. */

#include "answer/why.h"

#include "support/checks.h"

#include "made_model.h"
#include "model/ppca.h"
#include "support/calls.h"

#include <string.h>

enum { D = 8, M = 2 };
static const char *const names[D] = {"a", "b", "c", "d", "e", "f", "g", "h"};

/* A model whose components are the first M axes. */
static scree_model *axes(const char *const *columns)
{
    scree_model *model = made_model(D, M, 1.0, false, columns);
    for (int64_t i = 0; i < M * D; i++)
        model->components[i] = i % (D + 1) == 0 ? 1 : 0;
    return model;
}

/* The reason for one row at the mean but for what is added to it. */
static void expect(const scree_model *model, const double *added, int64_t most, const int64_t *columns,
                   const char *wanted)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_score_options options = SIZED(scree_score_options, .alpha = 0.01, .blame_columns = most);
    scree_scorer *scorer = NULL;
    scree__why why = {0};
    row_score score;
    double row[D];
    double mixed[D];
    for (int64_t j = 0; j < D; j++)
        row[j] = view->mean[j] + added[j];
    for (int64_t j = 0; j < D; j++)
        mixed[columns ? columns[j] : j] = row[j];
    const scree__row_block given = {{mixed, SCREE_F64, 1, D, D, NULL}, 0, "test", 0, columns, NULL, NULL, NULL};
    assert_int_equal(scree_scorer_make(&scorer, model, &options, NULL), SCREE_OK);
    assert_int_equal(score_rows(scorer, BLOCK(row, SCREE_F64, 1, D), &score, NULL), SCREE_OK);
    assert_int_equal(scree__why_open(&why, scorer, options.alpha, D, 2, NULL), SCREE_OK);
    const scree__score known = {score.loglik, score.t2, score.q, score.p_t2, score.p_q, score.p_value, 0};
    assert_int_equal(scree__why_rows(&why, &given, &known, 2, NULL), SCREE_OK);
    assert_string_equal(why.texts[0], wanted);
    scree__why_close(&why);
    scree_scorer_free(scorer);
}

static void columns_are_blamed_for_q(void **state)
{
    (void)state;
    scree_model *model = axes(names);
    expect(model, (double[D]){[2] = 3, [3] = -4}, 1, NULL, "d 64 %");
    expect(model, (double[D]){[2] = 3, [3] = -4}, 2, NULL, "d 64 %, c 36 %");
    expect(model, (double[D]){[2] = 3, [3] = -4}, 5, NULL, "d 64 %, c 36 %"); /* the others have no share */
    expect(model, (double[D]){[4] = 2, [5] = 2, [6] = 2, [7] = 2}, 3, NULL, "e 25 %, f 25 %, g 25 %");
    expect(model, (double[D]){[0] = 9, [3] = 9}, 2, NULL, "d 96 %, a 4 %");
    expect(model, (double[D]){0}, 3, NULL, "");
    expect(model, (double[D]){[0] = 1, [3] = 0.1}, 3, NULL, "");
    scree_model_free(model);
}

static void columns_are_blamed_for_t2(void **state)
{
    (void)state;
    scree_model *model = axes(names);
    expect(model, (double[D]){[1] = 9}, 3, NULL, "b 100 %");
    expect(model, (double[D]){[0] = 6, [1] = 6}, 3, NULL, "b 67 %, a 33 %");
    expect(model, (double[D]){[0] = 6, [1] = 6}, 1, NULL, "b 67 %");
    scree_model_free(model);
}

/* All directions are components, which mix the columns: the one that alone is off has the largest share. */
static void the_column_that_is_off_is_first(void **state)
{
    (void)state;
    static const double variances[4] = {400, 9, 1, 0.04};
    static const char *const four[4] = {"a", "b", "c", "d"};
    scree_model *model = made_model(4, 3, 1e-6, false, four);
    for (int64_t j = 0; j < 3; j++)
        model->eigenvalues[j] = variances[j];
    for (int64_t i = 0; i < 12; i++) /* Hadamard: every column is in every component */
        model->components[i] = __builtin_parity((unsigned)(i / 4 & i % 4)) ? -0.5 : 0.5;
    const scree_score_options options = SIZED(scree_score_options, .alpha = 0.01, .blame_columns = 1);
    scree_scorer *scorer = NULL;
    assert_int_equal(scree_scorer_make(&scorer, model, &options, NULL), SCREE_OK);
    for (int64_t off = 0; off < 4; off++) {
        double row[4];
        double parts[4];
        for (int64_t j = 0; j < 4; j++)
            row[j] = scree_model_get(model)->mean[j] + (j == off ? 30 : 0);
        assert_int_equal(scree__ppca_reasons(scorer, row, parts), SCREE_OK);
        for (int64_t j = 0; j < 4; j++)
            assert_true(j == off || parts[j] < parts[off]);
    }
    scree_scorer_free(scorer);
    scree_model_free(model);
}

/* r_i = (Px)_i²/P_ii with P the dense inverse, less what a missing column takes of it; -1: none. In any unit. */
static void expect_dense(const scree_model *model, int64_t missing)
{
    const scree_model_view *view = scree_model_get(model);
    const scree_score_options options = SIZED(scree_score_options, .alpha = 0.01, .blame_columns = 1);
    scree_scorer *scorer = NULL;
    double p[D * D], x[D], row[D], parts[D], wanted[D], sum = 0, total = 0;
    assert_int_equal(scree_model_precision_dense(model, p, NULL), SCREE_OK);
    assert_int_equal(scree_scorer_make(&scorer, model, &options, NULL), SCREE_OK);
    scree__normals(5, 6, 0, D, x);
    for (int64_t i = 0; i < D; i++)
        row[i] = i == missing ? NAN : view->mean[i] + x[i];
    for (int64_t i = 0; i < D; i++) {
        double force = 0, stiffness = p[i * (D + 1)];
        for (int64_t j = 0; j < D; j++) {
            const double taken = missing < 0 ? 0 : p[i * D + missing] * p[missing * D + j] / p[missing * (D + 1)];
            force += j == missing ? 0 : (p[i * D + j] - taken) * x[j];
            stiffness -= i == j ? taken : 0;
        }
        sum += wanted[i] = i == missing ? 0 : force * force / stiffness;
    }
    assert_int_equal(scree__ppca_reasons(scorer, row, parts), SCREE_OK);
    for (int64_t i = 0; i < D; i++)
        total += parts[i];
    for (int64_t i = 0; i < D; i++)
        EXPECT_NEAR(parts[i] / total, wanted[i] / sum, 1e-12);
    scree_scorer_free(scorer);
}

static void blame_is_that_of_the_whole_density(void **state)
{
    (void)state;
    for (int64_t m = 1; m <= D; m++) {
        scree_model *model = made_model(D, m, 1.0, true, names);
        for (int64_t missing = -1; missing < D; missing++)
            expect_dense(model, missing);
        scree_model_free(model);
    }
}

/* Column 2 is constant, 4 the sum of 0 and 1: scaled or not, no other row can be, and those that can are ordinary. */
static void impossible_rows_name_what_they_leave(void **state)
{
    (void)state;
    enum { ROWS = 60 };
    double x[ROWS * D];
    scree__normals(8, 9, 0, ROWS * D, x);
    for (int64_t i = 0; i < ROWS; i++) {
        x[i * D + 2] = 7;
        x[i * D + 4] = x[i * D] + x[i * D + 1];
    }
    for (int scaled = 0; scaled < 2; scaled++) {
        scree_error error = SCREE_ERROR_INIT;
        scree_fit_options options = SCREE_FIT_OPTIONS_INIT;
        scree_source *source = NULL;
        scree_model *model = NULL;
        double off[D] = {0};
        options.scale = scaled ? SCREE_SCALE_UNIT : SCREE_SCALE_NONE;
        EXPECT_OK(scree_source_from_memory(&source, BLOCK(x, SCREE_F64, ROWS - 10, D), &error), error);
        EXPECT_OK(scree_model_fit(&model, source, &options, &error), error);
        const double *mean = scree_model_get(model)->mean;
        for (int64_t i = ROWS - 10; i < ROWS; i++) {
            for (int64_t j = 0; j < D; j++)
                off[j] = x[i * D + j] - mean[j];
            expect(model, off, 3, NULL, "");
        }
        off[2] += 0.001;
        expect(model, off, 3, NULL, "column 3 100 %");
        scree_model_free(model);
        scree_source_free(source);
    }
}

static void columns_without_names_have_numbers(void **state)
{
    (void)state;
    scree_model *model = axes(NULL);
    expect(model, (double[D]){[7] = 5}, 2, NULL, "column 8 100 %");
    scree_model_free(model);
}

static void columns_are_the_models(void **state)
{
    (void)state;
    static const int64_t columns[D] = {7, 6, 5, 4, 3, 2, 1, 0};
    scree_model *model = axes(names);
    expect(model, (double[D]){[2] = 5}, 1, columns, "c 100 %");
    scree_model_free(model);
}

static void rows_out_of_all_bounds_have_reasons(void **state)
{
    (void)state;
    scree_model *model = axes(names);
    expect(model, (double[D]){[6] = 1e200}, 1, NULL, "g 100 %");
    scree_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_blamed_for_q),
        cmocka_unit_test(columns_are_blamed_for_t2),
        cmocka_unit_test(the_column_that_is_off_is_first),
        cmocka_unit_test(columns_without_names_have_numbers),
        cmocka_unit_test(columns_are_the_models),
        cmocka_unit_test(rows_out_of_all_bounds_have_reasons),
        cmocka_unit_test(blame_is_that_of_the_whole_density),
        cmocka_unit_test(impossible_rows_name_what_they_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
